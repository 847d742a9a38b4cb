/*-------------------------------------------------------------------------
 *
 * lookup.h
 *	  What belongs to a type of ids, found by its name in the type's schema:
 *	  wherever the extension has been put, whatever the search path is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_LOOKUP_H
#define IDTYPES_LOOKUP_H

#include "postgres.h"

#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* The type of a name in the schema of a function; InvalidOid if there is none. */
extern Oid	lookup_type_beside(Oid function, const char *name);

/*
 * The type Trange over a type T; InvalidOid if there is none, or if that is
 * something else.
 */
extern Oid	lookup_range_type(Oid idtype);

/*
 * The function T_range_first(Trange) or T_range_last(Trange) of a type T;
 * InvalidOid if there is none.
 */
extern Oid	lookup_range_end(Oid idtype, Oid rangetype, bool first);

/*
 * The id next to an end of a range, outside of it; false if there is none, as
 * the range is open there or ends with the first or the last id of all.
 */
extern bool lookup_outside(TypeCacheEntry *range, const RangeBound *end, Datum *id);

#endif							/* IDTYPES_LOOKUP_H */
