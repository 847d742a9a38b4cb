/*-------------------------------------------------------------------------
 *
 * prefix.h
 *	  "id ^@ prefix", as "id <@ range".
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_PREFIX_H
#define IDTYPES_PREFIX_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "nodes/primnodes.h"

/* True if the second of two arguments is text, as that of ^@ is. */
extern bool are_prefix_args(List *args);

/*
 * Make the range of the ids whose text starts with a prefix.  For a constant prefix the
 * range is a constant, which is null if the text is not a prefix: the planner must not
 * raise an error for a clause that may never be executed.  Otherwise it is a call of
 * T_prefix(text), or of T_try_prefix(text) if "try".  Return NULL if the type is not one of
 * ours, or has no such function.
 */
extern Node *prefix_range(Oid idtype, Node *prefix, bool try);

#endif							/* IDTYPES_PREFIX_H */
