/*-------------------------------------------------------------------------
 *
 * order_template.h
 *	  Include-template: the SQL functions of one order of identifiers.
 *
 * Parameters, to be defined before inclusion.  This file undefines only ORDER,
 * because several orders may share the definitions of the others.
 *
 *	ORDER			prefix of the functions, e.g. id112
 *	ORDER_VALUE		C type of a value
 *	ORDER_GET(d)	value of a Datum
 *	ORDER_CMP(a, b)	less than, equal to or greater than 0
 *	ORDER_EQ(a, b)	true if equal; cheaper than ORDER_CMP(a, b) == 0
 *	ORDER_DIFF(a, b)	a - b as a double
 *	ORDER_HASH(a)	Datum of the 32-bit hash
 *	ORDER_HASH_EXTENDED(a, seed)	Datum of the 64-bit hash
 *	ORDER_SORT(ssup)	may change a SortSupport whose comparator is set
 *	ORDER_EXTREME(up)	Datum of the largest or smallest value
 *	ORDER_STEP(d, overflow, up)		Datum of the next or previous value
 *
 * Every comparison, hash and sort of the extension is made here, from one
 * comparator per order, so that operators, indexes and sorts cannot disagree.
 *
 *-------------------------------------------------------------------------
 */
#define ORDER_CONCAT(prefix, name) CppConcat(prefix, name)
#define ORDER_FN(name) ORDER_CONCAT(ORDER, name)

#define ORDER_COMPARE_FUNCTION(name, condition) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		ORDER_VALUE a = ORDER_GET(PG_GETARG_DATUM(0)); \
		ORDER_VALUE b = ORDER_GET(PG_GETARG_DATUM(1)); \
		\
		PG_RETURN_BOOL(condition); \
	}

ORDER_COMPARE_FUNCTION(ORDER_FN(_lt), ORDER_CMP(a, b) < 0)
ORDER_COMPARE_FUNCTION(ORDER_FN(_le), ORDER_CMP(a, b) <= 0)
ORDER_COMPARE_FUNCTION(ORDER_FN(_eq), ORDER_EQ(a, b))
ORDER_COMPARE_FUNCTION(ORDER_FN(_ne), !ORDER_EQ(a, b))
ORDER_COMPARE_FUNCTION(ORDER_FN(_ge), ORDER_CMP(a, b) >= 0)
ORDER_COMPARE_FUNCTION(ORDER_FN(_gt), ORDER_CMP(a, b) > 0)

#define ORDER_FUNCTION(name, result) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		Datum		x = PG_GETARG_DATUM(0); \
		Datum		y = PG_GETARG_DATUM(1); \
		ORDER_VALUE a = ORDER_GET(x); \
		ORDER_VALUE b = ORDER_GET(y); \
		\
		return result; \
	}

ORDER_FUNCTION(ORDER_FN(_cmp), Int32GetDatum(ORDER_CMP(a, b)))
ORDER_FUNCTION(ORDER_FN(_smaller), ORDER_CMP(a, b) < 0 ? x : y)
ORDER_FUNCTION(ORDER_FN(_larger), ORDER_CMP(a, b) > 0 ? x : y)
/* subtype_diff of the range type: first minus second */
ORDER_FUNCTION(ORDER_FN(_diff), Float8GetDatum(ORDER_DIFF(a, b)))
/* distance of BRIN minmax-multi: how far the second lies above the first */
ORDER_FUNCTION(ORDER_FN(_distance), Float8GetDatum(ORDER_DIFF(b, a)))

/*
 * id <@ range.  This does what the server's elem_contained_by_range() does, but the
 * comparisons are inlined, which saves a third of the time of a scan that filters
 * by <@.
 */
PG_FUNCTION_INFO_V1(ORDER_FN(_contained_by));
Datum
ORDER_FN(_contained_by) (PG_FUNCTION_ARGS)
{
	ORDER_VALUE id = ORDER_GET(PG_GETARG_DATUM(0));
	RangeType  *range = PG_GETARG_RANGE_P(1);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range,
					  &lower, &upper, &empty);
	/* finite bounds of the canonical form are inclusive */
	PG_RETURN_BOOL(!empty &&
				   (lower.infinite || ORDER_CMP(ORDER_GET(lower.val), id) <= 0) &&
				   (upper.infinite || ORDER_CMP(id, ORDER_GET(upper.val)) <= 0));
}

PG_FUNCTION_INFO_V1(ORDER_FN(_hash));
Datum
ORDER_FN(_hash) (PG_FUNCTION_ARGS)
{
	return ORDER_HASH(ORDER_GET(PG_GETARG_DATUM(0)));
}

PG_FUNCTION_INFO_V1(ORDER_FN(_hash_extended));
Datum
ORDER_FN(_hash_extended) (PG_FUNCTION_ARGS)
{
	return ORDER_HASH_EXTENDED(ORDER_GET(PG_GETARG_DATUM(0)), PG_GETARG_INT64(1));
}

static int
ORDER_FN(_sort_cmp) (Datum x, Datum y, SortSupport ssup)
{
	ORDER_VALUE a = ORDER_GET(x);
	ORDER_VALUE b = ORDER_GET(y);

	return ORDER_CMP(a, b);
}

PG_FUNCTION_INFO_V1(ORDER_FN(_sortsupport));
Datum
ORDER_FN(_sortsupport) (PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = ORDER_FN(_sort_cmp);
	ORDER_SORT(ssup);
	PG_RETURN_VOID();
}

#ifdef HAVE_SKIP_SUPPORT
static Datum
ORDER_FN(_increment) (Relation rel, Datum existing, bool *overflow)
{
	return ORDER_STEP(existing, overflow, true);
}

static Datum
ORDER_FN(_decrement) (Relation rel, Datum existing, bool *overflow)
{
	return ORDER_STEP(existing, overflow, false);
}
#endif

PG_FUNCTION_INFO_V1(ORDER_FN(_skipsupport));
Datum
ORDER_FN(_skipsupport) (PG_FUNCTION_ARGS)
{
#ifdef HAVE_SKIP_SUPPORT
	SkipSupport sks = (SkipSupport) PG_GETARG_POINTER(0);

	sks->low_elem = ORDER_EXTREME(false);
	sks->high_elem = ORDER_EXTREME(true);
	sks->increment = ORDER_FN(_increment);
	sks->decrement = ORDER_FN(_decrement);
#endif
	PG_RETURN_VOID();
}

#undef ORDER_FUNCTION
#undef ORDER_COMPARE_FUNCTION
#undef ORDER_FN
#undef ORDER_CONCAT
#undef ORDER
