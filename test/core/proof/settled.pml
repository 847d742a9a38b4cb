/*-------------------------------------------------------------------------
 *
 * settled.pml
 *	  The protocol of T_settled(): slots of open transactions, the clock word (below "word") and
 *	  its blocks, as a model for spin.
 *
 * What it takes from src/generators, and where:
 *
 *	last, invalidations
 *				SharedState in shared.h
 *	slot		BackendSlots in openxact.c, of one generator: time, here a tick, and tag
 *	lxid		the local transaction id in PGPROC; the server sets it to 0 at the moment at which
 *				the rows become visible
 *	COVER		openxact_is_covered(), openxact_cover()
 *	BLOCK		clockwords_next_of_block() in clockwords.h, of a process that takes blocks
 *	SWAP		clockwords_next() there
 *	bound		clockwords_bound() in clockwords.c
 *	read_slots	that function in openxact.c; no reader clears a slot
 *	reader		settled_instant() in settled.c, called ROUNDS times
 *	restart		restart_words() in reserve.c, after the clock was set back
 *	entry		PreparedXact.slots in openxact.c, of the only transaction that is prepared
 *
 * Clocks do not order memory: where a block is checked, the clock may be read late by a tick.
 * Memory does not keep its order either: a writer's slot, and the reader's last and invalidations,
 * may become visible to others after later reads of the process.  They wait in "pending" until it
 * comes to a full barrier or to its next swap.  A swap releases the stores before it, but on some
 * processors it is itself stored late; nothing else can have changed what it has compared, so
 * nobody swaps last while the reader's swap is pending.  Reads keep their order here: of the read
 * barriers, litmus.pl has tests.
 *
 * One process takes blocks of BLOCK words, the other one word for each swap.  The first one
 * prepares PREPARES transactions, which are committed later, and goes on.  A word is a tick with
 * COUNTERS counters.  The lead, the mark and the wait for a tick are those of clockwords.pml; here,
 * a word is due when the clock shows its tick, or up to LEAD before.
 *
 * What must hold, of any order of steps:
 *
 *	settled		once the reader has returned a tick, no transaction commits that has taken a
 *				word of a tick below it, unless generators were restarted since
 *
 * and no process is left waiting for another one for ever (spin: no invalid end state).
 *
 * Tags recur: only TAGS of them tell transactions of a process apart.
 *
 * Not in the model: several generators and databases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LEAD
#define LEAD		0
#endif
#ifndef RESTARTS
#define RESTARTS	0
#endif
#ifndef TICKS
#define TICKS		1			/* how long the clock goes on */
#endif
#ifndef ROUNDS
#define ROUNDS		2			/* calls of the reader */
#endif
#ifndef XACTS
#define XACTS		2			/* transactions that take blocks */
#endif
#ifndef IDS
#define IDS			1			/* that a transaction takes, or fewer */
#endif
#ifndef PREPARES
#define PREPARES	0			/* transactions that are prepared */
#endif
#ifndef TAGS
#define TAGS		2			/* of a process, after which they recur */
#endif
#define WRITERS		2
#define READER		2
#define COUNTERS	3
#define BLOCK		2
#define FIRST		2			/* tick that the clock shows at first */
#define NONE		31			/* no tick */

#define MAX(a, b)	((a) > (b) -> (a) : (b))
#define MIN(a, b)	((a) < (b) -> (a) : (b))
#define tick(word)	((word) / COUNTERS)
#define begin(tick)	((tick) * COUNTERS)
#define make_slot(tick, tag) ((tick) * 4 + (tag))
#define slot_tick(slot) ((slot) / 4)
#define slot_tag(slot) ((slot) % 4)
#define tag(xact)	(1 + (xact) % TAGS)

/* A store that others do not see yet. */
mtype = { to_slot, to_invalidations, to_last };

byte wall = FIRST;
byte last = FIRST * COUNTERS - 1;
byte invalidations;
byte slot[WRITERS];				/* 0 if empty */
byte lxid[WRITERS];
mtype pending[WRITERS + 1];		/* 0 if there is none */
byte value[WRITERS + 1];
byte entry;						/* the slot of the prepared transaction; 0 if there is none */

/* Not the program's, but what is known of it */
byte settled;					/* the highest tick that was returned */
bool reading;					/* a call of the reader has begun, and not returned */
bool stale;						/* generators were restarted since */
bool found;						/* it has found an open transaction below its tick */
bool held;						/* it has found a prepared one */
byte passed;					/* ticks */
byte rounds = ROUNDS;
byte restarting = RESTARTS;	/* of generators, to come */
byte preparing = PREPARES;		/* transactions, to come */
byte prepared = NONE;			/* tick of the ids of the prepared transaction */

#define barrier(p)	(pending[p] == 0)
#define swappable	(pending[READER] != to_last)

inline flush(p)
{
	d_step { pending[p] != 0 ->
		if
		:: pending[p] == to_slot -> slot[p] = value[p]; pending[p] = 0
		:: pending[p] == to_last -> last = value[p]; pending[p] = to_invalidations
		:: pending[p] == to_invalidations -> invalidations = invalidations + 1; pending[p] = 0
		fi;
		value[p] = (pending[p] == 0 -> 0 : value[p])
	}
}

/* COVER: store a slot for a word, unless the slot covers it already */
inline cover(word)
{
	if
	:: tick(word) < floor ->
		atomic {
			value[me] = make_slot(tick(word), tag(xact));
			pending[me] = to_slot;
			floor = tick(word)
		};
		barrier(me)				/* (2) */
	:: else
	fi
}

proctype writer(byte me, size, xacts)
{
	byte xact, ids;
	byte floor;					/* OpenXactCover.floor, as a tick */
	byte lowest;				/* tick of the transaction's ids */
	byte seen, now, next;
	byte block_next, block_end, block_invalidations;
	bool current, of_block;

	do
	:: xact < xacts ->
		/* the transaction begins */
		atomic { xact++; floor = NONE; lowest = NONE; ids = 0; lxid[me] = tag(xact) };
TAKE:
		/* BLOCK */
		if
		:: block_next < block_end ->
			seen = last;
			atomic {
				if
				:: now = wall
				:: passed > 0 -> now = wall - 1	/* clocks do not order memory */
				fi;
				current = (tick(seen) == tick(block_next) && now == tick(block_next));
				seen = 0; now = 0
			};
			current = current && block_invalidations == invalidations;
			if
			:: atomic { !current -> block_next = 0; block_end = 0; block_invalidations = 0 }
			:: atomic { current && tick(block_next) >= floor -> current = false; of_block = true;
				next = block_next; block_next++; goto TAKEN }
			:: atomic { current && tick(block_next) < floor -> current = false };
				cover(block_next);
				/* without the clock, which is read once */
				atomic { seen = last; current = (tick(seen) == tick(block_next)); seen = 0 };
				current = current && block_invalidations == invalidations;
				if
				:: atomic { current -> current = false; of_block = true;
					next = block_next; block_next++; goto TAKEN }
				:: atomic { !current -> block_next = 0; block_end = 0; block_invalidations = 0 }
				fi
			fi
		:: else
		fi;
		if
		:: size > 1 -> block_invalidations = invalidations
		:: else
		fi;
SWAP:
		seen = last;
		atomic { now = wall;
			next = (now > tick(seen) -> begin(now) + size - 1 :
				(tick(seen + size) == tick(seen) -> seen + size :
					begin(tick(seen) + 1) + size - 1));
			now = 0;
			if
			:: tick(next) > wall + LEAD -> seen = 0; next = 0; goto SWAP
			:: else
			fi };
		cover(next);			/* before the swap */
		atomic {
			barrier(me) && swappable ->
			if
			:: last == seen -> last = next; seen = 0;
				if
				:: size > 1 -> block_end = next + 1; next = block_end - size; block_next = next + 1
				:: else
				fi
			:: else -> seen = 0; next = 0; goto SWAP
			fi
		};
		skip;					/* after the swap */
TAKEN:
		atomic { lowest = MIN(lowest, tick(next)); ids++; next = 0 };
		if
		:: ids < IDS -> goto TAKE
		:: skip
		fi;
		if
		:: preparing > 0 ->
			/* copy_slot(); then the server detaches the transaction, under a lock */
			atomic { barrier(me) -> entry = slot[me]; prepared = lowest; preparing-- };
			lowest = NONE
		:: skip
		fi;
		/* the rows become visible, under a lock */
		atomic { barrier(me);
			assert(lowest >= settled);	/* settled */
#ifdef REACH
			/* after everything that is to happen: a word of a block from before the transaction */
			assert(!of_block || !found || settled == 0 || rounds > 0 || restarting > 0);
#endif
			lxid[me] = 0;
			of_block = false; floor = 0; lowest = 0; ids = 0;
			if
			:: xact == xacts || block_next == block_end ->
				block_next = 0; block_end = 0; block_invalidations = 0
			:: else
			fi
		}
	:: else -> break
	od;
}

/* Sets instant to a tick. */
inline bound()
{
	do
	:: seen = last;
		atomic { now = wall;
			next = begin(MAX(now, tick(seen) + 1));
			if
			/* last is of the clock's tick, and has words left */
			:: seen + 1 < next && tick(next) > now && tick(seen) <= now ->
				instant = tick(seen); seen = 0; now = 0; next = 0;
				break
			/* not due */
			:: seen + 1 < next && !(tick(next) > now && tick(seen) <= now) &&
				tick(next) > now + LEAD -> goto again
			:: else -> now = 0
			fi
		};
		atomic {
			if
			:: seen + 1 == next -> pending[READER] = to_invalidations
			:: seen + 1 != next && last == seen -> value[READER] = next - 1;
				pending[READER] = to_last	/* last, then invalidations */
			:: else -> goto again
			fi;
			instant = tick(next); seen = 0; next = 0;
			break
		};
again:
		atomic { seen = 0; now = 0; next = 0 }
	od
}

/* Makes instant the tick of the oldest open transaction, if that is lower. */
inline read_slots()
{
	do
	:: i < WRITERS ->
		seen = slot[i];
		shown = lxid[i];
		skip;					/* nobody clears a slot */
		atomic {
			if
			:: seen != 0 && shown == slot_tag(seen) && slot_tick(seen) < instant ->
				instant = slot_tick(seen);
				found = true
			:: else
			fi;
			seen = 0; shown = 0; i++
		}
	:: else -> break
	od
}

inline read_prepared()
{
	atomic {
		if
		:: entry != 0 && slot_tick(entry) < instant -> instant = slot_tick(entry); held = true
		:: else
		fi
	}
}

active proctype reader()
{
	byte seen, now, next, shown, i;
	byte instant = NONE;

	do
	:: rounds > 0 ->
		atomic { reading = true; stale = false; found = false };
		bound();
		barrier(READER);		/* (b) */
		read_slots();
		read_prepared();
		/* the snapshot, which is taken under a lock */
		atomic { barrier(READER);
			settled = (stale -> settled : MAX(settled, instant));
			reading = false; stale = false; instant = NONE; i = 0; rounds-- }
	:: else -> break
	od
}

/* idtypes_restart_generators(), after the clock was set back */
active proctype restart()
{
	byte seen, next;

	do
	:: restarting > 0 && wall > FIRST ->
		atomic { wall--; seen = last };
again:
		atomic { swappable;
			next = (tick(seen) > wall + LEAD -> begin(wall) - 1 :
				(tick(seen + 1) == tick(seen) -> seen + 1 : seen));
			if
			:: last == seen -> last = next;
				stale = (reading && next < seen);
				settled = (next < seen -> 0 : settled);
				seen = 0; next = 0
			:: else -> seen = last; next = 0; goto again
			fi };
		atomic { invalidations++; restarting-- }
	:: restarting == 0 -> break
	od
}

/* The clock goes on; stores become visible. */
active proctype world()
{
end:
	do
	:: atomic { passed < TICKS -> passed++; wall++ }
	:: atomic { prepared != NONE ->
			assert(prepared >= settled);	/* settled */
#if defined(REACH) && PREPARES
			assert(!held || settled == 0 || rounds > 0);
#endif
			prepared = NONE; entry = 0 }
	:: pending[0] != 0 -> flush(0)
	:: pending[1] != 0 -> flush(1)
	:: pending[READER] != 0 -> flush(READER)
	od
}

init
{
	atomic {
		run writer(0, BLOCK, XACTS);
		run writer(1, 1, 1)
	}
}
