/*-------------------------------------------------------------------------
 *
 * lookup.c
 *	  Looking up the objects that belong to an id type, by name in the type's schema.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "server/compat.h"
#include "server/lookup.h"

/* Return the type that has a name in a schema; InvalidOid if it does not exist. */
static Oid
type_in_schema(const char *name, Oid schema)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(name),
						   ObjectIdGetDatum(schema));
}

Oid
lookup_type_beside(Oid function, const char *name)
{
	return type_in_schema(name, get_func_namespace(function));
}

/*
 * Set *name to the name of a type plus suffix, and *schema to the schema of the type.
 * Return false if the type does not exist.
 */
static bool
derived_name(Oid type, const char *suffix, NameData *name, Oid *schema)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Form_pg_type form;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_type) GETSTRUCT(tuple);
	memset(name, 0, sizeof(*name));
	snprintf(NameStr(*name), NAMEDATALEN, "%s%s", NameStr(form->typname), suffix);
	*schema = form->typnamespace;
	ReleaseSysCache(tuple);
	return true;
}

Oid
lookup_range_type(Oid idtype)
{
	NameData	name;
	Oid			schema;
	Oid			range;

	if (!derived_name(idtype, "range", &name, &schema))
		return InvalidOid;
	range = type_in_schema(NameStr(name), schema);
	return OidIsValid(range) && get_range_subtype(range) == idtype ? range : InvalidOid;
}

/*
 * Return the function that has the name of a type plus suffix, is in the type's schema
 * and has one argument, of the type "argument"; InvalidOid if it does not exist.
 */
static Oid
derived_function(Oid type, const char *suffix, Oid argument)
{
	NameData	name;
	Oid			schema;

	if (!derived_name(type, suffix, &name, &schema))
		return InvalidOid;
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, NameGetDatum(&name),
						   PointerGetDatum(buildoidvector(&argument, 1)),
						   ObjectIdGetDatum(schema));
}

Oid
lookup_range_end(Oid idtype, Oid rangetype, bool first)
{
	return derived_function(idtype, first ? "_range_first" : "_range_last", rangetype);
}

const char *
lookup_range_suffix(StrategyNumber strategy)
{
	static const char *const suffixes[BTMaxStrategyNumber + 1] = {
		[BTLessStrategyNumber] = "_range_lt",
		[BTLessEqualStrategyNumber] = "_range_le",
		[BTGreaterEqualStrategyNumber] = "_range_ge",
		[BTGreaterStrategyNumber] = "_range_gt"
	};

	return suffixes[strategy];
}

Oid
lookup_range_of_instant(Oid idtype, StrategyNumber strategy)
{
	return derived_function(idtype, lookup_range_suffix(strategy), TIMESTAMPTZOID);
}

/*
 * Build the open range beyond "end"; its canonical (closed) form starts or stops
 * at the id wanted.
 */
bool
lookup_adjacent_id(TypeCacheEntry *range, const RangeBound *end, Datum *id)
{
	RangeBound	near = *end;
	RangeBound	far = {.infinite = true,.lower = end->lower};
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	if (end->infinite)
		return false;
	near.inclusive = !end->inclusive;
	near.lower = !end->lower;
	range_deserialize(range, near.lower ? compat_make_range(range, &near, &far, false) :
					  compat_make_range(range, &far, &near, false), &lower, &upper, &empty);
	*id = near.lower ? lower.val : upper.val;
	return !empty;
}
