# failures.awk: what of a suite's log to show on the screen once the suite has failed.
#
#	awk -f tools/failures.awk LOG
#
# The first failures, each with what follows it: where it was, what was got and what expected of a
# TAP test; the source line of a compiler's error; the beginning of a difference.  If there is no
# failure that this knows, the end of the log.

BEGIN { most_failures = 12 }

# The last lines that were no part of a failure.
function show_kept(lines,    i)
{
	for (i = kept > lines ? kept - lines : 0; i < kept; i++)
		print keep[i]
}

/^whole difference: / { whole = $0; next }

{ $0 = substr($0, 1, 200); lines = 0 }

# Where a test ends, what was kept of it is of no interest any more.
/^(ok|not ok) / { kept = left = 0 }

# How many lines of a failure are shown.
/^not ok / && !/ # (TODO|SKIP)/ || /^FAILED / { lines = 13 }
/(^|: )(fatal )?error: |undefined reference|^Traceback|ERROR: .*Sanitizer|runtime error:/ {
	lines = 13
}
/^(test|     ) .* \.\.\. (failed|FAILED) / { lines = 1 }
/^diff / { lines = 41 }

# A program of TAP tests that ended early has said why just before.
/^# (Tests were run but no plan|Looks like your test exited)/ {
	if (failures < most_failures)
		show_kept(12)
	kept = 0
	lines = 1
}

lines > 0 { left = ++failures > most_failures ? 0 : lines }
left > 0 { left--; print; next }
{ keep[kept++] = $0 }

END {
	if (failures == 0)
		show_kept(30)
	if (failures > most_failures)
		print "... and " failures - most_failures " more"
	if (whole != "")
		print whole
}
