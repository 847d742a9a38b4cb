/*-------------------------------------------------------------------------
 *
 * monitor.h
 *	  What the administrator looks at: the state of the generators, and lines in
 *	  the server log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_MONITOR_H
#define IDTYPES_MONITOR_H

#include "postgres.h"

/*
 * Compares the system clock with the monotonic one, and tells the server log if
 * it was set.  Generators need not know.  The caller is attached to the shared
 * memory and holds no lock.
 */
extern void monitor_clock(void);

#endif							/* IDTYPES_MONITOR_H */
