# The official image of PostgreSQL with the extension, which a first stage builds, so that no
# compiler stays behind:  docker build -t postgres-idtypes --build-arg PG=18 .

ARG PG=18
FROM postgres:$PG AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    build-essential libssl-dev postgresql-server-dev-$PG_MAJOR
COPY . /src
RUN make -C /src PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config with_llvm=no \
    install DESTDIR=/out
RUN make -C /src PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config with_llvm=no \
    install DESTDIR=/volume datadir=/share pkglibdir=/lib

# The extension alone, for PostgreSQL 18 and later, as CloudNativePG mounts it beside a server of
# the same Debian release:  docker build -t idtypes --target volume .
FROM scratch AS volume
COPY --from=build /src/LICENSE /licenses/idtypes/
COPY --from=build /volume/ /

FROM postgres:$PG
COPY --from=build /out/ /
