/*-------------------------------------------------------------------------
 *
 * settled.h
 *	  T_settled(): the point below which each id is visible, or never will be.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SETTLED_H
#define IDTYPES_SETTLED_H

#include "postgres.h"

#include "datatype/timestamp.h"

#include "core/generators.h"

/*
 * Get the instant at which the tick begins below which the ids of a generator are settled: each
 * transaction of this database that took one of them has ended.  Return false if that is not
 * known, because of a transaction that was prepared before the server started.  May wait for
 * the clock and the mark as a generator does.  Throws an error (the message names the SQL
 * function) if the transaction's snapshot is older than the result, if there is no memory for
 * the slots, and the errors of clockwords_bound().
 */
extern bool settled_instant(Generator generator, const char *function, TimestampTz *instant);

#endif							/* IDTYPES_SETTLED_H */
