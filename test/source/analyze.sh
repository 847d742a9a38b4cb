# analyze.sh: what analyzers of C say about src/.  "run" sources it.

# cppcheck reads sources after gcc's preprocessor, as its own fails on macros that take others for
# arguments.  So it sees what the server's macros are made of, and is not asked about style, where
# those are all that it finds.  What it is wrong about besides:
#
#	duplicateExpression		unlikely(x != 0)
#	unknownEvaluationOrder	list_make2()
#	uninitvar in decimal.c	whose digits are written from the last to the first
CPPCHECK=(--enable=warning,performance,portability --quiet --std=c11 --error-exitcode=1
	'--template={file}:{line}: {message} [{id}]' '--suppress=*:/usr/*'
	--suppress=duplicateExpression --suppress=unknownEvaluationOrder
	--suppress=uninitvar:src/core/decimal.c)

run_cppcheck()
{
	local file folder=$WORK/cppcheck

	mkdir -p "$folder" || return 1
	for file in src/*.c src/*/*.c; do
		gcc -E -std=gnu11 -D_GNU_SOURCE '-D__attribute__(x)=' -D__extension__= -Isrc \
			-I"$("$PG_CONFIG" --includedir-server)" -o "$folder/$(basename "$file")" "$file" ||
			return 1
	done
	cppcheck "${CPPCHECK[@]}" "$folder"/*.c
}

# A build that the analyzer of clang follows; --status-bugs makes a finding a failure.
run_scan_build()
{
	scan-build --status-bugs -o "$WORK/report" \
		make -C "$copy" -s -j "$(nproc)" PG_CONFIG="$PG_CONFIG" with_llvm=no
}

# The checks that find bugs.  Not those that want functions that the C library does not have
# (memcpy_s), or that are about style: parameters that look alike, parentheses in macros, padding
# in a struct of which there are a few.  Not those either that found only what is meant: numbers
# that fit the narrower type they go to (a digit, a strategy, a count of ids), products of two small
# numbers as offsets (a slot, a digit), and the server's name _PG_init().
TIDY_CHECKS='clang-analyzer-*,bugprone-*'
TIDY_CHECKS+=',-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling'
TIDY_CHECKS+=',-bugprone-easily-swappable-parameters,-bugprone-macro-parentheses'
TIDY_CHECKS+=',-clang-analyzer-optin.performance.Padding'
TIDY_CHECKS+=',-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result'
TIDY_CHECKS+=',-bugprone-reserved-identifier'
run_clang_tidy()
{
	clang-tidy --quiet --checks="$TIDY_CHECKS" '--warnings-as-errors=*' \
		src/*.c src/*/*.c -- -std=gnu11 -D_GNU_SOURCE -Isrc '-DIDTYPES_VERSION=""' \
		-isystem "$("$PG_CONFIG" --includedir-server)"
}

for tool in cppcheck clang_tidy scan_build; do
	check "$tool" "run_$tool"
done
