/*-------------------------------------------------------------------------
 *
 * shmem_hog.c
 *	  For t/009_shmem.pl: does to shared memory what other libraries may have
 *	  done before idtypes comes to use it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/builtins.h"

#include "server/compat.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(shmem_hog);
PG_FUNCTION_INFO_V1(shmem_name_locks);
PG_FUNCTION_INFO_V1(shmem_pretend);

/*
 * shmem_hog(most bigint) returns bigint: takes all of the free shared memory, or so
 * much, and returns how much it was.
 */
Datum
shmem_hog(PG_FUNCTION_ARGS)
{
	int64		taken = 0;

	/* from large to small, as long as there is so much */
	for (Size size = 1024 * 1024; size >= 64; size /= 2)
		while (taken + (int64) size <= PG_GETARG_INT64(0) && ShmemAllocNoError(size) != NULL)
			taken += size;
	PG_RETURN_INT64(taken);
}

/*
 * shmem_name_locks(count int) returns void: makes as many names of locks, of which
 * some majors have a limited number.
 */
Datum
shmem_name_locks(PG_FUNCTION_ARGS)
{
	for (int i = 0; i < PG_GETARG_INT32(0); i++)
		compat_new_tranche("hog");
	PG_RETURN_VOID();
}

/*
 * shmem_pretend(name text, size int, version int, library text) returns boolean:
 * makes a shared structure as a library of that layout version would, and returns
 * whether it was there already.  As its first fields may be aligned to more than
 * the structure is, all of it is filled with them.
 */
Datum
shmem_pretend(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	struct
	{
		uint32		version;
		char		library[28];
	}		   *shared;
	int			count = PG_GETARG_INT32(1) / sizeof(*shared);
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct(name, count * sizeof(*shared), &found);
	for (int i = 0; i < count; i++)
	{
		shared[i].version = PG_GETARG_INT32(2);
		text_to_cstring_buffer(PG_GETARG_TEXT_PP(3), shared[i].library, sizeof(shared[i].library));
	}
	LWLockRelease(AddinShmemInitLock);
	PG_RETURN_BOOL(found);
}
