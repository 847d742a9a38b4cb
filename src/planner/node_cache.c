/*-------------------------------------------------------------------------
 *
 * node_cache.c
 *	  What a planner run has found out about nodes and expressions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"

#include "planner/node_cache.h"
#include "planner/planner_cache.h"

typedef struct CacheKey
{
	const void *of;
	CacheKind	by;
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
hash_address(const void *address)
{
	return hash_bytes((const unsigned char *) &address, sizeof(address));
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
	uint32		hash = hash_combine(hash_address(key.of), key.by);

	if (key.by == BY_ID)
		return hash_combine(hash, hash_address(key.node));
	hash_node(key.node, &hash);
	return hash;
}

static bool
is_same_key(CacheKey a, CacheKey b)
{
	return a.of == b.of && a.by == b.by &&
		(a.node == b.node || (a.by != BY_ID && equal(a.node, b.node)));
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

static cache_hash *
cache_table(PlannerInfo *root)
{
	cache_hash **table = planner_cache_get(root, CACHE_NODES, sizeof(cache_hash *));

	if (*table == NULL)
		*table = cache_create(root->planner_cxt, 8, NULL);
	return *table;
}

void *
node_cache_find(PlannerInfo *root, const void *of, CacheKind by, Node *node)
{
	CacheEntry *entry = cache_lookup(cache_table(root), (CacheKey) {of, by, node});

	return entry != NULL ? entry->value : NULL;
}

void **
node_cache_slot(PlannerInfo *root, const void *of, CacheKind by, Node *node)
{
	bool		found;
	CacheEntry *entry = cache_insert(cache_table(root), (CacheKey) {of, by, node}, &found);

	if (!found)
		entry->value = NULL;
	return &entry->value;
}

void
node_cache_add_first(PlannerInfo *root, const void *of, CacheKind by, Node *node, void *value)
{
	void	  **slot = node_cache_slot(root, of, by, node);

	if (*slot == NULL)
		*slot = value;
}
