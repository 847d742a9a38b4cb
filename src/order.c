/*-------------------------------------------------------------------------
 *
 * order.c
 *	  The four orders of identifiers, with what B-tree, hash, BRIN and range
 *	  types need of each:
 *
 *	  id64s		signed 64-bit integers		tid64
 *	  id64u		unsigned 64-bit integers	uid11, ulidflake
 *	  id112		14 bytes, big-endian		siq
 *	  id160		20 bytes, big-endian		scru160
 *
 *	  The install script declares these symbols under per-type names.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "utils/sortsupport.h"

#include "compat.h"
#include "core/id.h"

/* ----------
 * 64 bits, by value
 * ----------
 */

/*
 * Both 64-bit orders hash as the server hashes a bigint of the same bits, at
 * the same cost.
 */
static inline uint32
id64_fold(uint64 value)
{
	uint32		low = (uint32) value;
	uint32		high = (uint32) (value >> 32);

	return low ^ ((int64) value >= 0 ? high : ~high);
}

/* The server has qsort()s specialised for its own comparators of Datums. */
static void
id64_sort(SortSupport ssup, int (*specialized) (Datum, Datum, SortSupport))
{
	if (specialized != NULL)
		ssup->comparator = specialized;
}

#if SIZEOF_DATUM >= 8
#define ID64_SIGNED_SORT ssup_datum_signed_cmp
#define ID64_UNSIGNED_SORT ssup_datum_unsigned_cmp
#else
#define ID64_SIGNED_SORT NULL
#define ID64_UNSIGNED_SORT NULL
#endif

#ifdef HAVE_SKIP_SUPPORT

/*
 * Adds step (1 or -1) to a value that must not be the last one in that
 * direction.
 */
static inline Datum
id64_step(Datum existing, bool *overflow, uint64 last, uint64 step)
{
	uint64		value = (uint64) DatumGetInt64(existing);

	*overflow = (value == last);
	return *overflow ? (Datum) 0 : Int64GetDatum((int64) (value + step));
}

static Datum
id64s_increment(Relation rel, Datum existing, bool *overflow)
{
	return id64_step(existing, overflow, (uint64) PG_INT64_MAX, 1);
}

static Datum
id64s_decrement(Relation rel, Datum existing, bool *overflow)
{
	return id64_step(existing, overflow, (uint64) PG_INT64_MIN, -1);
}

static Datum
id64u_increment(Relation rel, Datum existing, bool *overflow)
{
	return id64_step(existing, overflow, PG_UINT64_MAX, 1);
}

static Datum
id64u_decrement(Relation rel, Datum existing, bool *overflow)
{
	return id64_step(existing, overflow, 0, -1);
}

static void
id64_skip(SkipSupport sks, uint64 low, uint64 high,
		  SkipSupportIncDec increment, SkipSupportIncDec decrement)
{
	sks->low_elem = Int64GetDatum((int64) low);
	sks->high_elem = Int64GetDatum((int64) high);
	sks->increment = increment;
	sks->decrement = decrement;
}
#endif							/* HAVE_SKIP_SUPPORT */

#define ID64_CMP(a, b)	((a) < (b) ? -1 : ((a) > (b) ? 1 : 0))
#define ID64_EQ(a, b)	((a) == (b))
/* unsigned subtraction of the smaller from the larger is exact in either order */
#define ID64_DIFF(a, b) \
	((a) >= (b) ? (double) ((uint64) (a) - (uint64) (b)) : -(double) ((uint64) (b) - (uint64) (a)))
#define ID64_HASH(a)	hash_uint32(id64_fold((uint64) (a)))
#define ID64_HASH_EXTENDED(a, seed) hash_uint32_extended(id64_fold((uint64) (a)), seed)

#define ORDER			id64s
#define ORDER_VALUE		int64
#define ORDER_GET(d)	DatumGetInt64(d)
#define ORDER_CMP		ID64_CMP
#define ORDER_EQ		ID64_EQ
#define ORDER_DIFF		ID64_DIFF
#define ORDER_HASH		ID64_HASH
#define ORDER_HASH_EXTENDED ID64_HASH_EXTENDED
#define ORDER_SORT(ssup) id64_sort(ssup, ID64_SIGNED_SORT)
#define ORDER_SKIP(sks) \
	id64_skip(sks, (uint64) PG_INT64_MIN, (uint64) PG_INT64_MAX, id64s_increment, id64s_decrement)
#include "order.h"

#define ORDER			id64u
#define ORDER_VALUE		uint64
#define ORDER_GET(d)	((uint64) DatumGetInt64(d))
#define ORDER_CMP		ID64_CMP
#define ORDER_EQ		ID64_EQ
#define ORDER_DIFF		ID64_DIFF
#define ORDER_HASH		ID64_HASH
#define ORDER_HASH_EXTENDED ID64_HASH_EXTENDED
#define ORDER_SORT(ssup) id64_sort(ssup, ID64_UNSIGNED_SORT)
#define ORDER_SKIP(sks) id64_skip(sks, 0, PG_UINT64_MAX, id64u_increment, id64u_decrement)
#include "order.h"

/* ----------
 * Big-endian bytes, by reference
 * ----------
 */

/*
 * Compares big-endian numbers of size bytes, at least 8, as unsigned.  Eight
 * bytes at a time; the last eight may overlap those before, which are equal by
 * then.  With a constant size the loop unrolls.
 */
static inline int
bytes_cmp(const uint8 *a, const uint8 *b, int size)
{
	for (int i = 0;; i = Min(i + 8, size - 8))
	{
		uint64		x = load_be64(a + i);
		uint64		y = load_be64(b + i);

		if (x != y)
			return x < y ? -1 : 1;
		if (i == size - 8)
			return 0;
	}
}

/*
 * Difference of two big-endian numbers as a double.
 */
static double
bytes_diff(const uint8 *a, const uint8 *b, int size)
{
	double		diff = 0;

	for (int i = 0; i < size; i++)
		diff = diff * 256 + ((int) a[i] - (int) b[i]);
	return diff;
}

/*
 * Abbreviated keys are the first bytes as a number.  They are never given up:
 * making one is a load, cheaper than keeping the statistics that could tell
 * whether it pays, and ids start with their time, which differs.
 */
static Datum
bytes_abbrev_convert(Datum original, SortSupport ssup)
{
	uint64		high = load_be64((const uint8 *) DatumGetPointer(original));

#if SIZEOF_DATUM >= 8
	return (Datum) high;
#else
	return (Datum) (high >> 32);
#endif
}

static bool
bytes_abbrev_abort(int memtupcount, SortSupport ssup)
{
	return false;
}

static void
bytes_sort(SortSupport ssup)
{
	if (ssup->abbreviate)
	{
		ssup->abbrev_full_comparator = ssup->comparator;
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = bytes_abbrev_convert;
		ssup->abbrev_abort = bytes_abbrev_abort;
	}
}

#ifdef HAVE_SKIP_SUPPORT

/*
 * Next (carry 0xFF to 0x00, add 1) or previous (borrow 0x00 to 0xFF, subtract
 * 1) number of size bytes.
 */
static Datum
bytes_step(Datum existing, bool *overflow, int size, uint8 wrap, int step)
{
	uint8	   *id = palloc(size);

	memcpy(id, DatumGetPointer(existing), size);
	for (int i = size; i-- > 0;)
	{
		bool		carry = (id[i] == wrap);

		id[i] += step;
		if (!carry)
		{
			*overflow = false;
			return PointerGetDatum(id);
		}
	}
	pfree(id);
	*overflow = true;
	return (Datum) 0;
}

static Datum
id112_increment(Relation rel, Datum existing, bool *overflow)
{
	return bytes_step(existing, overflow, 14, 0xFF, 1);
}

static Datum
id112_decrement(Relation rel, Datum existing, bool *overflow)
{
	return bytes_step(existing, overflow, 14, 0x00, -1);
}

static Datum
id160_increment(Relation rel, Datum existing, bool *overflow)
{
	return bytes_step(existing, overflow, 20, 0xFF, 1);
}

static Datum
id160_decrement(Relation rel, Datum existing, bool *overflow)
{
	return bytes_step(existing, overflow, 20, 0x00, -1);
}

static void
bytes_skip(SkipSupport sks, int size, SkipSupportIncDec increment, SkipSupportIncDec decrement)
{
	uint8	   *low = palloc0(size);
	uint8	   *high = palloc(size);

	memset(high, 0xFF, size);
	sks->low_elem = PointerGetDatum(low);
	sks->high_elem = PointerGetDatum(high);
	sks->increment = increment;
	sks->decrement = decrement;
}
#endif							/* HAVE_SKIP_SUPPORT */

#define BYTES_GET(d)	((const uint8 *) DatumGetPointer(d))

#define ORDER			id112
#define ORDER_VALUE		const uint8 *
#define ORDER_GET		BYTES_GET
#define ORDER_CMP(a, b) bytes_cmp(a, b, 14)
#define ORDER_EQ(a, b)	(bytes_cmp(a, b, 14) == 0)
#define ORDER_DIFF(a, b) bytes_diff(a, b, 14)
#define ORDER_HASH(a)	hash_any(a, 14)
#define ORDER_HASH_EXTENDED(a, seed) hash_any_extended(a, 14, seed)
#define ORDER_SORT		bytes_sort
#define ORDER_SKIP(sks) bytes_skip(sks, 14, id112_increment, id112_decrement)
#include "order.h"

#define ORDER			id160
#define ORDER_VALUE		const uint8 *
#define ORDER_GET		BYTES_GET
#define ORDER_CMP(a, b) bytes_cmp(a, b, 20)
#define ORDER_EQ(a, b)	(bytes_cmp(a, b, 20) == 0)
#define ORDER_DIFF(a, b) bytes_diff(a, b, 20)
#define ORDER_HASH(a)	hash_any(a, 20)
#define ORDER_HASH_EXTENDED(a, seed) hash_any_extended(a, 20, seed)
#define ORDER_SORT		bytes_sort
#define ORDER_SKIP(sks) bytes_skip(sks, 20, id160_increment, id160_decrement)
#include "order.h"
