/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The extension's settings (idtypes.*); generators check them when they use them.
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
 * The value for a field that identifies this server in an id.  If the field's own setting
 * is set, its value; else if idtypes.node_id is set, the field's first number plus
 * node_id; else -1: the number is automatic.  Throws an error if node_id does not fit the
 * field, if the setting in use is invalid, and instead of -1 if idtypes.require_node_id is
 * on.
 */
extern int	setting_node_field(SettingId id);

/*
 * Look up the value of setting_node_field() for display; never throws an error.  Return
 * the name of the setting that *value comes from, or NULL if it is automatic.  If
 * generators would throw an error, return the name of the setting to correct.  *value is
 * -1 for an automatic value and for an error.  *missing returns whether neither setting is
 * set.
 */
extern const char *setting_look_up(SettingId id, int *value, bool *missing);

/* True if a generator throws an error on counter overflow; false if it waits. */
extern bool setting_overflow_is_error(void);

#endif							/* IDTYPES_SETTINGS_H */
