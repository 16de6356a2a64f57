#!/bin/sh
# NanoClaw's own source, with skills that change it, from the first build to a switch back:
#
#	own.sh SOURCE [FOLDER]
#
# A copy of SOURCE is built, which takes minutes. It is kept in FOLDER, for the next time.
# Prints TAP.
set -u

source=$(realpath "$1")
# shellcheck source=tests/builds/lib.sh
. "$(dirname "$0")/lib.sh"
here=${here:?}
project=${2-$here/project}
nanoclaw=$project/build-run/nanoclaw
export NANOCLAW_SETTLE_SECONDS=12

if [ ! -d "$project" ]; then
	mkdir "$project"
	tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw \
		--exclude=./data --exclude=./groups --exclude=./logs --exclude=./store -cf - . |
		tar -C "$project" -xf -
fi
cd "$project" || exit 1
tools/build build-run --buildtype release -Dtests=disabled >"$here/output" 2>&1
report $? "the source is built"

package() { # NAME FILE SED [ADDED-FILE]: a skill that changes a file of the core
	folder=$here/skills/$1
	mkdir -p "$folder/modify/$(dirname "$2")"
	sed "$3" "$2" >"$folder/modify/$2"
	cat >"$folder/manifest.yaml" <<END
skill: $1
version: 1.0.0
description: A skill for a test
core_version: $(cat VERSION)
modifies:
  - $2
END
	[ -z "${4-}" ] || printf 'adds:\n  - %s\n' "$4" >>"$folder/manifest.yaml"
}
run() { # WORD...: of the current build, or else the first
	program=.nanoclaw/builds/current/nanoclaw
	[ -x $program ] || program=$nanoclaw
	$program "$@"
}
notes() {
	run send main notes --wait >"$here/answer" 2>&1 && grep -q milk "$here/answer"
}
build() {
	readlink .nanoclaw/builds/current
}

rm -rf .nanoclaw store data groups logs
start_service
run send main 'remember milk' --wait >/dev/null 2>&1
notes
report $? "the host answers"

package hello src/cli/version.c 's/"nanoclaw %s/"nanoclaw %s with hello/' src/cli/assistant/hello.c
mkdir -p "$here/skills/hello/add/src/cli/assistant"
cat >"$here/skills/hello/add/src/cli/assistant/hello.c" <<'END'
#include <stdio.h>

#include "cli/command.h"

static int run_hello(struct cli *cli, const struct arguments *args, struct error *err)
{
	(void)cli;
	(void)args;
	(void)err;
	printf("hello\n");
	return EXIT_DONE;
}

COMMAND(hello) = {
	.name = "hello",
	.summary = "say hello",
	.section = SECTION_ASSISTANT,
	.run = run_hello,
};
END
run skill apply "$here/skills/hello" --rebuild --allow-commands >"$here/output" 2>&1 &&
	[ "$(run hello)" = hello ] && run --version | grep -q 'with hello' && notes &&
	run status --json | grep -q '"upToDate": true'
report $? "a skill that adds a command and changes the core is applied, built and running"
good=$(build)

package crashing src/host/host.c 's/^	credentials_take_environment();/	kill(getpid(), SIGKILL);\n&/'
run skill apply "$here/skills/crashing" --rebuild >"$here/output" 2>&1
[ $? = 1 ] && says 'the trial of the new build failed' && [ "$(build)" = "$good" ] && notes
report $? "a skill that makes the host crash at its start is refused at the trial"
run undo --rebuild >"$here/output" 2>&1 && [ "$(build)" = "$good" ]
report $? "and undone"

# Not alarm(), which goes on when the process becomes another program.
timer='timer_t t; timer_create(CLOCK_MONOTONIC, NULL, \&t); timer_settime(t, 0, \&(struct itimerspec){.it_value = {8, 0}}, NULL);'
package later src/host/host.c "s/^	credentials_take_environment();/	$timer\n&/"
run skill apply "$here/skills/later" --rebuild >"$here/output" 2>&1
[ $? = 1 ] && says 'was rolled back: the host' && [ "$(build)" = "$good" ] && notes
report $? "a skill that makes it crash later is taken back, and the data is intact"
run undo --no-rebuild >"$here/output" 2>&1

run skill remove hello --rebuild >"$here/output" 2>&1 && ! run hello >/dev/null 2>&1 && notes
report $? "without the skill the command is gone, and the data is there"
run undo --rebuild >"$here/output" 2>&1 && [ "$(build)" = "$good" ] && ! says building &&
	[ "$(run hello)" = hello ]
report $? "undo switches back without building"

run skill remove hello --no-rebuild >/dev/null 2>&1
run stop >/dev/null 2>&1
end_tests
