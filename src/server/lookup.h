/*-------------------------------------------------------------------------
 *
 * lookup.h
 *	  Looking up the objects that belong to an id type, by name in the schema of its
 *	  range type: independent of the extension's schema and of the search path.
 *
 * Anyone may create a type, a range over it and functions with the names that are
 * looked up.  So an object counts only if it belongs to the extension idtypes, or
 * idtypes_uuid for the server's type uuid, and has the argument and result types that
 * its users rely on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_LOOKUP_H
#define IDTYPES_LOOKUP_H

#include "postgres.h"

#include "access/stratnum.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/*
 * What belongs to an id type T of the extension.  A function or operator is InvalidOid if
 * it is missing, as it may be if the SQL objects are older than the library.
 */
typedef struct IdType
{
	TypeCacheEntry *id;			/* T, with its default B-tree operator family */
	TypeCacheEntry *range;		/* Trange, with its functions */
	Oid			range_first;	/* T_range_first(Trange) */
	Oid			range_last;		/* T_range_last(Trange) */
	Oid			range_of_instant[BTMaxStrategyNumber + 1];	/* T_range_lt(timestamptz),
								 * T_range_le, T_range_ge and T_range_gt, by B-tree strategy */
	Oid			prefix;			/* T_prefix(text) */
	Oid			try_prefix;		/* T_try_prefix(text) */
	Oid			contained;		/* the operator T <@ Trange */
	Oid			comparison[BTMaxStrategyNumber + 1];	/* the operators T < T, <=, =, >= and
								 * >, by B-tree strategy */
	Oid			comparison_function[BTMaxStrategyNumber + 1];
	bool		has_ends;
	Datum		first;			/* the smallest and the largest id of all, if has_ends */
	Datum		last;
	bool		is_estimated;	/* comparisons have the estimator of <@; those of uuid are the
								 * server's, with its own */
} IdType;

/*
 * Return what belongs to a type, or to the type that a domain is over; NULL if that is
 * not an id type of the extension.  The result is cached, and never freed; a later call
 * may update it.
 */
extern const IdType *lookup_id_type(Oid type);

/* lookup_id_type() by the type's range type; NULL for a domain over the range type. */
extern const IdType *lookup_id_type_of_range(Oid range);

/* lookup_id_type() by the name of a type in the schema of a function. */
extern const IdType *lookup_id_type_beside(Oid function, const char *name);

/* The strategy of an operator that compares two ids of the type; InvalidStrategy if it does not. */
extern StrategyNumber lookup_strategy(const IdType *type, Oid operator);

/*
 * True if a bound of a range excludes no id, because it is infinite, or is the first or
 * last id of the type.
 */
extern bool lookup_is_unlimited(const IdType *type, const RangeBound *end);

/*
 * Find the id just outside a bound of a range.  Return false if there is none,
 * because the bound is infinite or is the first or last id of the type.
 */
extern bool lookup_adjacent_id(TypeCacheEntry *range, const RangeBound *end, Datum *id);

#endif							/* IDTYPES_LOOKUP_H */
