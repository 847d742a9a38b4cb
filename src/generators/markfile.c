/*-------------------------------------------------------------------------
 *
 * markfile.c
 *	  The time mark on disk: a small file in the data directory.
 *
 * The file has two halves, each in a block of its own.  A new mark overwrites the older
 * half, with one write and one fdatasync of a file that keeps its size.  If a crash
 * interrupts that, the other half still holds the previous mark, and no id beyond that
 * mark was handed out.  If both halves are intact, the later mark is valid.
 *
 * A half is a line of text, padded with zeros.  The second half of a new file is empty.
 *
 * Shared memory keeps the number of the current half; it is not read from the file.
 * After an I/O error, the content that the kernel returns may differ from the content on
 * disk.  For the same reason, a file whose rename may not be durable is created again,
 * not overwritten.
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

/* The lock file of the data directory, which begins with the postmaster's process id. */
#define LOCK_FILE		"postmaster.pid"

/* A half fills a disk block, so that a torn write damages at most one half. */
#define HALF_SIZE	4096
#define HALVES		2

#define LINE_FORMAT "idtypes 1: ids before " INT64_FORMAT " us, timeline %u, crc "
#define LINE_SIZE	128

/*
 * Return the absolute path of a file in the data directory.  A relative path would not
 * do: an untrusted language may have changed the process's working directory, and the
 * next server start would not find a mark that was written there, and repeat ids.
 */
static char *
in_data_directory(const char *name)
{
	return psprintf("%s/%s", DataDir, name);
}

/* Add the path of a file to a message in the log; a client sees no path of the server. */
static int
path_in_log(const char *name)
{
	return errdetail_log("The path is \"%s/%s\".", DataDir, name);
}

static void
close_file(int fd, const char *name)
{
	if (CloseTransientFile(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close file \"%s\": %m", name),
				 path_in_log(name)));
}

/*
 * Throw an error if the data directory does not belong to this server: DataDir may be a
 * symbolic link that was switched after the server start, and the next start would not
 * find a mark that was written there.  The lock file identifies the owner of the directory;
 * inode and device numbers are not reliable for that on network file systems.
 */
static void
check_data_directory(void)
{
	char	   *path = in_data_directory(LOCK_FILE);
	/* a standalone backend writes its own process id, negated */
	int			owner = IsUnderPostmaster ? (int) PostmasterPid : -MyProcPid;
	char		line[16] = {0};
	int			fd = OpenTransientFile(path, O_RDONLY | PG_BINARY);

	if (fd < 0 && errno != ENOENT)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", LOCK_FILE),
				 path_in_log(LOCK_FILE)));
	if (fd >= 0)
	{
		if (read(fd, line, sizeof(line) - 1) < 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not read file \"%s\": %m", LOCK_FILE),
					 path_in_log(LOCK_FILE)));
		close_file(fd, LOCK_FILE);
	}
	if (atoi(line) != owner)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the data directory is no longer the one of this server"),
				 errdetail("Its file \"%s\" does not name process %d.", LOCK_FILE, owner),
				 errdetail_log("File \"%s/%s\" does not name process %d.",
							   DataDir, LOCK_FILE, owner),
				 errhint("If its path is a link that was switched, switch it back, or restart the "
						 "server.")));
	pfree(path);
}

/* Write the line of a mark, null-terminated, to line, a buffer of LINE_SIZE bytes. */
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

/* Parse a half.  Return false if it is not intact. */
static bool
parse_half(const char *half, Mark *mark)
{
	char		line[LINE_SIZE];

	if (memchr(half, '\0', LINE_SIZE) == NULL ||
		sscanf(half, LINE_FORMAT, &mark->before, &mark->timeline) != 2)
		return false;
	format_line(mark, line);
	return strcmp(half, line) == 0;
}

/*
 * Open the mark file.  Return -1 if it does not exist; throw an error unless it is a
 * regular file.  Opening a named pipe would wait uninterruptibly for its other end, and
 * a dangling link must not pass for a missing file.
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
				 errhint("Put the file back.  If it is lost, remove what is in its place when the "
						 "system clock is 4 seconds past the largest time in your identifiers.")));
	fd = OpenTransientFile(path, flags | PG_BINARY);
	if (fd < 0 && errno != ENOENT)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", MARK_FILE),
				 path_in_log(MARK_FILE)));
	pfree(path);
	return fd;
}

bool
markfile_read(Mark *mark)
{
	int			fd = open_file(O_RDONLY);
	char		halves[HALVES * HALF_SIZE + 1] = {0};
	ssize_t		len;
	bool		damaged;

	mark->before = 0;
	mark->timeline = 1;
	if (fd < 0)
		return false;
	len = read(fd, halves, sizeof(halves));
	if (len < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read file \"%s\": %m", MARK_FILE),
				 path_in_log(MARK_FILE)));
	CloseTransientFile(fd);

	/* a truncated file, such as a copy on a full disk, may have lost the later mark */
	damaged = len < HALVES * HALF_SIZE;
	for (int i = 0; i < HALVES; i++)
	{
		const char *half = halves + i * HALF_SIZE;
		Mark		found;

		if (parse_half(half, &found))
		{
			if (found.before > mark->before)
				*mark = found;
		}
		else if (i == 0 || half[0] != '\0')
			damaged = true;
	}
	if (mark->before == 0 || len == sizeof(halves))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("file \"%s\" in the data directory is damaged", MARK_FILE),
				 errdetail("It holds the time up to which identifiers may have been handed out."),
				 errhint("Remove the file when the system clock is 4 seconds past the largest time "
						 "in your identifiers; generators then start at the clock.")));

	/*
	 * If one half is damaged, a crash may have interrupted its write; the other mark is
	 * valid then.  But the half may also have been complete and damaged or lost later.
	 * Its mark is unknown then, so start as if another server had written the mark.
	 */
	if (damaged)
		mark->timeline = 0;
	return true;
}

/* Write size bytes at an offset of the open file fd; error messages call it name. */
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
				 errmsg("could not write file \"%s\": %m", name),
				 path_in_log(name)));
	}
}

static void
sync_file(int fd, const char *name)
{
	if (pg_fsync(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not fsync file \"%s\": %m", name),
				 path_in_log(name)));
}

/* Sync the data directory, so that a rename in it is durable. */
static void
sync_data_directory(void)
{
	int			fd = OpenTransientFile(DataDir, O_RDONLY | PG_BINARY);

	/* some systems cannot open or sync a directory, and need not: see fsync_fname_ext() */
	if (fd < 0 ? errno != EISDIR && errno != EACCES :
		pg_fsync(fd) != 0 && errno != EBADF && errno != EINVAL)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not fsync the data directory: %m"),
				 path_in_log("")));
	if (fd >= 0)
		CloseTransientFile(fd);
}

void
markfile_create(const Mark *mark, int *half)
{
	char		halves[HALVES * HALF_SIZE] = {0};
	char	   *path = in_data_directory(MARK_FILE);
	char	   *new_path = in_data_directory(MARK_FILE_NEW);
	int			fd;

	Assert(mark->before > 0);
	check_data_directory();
	/* remove what a crash may have left there */
	unlink(new_path);
	fd = OpenTransientFile(new_path, O_WRONLY | O_CREAT | O_EXCL | PG_BINARY);
	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create file \"%s\": %m", MARK_FILE_NEW),
				 path_in_log(MARK_FILE_NEW)));
	format_line(mark, halves);
	write_bytes(fd, MARK_FILE_NEW, halves, sizeof(halves), 0);
	sync_file(fd, MARK_FILE_NEW);

	/*
	 * Not by durable_rename(), whose errors would show the path to the client.  If the
	 * rename or a sync fails, either file may be in place now, and the other after a crash.
	 */
	*half = MARK_NO_HALF;
	if (rename(new_path, path) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rename file \"%s\" to \"%s\": %m", MARK_FILE_NEW, MARK_FILE),
				 path_in_log(MARK_FILE)));
	sync_file(fd, MARK_FILE);
	close_file(fd, MARK_FILE);
	sync_data_directory();
	*half = 0;
	pfree(path);
	pfree(new_path);
}

void
markfile_replace(const Mark *mark, int *half)
{
	int			other = (*half + 1) % HALVES;
	char		bytes[HALF_SIZE] = {0};
	struct stat st;
	int			fd;

	Assert(*half == MARK_NO_HALF || (*half >= 0 && *half < HALVES));
	Assert(mark->before > 0);
	check_data_directory();
	fd = *half == MARK_NO_HALF ? -1 : open_file(O_WRONLY);
	/* the next server start would take a file of another size for damaged */
	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_size != HALVES * HALF_SIZE))
	{
		close_file(fd, MARK_FILE);
		fd = -1;
	}
	/* no usable file: half unknown, file removed, or of a wrong size */
	if (fd < 0)
	{
		markfile_create(mark, half);
		return;
	}
	format_line(mark, bytes);
	write_bytes(fd, MARK_FILE, bytes, sizeof(bytes), other * HALF_SIZE);

	/*
	 * If this fails, an ERROR suffices instead of a PANIC: the next attempt writes the
	 * whole half again, and does not rely on data that the kernel may have dropped.
	 */
	if (pg_fdatasync(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not fdatasync file \"%s\": %m", MARK_FILE),
				 path_in_log(MARK_FILE)));
	close_file(fd, MARK_FILE);
	*half = other;
}
