#!/usr/bin/env bash
#
# run.sh: proves what proofs.tsv lists.
#
#	run.sh [PROPERTY...]
#
# To be run in a copy of the sources.  Prints a table: a proof that does not hold, or whose end is
# not reached, makes its line FAILED, and the exit status 1.  What cbmc said of it is in
# test/core/proof/build.
#
set -u -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
. test/lib/check.sh

build=test/core/proof/build
list=test/core/proof/proofs.tsv
types=($(sed -n 's/^#include "\(.*\)_codec\.h"$/\1/p' src/core/types.h))

# Seconds of the processor that cbmc may take for one proof.
LIMIT=100

# All loops end before that many turns, which cbmc proves as well.
CBMC=(cbmc --drop-unused-functions --slice-formula --unwind 64 --object-bits 10)

# Makes the folder $1, a copy of the sources in which the functions $2 are the harness's.
copy()
{
	local name

	[ ! -e "$1" ] || return 0
	mkdir -p "$1/test/core" && cp -r src "$1" && cp -r test/core/unit "$1/test/core" &&
		mkdir "$1/test/core/proof" && cp test/core/proof/*.{c,h,pml} "$1/test/core/proof" || exit 1
	# a definition begins its line with the name
	for name in ${2//,/ }; do
		sed -i "s/^$name(/replaced_&/" "$1"/src/core/*.[ch] "$1/test/core/unit/check.c"
	done
}

# Runs a command, within LIMIT; sets seconds to what it took of the processor.
measure()
{
	TIMEFORMAT='%U'
	{ time sh -c 'ulimit -t "$0"; exec "$@"' $LIMIT "$@" 2>&1; } 2>$build/seconds
	seconds=$(tail -n 1 $build/seconds)
}

# Compiles what the proof needs, of the harness $2 for type $3 in the folder $1, into
# $program; $4 are definitions, $5 the functions that are replaced.
compile()
{
	local folder=$1 harness=$2 type=$3 defined=$4 replaced=$5 source
	local objects=()

	# the harness of permute.c includes it
	for source in test/core/proof/{any,"$harness"}.c test/core/unit/{check,"test_$type"}.c \
		"src/core/${type}_codec.c" \
		$(ls src/core/*.c | grep -v -e _codec.c -e types.c -e permute.c); do
		objects+=("$folder/${source//\//_}.gb")
		case $source in
			test/core/proof/*) objects[-1]=${objects[-1]%.gb}-$type$defined.gb ;;
		esac
		[ -e "${objects[-1]}" ] || goto-cc -c -o "${objects[-1]}" -DTYPE="$type" $defined \
			-DREPLACED_${replaced//,/ -DREPLACED_} -include "$folder/test/core/proof/any.h" \
			"$folder/$source" || return 1
	done
	goto-cc -o "$program" "${objects[@]}"
}

# Runs the proof $2 of the harness $3 for type $4 in the folder $1; $5 are the functions that are
# replaced.  The end must be reached as well.  Sets verdict and seconds.
prove()
{
	local folder=$1 property=$2 harness=$3 type=$4 replaced=$5 defined=-DREACH
	local log=$folder/$property-$type.log program=$folder/program

	compile "$folder" "$harness" "$type" "$defined" "$replaced" >"$log" 2>&1 ||
		{ verdict=error; return; }
	measure "${CBMC[@]}" --function "prove_$property" "$program" >>"$log" 2>&1
	# which would be taken to return anything, and to do nothing
	! grep -qa 'no body for' "$log" || { verdict="error, a function is missing"; return; }
	case $(grep -a '^VERIFICATION' "$log") in
		*SUCCESSFUL) verdict=holds ;;
		*FAILED) verdict=refuted ;;
		*) verdict=undecided ;;
	esac
	case $verdict,$(grep -a ': FAILURE$' "$log") in
		holds,*) verdict="the end is not reached" ;;
		refuted,*$'\n'*) ;;
		refuted,*' reached: FAILURE') verdict=holds ;;
	esac
}

# Runs the piece $2 in the folder $1; likewise.  One that has been run shows several properties.
exhaust()
{
	local folder=$1 piece=$2

	if [ -e "$folder/$piece.ok" ]; then
		verdict=holds seconds=0
		return
	fi
	gcc -O2 -w -o "$folder/exhaust" "$folder"/test/core/proof/exhaust.c \
		"$folder"/test/core/unit/check.c \
		$(printf "$folder/test/core/unit/test_%s.c\n" "${types[@]}") \
		$(ls "$folder"/src/core/*.c | grep -v /uid11_codec.c) \
		>"$folder/$piece.log" 2>&1 || { verdict=error; return; }
	verdict=refuted
	measure "$folder/exhaust" "$piece" >>"$folder/$piece.log" 2>&1
	if grep -q '^[1-9][0-9]* cases$' "$folder/$piece.log"; then
		verdict=holds
		touch "$folder/$piece.ok"
	fi
}

# Goes through the model $2 (file and definitions, as in proofs.tsv) in the folder $1; likewise.
model()
{
	local folder=$1/model file=${2%%,*}
	local definitions=${2#"$file"}

	case $file in
		-*) file=clockwords.pml definitions=$2 ;;
	esac

	rm -rf "$folder"
	mkdir "$folder"
	(
		cd "$folder" && spin ${definitions//,/ } -a "../test/core/proof/$file" &&
			gcc -O2 -w -DSAFETY -DMEMLIM=3000 -o pan pan.c
	) >"$folder/log" 2>&1 || { verdict=error; return; }
	measure env -C "$folder" ./pan -m1000000 -w24 >>"$folder/log" 2>&1
	case $(grep -a 'errors: ' "$folder/log") in
		*'errors: 0') verdict=holds ;;
		*'errors: '*) verdict=refuted ;;
		*) verdict=undecided ;;
	esac
	! grep -qaE 'max search depth too small|Search not completed' "$folder/log" ||
		[ "$verdict" = refuted ] || verdict=undecided
}

printf '%-18s %-10s %-10s %7s  %s\n' property type how s result
line()
{
	local property=$1 type=$2 how=$3 harness=$4 replaced=$5
	local folder verdict seconds=0 s=- result=ok

	if [ "$how" = tested ]; then
		printf '%-18s %-10s %-10s %7s  %s\n' "$property" "$type" "$how" - "by ./dev test $harness"
		return
	fi
	replaced=${replaced#-}
	[ "$how" != proved ] || replaced=check_failed,check_hex${replaced:+,$replaced}
	folder=$build/plain-$replaced
	copy "$folder" "$replaced"
	case $how in
		proved) prove "$folder" "$property" "$harness" "${type/#-/siq}" "$replaced" ;;
		exhausted) exhaust "$folder" "$harness" ;;
		modelled) model "$folder" "$harness" ;;
	esac
	s=$seconds
	[ "$verdict" = holds ] || result="FAILED: $verdict"
	if [ "$how" = modelled ] && [ "$result" = ok ]; then
		model "$folder" "$harness,-DREACH"
		[ "$verdict" = refuted ] || result="FAILED: the end is not reached ($verdict)"
	fi
	printf '%-18s %-10s %-10s %7s  %s\n' "$property" "$type" "$how" "$s" "$result"
	if [ "$result" = ok ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

rm -rf $build
mkdir -p $build
for property in "$@"; do
	grep -q "^$property"$'\t' $list || { echo "no property $property"; exit 2; }
done
while IFS=$'\t' read -r property of how harness replaced; do
	case $property in '' | '#'*) continue ;; esac
	[ $# -eq 0 ] || [[ " $* " = *" $property "* ]] || continue
	if [ "$of" != types ]; then
		line "$property" "$of" "$how" "$harness" "${replaced:-}"
		continue
	fi
	for type in "${types[@]}"; do
		grep -q -P "^$property\t+$type\t" $list ||
			line "$property" "$type" "$how" "$harness" "${replaced:-}"
	done
done < <(tr -s '\t' <$list)
times >$build/times
printf 'of the processor: %s\n' "$(tail -n 1 $build/times)"
sums
