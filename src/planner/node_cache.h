/*-------------------------------------------------------------------------
 *
 * node_cache.h
 *	  What a planner run has found out.
 *
 * A value is found by what it belongs to, its kind, and a node: by the node's
 * address for BY_ID, otherwise by any node that is equal() to it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_NODE_CACHE_H
#define IDTYPES_NODE_CACHE_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * The kinds of cache entries: the value of each, and the key by which it is found.
 * conjunction.c defines Conditions and Member.
 */
typedef enum CacheKind
{
	BY_COLUMN,					/* Conditions of a RelOptInfo, by the column */
	BY_ID,						/* Member of Conditions, by the address of its id node */
	/* first such Member of Conditions, by the expression its id is compared with: */
	BY_RANGE,					/* id <@ expression */
	BY_LOWER,					/* id > or >= expression */
	BY_UPPER,					/* id < or <= expression */
	BY_FIRST,					/* join clause, id >= first id of this range */
	BY_LAST,					/* join clause, id <= last id of this range */
	/* without a node: */
	FIRST_ID,					/* IndexEnd of the OID of an index (endpoint.c) */
	LAST_ID,					/* the same of its other end */
	RANGES						/* the Ranges of the planner run (ranges.c) */
} CacheKind;

/* Return the cached value, or NULL if there is none. */
extern void *node_cache_find(PlannerInfo *root, Datum of, CacheKind kind, Node *node);

/*
 * Cache a value; node_cache_add_first() does so unless the key has one.  The node and the
 * value must exist until the planner run ends, as what is allocated in
 * root->planner_cxt does.
 */
extern void node_cache_set(PlannerInfo *root, Datum of, CacheKind kind, Node *node,
						   void *value);
extern void node_cache_add_first(PlannerInfo *root, Datum of, CacheKind kind, Node *node,
								 void *value);

#endif							/* IDTYPES_NODE_CACHE_H */
