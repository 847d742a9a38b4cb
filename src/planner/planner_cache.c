/*-------------------------------------------------------------------------
 *
 * planner_cache.c
 *	  What is kept for one planner run.
 *
 * The planner calls an estimator for each condition, path and partition, and
 * gives it no place to keep what it has found out.  So this file keeps it, by
 * the PlannerGlobal of the run.
 *
 * Planner runs nest: to estimate a condition may execute a function, whose
 * statements are planned then.  The memory of a run may be freed when the run
 * ends, after an error, or long after, and addresses recur.  So a run is
 * forgotten at the very moment at which its memory is freed, and not before.
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
	void	   *slots[CACHE_SLOTS];	/* NULL until the part keeps something */
	MemoryContextCallback callback;
} PlannerRun;

/* The runs whose memory exists, the latest first. */
static PlannerRun *runs = NULL;

static void
forget_run(void *arg)
{
	PlannerRun *run = arg;
	PlannerRun **link = &runs;

	while (*link != run)
		link = &(*link)->earlier;
	*link = run->earlier;
}

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

	/* all three are freed together */
	Assert(GetMemoryChunkContext(root->glob) == root->planner_cxt &&
		   GetMemoryChunkContext(run) == root->planner_cxt);
	if (run->slots[slot] == NULL)
		run->slots[slot] = MemoryContextAllocZero(root->planner_cxt, size);
	return run->slots[slot];
}
