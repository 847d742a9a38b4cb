/*-------------------------------------------------------------------------
 *
 * openxact.h
 *	  Open transactions that have taken ids, for T_settled() and idtypes_generators().
 *
 * Each backend has a slot in shared memory.  Before a transaction takes its first word of a
 * generator, it stores there a lower bound of the time of its ids; openxact.c explains how a
 * reader finds the oldest id of all open transactions in the slots.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_OPENXACT_H
#define IDTYPES_OPENXACT_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "storage/proc.h"

#include "core/generators.h"
#include "server/compat.h"

/* What the slot of this backend's transaction covers. */
typedef struct OpenXactLocal
{
	LocalTransactionId lxid;	/* the transaction that floor is about */
	uint64		floor[GENERATORS];	/* lowest word that the slot covers; none if PG_UINT64_MAX */
} OpenXactLocal;

extern OpenXactLocal openxact_local;

/*
 * True if a reader finds this transaction in its slot when it looks for open ids of this
 * word's time.  If not, the caller must call openxact_cover() before it advances the last
 * word to this one or, for a word of a block, before it reads the last word.
 */
static inline bool
openxact_covers(Generator generator, uint64 word)
{
	return likely(word >= openxact_local.floor[generator] &&
				  openxact_local.lxid == compat_lxid(MyProc));
}

/*
 * Make this transaction's slot cover a word of a generator.  Ends with a full barrier.  The
 * caller has attached to the shared memory.
 */
extern void openxact_cover(Generator generator, uint64 word);

/* The memory that openxact_allocate() needs, in bytes. */
extern Size openxact_size(void);

/* Allocate the slots.  Return NULL if the server has not enough shared memory left. */
extern struct OpenXacts *openxact_allocate(void);

/*
 * Each process calls this when it attaches to the shared memory, with the result of
 * openxact_allocate().  May throw an error, after which it can be called again.
 */
extern void openxact_attach(struct OpenXacts *open);

/*
 * T_settled(): get the instant at which the tick begins below which the ids of a generator
 * are settled: each transaction of this database that took one of them has ended.  Return
 * false if that is not known, because of a prepared transaction.  May wait for the clock and
 * the mark as a generator does.  Throws an error (the message names the SQL function) if the
 * transaction's snapshot is older than the result, if there is no memory for the slots, and
 * the errors of clockwords_bound().
 */
extern bool openxact_settled(Generator generator, const char *function, TimestampTz *instant);

/*
 * Get the lower bound of the time of the oldest id of a generator that an open transaction of
 * this database has taken, in microseconds since 1970, and the process id of its backend, 0
 * if it is prepared.  Return false if there is none.  The caller has attached.
 */
extern bool openxact_oldest(Generator generator, int64 *begins, int *pid);

#endif							/* IDTYPES_OPENXACT_H */
