/*
 * From the command line to a command, and from its result to the exit code.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "util/buf.h"
#include "util/log.h"

static bool color_wanted(FILE *stream, bool refused)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !refused && !(no_color && *no_color) && isatty(fileno(stream)) && term &&
	       strcmp(term, "dumb");
}

static const struct option *global_option(const char *spelling)
{
	for (const struct option *o = global_options;; o++)
		if (o->name ? !strcmp(o->name, spelling) : o->letter == spelling[0])
			return o;
}

static void read_globals(struct cli *cli, const struct arguments *args)
{
	bool no_color = arguments_flag(args, global_option("no-color"));

	cli->directory = arguments_value(args, global_option("C"));
	cli->json = arguments_flag(args, global_option("json"));
	cli->quiet = arguments_flag(args, global_option("quiet"));
	cli->verbose = arguments_flag(args, global_option("verbose"));
	cli->yes = arguments_flag(args, global_option("yes"));
	cli->color = color_wanted(stdout, no_color) && !cli->json;
	cli->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !cli->json;
	log_setup(cli->quiet     ? LOG_LEVEL_ERROR
		  : cli->verbose ? LOG_LEVEL_DEBUG
				 : LOG_LEVEL_NOTE,
		color_wanted(stderr, no_color));
}

static int unknown_command(const char *group, const char *word, struct error *err)
{
	const char *suggestion = command_suggest(group, word);
	const char *space = group ? " " : "";

	group = group ? group : "";
	error_set(err, ERROR_INVALID, "'%s%s%s' is not a nanoclaw command", group, space, word);
	if (suggestion)
		return error_hint(
			err, "did you mean 'nanoclaw %s%s%s'?", group, space, suggestion);
	return error_hint(err, "did you mean 'nanoclaw help'? It lists the commands");
}

/*
 * Find the command: its name is one word or two, with global options before and
 * between. Leaves `*argv` behind the name. `*ret_command` is NULL if no word
 * was given.
 */
static int find_command(const char *const **argv, struct arguments *args,
	const struct command **ret_command, struct error *err)
{
	CLEANUP(freep) char *full = NULL;
	const char *first, *second;
	int taken = options_parse(args, *argv, NULL, global_options, true, err);

	if (taken < 0)
		return -1;
	*argv += taken;
	first = **argv;
	if (!first || !strcmp(first, "--")) {
		*ret_command = NULL;
		return 0;
	}
	(*argv)++;
	*ret_command = command_find(first);
	if (*ret_command)
		return 0;
	if (!command_is_group(first))
		return unknown_command(NULL, first, err);

	taken = options_parse(args, *argv, NULL, global_options, true, err);
	if (taken < 0)
		return -1;
	*argv += taken;
	second = **argv;
	if (!second) {
		error_set(err, ERROR_INVALID, "'%s' needs a second word", first);
		return error_hint(err, "'nanoclaw help %s' lists them", first);
	}
	(*argv)++;
	full = xasprintf("%s %s", first, second);
	*ret_command = command_find(full);
	return *ret_command ? 0 : unknown_command(first, second, err);
}

static int check_argument_count(
	const struct command *command, const struct arguments *args, struct error *err)
{
	int count = (int)args->count;

	if (count < command->min_arguments)
		error_set(err, ERROR_INVALID, "'%s' needs %s", command->name,
			command->usage ? command->usage : "an argument");
	else if (command->max_arguments >= 0 && count > command->max_arguments)
		error_set(err, ERROR_INVALID, "'%s' does not know what to do with '%s'",
			command->name, args->words[command->max_arguments]);
	else
		return 0;
	return error_hint(err, "'nanoclaw %s --help' shows how it is used", command->name);
}

static int run_command(struct cli *cli, const struct command *command,
	const struct arguments *args, struct error *err)
{
	if (check_argument_count(command, args, err) < 0)
		return -1;
	if (cli->directory && chdir(cli->directory) < 0) {
		error_errno(err, "cannot work in '%s'", cli->directory);
		err->kind = ERROR_INVALID;
		return -1;
	}
	return command->run(cli, args, err);
}

static int exit_code_of(const struct command *command, const struct error *err)
{
	if (command && command->usage_exit && err->kind == ERROR_INVALID)
		return command->usage_exit;
	if (command && command->failure_exit)
		return command->failure_exit;
	switch (err->kind) {
	case ERROR_INVALID:
		return EXIT_INVALID;
	case ERROR_BUSY:
		return EXIT_BUSY;
	case ERROR_TEST:
		return EXIT_TEST;
	case ERROR_NONE:
	case ERROR_FAILED:
		break;
	}
	return EXIT_FAILED;
}

static int dispatch(struct cli *cli, const char *const *argv,
	const struct command **ret_command, struct error *err)
{
	CLEANUP(arguments_release) struct arguments args = {0};
	const struct command *command = NULL;
	int failed = find_command(&argv, &args, &command, err);

	*ret_command = command;
	if (!failed && command)
		failed = options_parse(
				 &args, argv, command->options, global_options, false, err) < 0;
	read_globals(cli, &args);
	if (failed && !err->hint)
		return error_hint(err, "'nanoclaw %s%s--help' shows the options",
			command ? command->name : "", command ? " " : "");
	if (failed)
		return -1;

	if (arguments_flag(&args, global_option("help"))) {
		help_show(cli, command);
		return EXIT_DONE;
	}
	if (!command && arguments_flag(&args, global_option("version")))
		command = command_find("version");
	else if (!command) {
		error_set(err, ERROR_INVALID, "no command given");
		return error_hint(err, "'nanoclaw help' lists the commands, "
				       "'nanoclaw tour' shows them at work");
	}
	return run_command(cli, command, &args, err);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct command *command = NULL;
	struct cli cli = {0};
	int result;

	(void)argc;
	result = dispatch(&cli, (const char *const *)argv + 1, &command, &err);
	if (result < 0) {
		output_error(&cli, &err);
		result = exit_code_of(command, &err);
	}
	/* A full disk or a closed pipe must not look like success. */
	if (fflush(stdout) || ferror(stdout)) {
		log_error("cannot write to standard output");
		return result ? result : EXIT_FAILED;
	}
	return result;
}
