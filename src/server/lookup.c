/*-------------------------------------------------------------------------
 *
 * lookup.c
 *	  Looking up the objects that belong to an id type, by name.
 *
 * The planner asks for them for each condition, so each backend caches the answer
 * for a type, and also that a type is not an id type of the extension.  Entries are
 * never removed, not even those of dropped types.  There are few: the planner asks only
 * for types in conditions with the extension's operators, functions and estimators, which
 * are the id types, domains over them, and what other people's operators with these
 * estimators compare.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/catalog.h"
#include "catalog/dependency.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_language.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "server/compat.h"
#include "server/lookup.h"

/* The cached answer for a type or domain. */
typedef struct CachedType
{
	Oid			type;			/* the key */
	bool		is_valid;
	bool		is_id_type;
	IdType		objects;		/* if it is an id type, or was one */
	uint32		hashes[3];		/* of the pg_type rows of the type, its base type and the range */
} CachedType;

static HTAB *cache = NULL;
static uint32 changes = 0;		/* number of calls of forget_types() */

/*
 * Callback for changes of pg_type, pg_proc and pg_operator: invalidate the answers that a
 * change may concern.  hash is that of the row's key, or 0 for all rows.  A new row cannot
 * concern a type whose objects have been found, and each new table adds rows to pg_type.
 */
static void
forget_types(Datum arg, int cacheid, uint32 hash)
{
	HASH_SEQ_STATUS all;
	CachedType *cached;

	changes++;
	hash_seq_init(&all, cache);
	while ((cached = hash_seq_search(&all)) != NULL)
		if (hash == 0 || cacheid != TYPEOID || !cached->is_id_type ||
			hash == cached->hashes[0] || hash == cached->hashes[1] || hash == cached->hashes[2])
			cached->is_valid = false;
}

static void
make_cache(void)
{
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = sizeof(CachedType)};

	cache = hash_create("idtypes lookups", 16, &control, HASH_ELEM | HASH_BLOBS);
	CacheRegisterSyscacheCallback(TYPEOID, forget_types, (Datum) 0);
	CacheRegisterSyscacheCallback(PROCOID, forget_types, (Datum) 0);
	CacheRegisterSyscacheCallback(OPEROID, forget_types, (Datum) 0);
}

/* The extensions that have objects of id types: of their own types, or of the server's. */
static const char *const extensions[] = {"idtypes", "idtypes_uuid"};

/* Where the objects of a type are. */
typedef struct Home
{
	Oid			extension;
	Oid			range;			/* the range type */
	Oid			schema;			/* that of the range type */
} Home;

/*
 * Find the extension that has the range type over a type and, unless that is one of the
 * server's, the type itself.  Return false if there is none.
 */
static bool
find_home(Form_pg_type type, Home *home)
{
	Oid			owner = getExtensionOfObject(TypeRelationId, type->oid);
	NameData	name = {0};

	snprintf(NameStr(name), NAMEDATALEN, "%srange", NameStr(type->typname));
	for (int i = 0; i < lengthof(extensions); i++)
	{
		home->extension = get_extension_oid(extensions[i], true);
		if (owner != home->extension && !IsPinnedObject(TypeRelationId, type->oid))
			continue;
		home->range = getExtensionType(home->extension, NameStr(name));
		if (!OidIsValid(home->range) || get_range_subtype(home->range) != type->oid)
			continue;
		home->schema = get_object_namespace(&(ObjectAddress) {TypeRelationId, home->range, 0});
		return true;
	}
	return false;
}

/* Return the type that has a name in a schema; InvalidOid if it does not exist. */
static Oid
type_in_schema(const char *name, Oid schema)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(name),
						   ObjectIdGetDatum(schema));
}

/*
 * Return the function of the extension that has the name of a type plus suffix and is in
 * the home's schema; InvalidOid if it does not exist, does not have one argument of the
 * type "argument" and the result type "result", or is not what the planner relies on.
 * The owner of a trusted extension may add functions to it, but not make one in C.
 */
static Oid
function_of_type(Home home, Form_pg_type type, const char *suffix, Oid argument, Oid result)
{
	NameData	name = {0};
	HeapTuple	tuple;
	Form_pg_proc form;
	Oid			function = InvalidOid;

	snprintf(NameStr(name), NAMEDATALEN, "%s%s", NameStr(type->typname), suffix);
	tuple = SearchSysCache3(PROCNAMEARGSNSP, NameGetDatum(&name),
							PointerGetDatum(buildoidvector(&argument, 1)),
							ObjectIdGetDatum(home.schema));
	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	if (form->prolang == ClanguageId && form->prokind == PROKIND_FUNCTION &&
		form->prorettype == result && !form->proretset && form->proisstrict &&
		form->provolatile == PROVOLATILE_IMMUTABLE &&
		getExtensionOfObject(ProcedureRelationId, form->oid) == home.extension)
		function = form->oid;
	ReleaseSysCache(tuple);
	return function;
}

/* Return the id that a function returns for the range of all ids, in memory that stays. */
static Datum
end_of_all(const IdType *objects, Oid function)
{
	RangeBound	lower = {.infinite = true,.lower = true};
	RangeBound	upper = {.infinite = true};
	RangeType  *all = compat_make_range(objects->range, &lower, &upper, false);
	Datum		id = OidFunctionCall1(function, RangeTypePGetDatum(all));
	MemoryContext caller = MemoryContextSwitchTo(CacheMemoryContext);

	id = datumCopy(id, objects->id->typbyval, objects->id->typlen);
	MemoryContextSwitchTo(caller);
	return id;
}

/*
 * Find what belongs to a type.  Return false if it is not an id type: a base type, which
 * only superusers can create, with a home.
 */
static bool
find_objects(Form_pg_type type, IdType *objects)
{
	Home		home;

	if (type->typtype != TYPTYPE_BASE || !find_home(type, &home))
		return false;
	objects->range = lookup_type_cache(home.range, TYPECACHE_RANGE_INFO);
	objects->range_first = function_of_type(home, type, "_range_first", home.range, type->oid);
	objects->range_last = function_of_type(home, type, "_range_last", home.range, type->oid);
	objects->range_of_instant[BTLessStrategyNumber] =
		function_of_type(home, type, "_range_lt", TIMESTAMPTZOID, home.range);
	objects->range_of_instant[BTLessEqualStrategyNumber] =
		function_of_type(home, type, "_range_le", TIMESTAMPTZOID, home.range);
	objects->range_of_instant[BTGreaterEqualStrategyNumber] =
		function_of_type(home, type, "_range_ge", TIMESTAMPTZOID, home.range);
	objects->range_of_instant[BTGreaterStrategyNumber] =
		function_of_type(home, type, "_range_gt", TIMESTAMPTZOID, home.range);
	objects->prefix = function_of_type(home, type, "_prefix", TEXTOID, home.range);
	objects->try_prefix = function_of_type(home, type, "_try_prefix", TEXTOID, home.range);
	objects->contained = GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, CStringGetDatum("<@"),
										 ObjectIdGetDatum(type->oid), ObjectIdGetDatum(home.range),
										 ObjectIdGetDatum(home.schema));
	if (getExtensionOfObject(OperatorRelationId, objects->contained) != home.extension ||
		get_op_rettype(objects->contained) != BOOLOID)
		objects->contained = InvalidOid;
	objects->id = lookup_type_cache(type->oid, TYPECACHE_BTREE_OPFAMILY);
	for (StrategyNumber strategy = 1; strategy <= BTMaxStrategyNumber; strategy++)
	{
		Oid			operator = get_opfamily_member(objects->id->btree_opf, type->oid, type->oid,
												   strategy);

		objects->comparison[strategy] = operator;
		objects->comparison_function[strategy] = OidIsValid(operator) ? get_opcode(operator) :
			InvalidOid;
	}
	objects->has_ends = OidIsValid(objects->range_first) && OidIsValid(objects->range_last);
	if (objects->has_ends)
	{
		objects->first = end_of_all(objects, objects->range_first);
		objects->last = end_of_all(objects, objects->range_last);
	}
	objects->is_estimated = OidIsValid(objects->contained) &&
		get_oprrest(objects->comparison[BTLessStrategyNumber]) == get_oprrest(objects->contained);
	return true;
}

/*
 * Fill a cache entry.  It stays invalid if the catalogs change meanwhile.
 *
 * Callers further up may still use what they got from this entry.  So what is found here
 * replaces it in one go, and it is kept if nothing is found, as when the type was dropped.
 */
static void
find_type(CachedType *cached)
{
	uint32		before = changes;
	Oid			base = getBaseType(cached->type);
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(base));
	IdType		found = {0};

	cached->is_id_type = HeapTupleIsValid(tuple) &&
		find_objects((Form_pg_type) GETSTRUCT(tuple), &found);
	if (cached->is_id_type)
	{
		cached->objects = found;
		cached->hashes[0] = GetSysCacheHashValue1(TYPEOID, ObjectIdGetDatum(cached->type));
		cached->hashes[1] = GetSysCacheHashValue1(TYPEOID, ObjectIdGetDatum(base));
		cached->hashes[2] = GetSysCacheHashValue1(TYPEOID, ObjectIdGetDatum(found.range->type_id));
	}
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	cached->is_valid = changes == before;
}

const IdType *
lookup_id_type(Oid type)
{
	CachedType *cached;
	bool		found;

	if (cache == NULL)
		make_cache();
	cached = hash_search(cache, &type, HASH_ENTER, &found);
	if (!found)
		cached->is_valid = cached->is_id_type = false;
	if (!cached->is_valid)
		find_type(cached);
	return cached->is_id_type ? &cached->objects : NULL;
}

const IdType *
lookup_id_type_of_range(Oid range)
{
	TypeCacheEntry *entry = lookup_type_cache(range, TYPECACHE_RANGE_INFO);
	const IdType *type;

	if (entry->rngelemtype == NULL)
		return NULL;
	type = lookup_id_type(entry->rngelemtype->type_id);
	return type != NULL && type->range == entry ? type : NULL;
}

const IdType *
lookup_id_type_beside(Oid function, const char *name)
{
	Oid			type = type_in_schema(name, get_func_namespace(function));

	return OidIsValid(type) ? lookup_id_type(type) : NULL;
}

StrategyNumber
lookup_strategy(const IdType *type, Oid operator)
{
	StrategyNumber strategy = BTMaxStrategyNumber;

	while (strategy != InvalidStrategy &&
		   (type->comparison[strategy] != operator || !OidIsValid(operator)))
		strategy--;
	return strategy;
}

bool
lookup_is_unlimited(const IdType *type, const RangeBound *end)
{
	return end->infinite ||
		(type->has_ends && end->inclusive &&
		 DatumGetInt32(FunctionCall2Coll(&type->range->rng_cmp_proc_finfo,
										 type->range->rng_collation, end->val,
										 end->lower ? type->first : type->last)) == 0);
}

/*
 * Build the unbounded range beyond "end"; its canonical (closed) form starts or stops
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
