/*-------------------------------------------------------------------------
 *
 * node_cache.c
 *	  What a planner run has found out.
 *
 * The planner calls an estimator for each condition, path and partition, and
 * offers it nowhere to cache results.  This file keeps them for each planner run,
 * found by the run's PlannerGlobal.
 *
 * Planner runs nest: estimating a condition may execute a function, which plans
 * its own statements.  The memory of a run may be freed when the run ends, after
 * an error, or much later, and a later run may get a PlannerGlobal at the same
 * address.  So a run stays in the list until a reset callback of its memory
 * context removes it, never less and never longer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "planner/node_cache.h"

typedef struct CacheKey
{
	Datum		of;
	CacheKind	kind;
	Node	   *node;
} CacheKey;

typedef struct CacheEntry
{
	CacheKey	key;
	void	   *value;
	uint32		hash;
	char		status;			/* used by simplehash.h */
} CacheEntry;

static uint32
hash_datum(Datum value)
{
	return hash_bytes((const unsigned char *) &value, sizeof(value));
}

/*
 * Walker that combines the hash of an expression into the uint32 that context points to;
 * it always returns false, to visit all nodes.  The hashes of expressions that are
 * equal() are the same.  Of each node, only the fields are hashed in which different
 * expressions usually differ.
 */
static bool
hash_node(Node *node, void *context)
{
	uint32	   *hash = context;
	uint32		own = 0;

	if (node == NULL)
		return false;
	if (IsA(node, Const))
	{
		Const	   *constant = (Const *) node;

		if (!constant->constisnull)
			own = datum_image_hash(constant->constvalue, constant->constbyval,
								   constant->constlen);
	}
	else if (IsA(node, Param))
		own = ((Param *) node)->paramid;
	else if (IsA(node, Var))
		own = hash_combine(((Var *) node)->varno, ((Var *) node)->varattno);
	else if (IsA(node, FuncExpr))
		own = ((FuncExpr *) node)->funcid;
	else if (IsA(node, OpExpr))
		own = ((OpExpr *) node)->opno;
	*hash = hash_combine(*hash, hash_combine(nodeTag(node), own));
	return expression_tree_walker(node, hash_node, context);
}

static uint32
hash_key(CacheKey key)
{
	uint32		hash = hash_combine(hash_datum(key.of), key.kind);

	if (key.kind == BY_ID)
		return hash_combine(hash, hash_datum(PointerGetDatum(key.node)));
	hash_node(key.node, &hash);
	return hash;
}

static bool
is_same_key(CacheKey a, CacheKey b)
{
	return a.of == b.of && a.kind == b.kind &&
		(a.node == b.node || (a.kind != BY_ID && equal(a.node, b.node)));
}

#define SH_PREFIX cache
#define SH_ELEMENT_TYPE CacheEntry
#define SH_KEY_TYPE CacheKey
#define SH_KEY key
#define SH_HASH_KEY(table, key) hash_key(key)
#define SH_EQUAL(table, a, b) is_same_key(a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

typedef struct PlannerRun
{
	struct PlannerRun *earlier;
	PlannerGlobal *glob;
	cache_hash *entries;
	MemoryContextCallback callback;
} PlannerRun;

/* The runs whose memory context still exists, latest first. */
static PlannerRun *runs = NULL;

/* Reset callback of a run's memory context: remove the run from the list. */
static void
forget_run(void *arg)
{
	PlannerRun *run = arg;
	PlannerRun **link = &runs;

	while (*link != run)
		link = &(*link)->earlier;
	*link = run->earlier;
}

/* Find the planner run that root belongs to, or add it to the list. */
static PlannerRun *
find_run(PlannerInfo *root)
{
	PlannerRun *run;

	for (run = runs; run != NULL; run = run->earlier)
		if (run->glob == root->glob)
			return run;

	run = MemoryContextAllocZero(root->planner_cxt, sizeof(PlannerRun));
	run->glob = root->glob;
	run->entries = cache_create(root->planner_cxt, 8, NULL);
	run->callback.func = forget_run;
	run->callback.arg = run;
	MemoryContextRegisterResetCallback(root->planner_cxt, &run->callback);
	run->earlier = runs;
	runs = run;
	/* the run, its callback and its entries must be freed together with root->glob */
	Assert(GetMemoryChunkContext(root->glob) == root->planner_cxt);
	return run;
}

void *
node_cache_find(PlannerInfo *root, Datum of, CacheKind kind, Node *node)
{
	CacheEntry *entry = cache_lookup(find_run(root)->entries, (CacheKey) {of, kind, node});

	return entry != NULL ? entry->value : NULL;
}

void
node_cache_set(PlannerInfo *root, Datum of, CacheKind kind, Node *node, void *value)
{
	bool		found;

	cache_insert(find_run(root)->entries, (CacheKey) {of, kind, node}, &found)->value = value;
}

void
node_cache_add_first(PlannerInfo *root, Datum of, CacheKind kind, Node *node, void *value)
{
	bool		found;
	CacheEntry *entry = cache_insert(find_run(root)->entries, (CacheKey) {of, kind, node}, &found);

	if (!found)
		entry->value = value;
}
