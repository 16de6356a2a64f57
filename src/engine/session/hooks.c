#include "engine/session/hooks.h"

#include "engine/disk/command.h"

int hook_pass_env(const char *name, struct error *err)
{
	return command_pass_env(name, err);
}

int hook_run(const struct project *project, const struct hook *hook, struct error *err)
{
	CLEANUP(freep)
	char *what = xasprintf(
		"%s of skill '%s'", hook->is_test ? "the test" : "a command", hook->skill);

	return command_run(project,
		&(struct command){
			.argv = (const char *const[]){"/bin/sh", "-c", hook->command, NULL},
			.what = what,
			.shown = hook->command,
			.kind = hook->is_test ? ERROR_TEST : ERROR_FAILED,
			.live = hook->live,
			.seconds = hook->seconds,
		},
		err);
}
