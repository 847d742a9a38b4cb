/*-------------------------------------------------------------------------
 *
 * planning.h
 *	  What is kept for one planner run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_PLANNING_H
#define IDTYPES_PLANNING_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* The files that keep something. */
typedef enum PlanningPart
{
	PLANNING_COLUMNS,			/* conjunction.c */
	PLANNING_RANGES,			/* ranges.c */
	PLANNING_ENDS,				/* extent.c */
	PLANNING_PARTS
} PlanningPart;

/*
 * Returns what a part keeps for the planner run of root: size bytes, all zero at
 * first.  They are allocated in root->planner_cxt, as anything that they point to
 * must be, and end with it.
 */
extern void *planning_keep(PlannerInfo *root, PlanningPart part, Size size);

#endif							/* IDTYPES_PLANNING_H */
