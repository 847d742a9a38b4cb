/*-------------------------------------------------------------------------
 *
 * planner_cache.h
 *	  What is kept for one planner run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_PLANNER_CACHE_H
#define IDTYPES_PLANNER_CACHE_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* The files that keep something. */
typedef enum PlannerCacheSlot
{
	CACHE_CONDITIONS,			/* conjunction.c */
	CACHE_RANGES,			/* ranges.c */
	CACHE_ENDPOINTS,				/* endpoint.c */
	CACHE_SLOTS
} PlannerCacheSlot;

/*
 * Returns what a part keeps for the planner run of root: size bytes, all zero at
 * first.  They are allocated in root->planner_cxt, as anything that they point to
 * must be, and end with it.
 */
extern void *planner_cache_get(PlannerInfo *root, PlannerCacheSlot slot, Size size);

#endif							/* IDTYPES_PLANNER_CACHE_H */
