# failures.awk: what of a suite's log to show on the screen once the suite has failed.
#
#	awk -f tools/failures.awk LOG
#
# The first failures, each with what follows it: where it was, what was got and what expected of a
# TAP test; the source line of a compiler's error; the beginning of a difference.  If there is no
# failure that this knows, the end of the log.

BEGIN {
	most_failures = 12
	most_lines = 12				# of one failure
	most_difference = 40		# of a difference
}

function show(line)
{
	print substr(line, 1, 200)
}

function failure(line, lines)
{
	if (++failures > most_failures)
		return
	show(line)
	left = lines
}

# Where a test ends, what was kept of it is of no interest any more.
/^(ok|not ok) / {
	kept = 0
	left = 0
}

/^whole difference: / { whole = $0; next }
/^not ok / && !/ # (TODO|SKIP)/ { failure($0, most_lines); next }
/^(test|     ) .* \.\.\. (failed|FAILED) / { failure($0, 0); next }
/^FAILED / { failure($0, most_lines); next }
/^diff / { failure($0, most_difference); next }
/(^|: )(fatal )?error: |undefined reference|^Traceback|ERROR: .*Sanitizer|runtime error:/ {
	failure($0, most_lines)
	next
}

# A program of TAP tests that ended early has said why just before.
/^# (Tests were run but no plan|Looks like your test exited)/ {
	failure($0, 0)
	for (i = kept > most_lines ? kept - most_lines : 0; i < kept; i++)
		show(keep[i])
	kept = 0
	next
}

left > 0 {
	left--
	show($0)
	next
}

{ keep[kept++] = $0 }

END {
	if (failures == 0) {
		for (i = kept > 30 ? kept - 30 : 0; i < kept; i++)
			show(keep[i])
	}
	if (failures > most_failures)
		print "... and " failures - most_failures " more"
	if (whole != "")
		print whole
}
