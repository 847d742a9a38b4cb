# idtypes: plain PGXS.  PG_CONFIG names the server to build for; ./dev does everything else.

EXTENSION = idtypes idtypes_uuid
MODULE_big = idtypes
PGFILEDESC = "idtypes - native types for sortable identifiers"

PG_CONFIG ?= pg_config

# The sources lie where PGXS will say: in VPATH, or else beside this file, and what is built lands
# in the folder that make runs in.
srcdir := $(or $(VPATH),$(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST)))))
sources = $(patsubst $(srcdir)/%,%,$(sort $(wildcard $(srcdir)/$1)))

EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(srcdir)/idtypes.control)

# The version of the library, which a release that changes no SQL object raises alone.
LIBVERSION := $(shell sed -n 's/^\t"version": "\(.*\)",$$/\1/p' $(srcdir)/META.json)

# The types, from the one list of them.
TYPES := $(shell sed -n 's/^.include "\(.*\)_codec.h"$$/\1/p' $(srcdir)/src/core/types.h)

# The README of each folder of src/ says what the folder is for.
OBJS := $(patsubst %.c,%.o,$(call sources,src/*.c) $(call sources,src/*/*.c))

# -isystem: warnings in the server's own headers are not ours.
PG_CPPFLAGS = -I$(abspath $(srcdir))/src -isystem $(shell $(PG_CONFIG) --includedir-server) \
	-DIDTYPES_VERSION='"$(LIBVERSION)"'
# What is built is the same wherever the sources are, and wherever it is built; where both are the
# same folder, the later option wins.
PG_CFLAGS = -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(abspath $(srcdir))/=
SHLIB_LINK = -lcrypto

# What only PostgreSQL 18 and later have comes by a step to a version of its own, which is the
# default there: so a cluster that came from an older major by pg_upgrade is offered it.  The
# control file made here is installed over the one beside this file.
STEP_VERSION = $(EXTVERSION)-pg18
HAS_STEP = $(filter-out 15 16 17,$(MAJORVERSION))
TYPES_SCRIPT = sql/idtypes--$(EXTVERSION).sql
STEP_SCRIPT = sql/idtypes--$(EXTVERSION)--$(STEP_VERSION).sql
UUID_SCRIPT = sql/idtypes_uuid--$(EXTVERSION).sql
CONTROL = sql/idtypes.control
DATA_built = $(TYPES_SCRIPT) $(UUID_SCRIPT) $(if $(HAS_STEP),$(STEP_SCRIPT)) $(CONTROL)
EXTRA_CLEAN = $(TYPES_SCRIPT).tmp $(STEP_SCRIPT) $(STEP_SCRIPT).tmp built-for $(EXPORTS)

REGRESS := $(patsubst sql/%.sql,%,$(filter-out sql/idtypes--% sql/idtypes_uuid--%, \
	$(call sources,sql/*.sql)))
REGRESS_OPTS = --encoding=UTF8 --no-locale
TAP_TESTS := $(if $(call sources,t/*.pl),1)

# No bitcode.  From that the server's just-in-time compiler would inline functions of ours, but the
# library exports only what the server calls: what an inlined function calls or reads in turn could
# not be found, which ends the session.  Compiled expressions call the library instead.
override with_llvm = no

PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(wildcard $(PGXS)),)
ifneq ($(MAKECMDGOALS),types)
$(error "$(PG_CONFIG)" leads to no development files of a server: install them \
(postgresql-server-dev-NN on Debian), and name its pg_config by make PG_CONFIG=...)
endif
else
include $(PGXS)
endif

# Only sources are looked for where the sources are: not what another build left there.
srcdir := $(srcdir)
override VPATH =
vpath %.c $(srcdir)
vpath %.control $(srcdir)

# The tests load t/IdTypesTest.pm from the folder of the sources, in which prove runs.
PG_PROVE_FLAGS += -I .

# Which server this was built for.  Where that is another one now, everything is built anew.
built-for: FORCE
	@mkdir -p $(sort $(dir $(OBJS))) sql
	@$(PG_CONFIG) | cmp -s - $@ || $(PG_CONFIG) >$@
.PHONY: FORCE
$(DATA_built) $(OBJS) $(OBJS:.o=.bc): built-for

# Libraries are loaded with RTLD_GLOBAL.  So a function of another library must not take the place
# of ours, and the library exports only what the server calls: each function that has a record for
# the function manager, and what the server looks for when it loads a library.  (From 16 on the
# server's headers can do the second, but not in 15.)
ifeq ($(PORTNAME),linux)
EXPORTS = exports.map
SHLIB_LINK += -Wl,-Bsymbolic -Wl,--version-script=$(EXPORTS)
$(shlib): $(EXPORTS)
$(EXPORTS): $(OBJS)
	nm -g $(OBJS) | awk 'BEGIN { print "{ global: Pg_magic_func; _PG_init;" } \
		sub(/.* T pg_finfo_/, "") { print "pg_finfo_" $$0 "; " $$0 ";" } \
		END { print "local: *; };" }' >$@
endif

# One section per type, always in the same order: what all types share, with the parameters that
# the head of the type's own file names, and that file.
EXT = $(srcdir)/extension
parameter = $(shell sed -n 's/^-- @$2@ *//p' $(EXT)/$1.sql)
comparisons = $(call repeated,$(EXT)/comparisons.tsv,$1)
types_table = printf '%s\n' @T@ $(TYPES)
$(TYPES_SCRIPT): $(patsubst %,$(EXT)/%,head.sql type.sql.in comparisons.tsv $(TYPES:=.sql) \
		tail.sql) $(srcdir)/Makefile $(srcdir)/src/core/types.h
	$(call comparisons,$(EXT)/head.sql) >$@.tmp
	$(foreach t,$(TYPES),sed -e 's/@T@/$t/g' -e 's/@ORDER@/$(call parameter,$t,ORDER)/g' \
		-e 's/@LAYOUT@/$(call parameter,$t,LAYOUT)/' $(EXT)/type.sql.in | \
		$(call comparisons,-) >>$@.tmp && cat $(EXT)/$t.sql >>$@.tmp &&) :
	$(types_table) | $(call repeated,-,$(EXT)/tail.sql) >>$@.tmp
	mv $@.tmp $@

$(STEP_SCRIPT): $(EXT)/pg18.sql $(srcdir)/Makefile $(srcdir)/src/core/types.h
	$(types_table) | $(call repeated,-,$<) >$@.tmp
	mv $@.tmp $@

# $2, where each paragraph that names the first parameter of the table $1 is repeated for each row.
# The first line of the table names its parameters.
repeated = awk -F '\t' 'FNR == NR { row[NR] = $$0; next } \
	FNR == 1 { parameters = split(row[1], name) } \
	!index($$0, name[1]) { print; next } \
	{ for (r = 2; r in row; r++) { one = $$0; split(row[r], value); \
		for (i = 1; i <= parameters; i++) gsub(name[i], value[i], one); print one } }' \
	$1 RS= ORS='\n\n' $2

$(UUID_SCRIPT): $(EXT)/uuid.sql $(srcdir)/Makefile
	cp $< $@

$(CONTROL): $(srcdir)/idtypes.control $(srcdir)/Makefile
	sed "s/^default_version = .*/default_version = '$(if \
		$(HAS_STEP),$(STEP_VERSION),$(EXTVERSION))'/" $< >$@

# For scripts.
.PHONY: types
types:
	@echo $(TYPES)

# PGXS knows no header dependencies.  The core is small: everything depends on every header.
$(OBJS) $(OBJS:.o=.bc): $(srcdir)/Makefile $(srcdir)/META.json $(wildcard $(srcdir)/src/*/*.h)
