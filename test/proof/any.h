/*-------------------------------------------------------------------------
 *
 * any.h
 *	  Declares what a harness defines in place of an inline function; included in
 *	  front of every file.
 *
 *-------------------------------------------------------------------------
 */
#include <stdint.h>

typedef struct IdTime IdTime;

#ifdef REPLACED_id_tick_begins
int64_t		id_tick_begins(const IdTime *time, int64_t tick);
#endif
#ifdef REPLACED_id_tick_at
int64_t		id_tick_at(const IdTime *time, int64_t us);
#endif
