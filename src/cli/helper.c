#include "cli/helper.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Empty in nanoclaw itself, where the linker knows no such section. */
extern const struct command_run *const __start_nanoclaw_runs[] __attribute__((weak));
extern const struct command_run *const __stop_nanoclaw_runs[] __attribute__((weak));

command_function helper_function(const struct command *command)
{
	if (command->run)
		return command->run;
	for (const struct command_run *const *r = __start_nanoclaw_runs;
		r != __stop_nanoclaw_runs; r++)
		if (!strcmp((*r)->name, command->name))
			return (*r)->run;
	return NULL;
}

bool helper_has(const struct command *command)
{
	return helper_function(command) != NULL;
}

char *helper_find(const char *program, struct error *err)
{
	CLEANUP(freep) char *self = realpath("/proc/self/exe", NULL);
	CLEANUP(freep) char *installed = NULL;
	char *slash = self ? strrchr(self, '/') : NULL;
	const char *const places[] = {"", "/../libexec/nanoclaw"};

	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < ARRAY_SIZE(places); i++) {
		CLEANUP(freep) char *path = xasprintf("%s%s/%s", self, places[i], program);

		if (!access(path, X_OK))
			return TAKE(path);
	}
	installed = xasprintf(NANOCLAW_LIBEXEC "/%s", program);
	if (!access(installed, X_OK))
		return TAKE(installed);
	error_set(err, ERROR_FAILED, "the program '%s' is missing", program);
	error_hint(err, "it belongs beside nanoclaw; install both with 'make install'");
	return NULL;
}

int helper_exec(const struct cli *cli, struct error *err)
{
	CLEANUP(freep) char *path = helper_find(HELPER_HOST, err);
	CLEANUP(freep) const char **argv = NULL;
	size_t count = 0;

	if (!path)
		return -1;
	while (cli->argv[count])
		count++;
	argv = xcalloc(count + 2, sizeof(*argv));
	argv[0] = "nanoclaw";
	memcpy(argv + 1, cli->argv, count * sizeof(*argv));
	execv(path, (char *const *)(uintptr_t)argv);
	return error_errno(err, "cannot run '%s'", path);
}

static const struct given_option *find(const struct arguments *args, const char *name)
{
	for (size_t i = args->option_count; i > 0; i--)
		if (args->options[i - 1].option->name &&
			!strcmp(args->options[i - 1].option->name, name))
			return &args->options[i - 1];
	return NULL;
}

const char *helper_value(const struct arguments *args, const char *name)
{
	const struct given_option *given = find(args, name);

	return given && !given->negated ? given->value : NULL;
}

bool helper_flag(const struct arguments *args, const char *name)
{
	const struct given_option *given = find(args, name);

	return given && !given->negated;
}
