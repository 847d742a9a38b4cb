/*-------------------------------------------------------------------------
 *
 * node_cache.h
 *	  What a planner run has found out about nodes and expressions.
 *
 * A value is found by the object that it belongs to, its kind, and a node: by the node's
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
 * conjunction.c defines Conditions, Member and AllOf.
 */
typedef enum CacheKind
{
	BY_COLUMN,					/* Conditions of a RelOptInfo, by the column */
	BY_ID,						/* Member of Conditions, by the address of its id node */
	BY_ALL,						/* AllOf of Conditions, by the list of its id and a prefix */
	/* first such Member of Conditions, by the expression its id is compared with: */
	BY_RANGE,					/* id <@ expression */
	BY_LOWER,					/* id > or >= expression */
	BY_UPPER,					/* id < or <= expression */
	BY_FIRST,					/* join clause, id >= first id of this range */
	BY_LAST						/* join clause, id <= last id of this range */
} CacheKind;

/* Return the cached value, or NULL if there is none. */
extern void *node_cache_find(PlannerInfo *root, const void *of, CacheKind by, Node *node);

/*
 * Return the place of a cached value, which is NULL at first.  The node must exist
 * until the planner run ends.
 */
extern void **node_cache_slot(PlannerInfo *root, const void *of, CacheKind by, Node *node);

/* Cache a value, unless the key has one.  The node must exist until the planner run ends. */
extern void node_cache_add_first(PlannerInfo *root, const void *of, CacheKind by, Node *node,
								 void *value);

#endif							/* IDTYPES_NODE_CACHE_H */
