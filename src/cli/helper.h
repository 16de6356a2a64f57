/*
 * The commands of the assistant are in a program of their own, nanoclaw-host.
 *
 * They need SQLite and libuv, which would cost every other command half a millisecond
 * at start. So the descriptor of such a command, in src/cli/commands, has no run():
 * nanoclaw then becomes nanoclaw-host, with the same arguments. That is the same
 * program with the functions of src/cli/host in it, which register themselves:
 *
 *	COMMAND_RUN(group_add, "group add", run)
 *
 * A helper is looked for beside the running program, in ../libexec/nanoclaw from
 * there, and where it was installed.
 */
#ifndef CLI_HELPER_H
#define CLI_HELPER_H

#include "cli/command.h"

typedef int (*command_function)(
	struct cli *cli, const struct arguments *args, struct error *err);

struct command_run {
	const char *name;
	command_function run;
};

#define COMMAND_RUN(identifier, command_name, function)                                        \
	static const struct command_run command_run_##identifier = {command_name, function};   \
	__attribute__((used, section("nanoclaw_runs"))) static const struct command_run        \
		*const command_run_pointer_##identifier = &command_run_##identifier

/* Is the function of this command in this program? */
bool helper_has(const struct command *command);
command_function helper_function(const struct command *command);

#define HELPER_HOST "nanoclaw-host"
#define HELPER_MCP  "nanoclaw-mcp"

/* The path of a program of ours, to be freed; NULL and an error if there is none. */
char *helper_find(const char *program, struct error *err);

/* Become nanoclaw-host, with all arguments. Returns only on failure. */
int helper_exec(const struct cli *cli, struct error *err);

/* Options by their names: the value or NULL, and whether it was given. */
const char *helper_value(const struct arguments *args, const char *name);
bool helper_flag(const struct arguments *args, const char *name);

#endif
