/*-------------------------------------------------------------------------
 *
 * planner_cache.c
 *	  A cache that lives as long as one planner run.
 *
 * The planner calls an estimator for each condition, path and partition, and
 * offers it no place to cache results.  This file provides one for each planner
 * run, found by the run's PlannerGlobal.
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

#include "utils/memutils.h"

#include "planner/planner_cache.h"

typedef struct PlannerRun
{
	struct PlannerRun *earlier;
	PlannerGlobal *glob;
	void	   *slots[CACHE_SLOTS];	/* NULL until first used */
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
	run->callback.func = forget_run;
	run->callback.arg = run;
	MemoryContextRegisterResetCallback(root->planner_cxt, &run->callback);
	run->earlier = runs;
	runs = run;
	return run;
}

void *
planner_cache_get(PlannerInfo *root, PlannerCacheSlot slot, Size size)
{
	PlannerRun *run = find_run(root);

	/* the run, its callback and its caches must be freed together with root->glob */
	Assert(GetMemoryChunkContext(root->glob) == root->planner_cxt &&
		   GetMemoryChunkContext(run) == root->planner_cxt);
	if (run->slots[slot] == NULL)
		run->slots[slot] = MemoryContextAllocZero(root->planner_cxt, size);
	return run->slots[slot];
}
