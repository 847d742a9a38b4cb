/*-------------------------------------------------------------------------
 *
 * order_bytes_template.h
 *	  Include-template: the SQL functions of one order of identifiers that are
 *	  passed by reference, their big-endian bytes compared as unsigned.
 *
 * The file of the first type of a size includes it, and other types of that size
 * name the same order.  Parameters, to be defined before inclusion:
 *
 *	ORDER			prefix of the functions, by the number of bits: id160
 *	ORDER_SIZE		bytes of an id, at least 8
 *	ORDER_ABBREV	AbbrevConvert of abbreviated keys; the default uses the first
 *					bytes of an id
 *
 * This file undefines all of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_ORDER_BYTES_TEMPLATE_H
#define IDTYPES_ORDER_BYTES_TEMPLATE_H

#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"

#include "server/compat.h"
#include "core/id.h"

/*
 * Makes an abbreviated key of an id.  Compared as unsigned numbers, two keys must
 * be equal or in the order of their ids.  The function may use ssup->ssup_extra to
 * remember something for the other ids of the sort.
 */
typedef Datum (*AbbrevConvert) (Datum original, SortSupport ssup);

/* Return the difference a - b of two big-endian numbers as a double. */
extern double bytes_diff(const uint8 *a, const uint8 *b, int size);

/* An AbbrevConvert that returns the first bytes as a number. */
extern Datum bytes_abbrev_convert(Datum original, SortSupport ssup);

/* If ssup->abbreviate, set up abbreviated keys in a SortSupport whose comparator is set. */
extern void bytes_sort(SortSupport ssup, AbbrevConvert convert);

#ifdef HAVE_SKIP_SUPPORT
/* Allocate the largest or smallest number of "size" bytes. */
extern Datum bytes_extreme(int size, bool up);

/* Allocate the next or previous number; set *overflow and return 0 if there is none. */
extern Datum bytes_step(Datum existing, bool *overflow, int size, bool up);
#endif

/*
 * Compare big-endian numbers of size bytes, at least 8, as unsigned: return -1, 0
 * or 1.  The loop compares eight bytes at a time; the last eight may overlap the
 * ones before, which are equal by then.  With a constant size the loop unrolls.
 */
static inline int
bytes_cmp(const uint8 *a, const uint8 *b, int size)
{
	Assert(size >= 8);
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

#endif							/* IDTYPES_ORDER_BYTES_TEMPLATE_H */

#ifdef ORDER
#ifndef ORDER_ABBREV
#define ORDER_ABBREV	bytes_abbrev_convert
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
#include "functions/order_template.h"
#undef ORDER_SIZE
#undef ORDER_ABBREV
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
#endif							/* ORDER */
