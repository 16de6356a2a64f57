# The assistant in a container: docs/systems.md#in-a-container
#
#	docker compose up --detach
#	docker compose exec nanoclaw nanoclaw chat
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build
COPY . /source
WORKDIR /source
RUN tools/install-packages build \
    && tools/build build-image --prefix /usr --buildtype release -Dtests=disabled \
    && DESTDIR=/image ninja -C build-image install \
    && strip /image/usr/bin/nanoclaw

FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates git libcurl4 libedit2 libmd4c0 libwslay1 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --no-create-home --home-dir /data nanoclaw \
    && install --directory --owner 1000 --group 1000 --mode 700 /data
COPY --from=build /image /
USER nanoclaw
WORKDIR /data
VOLUME /data
HEALTHCHECK --start-period=30s CMD nanoclaw status --json | grep -q '"running": true'
CMD ["nanoclaw", "run"]
