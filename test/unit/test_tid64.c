/*-------------------------------------------------------------------------
 *
 * test_tid64.c
 *	  TID: vectors, dashes, fields, bad text.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/tid64_codec.h"
#include "check.h"

static const struct
{
	const char *text;
	const char *compact;
	const char *hex;
	int64_t		us;
	uint32_t	clock_id;
}			vectors[] = {
	{"2222-222-2222-22", "2222222222222", "0000000000000000", 0, 0},
	{"zzzz-zzz-zzzz-zz", "zzzzzzzzzzzzz", "ffffffffffffffff", -1, 1023},
	{"zzzz-zzz-zzzz-22", "zzzzzzzzzzz22", "fffffffffffffc00", -1, 0},
	{"bzzz-zzz-zzzz-zz", "bzzzzzzzzzzzz", "7fffffffffffffff", INT64_C(9007199254740991), 1023},
	{"s222-222-2222-22", "s222222222222", "8000000000000000", -INT64_C(9007199254740992), 0},
	{"s222-222-2223-27", "s222222222327", "8000000000000405", -INT64_C(9007199254740991), 5},
	{"3kxn-lhr-3gxq-23", "3kxnlhr3gxq23", "1876716dc2ced801", INT64_C(1721407246480310), 1},
	{"3kxm-tyq-iinc-23", "3kxmtyqiinc23", "187659f59ce9a001", INT64_C(1721382046481000), 1},
	{"3iso-34e-qpw2-22", "3iso34eqpw222", "17628112ad5e0000", INT64_C(1645557742000000), 0},
	{"zwjq-xwz-6c6b-4h", "zwjqxwz6c6b4h", "fe3edde7c8821c4d", -INT64_C(123456789012345), 77},
};

static const ParseCase texts[] = {
	{"", NULL, ID_BAD_LENGTH},
	{"3kxnlhr3gxq2", NULL, ID_BAD_LENGTH},
	{"3kxnlhr3gxq233", NULL, ID_BAD_LENGTH},
	{"3kxn-lhr-3gxq", NULL, ID_BAD_SEPARATOR, 4},
	{"3kxn-lhr-3gxq-2", NULL, ID_BAD_LENGTH},
	{"3kxn-lhr-3gxq-233", NULL, ID_BAD_LENGTH},
	{"3kxnlhr3gxq-23", NULL, ID_BAD_LENGTH},
	/* dashes out of place */
	{"3kx-nlhr-3gxq-23", NULL, ID_BAD_SEPARATOR, 3},
	{"3kxn-lhr-3gx-q23", NULL, ID_BAD_SEPARATOR, 12},
	{"3kxn-lhr33gxq-23", NULL, ID_BAD_SEPARATOR, 8},
	{"3kxn_lhr_3gxq_23", NULL, ID_BAD_SEPARATOR, 4},
	{"-kxn-lhr-3gxq-23", NULL, ID_BAD_SEPARATOR, 0},
	{"3kxn-lhr-3gxq--3", NULL, ID_BAD_SEPARATOR, 14},
	{"----------------", NULL, ID_BAD_SEPARATOR, 0},
	/* characters */
	{"3kxn-lhr-3gxq-21", NULL, ID_BAD_CHARACTER, 15},
	{"3KXN-LHR-3GXQ-23", NULL, ID_BAD_CHARACTER, 1},
	{"3kxnlhr3gxq2a ", NULL, ID_BAD_CHARACTER, 13},
	{" 3kxnlhr3gxq23", NULL, ID_BAD_CHARACTER, 0},
	{"3kxnlhr3gxq20", NULL, ID_BAD_CHARACTER, 12},
	/* the first digit */
	{"kjzfcijpj2z2a", NULL, ID_OUT_OF_RANGE},
	{"c222-222-2222-22", NULL, ID_OUT_OF_RANGE},
	{"rzzz-zzz-zzzz-zz", NULL, ID_OUT_OF_RANGE},
};

static void
text(void)
{
	for (size_t i = 0; i < LENGTH(vectors); i++)
	{
		const ParseCase dashed = {vectors[i].text, vectors[i].hex};
		const ParseCase compact = {vectors[i].compact, vectors[i].hex};

		check_parse(&tid64_codec, &dashed, 1);
		check_parse(&tid64_codec, &compact, 1);
		check_format(&tid64_codec, tid64_codec.format, TID64_TEXT_SIZE, &dashed, 1);
		check_format(&tid64_codec, tid64_format_compact, TID64_COMPACT_SIZE, &compact, 1);
	}
	check_parse(&tid64_codec, texts, LENGTH(texts));
}

static void
fields(void)
{
	for (size_t i = 0; i < LENGTH(vectors); i++)
	{
		uint8_t		id[TID64_SIZE];

		id64_compose(&tid64_codec, vectors[i].us, vectors[i].clock_id, id);
		CHECK(strcmp(check_hex(id, sizeof(id)), vectors[i].hex) == 0, "%s, not %s",
			  check_hex(id, sizeof(id)), vectors[i].hex);
		CHECK(id_tick(&tid64_codec, id) == vectors[i].us, "%s", vectors[i].text);
		CHECK(tid64_get_clock_id(id) == vectors[i].clock_id, "%s", vectors[i].text);
	}
}

/* All 32 first digits: those of the document's table and no other. */
static void
first_digit(void)
{
	for (const char *c = alphabet_base32lex.digits; *c != '\0'; c++)
	{
		char		digits[TID64_COMPACT_SIZE + 1] = "2222222222222";
		uint8_t		id[TID64_SIZE];
		uint8_t		hi[TID64_SIZE];
		IdError		err = {0};
		IdStatus	expected = strchr("234567abstuvwxyz", *c) ? ID_OK : ID_OUT_OF_RANGE;

		digits[0] = *c;
		CHECK(tid64_codec.parse(digits, TID64_COMPACT_SIZE, id, &err) == expected, "%s", digits);
		CHECK(tid64_codec.prefix(c, 1, id, hi, &err) == expected, "%s", digits);
		if (expected == ID_OK)
			CHECK((id_tick(&tid64_codec, id) < 0) == (*c >= 's'), "%s", digits);
	}
}

/* Windows of the document's prefix table, in UTC; dashes come and go. */
static void
prefix(void)
{
	static const PrefixCase cases[] = {
		{"", "8000000000000000", "7fffffffffffffff"},
		{"3k", "1800000000000000", "187fffffffffffff"},
		{"3kxn", "1876600000000000", "18767fffffffffff"},
		{"3kxn-", "1876600000000000", "18767fffffffffff"},
		{"3kxn-lhr", "1876716dc0000000", "1876716dffffffff"},
		{"3kxnlhr", "1876716dc0000000", "1876716dffffffff"},
		{"3kxnlhr-", "1876716dc0000000", "1876716dffffffff"},
		{"3kxn-lhr-3gxq", "1876716dc2ced800", "1876716dc2cedbff"},
		{"3kxnlhr3gxq-", "1876716dc2ced800", "1876716dc2cedbff"},
		{"3kxn-lhr-3gxq-23", "1876716dc2ced801", "1876716dc2ced801"},
		{"b", "7000000000000000", "7fffffffffffffff"},
		{"s", "8000000000000000", "8fffffffffffffff"},
		{"z", "f000000000000000", "ffffffffffffffff"},
		{"c", NULL, NULL, ID_OUT_OF_RANGE},
		{"r", NULL, NULL, ID_OUT_OF_RANGE},
		{"kjz-", NULL, NULL, ID_BAD_SEPARATOR, 3},
		{"-", NULL, NULL, ID_BAD_SEPARATOR, 0},
		{"3kxn--", NULL, NULL, ID_BAD_SEPARATOR, 5},
		{"3kxn-l-", NULL, NULL, ID_BAD_SEPARATOR, 6},
		{"3kxn-lhr-3gxq-23-", NULL, NULL, ID_BAD_SEPARATOR, 16},
		{"3kxn-lhr-3gxq-234", NULL, NULL, ID_BAD_LENGTH},
		{"3kxnlhr3gxq2345678901", NULL, NULL, ID_BAD_CHARACTER, 17},
		{"3kxN", NULL, NULL, ID_BAD_CHARACTER, 3},
		{"3kxn ", NULL, NULL, ID_BAD_CHARACTER, 4},
	};

	check_prefix(&tid64_codec, cases, LENGTH(cases));
}

/* Every subset of the three dashes, at every length. */
static void
prefix_dashes(void)
{
	for (int round = 0; round < 500; round++)
	{
		uint8_t		id[TID64_SIZE];
		char		compact[TID64_COMPACT_SIZE];

		check_random_id(&tid64_codec, id);
		tid64_format_compact(id, compact);
		for (int dashes = 0; dashes < 8; dashes++)
		{
			char		dashed[TID64_TEXT_SIZE];
			size_t		len = 0;

			for (size_t n = 0; n < TID64_COMPACT_SIZE; n++)
			{
				uint8_t		lo[2][TID64_SIZE];
				uint8_t		hi[2][TID64_SIZE];
				IdError		err = {0};

				dashed[len++] = compact[n];
				if ((n == 3 && (dashes & 1)) || (n == 6 && (dashes & 2)) ||
					(n == 10 && (dashes & 4)))
					dashed[len++] = '-';
				CHECK(tid64_codec.prefix(compact, n + 1, lo[0], hi[0], &err) == ID_OK &&
					  tid64_codec.prefix(dashed, len, lo[1], hi[1], &err) == ID_OK &&
					  memcmp(lo[0], lo[1], TID64_SIZE) == 0 &&
					  memcmp(hi[0], hi[1], TID64_SIZE) == 0, "%.*s", (int) len, dashed);
			}
		}
	}
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "compact") == 0)
		tid64_format_compact(id, out);
	else if (strcmp(column, "decimal") == 0)	/* with its sign */
		sprintf(out, "%" PRId64, (int64_t) load_be64(id));
	else if (strcmp(column, "clock_id") == 0)
		sprintf(out, "%u", tid64_get_clock_id(id));
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[TID64_SIZE];

	id64_compose(&tid64_codec, id_tick(&tid64_codec, id), tid64_get_clock_id(id), made);
	check_same(&tid64_codec, made, id);
}

static void
format_text(const uint8_t *id, char *out)
{
	tid64_codec.format(id, out);
}

static const UseCase use_cases[] = {
	{GENERATOR_TID64, {.step = 1}, 0, 1},
	{.use.step = 0}
};

const TestFormat tid64_format = {
	.codec = &tid64_codec,
	.per_second = 1000000,
	.smallest = "8000000000000000",
	.largest = "7fffffffffffffff",
	.decimal = "18446744073709551615",
	.alphabet = &alphabet_base32lex,
	.separator = '-',
	.forms = {{16, format_text}, {13, tid64_format_compact}},
	.prefix_alphabet = &alphabet_base32lex,
	.prefix_size = 13,
	.prefix_format = tid64_format_compact,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

const TestCase tid64_tests[] = {
	{"tid64: text", text},
	{"tid64: fields", fields},
	{"tid64: first digit", first_digit},
	{"tid64: prefixes", prefix},
	{"tid64: dashes in prefixes", prefix_dashes},
	{NULL, NULL}
};
