/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  The extension's settings (idtypes.*).
 *
 * A session usually loads the library with its first call, long after the server
 * has read postgresql.conf.  At that point the server only warns of an invalid value
 * and uses the default: automatic node numbers, although the administrator has tried
 * to set them.  Before the library is loaded, any user may also set a value for a
 * session, which overrides postgresql.conf.  So each setting has one
 * "rejected" value, below its range, that prevents generation until the
 * configuration is corrected and reloaded.  define_setting() replaces an invalid or
 * misplaced value with the rejected value.  (A boolean setting has no room for such
 * a value; it becomes on, which is the stricter value.)  Once the library is loaded,
 * the server and a check hook refuse values that are out of range, already at ALTER
 * SYSTEM, and the session keeps its current value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "server/compat.h"
#include "server/settings.h"

/* The rejected value of a setting, which replaces an invalid one: its minimum less one. */
#define REJECTED(min) ((min) - 1)

typedef enum OnOverflow
{
	OVERFLOW_WAIT,
	OVERFLOW_ERROR,
	OVERFLOW_REJECTED = REJECTED(OVERFLOW_WAIT)
} OnOverflow;

static const struct config_enum_entry on_overflow_options[] = {
	{"wait", OVERFLOW_WAIT, false},
	{"error", OVERFLOW_ERROR, false},
	{"rejected", OVERFLOW_REJECTED, true},
	{NULL, 0, false}
};

typedef struct Setting
{
	const char *name;
	const char *short_desc;
	const char *long_desc;
	int			boot;
	int			min;
	int			max;
	int			first;			/* for a field with the server's number: its value for node_id 0 */
	int			max_node_id;	/* for such a field: the largest node_id that it can hold */
	const struct config_enum_entry *options;	/* for an enum setting */
	GucIntCheckHook check_hook; /* for an integer or enum setting: both have this hook type */
	bool	   *flag;			/* for a boolean setting: its variable, used instead of value */
	GucBoolAssignHook assign_hook;	/* for a boolean setting, if it has one */
	int			value;
	char	   *given;			/* the text of a rejected value, or NULL */
	bool		misplaced;		/* rejected because it was set for a session, user or database */
	bool		from_command_line;	/* rejected; a reload cannot correct it */
} Setting;

/* True while settings_define() runs; only that may set the rejected value. */
static bool defining;

static bool check_value(SettingId id, int value);
static void assign_require_node_id(bool newval, void *extra);

/* The server does not tell a check hook which setting it checks, so each setting has its own. */
#define CHECK_HOOK(name, id) \
static bool \
name(int *newval, void **extra, GucSource source) \
{ \
	return check_value(id, *newval); \
}
CHECK_HOOK(check_node_id, SETTING_NODE_ID)
CHECK_HOOK(check_siq_shard, SETTING_SIQ_SHARD)
CHECK_HOOK(check_tid64_clock_id, SETTING_TID64_CLOCK_ID)
CHECK_HOOK(check_uid11_machine, SETTING_UID11_MACHINE)
CHECK_HOOK(check_ulidflake_scalability, SETTING_ULIDFLAKE_SCALABILITY)
CHECK_HOOK(check_ulidflake_increment_bits, SETTING_ULIDFLAKE_INCREMENT_BITS)
CHECK_HOOK(check_on_overflow, SETTING_ON_OVERFLOW)

#define AUTOMATIC (-1)

static bool require_node_id;

static Setting settings[] = {
	[SETTING_NODE_ID] = {
		.name = "idtypes.node_id",
		.short_desc = "Number of this server among those that generate ids together.",
		.long_desc = "-1 is automatic, else 0 to 1023. Feeds idtypes.siq_shard, tid64_clock_id "
		"(as 32 plus the number), uid11_machine and ulidflake_scalability where those are not set; "
		"it must fit them.",
		.boot = AUTOMATIC,.min = -1,.max = 1023,
		.check_hook = check_node_id
	},
	[SETTING_SIQ_SHARD] = {
		.name = "idtypes.siq_shard",
		.short_desc = "Shard of generated siq ids.",
		.long_desc = "0 to 255; -1 takes idtypes.node_id, or without that the process id "
		"modulo 256.",
		.boot = AUTOMATIC,.min = -1,.max = 255,
		.first = 0,.max_node_id = 255,
		.check_hook = check_siq_shard
	},
	[SETTING_TID64_CLOCK_ID] = {
		.name = "idtypes.tid64_clock_id",
		.short_desc = "Clock id of generated tid64 ids.",
		.long_desc = "0 to 1023; -1 takes 32 plus idtypes.node_id, which may be up to 959, or "
		"without that a number below 32 drawn when the server starts. 992 to 1023 are for "
		"globally registered services.",
		.boot = AUTOMATIC,.min = -1,.max = 1023,
		.first = 32,.max_node_id = 959,
		.check_hook = check_tid64_clock_id
	},
	[SETTING_UID11_MACHINE] = {
		.name = "idtypes.uid11_machine",
		.short_desc = "Machine number of generated uid11 ids of profile snowish.",
		.long_desc = "0 to 1023; -1 takes idtypes.node_id, or without that 0.",
		.boot = AUTOMATIC,.min = -1,.max = 1023,
		.first = 0,.max_node_id = 1023,
		.check_hook = check_uid11_machine
	},
	[SETTING_ULIDFLAKE_SCALABILITY] = {
		.name = "idtypes.ulidflake_scalability",
		.short_desc = "Scalability field of generated scalable ulidflake ids.",
		.long_desc = "0 to 31; -1 takes idtypes.node_id, or without that 0.",
		.boot = AUTOMATIC,.min = -1,.max = 31,
		.first = 0,.max_node_id = 31,
		.check_hook = check_ulidflake_scalability
	},
	[SETTING_ULIDFLAKE_INCREMENT_BITS] = {
		.name = "idtypes.ulidflake_increment_bits",
		.short_desc = "Bits of the random step between ulidflake ids of one millisecond.",
		.long_desc = "1 to 16; the step is 1 to 2^bits - 1, so that 1 means consecutive ids.",
		.boot = 8,.min = 1,.max = 16,
		.check_hook = check_ulidflake_increment_bits
	},
	[SETTING_ON_OVERFLOW] = {
		.name = "idtypes.on_overflow",
		.short_desc = "What happens when a generator has used up the ids of an instant.",
		.long_desc = "wait waits for the next instant (1 microsecond to 1 millisecond); error "
		"raises an error.",
		.boot = OVERFLOW_WAIT,.min = OVERFLOW_WAIT,.max = OVERFLOW_ERROR,
		.options = on_overflow_options,
		.check_hook = check_on_overflow
	},
	[SETTING_REQUIRE_NODE_ID] = {
		.name = "idtypes.require_node_id",
		.short_desc = "Refuses to generate ids that carry the number of a server that has none.",
		.long_desc = "If on, siq, tid64, snowish uid11 and scalable ulidflake ids are only "
		"generated where idtypes.node_id or the field's own setting is set.",
		.flag = &require_node_id,
		.assign_hook = assign_require_node_id
	}
};

/*
 * True if the text is a valid value of the setting.
 */
static bool
is_acceptable(const Setting *setting, const char *shown)
{
	int			value;
	bool		on;

	if (setting->flag != NULL)
		return parse_bool(shown, &on);
	if (setting->options == NULL)
		return parse_int(shown, &value, 0, NULL) &&
			value >= setting->min && value <= setting->max;
	for (const struct config_enum_entry *option = setting->options; option->name; option++)
		if (pg_strcasecmp(shown, option->name) == 0)
			return option->val >= setting->min;
	return false;
}

/*
 * Return a sentence that states the valid values of the setting, for a message.
 */
static const char *
range_of(const Setting *setting)
{
	return setting->options ? "It must be \"wait\" or \"error\"." :
		psprintf("It must be between %d and %d.", setting->min, setting->max);
}

/*
 * The body of all check hooks: refuse the rejected value, unless settings_define() sets
 * it or a parallel worker receives it from its leader.
 */
static bool
check_value(SettingId id, int value)
{
	if (value != REJECTED(settings[id].min) || defining || InitializingParallelWorker)
		return true;
	GUC_check_errdetail("%s", range_of(&settings[id]));
	return false;
}

/*
 * The assign hook of idtypes.require_node_id: a reload has replaced the value that was
 * given before the library was loaded, so forget its text, which reject_missing() shows.
 */
static void
assign_require_node_id(bool newval, void *extra)
{
	if (!defining && !InitializingParallelWorker)
		settings[SETTING_REQUIRE_NODE_ID].given = NULL;
}

/*
 * Read the configuration files, and return the text that they currently have for a
 * setting; NULL if they have none or cannot be read.  The server itself does not know
 * that text: when a reload finds an invalid value, the server only logs it.  It also logs
 * what is wrong with the files themselves, so this function reports nothing.
 */
static const char *
configured_text(const Setting *setting)
{
	ConfigVariable *first = NULL;
	ConfigVariable *last = NULL;
	const char *found = NULL;
	const int	nowhere = DEBUG5 - 1;	/* lower than all levels that can be shown */

	if (!ParseConfigFile(ConfigFileName, true, NULL, 0, 0, nowhere, &first, &last) ||
		!ParseConfigFile(PG_AUTOCONF_FILENAME, false, NULL, 0, 0, nowhere, &first, &last))
		return NULL;
	for (ConfigVariable *item = first; item != NULL; item = item->next)
		if (item->name != NULL && pg_strcasecmp(item->name, setting->name) == 0)
			found = item->value;
	return found;
}

/*
 * Throw the error for a setting that has its rejected value.
 */
static void
reject(const Setting *setting)
{
	const char *shown = setting->given ? setting->given : psprintf("%d", setting->value);
	const char *configured;

	if (setting->misplaced)
		ereport(ERROR,
				(errcode(ERRCODE_CANT_CHANGE_RUNTIME_PARAM),
				 errmsg("parameter \"%s\" was set to \"%s\" for this session, user or database",
						setting->name, shown),
				 errdetail("It belongs to the server: ids must not depend on who connects."),
				 errhint("Set it in postgresql.conf or with ALTER SYSTEM, and nowhere else.")));

	/* show the current text if the administrator has configured another invalid value since */
	configured = setting->from_command_line ? NULL : configured_text(setting);
	if (configured != NULL && !is_acceptable(setting, configured))
		shown = configured;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for parameter \"%s\": \"%s\"", setting->name, shown),
			 errdetail("%s", range_of(setting)),
			 setting->from_command_line ?
			 errhint("Correct it on the command line of the server, and restart the server; "
					 "until then no ids that depend on it are generated.") :
			 errhint("Correct it in the server configuration and reload; until then no ids that "
					 "depend on it are generated.")));
}

/*
 * Throw the error for a field that would be automatic though idtypes.require_node_id is
 * on.
 */
static void
reject_missing(const Setting *field)
{
	const Setting *required = &settings[SETTING_REQUIRE_NODE_ID];
	const char *why = "";

	if (required->given != NULL)
		why = psprintf(" %s was set to \"%s\"%s, which counts as on.", required->name,
					   required->given,
					   required->misplaced ? " for this session, user or database" : "");
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("idtypes.node_id is not set, but idtypes.require_node_id is on"),
			 errdetail("Neither idtypes.node_id nor \"%s\" gives this server a number.%s",
					   field->name, why),
			 errhint("Set idtypes.node_id in the server configuration, to a number that no other "
					 "generating server has, and reload.")));
}

/*
 * The value of a setting; throws an error if it was rejected.  Inline, because generators
 * read two settings per id.
 */
static inline int
checked_value(const Setting *setting)
{
	if (unlikely(setting->value < setting->min))
		reject(setting);
	return setting->value;
}

int
setting_value(SettingId id)
{
	return checked_value(&settings[id]);
}

int
setting_node_field(SettingId id)
{
	int			value = checked_value(&settings[id]);
	int			node_id;

	if (value != AUTOMATIC)
		return value;
	node_id = checked_value(&settings[SETTING_NODE_ID]);
	if (node_id == AUTOMATIC)
	{
		if (unlikely(require_node_id))
			reject_missing(&settings[id]);
		return -1;
	}
	if (unlikely(node_id > settings[id].max_node_id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("idtypes.node_id is %d, which does not fit parameter \"%s\"",
						node_id, settings[id].name),
				 errdetail("It takes values of idtypes.node_id up to %d.",
						   settings[id].max_node_id),
				 errhint("Set \"%s\" itself.", settings[id].name)));
	return settings[id].first + node_id;
}

const char *
setting_look_up(SettingId id, int *value, bool *missing)
{
	const Setting *field = &settings[id];
	const Setting *node_id = &settings[SETTING_NODE_ID];

	*value = -1;
	*missing = false;
	if (field->value != AUTOMATIC)
	{
		if (field->value >= field->min)
			*value = field->value;
		return field->name;
	}
	if (node_id->value == AUTOMATIC)
	{
		*missing = true;
		return require_node_id ? node_id->name : NULL;
	}
	if (node_id->value >= node_id->min && node_id->value <= field->max_node_id)
		*value = field->first + node_id->value;
	return node_id->name;
}

bool
setting_overflow_is_error(void)
{
	return setting_value(SETTING_ON_OVERFLOW) == OVERFLOW_ERROR;
}

/* ----------
 * Definition
 * ----------
 */

/*
 * Return the value that the setting was given before the library was loaded, and set
 * *source to its source.  Return NULL if it was given none.
 *
 * Ignore a SET of this session, as the server discards it, too.  But a parallel worker
 * whose leader has not loaded the library only knows the leader's current value, which
 * may come from a SET.
 */
static char *
given_before(const Setting *setting, GucSource *source)
{
	struct config_generic *placeholder = compat_find_setting(setting->name);

	if (placeholder == NULL || (placeholder->flags & GUC_CUSTOM_PLACEHOLDER) == 0)
		return NULL;
	*source = IsParallelWorker() ? placeholder->source : placeholder->reset_source;
	if (*source == PGC_S_DEFAULT)
		return NULL;
	/* not read from the placeholder itself, whose layout differs between majors */
	return pstrdup(IsParallelWorker() ? GetConfigOption(setting->name, false, false) :
				   GetConfigOptionResetString(setting->name));
}

/*
 * Let an integer setting take its rejected value.  The server compares each value with the
 * range of the setting before it calls the check hook, and pg_settings shows that range,
 * so the server is given the true range and this extends it only where needed.
 */
static void
make_room_for_rejected(const Setting *setting)
{
	if (setting->flag == NULL && setting->options == NULL)
		compat_setting_min(compat_find_setting(setting->name)) = REJECTED(setting->min);
}

/*
 * Define a setting for the server.  Set it to the value that it was given before the
 * library was loaded, if any; to its rejected value if that one is invalid or misplaced.
 */
static void
define_setting(Setting *setting)
{
	GucSource	source;
	char	   *given = given_before(setting, &source);

	if (setting->flag != NULL)
		DefineCustomBoolVariable(setting->name, setting->short_desc, setting->long_desc,
								 setting->flag, false, PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								 NULL, setting->assign_hook, NULL);
	else if (setting->options != NULL)
		DefineCustomEnumVariable(setting->name, setting->short_desc, setting->long_desc,
								 &setting->value, setting->boot, setting->options,
								 PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								 setting->check_hook, NULL, NULL);
	else
		DefineCustomIntVariable(setting->name, setting->short_desc, setting->long_desc,
								&setting->value, setting->boot, setting->min,
								setting->max, PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								setting->check_hook, NULL, NULL);

	/* a parallel worker then receives the value of its leader, which may be the rejected one */
	if (InitializingParallelWorker)
		make_room_for_rejected(setting);
	if (given == NULL)
		return;

	/*
	 * Record the rejected value with postgresql.conf as its source, so that
	 * parallel workers receive it and a reload replaces it, whether the file then
	 * has another value or none.  A value from the command line of the server overrides the
	 * file, so it remains; a reload would replace it by the default.
	 */
	setting->misplaced = (source > PGC_S_ARGV);
	if (setting->misplaced || !is_acceptable(setting, given))
	{
		setting->given = MemoryContextStrdup(TopMemoryContext, given);
		given = setting->flag ? "on" : setting->options ? "rejected" :
			psprintf("%d", REJECTED(setting->min));
		make_room_for_rejected(setting);
		setting->from_command_line = (source == PGC_S_ARGV);
		if (!setting->from_command_line)
			source = PGC_S_FILE;
	}

	/*
	 * Set the value explicitly, even a valid one: during a parallel operation, the
	 * definition above only warns instead of setting it, in servers that do not know
	 * GUC_ALLOW_IN_PARALLEL.  These servers accept GUC_ACTION_SAVE.  It saves nothing
	 * that the end of the transaction could restore, because these sources set the
	 * reset value of the setting as well.
	 */
	(void) set_config_option(setting->name, given, PGC_SIGHUP, source,
							 GUC_ACTION_SAVE, true, WARNING, false);
}

void
settings_define(void)
{
	defining = true;
	for (int id = 0; id < lengthof(settings); id++)
		define_setting(&settings[id]);
	defining = false;
	MarkGUCPrefixReserved("idtypes");
}
