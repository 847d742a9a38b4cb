/*-------------------------------------------------------------------------
 *
 * any.h
 *	  Declares what a harness defines in place of an inline function; included in
 *	  front of every file.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdint.h>

typedef struct IdError IdError;
typedef struct IdTime IdTime;

#ifdef REPLACED_id_tick_begins
int64_t		id_tick_begins(const IdTime *time, int64_t tick);
#endif
#ifdef REPLACED_id_tick_at
int64_t		id_tick_at(const IdTime *time, int64_t us);
#endif

#ifdef REPLACED_siq_read_base32
int			siq_read_base32(const char *text, uint8_t *id, IdError *err);
#endif
#ifdef REPLACED_siq_reject
int			siq_reject(const char *text, size_t len, IdError *err);
#endif
