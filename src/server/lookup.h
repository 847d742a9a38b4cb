/*-------------------------------------------------------------------------
 *
 * lookup.h
 *	  Looking up the objects that belong to an id type, by name in the type's
 *	  schema: independent of the extension's schema and of the search path.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_LOOKUP_H
#define IDTYPES_LOOKUP_H

#include "postgres.h"

#include "access/stratnum.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* Return the type that has a name in the schema of a function; InvalidOid if it does not exist. */
extern Oid	lookup_type_beside(Oid function, const char *name);

/*
 * The range type Trange over a type T; InvalidOid if it does not exist, or if the type
 * of that name is not a range over T.
 */
extern Oid	lookup_range_type(Oid idtype);

/*
 * The function T_range_first(Trange) or T_range_last(Trange) of a type T;
 * InvalidOid if it does not exist.
 */
extern Oid	lookup_range_end(Oid idtype, Oid rangetype, bool first);

/*
 * The function T_range_lt(timestamptz), T_range_le, T_range_ge or T_range_gt of a
 * type T, selected by a B-tree strategy; InvalidOid if it does not exist.
 */
extern Oid	lookup_range_of_instant(Oid idtype, StrategyNumber strategy);

/* The suffix, such as "_range_lt", of that function's name; NULL for other strategies. */
extern const char *lookup_range_suffix(StrategyNumber strategy);

/*
 * Find the id just outside a bound of a range.  Return false if there is none,
 * because the bound is infinite or is the first or last id of the type.
 */
extern bool lookup_adjacent_id(TypeCacheEntry *range, const RangeBound *end, Datum *id);

#endif							/* IDTYPES_LOOKUP_H */
