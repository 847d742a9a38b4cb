/*-------------------------------------------------------------------------
 *
 * markfile.c
 *	  The durable time mark: a small file in the data directory.
 *
 * The file has two slots, each in a block of its own, and a mark is written over
 * the older one: one write and one fdatasync of a file that keeps its size.  If
 * that is cut short, the other slot still holds the mark before, and nobody has
 * got an id beyond that one.  The later mark counts.
 *
 * A slot is a line of text and zeros.
 *
 * Which slot is the older one is not read from the file, but remembered: after an
 * error of the disk, what the kernel shows of a file need not be what is on disk.
 * For the same reason a file that could not be put in its place durably is made
 * again, and not written over.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "storage/fd.h"

#include "generators/markfile.h"

#define MARK_FILE_NEW	MARK_FILE ".new"

/* The server's lock on its data directory, which begins with the postmaster's process id. */
#define LOCK_FILE		"postmaster.pid"

/* A block of the disk, of which a torn write damages one at most. */
#define SLOT_SIZE	4096
#define SLOTS		2

#define LINE_FORMAT "idtypes 1: ids before " INT64_FORMAT " us, timeline %u, crc "
#define LINE_SIZE	128

/*
 * The server names its files as seen from the data directory.  But an untrusted
 * language may have taken its process elsewhere: a mark made there would raise what
 * is shared, and the next start would not find it, and repeat ids.
 */
static char *
in_data_directory(const char *name)
{
	return psprintf("%s/%s", DataDir, name);
}

static void
close_file(int fd, const char *name)
{
	if (CloseTransientFile(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close file \"%s\": %m", name)));
}

/*
 * Raises an error if the data directory belongs to another server, or to none: DataDir may
 * be a link, which somebody has switched since the server started.  A mark written there
 * would not be found by the next start, either.  The lock file says whose the directory is;
 * the numbers of its inode and device do not always, on a file system of a network.
 */
static void
check_data_directory(void)
{
	char	   *path = in_data_directory(LOCK_FILE);
	/* a server without a postmaster writes its own process id, negated */
	int			owner = IsUnderPostmaster ? (int) PostmasterPid : -MyProcPid;
	char		line[16] = {0};
	int			fd = OpenTransientFile(path, O_RDONLY | PG_BINARY);

	if (fd < 0 && errno != ENOENT)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", LOCK_FILE)));
	if (fd >= 0)
	{
		if (read(fd, line, sizeof(line) - 1) < 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not read file \"%s\": %m", LOCK_FILE)));
		close_file(fd, LOCK_FILE);
	}
	if (atoi(line) != owner)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("data directory \"%s\" is no longer the one of this server", DataDir),
				 errdetail("Its file \"%s\" does not name process %d.", LOCK_FILE, owner),
				 errhint("If \"%s\" is a link that was switched, switch it back, or restart the "
						 "server.", DataDir)));
	pfree(path);
}

/* Writes the line of a mark and a terminator; line has LINE_SIZE bytes. */
static void
format_line(const Mark *mark, char *line)
{
	pg_crc32c	crc;
	int			len = snprintf(line, LINE_SIZE, LINE_FORMAT, mark->before, mark->timeline);

	Assert(len > 0 && len + sizeof("01234567\n") <= LINE_SIZE);
	INIT_CRC32C(crc);
	COMP_CRC32C(crc, line, len);
	FIN_CRC32C(crc);
	snprintf(line + len, LINE_SIZE - len, "%08x\n", crc);
}

/* Reads a slot.  Returns false if it is not intact. */
static bool
parse_slot(const char *slot, Mark *mark)
{
	char		line[LINE_SIZE];

	if (memchr(slot, '\0', LINE_SIZE) == NULL ||
		sscanf(slot, LINE_FORMAT, &mark->before, &mark->timeline) != 2)
		return false;
	format_line(mark, line);
	return strcmp(slot, line) == 0;
}

/*
 * Opens the file.  Returns -1 if there is none.  Opening a named pipe would wait
 * for its other end, where nothing can end that; and a link that leads nowhere
 * must not count as no mark.
 */
static int
open_file(int flags)
{
	char	   *path = in_data_directory(MARK_FILE);
	struct stat st;
	int			fd;

	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" in the data directory is not a regular file", MARK_FILE),
				 errdetail("The file of that name holds the time up to which identifiers may have "
						   "been handed out."),
				 errhint("Put the file back.  If there was none, or if the system clock is right "
						 "and was never ahead, remove what is in its place.")));
	fd = OpenTransientFile(path, flags | PG_BINARY);
	if (fd < 0 && errno != ENOENT)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", MARK_FILE)));
	pfree(path);
	return fd;
}

bool
markfile_read(Mark *mark)
{
	int			fd = open_file(O_RDONLY);
	char		slots[SLOTS * SLOT_SIZE + 1] = {0};
	ssize_t		len;
	bool		damaged;

	mark->before = 0;
	mark->timeline = 1;
	if (fd < 0)
		return false;
	len = read(fd, slots, sizeof(slots));
	if (len < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read file \"%s\": %m", MARK_FILE)));
	CloseTransientFile(fd);

	/* cut off, as a copy on a full disk is: that takes the later mark with it, or not */
	damaged = len < SLOTS * SLOT_SIZE;
	for (int i = 0; i < SLOTS; i++)
	{
		const char *slot = slots + i * SLOT_SIZE;
		Mark		found;

		if (parse_slot(slot, &found))
		{
			if (found.before > mark->before)
				*mark = found;
		}
		else if (i == 0 || slot[0] != '\0')
			damaged = true;
	}
	if (mark->before == 0 || len == sizeof(slots))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("file \"%s\" in the data directory is damaged", MARK_FILE),
				 errdetail("It holds the time up to which identifiers may have been handed out."),
				 errhint("If the system clock is right and was never ahead, remove the file; "
						 "generators then start at the clock.")));

	/*
	 * Where one slot is damaged, its write was cut short.  Or it was complete, and
	 * the disk has damaged it since, or it was lost: that mark is not known, as if
	 * another server had written it.
	 */
	if (damaged)
		mark->timeline = 0;
	return true;
}

/* Writes bytes at an offset of the file named, open as fd. */
static void
write_bytes(int fd, const char *name, const char *bytes, size_t size, off_t offset)
{
	errno = 0;
	if (pg_pwrite(fd, bytes, size, offset) != size)
	{
		/* if write didn't set errno, assume problem is no disk space */
		if (errno == 0)
			errno = ENOSPC;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not write file \"%s\": %m", name)));
	}
}

void
markfile_create(const Mark *mark, int *slot)
{
	char		slots[SLOTS * SLOT_SIZE] = {0};
	char	   *path = in_data_directory(MARK_FILE);
	char	   *new_path = in_data_directory(MARK_FILE_NEW);
	int			fd;

	Assert(mark->before > 0);
	check_data_directory();
	/* what a crash has left of that name, or whatever else it is */
	unlink(new_path);
	fd = OpenTransientFile(new_path, O_WRONLY | O_CREAT | O_EXCL | PG_BINARY);
	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create file \"%s\": %m", MARK_FILE_NEW)));
	format_line(mark, slots);
	write_bytes(fd, MARK_FILE_NEW, slots, sizeof(slots), 0);
	close_file(fd, MARK_FILE_NEW);
	/* if this fails, either file may be in place now, and the other one after a crash */
	*slot = MARK_NO_SLOT;
	/* this also makes the file's content durable, before the rename */
	durable_rename(new_path, path, ERROR);
	*slot = 0;
	pfree(path);
	pfree(new_path);
}

void
markfile_replace(const Mark *mark, int *slot)
{
	int			other = (*slot + 1) % SLOTS;
	char		bytes[SLOT_SIZE] = {0};
	struct stat st;
	int			fd;

	Assert(*slot == MARK_NO_SLOT || (*slot >= 0 && *slot < SLOTS));
	Assert(mark->before > 0);
	check_data_directory();
	fd = *slot == MARK_NO_SLOT ? -1 : open_file(O_WRONLY);
	/* of another size, the next start would take it for damaged, or for cut off */
	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_size != SLOTS * SLOT_SIZE))
	{
		close_file(fd, MARK_FILE);
		fd = -1;
	}
	/* there was none, or somebody removed it */
	if (fd < 0)
	{
		markfile_create(mark, slot);
		return;
	}
	format_line(mark, bytes);
	write_bytes(fd, MARK_FILE, bytes, sizeof(bytes), other * SLOT_SIZE);

	/*
	 * No reason to panic if that fails: whoever tries again writes the whole slot
	 * again, and does not rely on what the kernel may have dropped.
	 */
	if (pg_fdatasync(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not fdatasync file \"%s\": %m", MARK_FILE)));
	close_file(fd, MARK_FILE);
	*slot = other;
}
