/*-------------------------------------------------------------------------
 *
 * node_number.c
 *	  The numbers of this server in new ids: one field of a type each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "generators/node_number.h"
#include "generators/shared.h"
#include "server/settings.h"

typedef struct NodeField
{
	const char *type;
	const char *field;			/* as T_parts() and T_make() name it */
	SettingId	setting;
	int			(*automatic) (void);	/* the number if no setting gives one */
	const char *automatic_source;	/* where that comes from */
} NodeField;

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

static const NodeField node_fields[] = {
	[NODE_SIQ_SHARD] = {
		"siq", "shard", SETTING_SIQ_SHARD, process_shard, "process id"
	},
	[NODE_TID64_CLOCK_ID] = {
		"tid64", "clock_id", SETTING_TID64_CLOCK_ID, drawn_clock_id, "drawn at start"
	},
	[NODE_UID11_MACHINE] = {
		"uid11", "machine", SETTING_UID11_MACHINE, zero, "default"
	},
	[NODE_ULIDFLAKE_SCALABILITY] = {
		"ulidflake", "scalability", SETTING_ULIDFLAKE_SCALABILITY, zero, "default"
	}
};

int
node_number(NodeNumber field)
{
	int			number;

	/* it does not know whether its leader has rejected a setting */
	if (unlikely(IsParallelWorker()))
		shared_check_process();
	number = setting_node_field(node_fields[field].setting);
	return number >= 0 ? number : node_fields[field].automatic();
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
	for (int i = 0; i < lengthof(node_fields); i++)
	{
		const NodeField *field = &node_fields[i];
		int			number;
		bool		missing;
		const char *source = setting_look_up(field->setting, &number, &missing);
		Datum		values[5];
		bool		nulls[5] = {false};

		if (source == NULL)
		{
			number = field->automatic();
			source = field->automatic_source;
		}
		values[0] = CStringGetTextDatum(field->type);
		values[1] = CStringGetTextDatum(field->field);
		values[2] = Int32GetDatum(number);
		nulls[2] = number < 0;
		values[3] = CStringGetTextDatum(source);
		values[4] = BoolGetDatum(missing);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
