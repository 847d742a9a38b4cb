/*-------------------------------------------------------------------------
 *
 * clockwords.pml
 *	  The protocol of one generator's clock word (below "word"), the mark, the lock and
 *	  restarts, as a model for spin.
 *
 * What it takes from src/generators, unless another folder is named, and where:
 *
 *	last, start, mark, renew_at, held
 *				SharedState in shared.h: words[].last and start, mark, renew_at, lock
 *	disk, foreign
 *				the file, markfile.c: Mark.before; and whether its timeline is another one
 *	generator	clockwords_next_slow() in clockwords.c.  clockwords_next() in clockwords.h does the
 *				same reads in the same order, and gives up where that function goes on
 *	GENERATE	its loop, with initialize_words() by reserve_initialize(), both in reserve.c
 *	the watch	clockword_wait(), clockword_watch() in src/core/clockword.h
 *	used up		the error of an overflow in wait_until_due() in clockwords.c
 *	RENEW		wait_until_reserved() there, with clockwords_reserved(): the process that wrote the
 *				last mark leaves the next one to others for a while; here any process may, as long
 *				as it can do without.  And reserve_renew(), acquire_lock(), renew_mark() and
 *				raise_mark() in reserve.c
 *	RELEASE		release_lock() there
 *	the swap	pg_atomic_compare_exchange_u64() in clockwords_next_slow()
 *	restart		restart_words() by reserve_restart() in reserve.c
 *	advance		advance_words(), raise_mark() by reserve_advance() there
 *	mark_for, renew
 *				mark_for(), mark_renew_at() in src/core/mark.h
 *	crash		the postmaster makes the shared memory anew, or the machine stops: init_state() in
 *				shared.c, and what no process knows any more
 *	failover	a standby is promoted: its file is an older one of another timeline, and its clock
 *				may differ
 *
 * What stands between two semicolons is one step, and so is what is "atomic"; any process may come
 * between two steps, as may the clock and a crash.  What the code does under one read or write of
 * an atomic variable, or with variables of its own, is one step here.  So is what others cannot
 * tell apart: reads of what only the holder of the lock writes, and the words and the file while
 * there is no mark, as all wait for that.
 *
 * Time is in ticks, of which there are few: the lead that generation alone may have is LEAD, the
 * reserve of the mark RESERVE, of words ahead of the clock LEAST; the margin of a promotion is
 * the lead, and more than what clocks differ by (SKEW).  A tick ahead of the clock is due when
 * the one before has stood for PACE ticks, where the code has 16/15 of one: then the lead
 * shrinks by half of what passes instead of a sixteenth.  A word is a tick without a counter, as
 * of tid64; with LEAD 0 it is the last one of a tick whose counter is used up.
 *
 * What must hold, of any order of steps:
 *
 *	rises		a word is later than all that were handed out before, before a crash, a restart
 *				of the server, a failover and a step of the clock as well; after
 *				idtypes_restart_generators(), later than what was handed out before the stretch
 *				that it returns, and all that was handed out lies before the end of that
 *	durable		what is handed out begins before the mark on disk
 *	advanced	once idtypes_advance_generators() has returned, a word is later than what it was
 *				told, after a crash as well; but not after a failover, nor after a restart of
 *				generators that were ahead of the clock
 *	used up		the error of an overflow is only raised where the last word was handed out, or is
 *				one that restart() has skipped; or for a moment, while restart() has taken the
 *				word back and not yet said so
 *	lead		once the clock has come to the last word, and until its next step or an advance, a
 *				word begins no later than the clock and LEAD; before, the lead is not more than a
 *				tick above what a step, a start or an advance has left, less half of the time that
 *				has passed since (check)
 *	mark's lead	the mark, where the next start begins, is beyond a word as above, or the next one,
 *				by LEAST and one; or beyond the clock by RESERVE (check_mark)
 *
 * and no process is left waiting for another one for ever (spin: no invalid end state).
 *
 * The lead has one exception: a process that is held up between reading the clock and its swap,
 * while the clock is set back, may still swap what the clock had shown.  That word is as if it had
 * been handed out just before the step ("stale" below).  Spin did not find this: it was found by
 * reasoning, and the model was written to allow it.  The other case of one who was held up, in
 * which restart() brings the word back to the value that it has read, is described there; it takes
 * more steps of the clock than there are here.
 *
 * Not in the model: memory order, of which litmus.pl has tests; several words,
 * which share nothing but the mark and the lock; blocks; a file that was torn or removed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PROCESSES
#define PROCESSES	2
#endif
#ifndef LEAD
#define LEAD		1
#endif
#ifndef TICKS
#define TICKS		0			/* how long the clock goes on */
#endif
#ifndef CRASHES
#define CRASHES		0
#endif
#ifndef STEPS
#define STEPS		0			/* of the clock, by STEP ticks either way */
#endif
#ifndef RESTARTS
#define RESTARTS	0
#endif
#ifndef ADVANCES
#define ADVANCES	0
#endif
#ifndef FAILOVERS
#define FAILOVERS	0
#endif
#define STEP		2
#define ADVANCE		2			/* how far ahead, or by LEAD */
#define RESERVE		2
#define LEAST		1
#define PACE		2
#define SKEW		1
#define MARGIN		(LEAD + SKEW + 1)
#define FIRST		4			/* what the clock shows at first */
#ifndef END
#define END			(FIRST + TICKS + STEP + 2)	/* where a process stops */
#endif

#define MAX(a, b)	((a) > (b) -> (a) : (b))
#define MIN(a, b)	((a) < (b) -> (a) : (b))

#define mark_for(begins, wall)	MAX((begins) + LEAST, (wall) + RESERVE)
#define renew(mark, begins)		((mark) - ((mark) - (begins)) / 2)

byte wall = FIRST;
byte passed;					/* ticks */
byte last, start, mark, renew_at;
bool held;
byte disk;
bool foreign;

/* Not the program's, but what is known of it */
byte highest;					/* word that was handed out */
byte advanced;					/* word that a call has advanced to, which has returned */
byte boot;						/* number of the start */
bool made;						/* last was handed out, or skipped by restart() */
bool restarting;				/* restart() has taken last back, and not yet written start */
bool caught;					/* the clock has come to the last word since its last step */
byte allowed;					/* lead that a step, a start or an advance has left */
bool half;						/* a tick has passed since that has made it less */
byte step;						/* number of the step of the clock */
byte stood[PROCESSES];			/* ticks since a process saw what it watches, up to PACE */
byte crashes = CRASHES, steps = STEPS, failovers = FAILOVERS, restarts = RESTARTS,
	advances = ADVANCES;

inline look()
{
	if
	:: mark != 0 && wall >= last -> caught = true; allowed = 0; half = false
	:: else
	fi
}

/* The words may now be as far ahead as this one, for another reason than generation. */
inline allow(word)
{
	caught = false; half = false;
	allowed = MAX(0, word - wall)
}

/* The same, where they may be further ahead already. */
inline allow_more(word)
{
	caught = false; half = false;
	allowed = MAX(allowed, word - wall)
}

inline forget()
{
	last = 0; start = 0; mark = 0; renew_at = 0; held = false;
	made = false; restarting = false; caught = false; boot++
}

/*
 * A mark to be written: the reserve beyond a word that may not be due yet.  As of two slots the
 * later one counts, it may be one more.
 */
inline check_mark(before)
{
	assert(before - wall <= MAX(RESERVE, MAX(LEAD, allowed + 1) + 1 + LEAST) + 1)
}

/* What is known of a word that was handed out. */
inline check(word)
{
	assert(word > highest);		/* rises */
	assert(word > advanced);	/* advanced */
	assert(word < disk);		/* durable */
	if
	:: read_in != step ->		/* stale */
		allow_more(word)
	:: else ->					/* lead */
		assert(!caught || word <= wall + LEAD);
		assert(word - wall <= MAX(LEAD, allowed + 1))
	fi;
#ifdef REACH
	/* a word after everything that is to happen */
	assert(crashes + steps + failovers + restarts + advances > 0);
#endif
	highest = word
}

proctype generator(byte me)
{
	byte seen, now, next;		/* clockwords_next_slow()'s last, wall and next */
	byte begins, before, old;	/* of initialize(), move_mark() and raise_mark() */
	byte called;				/* called_at */
	byte limit;					/* mark, as read */
	bool moved;					/* mark_moved */
	byte watched;				/* watch */
	bool watching, ahead, was_ahead;
	bool was_made;				/* what is known of seen */
	byte born, read_in;

again:
	atomic {
		born = boot; moved = false; watched = 0; watching = false; was_ahead = false;
		seen = 0; now = 0; next = 0; limit = 0; begins = 0; before = 0; old = 0; ahead = false;
		was_made = false; read_in = 0;
		called = wall;
		stood[me] = 0
	};
	{
		skip;
GENERATE:
		/* reserve_initialize(): without a mark one process initializes, and the others wait */
		if
		:: atomic { mark != 0 -> seen = last; was_made = made }
		:: atomic { mark == 0 && !held ->
				held = true;
				now = wall;
				before = (foreign -> MAX(disk, now + MARGIN) : disk);
				begins = MAX(before, now);
				allow(begins) };
			atomic {
				last = MAX(before, 1) - 1; start = last; made = false;
				before = mark_for(begins, now);
				disk = before;
				foreign = false };
			mark = before;
			atomic { renew_at = renew(before, begins); held = false;
				now = 0; begins = 0; before = 0; moved = true };
			goto GENERATE
		:: atomic { mark == 0 && held -> moved = true };
			mark != 0 ->
			goto GENERATE
		fi;
		atomic { now = wall; read_in = step };
		atomic {
			limit = mark;
			next = MAX(now, seen + 1);
			next = (moved && next >= limit -> MAX(MIN(now, called), seen + 1) : next);
			if
			:: next > END -> goto done
			:: next <= END && next - LEAD - now <= 0 -> goto RENEW
			:: else
			fi
		};
		/* clockword_watch() */
		atomic {
			ahead = (seen - LEAD - now > 0);
			if
			:: !watching || watched != seen || was_ahead != ahead ->
				watching = true; watched = seen; was_ahead = ahead; stood[me] = 0
			:: else
			fi;
			/* used up */
			assert(ahead || seen <= start || was_made || restarting);
			if
			:: stood[me] < PACE ->
				seen = 0; now = 0; next = 0; limit = 0; ahead = false; was_made = false;
				read_in = 0;
				goto GENERATE
			:: else -> ahead = false
			fi
		};
RENEW:
		if
		:: atomic { next >= limit || (!moved && next >= renew_at) -> limit = 0 };
			/* reserve_renew() */
			if
			:: atomic { !held -> held = true; before = mark; old = renew_at };
				begins = last;
				atomic {
					begins = MAX(wall, begins + 1);
					before = MAX(mark_for(begins, wall), before + 1);
					if
					:: begins < old -> goto RELEASE
					:: else -> check_mark(before)
					fi
				};
				renew_at = mark;
				if
				:: disk = before;
					mark = before;
					renew_at = renew(before, begins)
				:: renew_at = old;	/* the disk has failed: an error */
					held = false;
					goto again
				fi;
RELEASE:
				atomic { held = false; begins = 0; before = 0; old = 0 }
			:: atomic { held && next < mark -> skip }
			fi;
			atomic {
				moved = true;
				if
				:: next >= mark ->
					seen = 0; now = 0; next = 0; was_made = false; read_in = 0;
					goto GENERATE
				:: else
				fi
			}
		:: next < limit
		fi;
		/* the swap */
		atomic {
			if
			:: last == seen ->
				last = next; made = true; check(next); look();
				goto again
			:: else ->
				seen = 0; now = 0; next = 0; limit = 0; was_made = false; read_in = 0;
				goto GENERATE
			fi
		}
	}
	unless
	{
		boot != born -> goto again
	};
done:
	skip
}

/* idtypes_restart_generators() */
proctype restart()
{
	byte seen, now, next, limit;
	byte born;

	atomic { mark != 0 -> born = boot };
	{
		/* the same mark once more */
		atomic { !held -> held = true; limit = mark; disk = mark };
		atomic { now = wall; limit = MIN(mark_for(now + LEAD, now), limit) };
		mark = limit;
		renew_at = limit;
		do
		:: seen = last;
			atomic {
				now = MAX(now, wall);
				next = (seen - LEAD - now > 0 -> now - 1 : seen + 1)
			};
			atomic {
				if
				:: last == seen ->
					last = next;
					if
					:: next < seen ->
						assert(highest <= seen);
						highest = MIN(highest, now - 1);
						advanced = 0;
						made = false;
						restarting = true;
						allow(wall + LEAD)
					:: else -> made = made || seen > start
					fi;
					break
				:: else
				fi
			}
		od;
		if
		:: atomic { next < seen || seen <= start -> start = next; restarting = false }
		:: else
		fi;
		limit = mark_for(now + LEAD, now);
		atomic { disk = limit; assert(highest < disk) };
		mark = limit;
		renew_at = renew(limit, now + LEAD);
		atomic { held = false; restarts = 0 }
	}
	unless
	{
		boot != born
	}
}

/* idtypes_advance_generators() */
proctype advance()
{
	byte seen, past, before, old;
	byte born;

	if
	:: past = FIRST + LEAD
	:: past = FIRST + ADVANCE
	fi;
	atomic { mark != 0 -> born = boot };
	{
		atomic { !held -> held = true; old = renew_at; seen = last };
		/* raise_mark() */
		if
		:: atomic { seen < past && past + 1 > mark ->
				before = MAX(mark_for(past + 1, wall), mark + 1) };
			renew_at = mark;
			if
			:: disk = before;
				mark = before;
				renew_at = renew(before, past + 1)
			:: renew_at = old;	/* the disk has failed: an error */
				atomic { held = false; goto ended }
			fi
		:: else
		fi;
		seen = last;
		do
		:: atomic { seen >= past -> break }
		:: else ->
			start = past;
			atomic {
				if
				:: last == seen ->
					last = past; made = false;
					allow_more(past);
					look();
					break
				:: else -> seen = last
				fi
			}
		od;
		atomic { advanced = MAX(advanced, past); held = false };
ended:
		advances = 0
	}
	unless
	{
		boot != born
	}
}

/* The clock goes on; it is set; the server crashes; a standby takes its place. */
active proctype world()
{
	byte i;

	do
	:: d_step { passed < TICKS -> passed++; wall++;
		i = 0;
		do
		:: i < PROCESSES -> stood[i] = MIN(stood[i] + 1, PACE); i++
		:: else -> break
		od;
		i = 0;
		/* the lead shrinks */
		half = !half;
		allowed = (half && allowed > 0 -> allowed - 1 : allowed);
		look() }
	:: d_step { steps > 0 && wall > STEP -> steps--; step++; wall = wall - STEP;
		allow(last); look() }
	:: d_step { steps > 0 -> steps--; step++; wall = wall + STEP; look() }
	:: d_step { crashes > 0 -> crashes--; forget() }
	/* as promised: the lost primary led its clock by LEAD at most, the clocks differ by SKEW */
	:: d_step { failovers > 0 && highest <= wall + LEAD -> failovers--; forget();
		advanced = 0; disk = 0; foreign = true; step++; wall = wall - SKEW }
	:: d_step { failovers > 0 && highest <= wall + LEAD -> failovers--; forget();
		advanced = 0; foreign = true; step++; wall = wall + SKEW }
	:: passed == TICKS -> break
	od
}

init
{
	byte i = 0;

	atomic {
		do
		:: i < PROCESSES -> run generator(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < RESTARTS -> run restart(); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < ADVANCES -> run advance(); i++
		:: else -> break
		od
	}
}
