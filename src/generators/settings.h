/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The extension's settings (idtypes.*), which generators check when they use them, and
 *	  the numbers of this server in new ids, which come from them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SETTINGS_H
#define IDTYPES_SETTINGS_H

#include "postgres.h"

typedef enum SettingId
{
	SETTING_NODE_ID,
	SETTING_SIQ_SHARD,
	SETTING_TID64_CLOCK_ID,
	SETTING_UID11_MACHINE,
	SETTING_ULIDFLAKE_SCALABILITY,
	SETTING_ULIDFLAKE_INCREMENT_BITS,
	SETTING_ON_OVERFLOW,
	SETTING_REQUIRE_NODE_ID
} SettingId;

/* Define the settings for the server; called by _PG_init(). */
extern void settings_define(void);

/*
 * The value of a setting.  Throws an error that names the setting if its value is invalid.
 */
extern int	setting_value(SettingId id);

/*
 * The number of this server in a field of new ids.  If the field's own setting is set, its
 * value; else if idtypes.node_id is set, the field's first number plus node_id; else an
 * automatic number, or an error if idtypes.require_node_id is on.  Also throws an error if
 * node_id does not fit the field, if the setting in use is invalid, and those of
 * shared_attach().
 */
extern int	setting_node_number(SettingId field);

/* True if a generator throws an error on counter overflow; false if it waits. */
extern bool setting_overflow_is_error(void);

#endif							/* IDTYPES_SETTINGS_H */
