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
	SETTING_ON_OVERFLOW
} SettingId;

/* Makes the settings known to the server. */
extern void settings_define(void);

/*
 * The value of a setting; an ERROR that names it if it is not one that it may
 * have.
 */
extern int	setting_value(SettingId id);

/*
 * The value of a setting that names this server in a field of a type: its own,
 * else idtypes.node_id, which then must fit the field, else automatic.
 */
extern int	setting_node_field(SettingId id, int automatic);

/*
 * The same for the administrator to look at, without an ERROR: the value, and the
 * setting that it comes from, NULL where it is automatic.  Returns false if that
 * setting stops generation.
 */
extern bool setting_look_up(SettingId id, int *value, const char **from);

/* True if an exhausted counter is an error instead of a wait. */
extern bool setting_overflow_is_error(void);

#endif							/* IDTYPES_SETTINGS_H */
