/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between PostgreSQL majors.  No other file tests PG_VERSION_NUM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_COMPAT_H
#define IDTYPES_COMPAT_H

#include "postgres.h"
#include "fmgr.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/rangetypes.h"
#include "utils/sortsupport.h"
#include "utils/wait_event.h"

#if PG_VERSION_NUM < 150000
#error "idtypes needs PostgreSQL 15 or later"
#endif

#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#define compat_range_serialize(typcache, lower, upper, empty) \
	range_serialize(typcache, lower, upper, empty, NULL)
#define compat_make_range(typcache, lower, upper, empty) \
	make_range(typcache, lower, upper, empty, NULL)
#define compat_find_setting(name) find_option(name, false, true, 0)

/* False if the caller only needs to know that there is an error, not its message. */
#define compat_wants_details(context) \
	((context) == NULL || !IsA(context, ErrorSaveContext) || \
	 ((ErrorSaveContext *) (context))->details_wanted)
#else
#define mod_since_analyze changes_since_analyze		/* of PgStat_StatTabEntry */
#define dead_tuples n_dead_tuples

/* Before 16, there are no soft errors: every error is thrown, with its message. */
#define compat_wants_details(context) true
#define errsave(context, ...) ereport(ERROR, __VA_ARGS__)
#define compat_range_serialize(typcache, lower, upper, empty) \
	range_serialize(typcache, lower, upper, empty)
#define compat_make_range(typcache, lower, upper, empty) \
	make_range(typcache, lower, upper, empty)

/* Return the server's record of a setting, or NULL if it has none. */
static inline struct config_generic *
compat_find_setting(const char *name)
{
	struct config_generic **variables = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (pg_strcasecmp(variables[i]->name, name) == 0)
			return variables[i];
	return NULL;
}
#endif

/* Added in the minor releases of November 2024. */
#ifndef GUC_ALLOW_IN_PARALLEL
#define GUC_ALLOW_IN_PARALLEL 0
#endif

#if PG_VERSION_NUM >= 170000
#define compat_wait_event(name) WaitEventExtensionNew(name)
#else
/* Before 17, all waits of extensions show as the same wait event. */
#define compat_wait_event(name) PG_WAIT_EXTENSION
#endif

/*
 * The local id of the transaction that a PGPROC runs, 0 if none; and, of the PGPROC of a
 * prepared transaction, whether the server recovered it at its start.
 */
#if PG_VERSION_NUM >= 170000
#define compat_lxid(proc) ((proc)->vxid.lxid)
#define compat_xact_was_recovered(proc) ((proc)->vxid.procNumber == INVALID_PROC_NUMBER)
#else
#define compat_lxid(proc) ((proc)->lxid)
#define compat_xact_was_recovered(proc) ((proc)->backendId == InvalidBackendId)
#endif

#if PG_VERSION_NUM >= 180000
#include "utils/skipsupport.h"
#define HAVE_SKIP_SUPPORT 1
/* pg_get_loaded_modules() shows the name and the version. */
#define COMPAT_MODULE_MAGIC(name_, version_) \
	PG_MODULE_MAGIC_EXT(.name = name_, .version = version_)
#else
#define COMPAT_MODULE_MAGIC(name, version) PG_MODULE_MAGIC
#endif

#if PG_VERSION_NUM >= 190000
#define compat_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0, 0)
#elif PG_VERSION_NUM >= 180000
#define compat_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0)
#else
#define compat_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, keys, 0)
#endif

#if PG_VERSION_NUM >= 190000
/* From 19 on, shared memory holds the names of tranches; processes need not register them. */
#define compat_new_tranche(name) LWLockNewTrancheId(name)
#define compat_register_tranche(tranche, name) ((void) 0)
#else
#define compat_new_tranche(name) LWLockNewTrancheId()
#define compat_register_tranche(tranche, name) LWLockRegisterTranche(tranche, name)
#endif

#if PG_VERSION_NUM < 200000
#define ssup_datum_int64_cmp ssup_datum_signed_cmp
#define ssup_datum_uint64_cmp ssup_datum_unsigned_cmp
#endif

/* Only some minor versions of the older majors define pg_always_inline. */
#ifndef pg_always_inline
#define pg_always_inline pg_attribute_always_inline
#endif

#endif							/* IDTYPES_COMPAT_H */
