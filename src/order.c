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
#include "core/scru160_codec.h"
#include "core/siq_codec.h"

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

/*
 * The server has qsort()s specialised for its own comparators of Datums, which
 * hold 64 bits almost everywhere.
 */
static inline void
id64_sort(SortSupport ssup, bool is_signed)
{
#if SIZEOF_DATUM >= 8
	ssup->comparator = is_signed ? ssup_datum_int64_cmp : ssup_datum_uint64_cmp;
#endif
}

#ifdef HAVE_SKIP_SUPPORT
static inline uint64
id64_extreme(bool is_signed, bool up)
{
	if (is_signed)
		return (uint64) (up ? PG_INT64_MAX : PG_INT64_MIN);
	return up ? PG_UINT64_MAX : 0;
}

static inline Datum
id64_step(Datum existing, bool *overflow, bool is_signed, bool up)
{
	uint64		value = (uint64) DatumGetInt64(existing);

	*overflow = (value == id64_extreme(is_signed, up));
	return *overflow ? (Datum) 0 : Int64GetDatum((int64) (up ? value + 1 : value - 1));
}
#endif

#define ORDER_GET(d)	((ORDER_VALUE) DatumGetInt64(d))
#define ORDER_CMP(a, b) ((a) < (b) ? -1 : ((a) > (b) ? 1 : 0))
#define ORDER_EQ(a, b)	((a) == (b))
/* unsigned subtraction of the smaller from the larger is exact in either order */
#define ORDER_DIFF(a, b) \
	((a) >= (b) ? (double) ((uint64) (a) - (uint64) (b)) : -(double) ((uint64) (b) - (uint64) (a)))
#define ORDER_HASH(a)	hash_uint32(id64_fold((uint64) (a)))
#define ORDER_HASH_EXTENDED(a, seed) hash_uint32_extended(id64_fold((uint64) (a)), seed)
#define ORDER_IS_SIGNED ((ORDER_VALUE) -1 < 1)
#define ORDER_SORT(ssup) id64_sort(ssup, ORDER_IS_SIGNED)
#define ORDER_EXTREME(up) Int64GetDatum((int64) id64_extreme(ORDER_IS_SIGNED, up))
#define ORDER_STEP(d, overflow, up) id64_step(d, overflow, ORDER_IS_SIGNED, up)

#define ORDER			id64s
#define ORDER_VALUE		int64
#include "order.h"
#undef ORDER_VALUE

#define ORDER			id64u
#define ORDER_VALUE		uint64
#include "order.h"
#undef ORDER_VALUE

#undef ORDER_GET
#undef ORDER_CMP
#undef ORDER_EQ
#undef ORDER_DIFF
#undef ORDER_HASH
#undef ORDER_HASH_EXTENDED
#undef ORDER_SORT
#undef ORDER_EXTREME
#undef ORDER_STEP

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

#if SIZEOF_DATUM >= 8

/*
 * The first 8 bytes of a siq, time and shard, are the same for all ids that a
 * bulk load made in one tick: up to a hundred.  Between them and the serial,
 * which tells those apart, stands the domain, which does not fit.  But mostly
 * one shard and domain make up a tick.  So the key is 48 bits of the time (the
 * rest are zero until 2106), 2 that say whether shard and domain are below,
 * equal to or above those of the first id of the sort, and where they are
 * equal, 14 of serial and type.  Sorting such ids takes less than half the
 * instructions.
 */
#define SIQ_KEY_TIME_BITS	48
#define SIQ_KEY_SIDE_BITS	2
#define SIQ_KEY_TAIL_BITS	14

StaticAssertDecl(SIQ_KEY_TIME_BITS + SIQ_KEY_SIDE_BITS + SIQ_KEY_TAIL_BITS == 64,
				 "an abbreviated siq does not fill its key");

typedef enum SiqKeySide
{
	SIQ_KEY_BELOW,
	SIQ_KEY_EQUAL,
	SIQ_KEY_ABOVE
} SiqKeySide;

static inline Datum
siq_key(uint64 time, SiqKeySide side, uint64 tail)
{
	return (Datum) (((time << SIQ_KEY_SIDE_BITS | side) << SIQ_KEY_TAIL_BITS) |
					tail >> (SIQ_TAIL_BITS - SIQ_KEY_TAIL_BITS));
}

static Datum
siq_abbrev_convert(Datum original, SortSupport ssup)
{
	const uint8 *id = (const uint8 *) DatumGetPointer(original);
	uint64		time = siq_get_time(id);
	uint64		origin = siq_get_origin(id);
	uint64	   *first = ssup->ssup_extra;

	if (unlikely(time >> SIQ_KEY_TIME_BITS != 0))
		return (Datum) PG_UINT64_MAX;
	if (unlikely(first == NULL))
	{
		first = MemoryContextAlloc(ssup->ssup_cxt, sizeof(uint64));
		*first = origin;
		ssup->ssup_extra = first;
	}
	if (likely(origin == *first))
		return siq_key(time, SIQ_KEY_EQUAL, siq_get_tail(id));
	return siq_key(time, origin < *first ? SIQ_KEY_BELOW : SIQ_KEY_ABOVE, 0);
}

#else
#define siq_abbrev_convert bytes_abbrev_convert
#endif

static void
bytes_sort(SortSupport ssup, Datum (*convert) (Datum original, SortSupport ssup))
{
	if (ssup->abbreviate)
	{
		ssup->abbrev_full_comparator = ssup->comparator;
		ssup->comparator = ssup_datum_uint64_cmp;
		ssup->abbrev_converter = convert;
		ssup->abbrev_abort = bytes_abbrev_abort;
	}
}

#ifdef HAVE_SKIP_SUPPORT
static Datum
bytes_extreme(int size, bool up)
{
	uint8	   *id = palloc(size);

	memset(id, up ? 0xFF : 0x00, size);
	return PointerGetDatum(id);
}

static Datum
bytes_step(Datum existing, bool *overflow, int size, bool up)
{
	uint8	   *id = palloc(size);

	memcpy(id, DatumGetPointer(existing), size);
	*overflow = !bytes_add(id, size, up);
	return PointerGetDatum(id);
}
#endif

#define ORDER_VALUE		const uint8 *
#define ORDER_GET(d)	((const uint8 *) DatumGetPointer(d))
#define ORDER_CMP(a, b) bytes_cmp(a, b, ORDER_SIZE)
#define ORDER_EQ(a, b)	(bytes_cmp(a, b, ORDER_SIZE) == 0)
#define ORDER_DIFF(a, b) bytes_diff(a, b, ORDER_SIZE)
#define ORDER_HASH(a)	hash_any(a, ORDER_SIZE)
#define ORDER_HASH_EXTENDED(a, seed) hash_any_extended(a, ORDER_SIZE, seed)
#define ORDER_SORT(ssup) bytes_sort(ssup, ORDER_ABBREV)
#define ORDER_EXTREME(up) bytes_extreme(ORDER_SIZE, up)
#define ORDER_STEP(d, overflow, up) bytes_step(d, overflow, ORDER_SIZE, up)

#define ORDER			id112
#define ORDER_SIZE		SIQ_SIZE
#define ORDER_ABBREV	siq_abbrev_convert
#include "order.h"
#undef ORDER_SIZE
#undef ORDER_ABBREV

#define ORDER			id160
#define ORDER_SIZE		SCRU160_SIZE
#define ORDER_ABBREV	bytes_abbrev_convert
#include "order.h"
