/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  The extension's settings (idtypes.*), and the numbers of this server in new ids.
 *
 * A session usually loads the library with its first call, long after the server has read
 * postgresql.conf.  At that point the server only warns of an invalid value and uses the
 * default: automatic node numbers, although the administrator has tried to set them.  Before
 * the library is loaded, any user may also set a value for a session, which overrides
 * postgresql.conf.  So define_setting() remembers an invalid or misplaced value as rejected,
 * and generators that need the setting raise an error until a reload has set another value.
 * (A boolean setting becomes on, which is the stricter value.)  Once the library is loaded,
 * the server refuses values that are out of range, already at ALTER SYSTEM, and the session
 * keeps its current value.
 *
 * Parallel workers do not generate, and do not learn whether their leader has rejected a value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "server/compat.h"
#include "generators/settings.h"
#include "generators/shared.h"

typedef enum OnOverflow
{
	OVERFLOW_WAIT,
	OVERFLOW_ERROR
} OnOverflow;

static const struct config_enum_entry on_overflow_options[] = {
	{"wait", OVERFLOW_WAIT, false},
	{"error", OVERFLOW_ERROR, false},
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
	const struct config_enum_entry *options;	/* for an enum setting */
	GucIntAssignHook assign_hook;	/* for an integer or enum setting: both have this hook type */
	bool	   *flag;			/* for a boolean setting: its variable, used instead of value */
	int			value;
	char	   *rejected;		/* the text of a rejected value, or NULL */
	bool		misplaced;		/* rejected because it was set for a session, user or database */
	bool		from_command_line;	/* rejected; a reload cannot correct it */

	/* only of a setting for a field that holds the number of this server: */
	const char *type;
	const char *field;			/* as T_parts() and T_make() name it */
	int			first;			/* the number for node_id 0 */
	int			max_node_id;	/* the largest node_id that the field can hold */
	int			(*automatic) (void);	/* the number if no setting gives one */
	const char *automatic_source;	/* where that comes from */
} Setting;

/* True while settings_define() runs. */
static bool defining;

static void forget_rejected(SettingId id);

/* The server does not tell an assign hook which setting it sets, so each setting has its own. */
#define ASSIGN_HOOK(name, type, id) \
static void \
name(type newval, void *extra) \
{ \
	forget_rejected(id); \
}
ASSIGN_HOOK(assign_node_id, int, SETTING_NODE_ID)
ASSIGN_HOOK(assign_siq_shard, int, SETTING_SIQ_SHARD)
ASSIGN_HOOK(assign_tid64_clock_id, int, SETTING_TID64_CLOCK_ID)
ASSIGN_HOOK(assign_uid11_machine, int, SETTING_UID11_MACHINE)
ASSIGN_HOOK(assign_ulidflake_scalability, int, SETTING_ULIDFLAKE_SCALABILITY)
ASSIGN_HOOK(assign_ulidflake_increment_bits, int, SETTING_ULIDFLAKE_INCREMENT_BITS)
ASSIGN_HOOK(assign_on_overflow, int, SETTING_ON_OVERFLOW)
ASSIGN_HOOK(assign_require_node_id, bool, SETTING_REQUIRE_NODE_ID)

/* As in the sample code of siq's document. */
static int
process_shard(void)
{
	return MyProcPid % 256;
}

static int
drawn_clock_id(void)
{
	shared_attach();
	return (int) tid64_drawn_clock_id(shared_random(GENERATOR_TID64)[0]);
}

static int
zero(void)
{
	return 0;
}

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
		.assign_hook = assign_node_id
	},
	[SETTING_SIQ_SHARD] = {
		.name = "idtypes.siq_shard",
		.short_desc = "Shard of generated siq ids.",
		.long_desc = "0 to 255; -1 takes idtypes.node_id, or without that the process id "
		"modulo 256.",
		.boot = AUTOMATIC,.min = -1,.max = 255,
		.assign_hook = assign_siq_shard,
		.type = "siq",.field = "shard",
		.first = 0,.max_node_id = 255,
		.automatic = process_shard,.automatic_source = "process id"
	},
	[SETTING_TID64_CLOCK_ID] = {
		.name = "idtypes.tid64_clock_id",
		.short_desc = "Clock id of generated tid64 ids.",
		.long_desc = "0 to 1023; -1 takes 32 plus idtypes.node_id, which may be up to 959, or "
		"without that a number below 32 drawn when the server starts. 992 to 1023 are for "
		"globally registered services.",
		.boot = AUTOMATIC,.min = -1,.max = 1023,
		.assign_hook = assign_tid64_clock_id,
		.type = "tid64",.field = "clock_id",
		.first = 32,.max_node_id = 959,
		.automatic = drawn_clock_id,.automatic_source = "drawn at start"
	},
	[SETTING_UID11_MACHINE] = {
		.name = "idtypes.uid11_machine",
		.short_desc = "Machine number of generated uid11 ids of profile snowish.",
		.long_desc = "0 to 1023; -1 takes idtypes.node_id, or without that 0.",
		.boot = AUTOMATIC,.min = -1,.max = 1023,
		.assign_hook = assign_uid11_machine,
		.type = "uid11",.field = "machine",
		.first = 0,.max_node_id = 1023,
		.automatic = zero,.automatic_source = "default"
	},
	[SETTING_ULIDFLAKE_SCALABILITY] = {
		.name = "idtypes.ulidflake_scalability",
		.short_desc = "Scalability field of generated scalable ulidflake ids.",
		.long_desc = "0 to 31; -1 takes idtypes.node_id, or without that 0.",
		.boot = AUTOMATIC,.min = -1,.max = 31,
		.assign_hook = assign_ulidflake_scalability,
		.type = "ulidflake",.field = "scalability",
		.first = 0,.max_node_id = 31,
		.automatic = zero,.automatic_source = "default"
	},
	[SETTING_ULIDFLAKE_INCREMENT_BITS] = {
		.name = "idtypes.ulidflake_increment_bits",
		.short_desc = "Bits of the random step between ulidflake ids of one millisecond.",
		.long_desc = "1 to 16; the step is 1 to 2^bits - 1, so that 1 means consecutive ids.",
		.boot = 8,.min = 1,.max = 16,
		.assign_hook = assign_ulidflake_increment_bits
	},
	[SETTING_ON_OVERFLOW] = {
		.name = "idtypes.on_overflow",
		.short_desc = "What happens when a generator has used up the ids of an instant.",
		.long_desc = "wait waits for the next instant (1 microsecond to 1 millisecond); error "
		"raises an error.",
		.boot = OVERFLOW_WAIT,.min = OVERFLOW_WAIT,.max = OVERFLOW_ERROR,
		.options = on_overflow_options,
		.assign_hook = assign_on_overflow
	},
	[SETTING_REQUIRE_NODE_ID] = {
		.name = "idtypes.require_node_id",
		.short_desc = "Refuses to generate ids that carry the number of a server that has none.",
		.long_desc = "If on, siq, tid64, snowish uid11 and scalable ulidflake ids are only "
		"generated where idtypes.node_id or the field's own setting is set.",
		.flag = &require_node_id
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

/* The body of all assign hooks: the configuration has another value now. */
static void
forget_rejected(SettingId id)
{
	if (!defining)
		settings[id].rejected = NULL;
}

/*
 * Throw the error for a setting of which a value was rejected.
 */
static _Noreturn void
throw_rejected(const Setting *setting)
{
	if (setting->misplaced)
		ereport(ERROR,
				(errcode(ERRCODE_CANT_CHANGE_RUNTIME_PARAM),
				 errmsg("parameter \"%s\" was set to \"%s\" for this session, user or database",
						setting->name, setting->rejected),
				 errdetail("It belongs to the server: ids must not depend on who connects."),
				 errhint("Set it in postgresql.conf or with ALTER SYSTEM, and nowhere else.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for parameter \"%s\": \"%s\"", setting->name, setting->rejected),
			 errdetail("%s  The session found this value when it loaded the library.",
					   range_of(setting)),
			 setting->from_command_line ?
			 errhint("Correct \"%s\" on the command line of the server, and restart the server; "
					 "until then no ids that depend on it are generated.", setting->name) :
			 errhint("Correct \"%s\" in the server configuration and reload; until then no ids "
					 "that depend on it are generated.", setting->name)));
}

/*
 * Throw the error for a field that would be automatic though idtypes.require_node_id is
 * on.
 */
static _Noreturn void
throw_missing(const Setting *field)
{
	const Setting *required = &settings[SETTING_REQUIRE_NODE_ID];
	const char *why = "";

	if (required->rejected != NULL)
		why = psprintf(" %s was set to \"%s\"%s, which counts as on.", required->name,
					   required->rejected,
					   required->misplaced ? " for this session, user or database" : "");
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("idtypes.node_id is not set, but idtypes.require_node_id is on"),
			 errdetail("Neither idtypes.node_id nor \"%s\" gives this server a number.%s",
					   field->name, why),
			 errhint("Set idtypes.node_id in the server configuration, to a number that no other "
					 "generating server has, and reload.")));
}

int
setting_value(SettingId id)
{
	const Setting *setting = &settings[id];

	if (unlikely(setting->rejected != NULL))
		throw_rejected(setting);
	return setting->value;
}

bool
setting_overflow_is_error(void)
{
	return setting_value(SETTING_ON_OVERFLOW) == OVERFLOW_ERROR;
}

/* ----------
 * The numbers of this server
 * ----------
 */

/* True if a setting of a number is automatic.  While its value is rejected, it is not. */
static inline bool
is_automatic(const Setting *setting)
{
	return setting->value == AUTOMATIC && setting->rejected == NULL;
}

/*
 * Get the number of this server in a field, and return the setting that it comes from; NULL
 * if it is automatic.  If generators would throw an error, return the setting to correct.
 * *number is -1 for an automatic number and for an error.  Inline, because generators call
 * this for each id.
 */
static inline const Setting *
find_number(const Setting *field, int *number)
{
	const Setting *node_id = &settings[SETTING_NODE_ID];

	*number = field->value;
	if (!is_automatic(field))
		return field;
	if (is_automatic(node_id))
		return require_node_id ? node_id : NULL;
	if (node_id->rejected == NULL && node_id->value <= field->max_node_id)
		*number = field->first + node_id->value;
	return node_id;
}

/* Throw the error for a field with a setting to correct, which find_number() has returned. */
static _Noreturn void
throw_no_number(const Setting *field, const Setting *setting)
{
	if (setting->rejected != NULL)
		throw_rejected(setting);
	if (is_automatic(setting))
		throw_missing(field);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("idtypes.node_id is %d, which does not fit parameter \"%s\"",
					setting->value, field->name),
			 errdetail("It takes values of idtypes.node_id up to %d.", field->max_node_id),
			 errhint("Set \"%s\" itself.", field->name)));
}

int
setting_node_number(SettingId id)
{
	const Setting *field = &settings[id];
	const Setting *source;
	int			number;

	/* a parallel worker does not know whether its leader has rejected a setting */
	if (unlikely(IsParallelWorker()))
		shared_check_process();
	source = find_number(field, &number);
	if (unlikely(number < 0 && source != NULL))
		throw_no_number(field, source);
	return number >= 0 ? number : field->automatic();
}

PG_FUNCTION_INFO_V1(idtypes_node_numbers);

/*
 * idtypes_node_numbers(): one row for each field.  The number is NULL if generators refuse
 * to make ids with the field; the source is then the setting to correct.
 */
Datum
idtypes_node_numbers(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (const Setting *field = settings; field < settings + lengthof(settings); field++)
	{
		int			number;
		const Setting *source = find_number(field, &number);
		Datum		values[5];
		bool		nulls[5] = {false};

		if (field->type == NULL)
			continue;
		if (source == NULL)
			number = field->automatic();
		values[0] = CStringGetTextDatum(field->type);
		values[1] = CStringGetTextDatum(field->field);
		values[2] = Int32GetDatum(number);
		nulls[2] = number < 0;
		values[3] = CStringGetTextDatum(source ? source->name : field->automatic_source);
		values[4] = BoolGetDatum(source == NULL || is_automatic(source));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* ----------
 * Definition
 * ----------
 */

/*
 * Return the value that the setting was given before the library was loaded, and set
 * *source to its source.  Return NULL if it was given none.
 *
 * Ignore a SET of this session, as the server discards it, too.
 */
static char *
given_before(const Setting *setting, GucSource *source)
{
	struct config_generic *placeholder = compat_find_setting(setting->name);

	if (placeholder == NULL || (placeholder->flags & GUC_CUSTOM_PLACEHOLDER) == 0)
		return NULL;
	*source = placeholder->reset_source;
	/* not read from the placeholder itself, whose layout differs between majors */
	return *source == PGC_S_DEFAULT ? NULL : pstrdup(GetConfigOptionResetString(setting->name));
}

/*
 * Define a setting for the server.  Set it to the value that it was given before the
 * library was loaded, if any; to its default if that one is invalid or misplaced.
 */
static void
define_setting(Setting *setting)
{
	GucSource	source;
	char	   *given = given_before(setting, &source);

	if (setting->flag != NULL)
		DefineCustomBoolVariable(setting->name, setting->short_desc, setting->long_desc,
								 setting->flag, false, PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								 NULL, assign_require_node_id, NULL);
	else if (setting->options != NULL)
		DefineCustomEnumVariable(setting->name, setting->short_desc, setting->long_desc,
								 &setting->value, setting->boot, setting->options,
								 PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								 NULL, setting->assign_hook, NULL);
	else
		DefineCustomIntVariable(setting->name, setting->short_desc, setting->long_desc,
								&setting->value, setting->boot, setting->min,
								setting->max, PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL,
								NULL, setting->assign_hook, NULL);
	if (given == NULL)
		return;

	/*
	 * Set the default with postgresql.conf as its source, so that a reload sets the setting
	 * again, whether the file then has another value or none.  A value from the command line
	 * of the server overrides the file, so it remains; a reload would forget it.
	 */
	setting->misplaced = (source > PGC_S_ARGV);
	if (setting->misplaced || !is_acceptable(setting, given))
	{
		setting->rejected = MemoryContextStrdup(TopMemoryContext, given);
		given = setting->flag ? "on" : setting->options ? (char *) setting->options->name :
			psprintf("%d", setting->boot);
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
