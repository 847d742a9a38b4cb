/*-------------------------------------------------------------------------
 *
 * any.c
 *	  What takes the place of functions in every proof.
 *
 *-------------------------------------------------------------------------
 */
#include "proof.h"

/* Of the unit tests: a check that fails refutes the proof, and prints nothing. */
void
check_failed(const char *file, int line, const char *condition, const char *format,...)
{
	PROVE(condition == NULL);
}

const char *
check_hex(const uint8_t *bytes, size_t size)
{
	return "";
}

/*
 * Byte by byte, which cbmc is quicker with where the size is not known; each byte is
 * checked to lie within its object.
 */
void *
memcpy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *) to)[i] = ((const uint8_t *) from)[i];
	return to;
}

void *
memset(void *to, int byte, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *) to)[i] = (uint8_t) byte;
	return to;
}

/* That of load_be64() and its like, which are on no boundary either. */
void *
__builtin_memcpy(void *to, const void *from, size_t size)
{
	__CPROVER_assert(size == sizeof(uint64_t), "eight bytes");
	*(uint64_t *) to = *(const uint64_t *) from;
	return to;
}
