/*-------------------------------------------------------------------------
 *
 * map_file.h
 *	  For libraries that tests preload: the file by which a test tells them
 *	  what to do.
 *
 *-------------------------------------------------------------------------
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Maps so many bytes of the file that an environment variable names, for reading
 * and writing: what the test writes to it counts at once.  Aborts the process if
 * that fails.  Allocates nothing.
 */
static inline volatile void *
map_file(const char *variable, size_t size)
{
	const char *path = getenv(variable);
	int			fd = path ? open(path, O_RDWR) : -1;
	void	   *map = MAP_FAILED;

	if (fd >= 0)
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		abort();
	close(fd);
	return map;
}
