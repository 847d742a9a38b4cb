# assert.sh: the suites with the assertions of src/ at work.
# Part of ./dev, which sources it.

# The suites named, in a state folder of their own where the extension is built with its assertions.
# The server is the ordinary one, which has no assertions of its own, but what those of an extension
# call.  No server's log may tell of one that failed, whether a test noticed or not.
verb_assert()
{
	local status=0 began=$EPOCHSECONDS traps

	[ $# -gt 0 ] || set -- regress tap compare
	use_state_for assert
	FURTHER_FLAGS=-DUSE_ASSERT_CHECKING
	verb_test "$@" || status=1
	traps=$(find "$LOGS" "$CLUSTERS" -type f -newermt "@$began" -exec grep -h -A 3 '^TRAP: ' {} +)
	[ -z "$traps" ] || { say "$traps"; status=1; }
	[[ $(nm -D "$("$PG_CONFIG" --pkglibdir)/idtypes.so") = *" ExceptionalCondition"* ]] ||
		die "the extension was built without assertions"
	return $status
}
