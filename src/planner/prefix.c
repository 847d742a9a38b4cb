/*-------------------------------------------------------------------------
 *
 * prefix.c
 *	  "id ^@ prefix", as "id <@ range".
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "planner/contained.h"
#include "planner/prefix.h"
#include "server/lookup.h"

bool
are_prefix_args(List *args)
{
	return list_length(args) == 2 && getBaseType(exprType(lsecond(args))) == TEXTOID;
}

Node *
prefix_range(Oid idtype, Node *prefix, bool try)
{
	const IdType *type = lookup_id_type(idtype);

	return type != NULL ?
		contained_range_of_call(type, try || IsA(prefix, Const) ? type->try_prefix : type->prefix,
								prefix) : NULL;
}
