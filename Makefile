# Meson does the work; this is for habit. BUILD, PREFIX and DESTDIR are honoured.

BUILD  ?= build
PREFIX ?= /usr/local
SANITIZE = -Db_sanitize=address,undefined -Db_lundef=false
FUZZ_SECONDS ?= 30

all: ## build
	@tools/build "$(BUILD)" --prefix "$(PREFIX)"
	@ln -sf "$(BUILD)/compile_commands.json" compile_commands.json

check: ## install what is missing, build and run all tests
	@./check

test: ## `make test NAME`: one test, scenario or suite; without a name all
	@tools/install-packages test
	@tools/build "$(BUILD)" --prefix "$(PREFIX)"
	@tools/test "$(BUILD)" $(filter-out test,$(MAKECMDGOALS))

asan: ## the tests under the address, undefined-behaviour and leak sanitizers
	@tools/install-packages test
	@CC=clang tools/build build-asan --werror -Dtests=enabled $(SANITIZE) \
		-Doptimization=0 -Ddebug=false -Dc_args=-gline-tables-only \
		-Db_pie=false -Dc_link_args=-no-pie
	@tools/test build-asan

torture: ## the long tests, in the full sizes
	@tools/install-packages test
	@tools/build build-torture -Dtests=enabled --buildtype release
	@tools/test build-torture --setup torture

bench: ## times as ratios to named peers, in one run
	@tools/install-packages test
	@tools/build build-release -Dtests=enabled --buildtype release
	@tests/bench/run build-release

fuzz: ## each fuzz target for FUZZ_SECONDS
	@tools/install-packages test
	@CC=clang tools/build build-fuzz -Dtests=enabled -Dfuzzers=true $(SANITIZE)
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

docs: ## write the table of host operations in docs/host.md
	@tools/install-packages test
	@tools/build "$(BUILD)" --prefix "$(PREFIX)"
	@NANOCLAW_WRITE_DOCS=1 "$(BUILD)/tests/unit/unit-host" operation >/dev/null

lint: ## clang-tidy, shellcheck and the layout
	@tools/install-packages dev
	@CC=clang tools/build build-lint
	@tools/lint build-lint

format: ## lay out the sources
	@find src tests -name '*.[ch]' -print0 | xargs -0 clang-format -i

cov: ## coverage of the tests, as text and HTML
	@tools/install-packages dev
	@tools/build build-cov -Dtests=enabled -Db_coverage=true
	@tools/test build-cov >/dev/null || echo "note: some tests fail in this build, see build-cov/meson-logs" >&2
	@gcovr -r . -f src --html-details build-cov/coverage.html --print-summary build-cov
	@echo "build-cov/coverage.html"

install: all ## install below PREFIX; DESTDIR is put before it
	@meson install -C "$(BUILD)" --no-rebuild

uninstall: ## remove what `make install` installed
	@ninja -C "$(BUILD)" uninstall

dist: ## the committed source as an archive, which builds without git
	@name=nanoclaw-$$(cat VERSION) && git archive --format=tar --prefix="$$name/" HEAD | \
		gzip -9n >"$$name.tar.gz" && sha256sum "$$name.tar.gz"

deb: ## a Debian package of the committed source, in build-deb
	@tools/build-deb build-deb

clean: ## remove the build folders
	@rm -rf build build-*/ compile_commands.json

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

.PHONY: all check test asan torture bench fuzz docs lint format cov install uninstall dist deb clean help

# In `make test NAME` the name is no target.
ifeq ($(firstword $(MAKECMDGOALS)),test)
%:
	@:
endif
