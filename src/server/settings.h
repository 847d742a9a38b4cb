/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The extension's settings (idtypes.*), checked where they are used.
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

/* Makes the settings known to the server. */
extern void settings_define(void);

/*
 * The value of a setting; an ERROR that names the setting if the value is invalid.
 */
extern int	setting_value(SettingId id);

/*
 * The value of a setting for this server's number in a field of a type: the
 * setting's own; or idtypes.node_id added to the field's first number, which must
 * fit the field; or, if neither is set, automatic, unless idtypes.require_node_id
 * makes that an ERROR.
 */
extern int	setting_node_field(SettingId id, int automatic);

/*
 * Look up the same for display, without an ERROR.  Return the name of the setting
 * that the value comes from, NULL if it is automatic; or, if generators refuse,
 * what is wrong with which setting.  In the latter two cases *value is -1.
 */
extern const char *setting_look_up(SettingId id, int *value);

/* True if an exhausted counter is an error instead of a wait. */
extern bool setting_overflow_is_error(void);

#endif							/* IDTYPES_SETTINGS_H */
