# Meson does the work; this is for habit. BUILD, PREFIX and DESTDIR are honoured.

BUILD  ?= build
PREFIX ?= /usr/local
SANITIZE = -Db_sanitize=address,undefined -Db_lundef=false
FUZZ_SECONDS ?= 30

all: ## build
	@tools/build $(BUILD) --prefix $(PREFIX)
	@ln -sf $(BUILD)/compile_commands.json compile_commands.json

check: ## install what is missing, build and run all tests
	@./check

asan: ## all tests under the address, undefined-behaviour and leak sanitizers
	@CC=clang tools/build build-asan --werror $(SANITIZE)
	@meson test -C build-asan --print-errorlogs

torture: ## the long tests, in the full sizes
	@tools/build build-torture --buildtype release
	@meson test -C build-torture --print-errorlogs --setup torture

bench: ## times as ratios to named peers, in one run
	@tools/build build-release --buildtype release
	@tests/bench/run build-release

fuzz: ## each fuzz target for FUZZ_SECONDS
	@CC=clang tools/build build-fuzz -Dfuzzers=true $(SANITIZE)
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

lint: ## clang-tidy, shellcheck and the layout
	@tools/install-packages dev
	@CC=clang tools/build build-lint
	@tools/lint build-lint

format: ## lay out the sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

cov: ## coverage of the tests, as text and HTML
	@tools/install-packages dev
	@tools/build build-cov -Db_coverage=true
	@meson test -C build-cov >/dev/null
	@gcovr -r . -f src --html-details build-cov/coverage.html --print-summary build-cov
	@echo "build-cov/coverage.html"

install: all ## install below PREFIX; DESTDIR is put before it
	@meson install -C $(BUILD) --no-rebuild

clean: ## remove the build folders
	@rm -rf build build-*/ compile_commands.json

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

.PHONY: all check asan torture bench fuzz lint format cov install clean help
