/*-------------------------------------------------------------------------
 *
 * words.pml
 *	  The protocol of one generator's word, the mark, the lock and restarts, as a model
 *	  for spin.
 *
 * What it takes from src and src/core, and where:
 *
 *	last, mark, renew_at, held	SharedPage: shared.words[].last, mark, shared.renew_at, lock
 *	disk, foreign				the file: Mark.before; and whether its timeline is another one
 *	GENERATE, "fast path"		words_next() in src/words.h is the same reads in the same order
 *								as words_next_slow(), and gives up where that one goes on; so
 *								the model has the second only
 *	SETTLE						reserve_settle(), settle() in src/reserve.c
 *	due							word_wait(), word_watch() in src/core/clockword.h
 *	MOVE						reserve_extend(), acquire(), move_mark()
 *	swap						pg_atomic_compare_exchange_u64() in words_next_slow()
 *	restart						reserve_restart(), restart()
 *	mark_for, renew				mark_for(), mark_renew_at() in src/core/mark.h
 *	crash						the postmaster makes the shared memory anew, or the machine stops:
 *								make_page(), and what no process knows any more
 *	failover					a standby is promoted: its file is an older one of another
 *								timeline, and its clock may differ
 *
 * Each line between two semicolons is one step, and any process may come between two steps, as
 * may the clock and a crash.  What the code does under one read or write of an atomic variable,
 * or with variables of its own, is one step here.
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
 *	lead		once the clock has come to the last word, and until its next step, a word begins
 *				no later than the clock and LEAD; before, the lead is not more than a tick above
 *				what a step or a start has left
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
 * Not in the model: memory order, which the head of src/shared_page.h argues about; several words,
 * which share nothing but the mark and the lock; blocks of words; a file that was torn or removed.
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
#ifndef FAILOVERS
#define FAILOVERS	0
#endif
#define STEP		2
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

short wall = FIRST;
byte passed;					/* ticks */
short last, mark, renew_at;
bool held;
short disk;
bool foreign;

/* Not the program's, but what is known of it */
short highest;					/* word that was handed out */
byte boot;						/* number of the start */
bool caught;					/* the clock has come to the last word since its last step */
short allowed;					/* lead that a step or a start has left */
byte step;						/* number of the step of the clock */
byte stood[PROCESSES];			/* ticks since a process saw what it watches, up to PACE */
byte crashes = CRASHES, steps = STEPS, failovers = FAILOVERS, restarts = RESTARTS;

inline look()
{
	if
	:: mark != 0 && wall >= last -> caught = true; allowed = 0
	:: else
	fi
}

inline forget()
{
	last = 0; mark = 0; renew_at = 0; held = false; caught = false; boot++
}

/* What is known of a word that was handed out. */
inline check(word)
{
	assert(word > highest);		/* rises */
	assert(word < disk);		/* durable */
	if
	:: read_in != step ->		/* stale */
		caught = false;
		allowed = MAX(allowed, word - wall)
	:: else ->					/* lead */
		assert(!caught || word <= wall + LEAD);
		assert(word - wall <= MAX(LEAD, allowed + 1))
	fi;
#ifdef REACH
	/* a word after everything that is to happen */
	assert(crashes + steps + failovers + restarts > 0);
#endif
	highest = word
}

proctype generator(byte me)
{
	short seen, now, next;		/* words_next_slow()'s last, wall and next */
	short begins, start, old;	/* of settle() and move_mark() */
	short called;				/* called_at */
	short limit;				/* mark, as read */
	bool moved;					/* mark_moved */
	short watched;				/* watch */
	bool watching, ahead, was_ahead;
	byte born, read_in;

again:
	skip;
	d_step {
		born = boot; seen = 0; now = 0; next = 0; begins = 0; start = 0; old = 0;
		watched = 0; watching = false; ahead = false; was_ahead = false; read_in = 0;
		called = wall; limit = 0; moved = false;
		stood[me] = 0
	};
	{
		skip;
GENERATE:
		if
		:: mark != 0
		:: mark == 0 ->
			/* SETTLE */
			if
			:: atomic { mark == 0 && !held -> held = true };
				if
				:: mark == 0 ->
					d_step {
						now = wall;
						start = (foreign -> MAX(disk, now + MARGIN) : disk);
						begins = MAX(start, now);
						allowed = begins - now
					};
					last = start - 1;
					d_step { disk = mark_for(begins, now); foreign = false };
					mark = disk;
					d_step { renew_at = renew(disk, begins); now = 0; begins = 0; start = 0 }
				:: else
				fi;
				held = false
			:: mark != 0
			fi;
			moved = true
		fi;
		seen = last;
		d_step { now = wall; read_in = step };
		d_step {
			limit = mark;
			next = MAX(now, seen + 1);
			next = (moved && next >= limit -> MAX(MIN(now, called), seen + 1) : next)
		};
		if
		:: next > END -> goto done
		:: else
		fi;
		/* due */
		if
		:: next - LEAD - now > 0 ->
			d_step {
				ahead = (seen - LEAD - now > 0);
				if
				:: !watching || watched != seen || was_ahead != ahead ->
					watching = true; watched = seen; was_ahead = ahead; stood[me] = 0
				:: else
				fi
			};
			if
			:: stood[me] < PACE -> goto GENERATE
			:: else
			fi
		:: else
		fi;
		/* MOVE */
		if
		:: next >= limit || (!moved && next >= renew_at) ->
			if
			:: atomic { !held -> held = true };
				d_step { start = mark; old = renew_at };
				begins = last;
				d_step {
					begins = MAX(wall, begins + 1);
					/* the mark to be */
					start = MAX(mark_for(begins, wall), start + 1)
				};
				if
				:: begins < old
				:: else ->
					renew_at = mark;
					if
					:: disk = start;
						mark = start;
						renew_at = renew(start, begins)
					:: renew_at = old;	/* the disk has failed: an error */
						held = false;
						goto again
					fi
				fi;
				d_step { held = false; begins = 0; start = 0; old = 0 }
			:: atomic { held && next < mark -> skip }
			fi;
			moved = true;
			if
			:: next >= mark -> goto GENERATE
			:: else
			fi
		:: else
		fi;
		/* swap */
		if
		:: atomic { last == seen -> last = next; check(next); look() }
		:: last != seen
		fi;
		goto again
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
	short seen, now, next, limit;
	byte born;

	mark != 0 ->
	born = boot;
	{
		atomic { !held -> held = true };
		disk = mark;			/* the same once more */
		now = wall;
		limit = MIN(mark_for(now + LEAD, now), mark);
		mark = limit;
		renew_at = limit;
		do
		:: seen = last;
			d_step {
				now = MAX(now, wall);
				next = (seen - LEAD - now > 0 -> now - 1 : seen + 1)
			};
			if
			:: atomic { last == seen ->
				last = next;
				if
				:: next < seen ->
					assert(highest <= seen);
					highest = MIN(highest, now - 1);
					caught = false; allowed = LEAD
				:: else
				fi };
				break
			:: last != seen
			fi
		od;
		limit = mark_for(now + LEAD, now);
		d_step { disk = limit; assert(highest < disk) };
		mark = limit;
		renew_at = renew(limit, now + LEAD);
		d_step { held = false; restarts = 0 }
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
		look() }
	:: d_step { steps > 0 && wall > STEP -> steps--; step++; wall = wall - STEP;
		caught = false; allowed = MAX(0, last - wall); look() }
	:: d_step { steps > 0 -> steps--; step++; wall = wall + STEP; look() }
	:: d_step { crashes > 0 -> crashes--; forget() }
	/* as promised: the lost primary led its clock by LEAD at most, the clocks differ by SKEW */
	:: d_step { failovers > 0 && highest <= wall + LEAD -> failovers--; forget();
		disk = 0; foreign = true; step++; wall = wall - SKEW }
	:: d_step { failovers > 0 && highest <= wall + LEAD -> failovers--; forget();
		foreign = true; step++; wall = wall + SKEW }
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
		od
	}
}
