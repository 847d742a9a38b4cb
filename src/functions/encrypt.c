/*-------------------------------------------------------------------------
 *
 * encrypt.c
 *	  Encryption of ids to texts that reveal nothing without the key, and back.
 *
 * T_encrypt() and T_decrypt() use FF1 (core/ff1.h) with the AES of OpenSSL.  Most
 * queries use one key and tweak for many rows, so the key schedule and the state
 * derived from the tweak are cached in fn_extra until a call has another key or
 * tweak.  That memory holds the key, so a reset callback of its memory context
 * wipes it.  No message shows any part of a key, nor its length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/evp.h>

#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#include "core/ff1.h"
#include "functions/generic_functions.h"

#define MAX_KEY_SIZE	32
#define MAX_TWEAK_SIZE	1024

typedef struct Encryption
{
	MemoryContextCallback wipe;
	EVP_CIPHER_CTX *aes;		/* allocated by OpenSSL */
	Ff1			ff1;
	size_t		key_size;		/* 0 until key, tweak and state are valid */
	size_t		tweak_size;
	uint8		key[MAX_KEY_SIZE];
	uint8		tweak[MAX_TWEAK_SIZE];	/* in UTF-8 */
} Encryption;

static void
wipe_encryption(void *arg)
{
	Encryption *encryption = arg;

	EVP_CIPHER_CTX_free(encryption->aes);
	explicit_bzero(encryption, sizeof(Encryption));
}

/* Return the cached state, zeroed at the first call. */
static Encryption *
cached_encryption(FunctionCallInfo fcinfo)
{
	FunctionCache   *cache = generic_cache(fcinfo);
	Encryption *encryption = cache->own;

	if (encryption == NULL)
	{
		MemoryContext context = fcinfo->flinfo->fn_mcxt;

		encryption = MemoryContextAllocZero(context, sizeof(Encryption));
		encryption->wipe.func = wipe_encryption;
		encryption->wipe.arg = encryption;
		MemoryContextRegisterResetCallback(context, &encryption->wipe);
		cache->own = encryption;
	}
	return encryption;
}

static void
report_failure(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INTERNAL_ERROR),
			 errmsg("could not encrypt with AES")));
}

/* Ff1Cipher */
static void
encipher(void *aes, uint8_t block[FF1_BLOCK_SIZE])
{
	int			len;

	if (EVP_EncryptUpdate(aes, block, &len, block, FF1_BLOCK_SIZE) != 1)
		report_failure();
}

/* Return AES for a key of that size in bytes; raise an error if AES has no such key size. */
static const EVP_CIPHER *
cipher_for(const IdCodec *codec, size_t key_size)
{
	switch (key_size)
	{
		case 16:
			return EVP_aes_128_ecb();
		case 24:
			return EVP_aes_192_ecb();
		case 32:
			return EVP_aes_256_ecb();
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid encryption key for type %s", codec->name),
			 errdetail("A key has 16, 24 or 32 bytes."),
			 errhint("Hexadecimal digits are only read as such after \\x.")));
}

/*
 * Set the key of AES.  Throws an error if AES has no key of that size.  The caller sets
 * key_size once the whole state is valid.
 */
static void
set_key(Encryption *encryption, const IdCodec *codec, const uint8 *key, size_t size)
{
	const EVP_CIPHER *cipher = cipher_for(codec, size);

	if (encryption->aes == NULL)
		encryption->aes = EVP_CIPHER_CTX_new();
	if (encryption->aes == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	if (EVP_EncryptInit_ex(encryption->aes, cipher, NULL, key, NULL) != 1 ||
		EVP_CIPHER_CTX_set_padding(encryption->aes, 0) != 1)
		report_failure();
	Assert(size <= sizeof(encryption->key));
	memcpy(encryption->key, key, size);
}

/* Set the tweak, at most MAX_TWEAK_SIZE bytes, and derive the FF1 state from it and the key. */
static void
set_tweak(Encryption *encryption, const IdCodec *codec, const uint8 *tweak, size_t size)
{
	Assert(size <= sizeof(encryption->tweak));
	memcpy(encryption->tweak, tweak, size);
	encryption->tweak_size = size;
	ff1_start(&encryption->ff1, codec->bits, encipher, encryption->aes, tweak, size);
}

/*
 * Return the third argument, the tweak, in UTF-8, so that the result does not depend on the
 * database's encoding.  Throws an error if it is longer than MAX_TWEAK_SIZE.
 */
static const char *
tweak_arg(FunctionCallInfo fcinfo, const IdCodec *codec, size_t *size)
{
	text	   *arg = PG_GETARG_TEXT_PP(2);
	const char *server = VARDATA_ANY(arg);
	const char *tweak = pg_server_to_any(server, VARSIZE_ANY_EXHDR(arg), PG_UTF8);

	*size = tweak == server ? VARSIZE_ANY_EXHDR(arg) : strlen(tweak);
	if (*size > MAX_TWEAK_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid encryption tweak for type %s", codec->name),
				 errdetail("Its length in UTF-8 is %zu bytes, more than %d.",
						   *size, MAX_TWEAK_SIZE)));
	return tweak;
}

/*
 * Return the FF1 state for the second and third argument, key and tweak.  It is the cached
 * state, so the next call of this SQL function may change it.  Throws an error if the key
 * or the tweak has an invalid size.
 */
static const Ff1 *
ff1_args(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	Encryption *encryption = cached_encryption(fcinfo);
	bytea	   *key_arg = PG_GETARG_BYTEA_PP(1);
	const uint8 *key = (const uint8 *) VARDATA_ANY(key_arg);
	size_t		key_size = VARSIZE_ANY_EXHDR(key_arg);
	size_t		tweak_size;
	const char *tweak = tweak_arg(fcinfo, codec, &tweak_size);
	bool		same_key = key_size > 0 && key_size == encryption->key_size &&
		memcmp(key, encryption->key, key_size) == 0;

	if (!same_key || tweak_size != encryption->tweak_size ||
		memcmp(tweak, encryption->tweak, tweak_size) != 0)
	{
		/* if set_key() or set_tweak() raises an error, the state is invalid */
		encryption->key_size = 0;
		if (!same_key)
			set_key(encryption, codec, key, key_size);
		set_tweak(encryption, codec, (const uint8 *) tweak, tweak_size);
		encryption->key_size = key_size;
	}
	return &encryption->ff1;
}

Datum
generic_encrypt(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];
	uint8		id[ID_MAX_SIZE];

	memcpy(id, PG_GETARG_ID(codec, 0, buf), codec->size);
	ff1_encrypt(ff1_args(fcinfo, codec), id);
	return generic_text(id, codec->format_digits, codec->digits);
}

/*
 * Decrypt the first argument.  If it is not an encrypted id, raise an error, or
 * return NULL if the caller asks for that; a bad key or tweak is always an error.
 */
static Datum
decrypt(FunctionCallInfo fcinfo, const IdCodec *codec, bool null_if_invalid)
{
	const Ff1  *ff1 = ff1_args(fcinfo, codec);
	text	   *arg = PG_GETARG_TEXT_PP(0);
	const char *str = VARDATA_ANY(arg);
	size_t		len = VARSIZE_ANY_EXHDR(arg);
	uint8		id[ID_MAX_SIZE];
	IdError		err = {0};
	IdStatus	status = id_parse_digits(codec, str, len, id, &err);

	if (status != ID_OK)
	{
		if (null_if_invalid)
			PG_RETURN_NULL();
		report_text(codec, TEXT_OF_ENCRYPTED, status, &err, str, len, NULL);
	}
	ff1_decrypt(ff1, id);
	return datum_from_id(codec, id);
}

Datum
generic_decrypt(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return decrypt(fcinfo, codec, false);
}

Datum
generic_try_decrypt(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return decrypt(fcinfo, codec, true);
}
