/*-------------------------------------------------------------------------
 *
 * openxact.h
 *	  Open transactions that have taken ids, for T_settled() and idtypes_generators().
 *
 * Each backend has a slot for each generator in shared memory.  Before a transaction takes its
 * first word of a generator, it stores there a lower bound of the time of its ids; openxact.c
 * explains how a reader finds the oldest id of all open transactions in the slots.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_OPENXACT_H
#define IDTYPES_OPENXACT_H

#include "postgres.h"

#include "storage/proc.h"

#include "core/generators.h"
#include "server/compat.h"

/* What this backend's slot of a generator covers. */
typedef struct OpenXactCover
{
	LocalTransactionId lxid;	/* the transaction that stored it */
	uint64		floor;			/* the lowest word that it covers */
} OpenXactCover;

extern OpenXactCover openxact_covers[GENERATORS];

/*
 * True if a reader that looks for open ids of this word's time finds this transaction in its
 * slot.  If not, the caller must call openxact_cover() before it advances the last word to this
 * one or, for a word of a block, before it reads the last word for the last time.
 */
static inline bool
openxact_is_covered(Generator generator, uint64 word)
{
	const OpenXactCover *cover = &openxact_covers[generator];

	return likely(word >= cover->floor && cover->lxid == compat_lxid(MyProc));
}

/*
 * Make the slot of this transaction cover a word of a generator.  Ends with a full barrier.  The
 * caller has attached to the shared memory.
 */
extern void openxact_cover(Generator generator, uint64 word);

/* The memory that openxact_allocate() needs, in bytes. */
extern Size openxact_size(void);

/* Allocate the slots.  Return NULL if the server has not enough shared memory left. */
extern struct OpenXacts *openxact_allocate(void);

/*
 * Each process calls this once when it attaches to the shared memory, with the result of
 * openxact_allocate(), and openxact_detach() when it exits and its transaction has ended.
 */
extern void openxact_attach(struct OpenXacts *shared);
extern void openxact_detach(void);

/* False if there is no memory for the slots.  The caller has attached. */
extern bool openxact_available(void);

/*
 * Get the lower bound of the time of the oldest id of a generator that an open transaction of
 * this database has taken, in microseconds since 1970, and the process id of its backend, 0
 * if it is prepared.  Return false if there is none.  The caller has attached.
 */
extern bool openxact_oldest(Generator generator, int64 *begins, int *pid);

/*
 * True if a transaction of this database is open that was prepared before the server started,
 * so that its ids are unknown.  The server is not in recovery.
 */
extern bool openxact_any_unknown(void);

#endif							/* IDTYPES_OPENXACT_H */
