/*-------------------------------------------------------------------------
 *
 * planner_cache.h
 *	  A cache that lives as long as one planner run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_PLANNER_CACHE_H
#define IDTYPES_PLANNER_CACHE_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* One slot for each file that caches something. */
typedef enum PlannerCacheSlot
{
	CACHE_NODES,				/* node_cache.c */
	CACHE_RANGES,			/* ranges.c */
	CACHE_ENDPOINTS,				/* endpoint.c */
	CACHE_SLOTS
} PlannerCacheSlot;

/*
 * Return the slot's memory in the planner run that root belongs to: size bytes,
 * zeroed when the slot is first used.  The memory is allocated in
 * root->planner_cxt and freed with it; whatever the caller stores pointers to
 * must be allocated there too.
 */
extern void *planner_cache_get(PlannerInfo *root, PlannerCacheSlot slot, Size size);

#endif							/* IDTYPES_PLANNER_CACHE_H */
