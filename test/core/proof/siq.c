/*-------------------------------------------------------------------------
 *
 * siq.c
 *	  What only a siq has: its uuid form, its fields, its checksum.
 *
 *-------------------------------------------------------------------------
 */
#include "proof.h"

/* The uuid form of an id is read as that id, and ids are in the order of theirs. */
void
prove_uuid(void)
{
	uint8_t		a[SIQ_SIZE];
	uint8_t		b[SIQ_SIZE];
	uint8_t		read[SIQ_SIZE];
	uint8_t		uuid[SIQ_UUID_SIZE];
	uint8_t		uuid_b[SIQ_UUID_SIZE];

	siq_put_uuid(a, uuid);
	siq_put_uuid(b, uuid_b);
	PROVE((memcmp(a, b, SIQ_SIZE) < 0) == (memcmp(uuid, uuid_b, SIQ_UUID_SIZE) < 0));
	PROVE(siq_get_uuid(uuid, read) && memcmp(read, a, SIQ_SIZE) == 0);
	REACHED();
}

/* A uuid that is read as an id is that id's form. */
void
prove_uuid_is_canonical(void)
{
	uint8_t		uuid[SIQ_UUID_SIZE];
	uint8_t		again[SIQ_UUID_SIZE];
	uint8_t		id[SIQ_SIZE];

	if (siq_get_uuid(uuid, id))
	{
		siq_put_uuid(id, again);
		PROVE(memcmp(uuid, again, SIQ_UUID_SIZE) == 0);
	}
	REACHED();
}

/* Fields in range are those of the id that is made of them, for each type. */
void
prove_composition(void)
{
	uint8_t		any[SIQ_SIZE];
	uint8_t		id[SIQ_SIZE];
	SiqFields	fields;
	SiqFields	got;

	fields.type = siq_type_of(any);
	ASSUME(fields.tick >= 0 && fields.tick <= siq_codec.time.last);
	ASSUME(fields.shard < 1u << SIQ_SHARD_BITS);
	ASSUME(fields.serial <= siq_serial_max(fields.type));
	siq_compose(&fields, id);
	siq_decompose(id, &got);
	PROVE(got.tick == fields.tick && got.shard == fields.shard);
	PROVE(got.domain == fields.domain && got.serial == fields.serial && got.type == fields.type);
	REACHED();
}

/* The checksum tells a byte that was changed, whichever and however. */
void
prove_changed_byte(void)
{
	uint8_t		id[SIQ_SIZE];
	uint8_t		other[SIQ_SIZE];
	size_t		at;
	uint8_t		change;

	ASSUME(at < SIQ_SIZE && change != 0);
	memcpy(other, id, SIQ_SIZE);
	other[at] ^= change;
	PROVE(siq_checksum(id) != siq_checksum(other));
	REACHED();
}
