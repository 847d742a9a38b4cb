/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between PostgreSQL majors: every PG_VERSION_NUM test of the
 *	  project stands here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_COMPAT_H
#define IDTYPES_COMPAT_H

#include "postgres.h"
#include "fmgr.h"
#include "storage/lwlock.h"
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

/* False if the caller only asks whether there is an error, and reads no message. */
#define compat_wants_details(context) \
	((context) == NULL || !IsA(context, ErrorSaveContext) || \
	 ((ErrorSaveContext *) (context))->details_wanted)
#else
#define mod_since_analyze changes_since_analyze		/* of PgStat_StatTabEntry */

/* Soft errors came with 16; before, every error is a hard one, which someone reads. */
#define compat_wants_details(context) true
#define errsave(context, ...) ereport(ERROR, __VA_ARGS__)
#define compat_range_serialize(typcache, lower, upper, empty) \
	range_serialize(typcache, lower, upper, empty)
#define compat_make_range(typcache, lower, upper, empty) \
	make_range(typcache, lower, upper, empty)

/* The server's record of a setting, or NULL. */
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

/* Came with the minor releases of November 2024. */
#ifndef GUC_ALLOW_IN_PARALLEL
#define GUC_ALLOW_IN_PARALLEL 0
#endif

#if PG_VERSION_NUM >= 170000
#define compat_wait_event(name) WaitEventExtensionNew(name)
#else
/* Before, all of an extension's waits show as the same. */
#define compat_wait_event(name) PG_WAIT_EXTENSION
#endif

#if PG_VERSION_NUM >= 180000
#include "utils/skipsupport.h"
#define HAVE_SKIP_SUPPORT 1
/* pg_get_loaded_modules() shows both. */
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
/* Shared memory has the name, so that no process registers it. */
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

/* Minor versions of the older majors differ in that. */
#ifndef pg_always_inline
#define pg_always_inline pg_attribute_always_inline
#endif

#endif							/* IDTYPES_COMPAT_H */
