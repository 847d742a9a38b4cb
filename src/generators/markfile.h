/*-------------------------------------------------------------------------
 *
 * markfile.h
 *	  The time mark on disk: a small file in the data directory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_MARKFILE_H
#define IDTYPES_MARKFILE_H

#include "postgres.h"

/* The name of the file in the data directory. */
#define MARK_FILE	"idtypes.mark"

typedef struct Mark
{
	int64		before;			/* us since 1970: every id handed out begins before it */
	uint32		timeline;		/* WAL timeline of the writer; 0 if unknown */
} Mark;

/* Instead of a half's number, if it is unknown which file is in place. */
#define MARK_NO_HALF	(-1)

/*
 * Read the mark.  If there is no file, return false and the mark of a new cluster.
 * If a half is damaged, return the mark of the other one, with timeline 0.  (The second
 * half of a new file is empty, which is not damage.)  Throws an error if the file cannot
 * be read, is not a regular file, is too long, or holds no intact mark: to continue
 * without the mark could repeat ids.
 */
extern bool markfile_read(Mark *mark);

/*
 * Write a mark durably to the first half of a new file, which replaces the old file.
 * *half returns that half; after an I/O error that leaves it unknown which file is in
 * place, MARK_NO_HALF.
 */
extern void markfile_create(const Mark *mark, int *half);

/*
 * Write a mark durably that is later than the one in *half, over the other half.  The old
 * mark stays intact until the new one is durable.  *half returns the half of the new mark.
 * If *half is MARK_NO_HALF, or the file was removed or has a wrong size, create the file
 * like markfile_create().
 *
 * Only one process at a time may call markfile_create() or markfile_replace().  Both throw
 * an error if writing fails, or if the data directory belongs to another server now;
 * markfile_replace() also if the file is not a regular file.  The old mark remains valid
 * then, and the caller may try again.
 */
extern void markfile_replace(const Mark *mark, int *half);

#endif							/* IDTYPES_MARKFILE_H */
