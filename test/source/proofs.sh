#!/usr/bin/env bash
#
# proofs.sh: does each proof refute its mutant in mutants.tsv?
#
#	proofs.sh [PROPERTY...]
#
# To be run in a copy of the sources.
#
set -u -o pipefail
. test/lib/check.sh

work=build/mutant
litmus=build/litmus
out=build/said

# The lines of the proof $1 for $2 in the output of its run, which has others where these have
# entries of their own.
lines_of()
{
	awk -v property="$1" -v of="$2" -F '\t+' '
		NR == FNR { own[$2] = own[$2] || $1 == property; next }
		split($0, word, " ") && word[1] == property && (of == word[2] ||
			of == "types" && !own[word[2]])' test/core/proof/proofs.tsv "$out"
}

# Whether the proof $1 of $2 is refuted, for each type, by the change $4 of the file $3.
refuted()
{
	local file

	rm -rf $work $litmus
	mkdir -p $work && cp -a src test $work || return 1
	mkdir $litmus && perl test/core/proof/litmus.pl $litmus && cp -a $litmus $work/litmus
	(cd $work && sed -i "$4" $(ls {src/core,test/core/proof,litmus}/$3 2>/dev/null))
	! diff -r src $work/src >/dev/null || ! diff -r test $work/test >/dev/null ||
		! diff -r $litmus $work/litmus >/dev/null || { echo "no mutant"; return 1; } >"$out"
	if [ "$2" = memory ]; then
		for file in $work/litmus/$3; do
			herd7 "$file" >"$out" 2>&1
			grep -q '^Observation .* Sometimes ' "$out" || return 1
		done
	else
		(cd $work && test/core/proof/run.sh "$1") >"$out" 2>&1
		[ -n "$(lines_of "$1" "$2")" ] && ! lines_of "$1" "$2" | grep -qv 'FAILED: refuted$'
	fi
}

mkdir -p build
while IFS=$'\t' read -r property of file mutant; do
	[[ $property = *[a-z]* && $property != '#'* ]] || continue
	[ $# -eq 0 ] || [[ " $* " = *" $property "* ]] || continue
	if [ "$of" = memory ] && ! command -v herd7 >/dev/null; then
		echo "ok - $property, $of # SKIP herd7 is not packaged"
	else
		check "$property, $of: $file: $mutant" refuted "$property" "$of" "$file" "$mutant"
	fi
done <test/source/mutants.tsv
sums
