/*-------------------------------------------------------------------------
 *
 * mark.h
 *	  The durable time mark: a small file in the data directory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_MARK_H
#define IDTYPES_MARK_H

#include "postgres.h"

/* In the data directory; relative, as all of the server's paths are. */
#define MARK_FILE	"idtypes.mark"

typedef struct Mark
{
	int64		before;			/* us since 1970: every id handed out begins before it */
	uint32		timeline;		/* that it was written on */
} Mark;

/*
 * Reads the mark.  Returns false, and the mark of a new cluster, if there is no
 * file.  An ERROR if the file cannot be read, or if it holds no intact mark: going
 * on without could repeat ids.
 */
extern bool mark_read(Mark *mark);

/*
 * Makes a mark durable, in place of whatever the file held.  Returns the slot
 * that holds it.
 */
extern int	mark_create(const Mark *mark);

/*
 * Makes a mark durable that is later than the one in a slot, which stays intact
 * until then.  Returns the slot that holds the new one.  May be called by one
 * process at a time, as may mark_create().  An ERROR if the disk fails; then the
 * one before still counts, and the same call may be made again.
 */
extern int	mark_replace(const Mark *mark, int slot);

#endif							/* IDTYPES_MARK_H */
