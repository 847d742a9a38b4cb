/*-------------------------------------------------------------------------
 *
 * order.c
 *	  The two orders of identifiers that are passed by value, with what B-tree,
 *	  hash, BRIN and range types need of each:
 *
 *	  id64s		signed 64-bit integers		tid64
 *	  id64u		unsigned 64-bit integers	uid11, ulidflake
 *
 *	  This file also has the functions that the orders of longer identifiers share.
 *	  A type's own file makes such an order by order_bytes_template.h.
 *
 *	  The install script declares these symbols under per-type names.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "utils/sortsupport.h"

#include "server/compat.h"
#include "functions/order_bytes_template.h"

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
 * Use the server's own comparators of 64-bit Datums where it has them, because it
 * has qsort() variants specialised for these.
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
#include "functions/order_template.h"
#undef ORDER_VALUE

#define ORDER			id64u
#define ORDER_VALUE		uint64
#include "functions/order_template.h"
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

double
bytes_diff(const uint8 *a, const uint8 *b, int size)
{
	double		diff = 0;

	for (int i = 0; i < size; i++)
		diff = diff * 256 + ((int) a[i] - (int) b[i]);
	return diff;
}

Datum
bytes_abbrev_convert(Datum original, SortSupport ssup)
{
	uint64		high = load_be64((const uint8 *) DatumGetPointer(original));

#if SIZEOF_DATUM >= 8
	return (Datum) high;
#else
	return (Datum) (high >> 32);
#endif
}

/*
 * Never abort abbreviation.  Making a key costs little more than a load, less than
 * the statistics that could show whether it pays, and the keys differ because ids
 * start with their time.
 */
static bool
bytes_abbrev_abort(int memtupcount, SortSupport ssup)
{
	return false;
}

void
bytes_sort(SortSupport ssup, AbbrevConvert convert)
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
Datum
bytes_extreme(int size, bool up)
{
	uint8	   *id = palloc(size);

	memset(id, up ? 0xFF : 0x00, size);
	return PointerGetDatum(id);
}

Datum
bytes_step(Datum existing, bool *overflow, int size, bool up)
{
	uint8	   *id = palloc(size);

	memcpy(id, DatumGetPointer(existing), size);
	*overflow = !bytes_add(id, size, up);
	if (*overflow)
	{
		pfree(id);
		return (Datum) 0;
	}
	return PointerGetDatum(id);
}
#endif
