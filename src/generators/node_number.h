/*-------------------------------------------------------------------------
 *
 * node_number.h
 *	  The numbers of this server in new ids: one field of a type each.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_NODE_NUMBER_H
#define IDTYPES_NODE_NUMBER_H

#include "postgres.h"

typedef enum NodeNumber
{
	NODE_SIQ_SHARD,
	NODE_TID64_CLOCK_ID,
	NODE_UID11_MACHINE,
	NODE_ULIDFLAKE_SCALABILITY
} NodeNumber;

/*
 * Return the number of this server in new ids.  If no setting gives one, return an
 * automatic number, or throw an error if idtypes.require_node_id is on.  Also throws the
 * errors of setting_node_field() and shared_attach().
 */
extern int	node_number(NodeNumber field);

#endif							/* IDTYPES_NODE_NUMBER_H */
