/*-------------------------------------------------------------------------
 *
 * markfile.h
 *	  The durable time mark: a small file in the data directory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_MARKFILE_H
#define IDTYPES_MARKFILE_H

#include "postgres.h"

/* In the data directory. */
#define MARK_FILE	"idtypes.mark"

typedef struct Mark
{
	int64		before;			/* us since 1970: every id handed out begins before it */
	uint32		timeline;		/* that it was written on */
} Mark;

/* What is known of the slots where it is not known which file is in place. */
#define MARK_NO_SLOT	(-1)

/*
 * Reads the mark.  Returns false, and the mark of a new cluster, if there is no
 * file.  An ERROR if the file cannot be read or is not a regular one, or if it holds
 * no intact mark: going on without could repeat ids.
 */
extern bool markfile_read(Mark *mark);

/*
 * Makes a mark durable, in place of whatever the file held.  *slot becomes the
 * slot that holds it; or after an error of the disk, where it is not known which
 * file is in place, MARK_NO_SLOT.
 */
extern void markfile_create(const Mark *mark, int *slot);

/*
 * Makes a mark durable that is later than the one in *slot, which stays intact
 * until then; *slot becomes the slot that holds the new one.  With MARK_NO_SLOT, or
 * if somebody has removed the file, as markfile_create().
 *
 * Either may be called by one process at a time.  An ERROR if the disk fails, or if
 * what is there is not a regular file; then the mark before still counts, and the
 * same call may be made again.
 */
extern void markfile_replace(const Mark *mark, int *slot);

#endif							/* IDTYPES_MARKFILE_H */
