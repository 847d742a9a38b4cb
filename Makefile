# idtypes: plain PGXS.  PG_CONFIG names the server to build for; ./dev does everything else.

EXTENSION = idtypes
EXTVERSION = 1.0
MODULE_big = idtypes
PGFILEDESC = "idtypes - native types for sortable identifiers"

PG_CONFIG ?= pg_config

TYPES = siq scru160 tid64 uid11 ulidflake

CORE_OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/core/*.c)))
OBJS = $(CORE_OBJS) $(addprefix src/, clock.o entropy.o gist.o idtype.o idtypes.o order.o \
	report.o selfuncs.o settings.o support.o $(addsuffix .o,$(TYPES)))

# -isystem: warnings in the server's own headers are not ours.
PG_CPPFLAGS = -I$(srcdir)/src -isystem $(shell $(PG_CONFIG) --includedir-server)
SHLIB_LINK = -lcrypto

TYPES_SCRIPT = sql/$(EXTENSION)--$(EXTVERSION).sql
DATA_built = $(TYPES_SCRIPT)
EXTRA_CLEAN = $(TYPES_SCRIPT).tmp

REGRESS = $(patsubst sql/%.sql,%,$(filter-out sql/$(EXTENSION)--%,$(sort $(wildcard sql/*.sql))))
REGRESS_OPTS = --inputdir=$(srcdir) --encoding=UTF8 --no-locale
TAP_TESTS = $(if $(wildcard t/*.pl),1)

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Libraries are loaded with RTLD_GLOBAL: a function of another one must not take the place of ours.
ifeq ($(PORTNAME),linux)
SHLIB_LINK += -Wl,-Bsymbolic
endif

# How a type lies in memory, which of the four orders in src/order.c it has, and what \dT+ says.
BY_VALUE = LIKE = int8
BYTES = ALIGNMENT = char, STORAGE = plain, INTERNALLENGTH
layout_siq = $(BYTES) = 14
layout_scru160 = $(BYTES) = 20
layout_tid64 = $(BY_VALUE)
layout_uid11 = $(BY_VALUE)
layout_ulidflake = $(BY_VALUE)
order_siq = id112
order_scru160 = id160
order_tid64 = id64s
order_uid11 = id64u
order_ulidflake = id64u
comment_siq = SIQ: 112-bit id of time, shard, domain, serial and kind, did:siq:...
comment_scru160 = SCRU160: 160-bit id of time, counter and 111 random bits, base32hex
comment_tid64 = TID: 64-bit id of microseconds and clock id, base32lex
comment_uid11 = uid11: 64-bit id in 11 Base58 characters
comment_ulidflake = Ulid-Flake: 63-bit id of milliseconds and randomness, Crockford base32

# One section per type, always in the same order.
EXT = $(srcdir)/extension
$(TYPES_SCRIPT): $(addprefix $(EXT)/,head.sql type.sql.in functions.txt declare.awk tail.sql) \
		$(srcdir)/Makefile
	cat $(EXT)/head.sql >$@.tmp
	$(foreach t,$(TYPES),sed -e 's/@T@/$t/g' -e 's/@ORDER@/$(order_$t)/g' \
		-e 's/@LAYOUT@/$(layout_$t)/' -e 's/@COMMENT@/$(comment_$t)/' \
		$(EXT)/type.sql.in >>$@.tmp && \
		awk -v type=$t -f $(EXT)/declare.awk $(EXT)/functions.txt >>$@.tmp &&) :
	sed -e 's/@TYPES@/$(TYPES)/' $(EXT)/tail.sql >>$@.tmp
	mv $@.tmp $@

# PGXS knows no header dependencies.  The core is small: everything depends on every header.
$(OBJS): $(wildcard $(srcdir)/src/*.h $(srcdir)/src/core/*.h)
