/*
 * From the command line to a command, and from its result to the exit code.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/words.h"
#include "proc/log.h"

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

/* A command may have its own option of the same name. */
static bool global_flag(const struct arguments *args, const char *name)
{
	const struct given_option *given = arguments_find(args, global_option(name));

	return given && !given->negated;
}

static void read_globals(struct cli *cli, const struct arguments *args)
{
	const struct given_option *directory = arguments_find(args, global_option("C"));
	bool no_color = global_flag(args, "no-color");

	cli->directory = directory ? directory->value : NULL;
	cli->json = global_flag(args, "json");
	cli->quiet = global_flag(args, "quiet");
	cli->verbose = global_flag(args, "verbose");
	cli->yes = global_flag(args, "yes");
	cli->color = color_wanted(stdout, no_color) && !cli->json;
	cli->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !cli->json;
	log_setup(cli->quiet     ? LOG_LEVEL_ERROR
		  : cli->verbose ? LOG_LEVEL_DEBUG
				 : LOG_LEVEL_NOTE,
		color_wanted(stderr, no_color));
}

/* The command or group that the first words name, if any. */
struct target {
	const struct command *command;
	const char *group;
	const char *unknown[2]; /* words that are no command */
};

/* The next word after global options, or NULL. */
static int next_word(const char *const **argv, struct arguments *args, const char **ret_word,
	struct error *err)
{
	int taken = options_parse(args, *argv, NULL, global_options, true, err);

	if (taken < 0)
		return -1;
	*argv += taken;
	*ret_word = **argv;
	if (**argv && (**argv)[0] == '-' && (**argv)[1]) /* the end of options, no word */
		*ret_word = NULL;
	if (*ret_word)
		(*argv)++;
	return 0;
}

/* The word that next_word() would read, or NULL. */
static const char *peek_word(const char *const *argv)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(arguments_release) struct arguments probe = {0};
	const char *word;

	return next_word(&argv, &probe, &word, &ignored) < 0 ? NULL : word;
}

/*
 * Find the command: its name has one or two words, with global options before and between.
 * Leaves `*argv` after the name. No error is set if the words are no command.
 */
static int find_command(const char *const **argv, struct arguments *args,
	struct target *ret_target, struct error *err)
{
	CLEANUP(freep) char *full = NULL;
	const char *first, *second;

	if (next_word(argv, args, &first, err) < 0)
		return -1;
	if (!first)
		return 0;
	second = peek_word(*argv);
	full = xasprintf("%s %s", first, second ? second : "");
	ret_target->command = command_find(full);
	if (ret_target->command)
		return next_word(argv, args, &second, err);
	ret_target->command = command_find(first);
	if (ret_target->command)
		return 0;
	if (second || !command_is_group(first)) {
		ret_target->unknown[0] = first;
		ret_target->unknown[1] = second;
		return -1;
	}
	ret_target->group = first;
	return next_word(argv, args, &second, err);
}

/* The usage without the parts in brackets. */
static char *required_arguments(const char *usage)
{
	CLEANUP(buf_release) struct buf required = BUF_INIT;
	int depth = 0;

	for (const char *p = usage; *p; p++) {
		depth += *p == '[' || *p == '(';
		if (!depth && !(*p == ' ' && (!required.len || strchr(" [(", p[1]))))
			buf_append_char(&required, *p);
		depth -= *p == ']' || *p == ')';
	}
	return buf_take(&required);
}

static int check_argument_count(
	const struct command *command, const struct arguments *args, struct error *err)
{
	int count = (int)args->count;

	if (count < command->min_arguments) {
		CLEANUP(freep) char *required = required_arguments(command->usage);

		error_set(err, ERROR_INVALID, "'%s' needs %s", command->name, required);
	} else if (command->max_arguments >= 0 && count > command->max_arguments) {
		CLEANUP(freep)
		char *surplus = quote(view_of(args->words[command->max_arguments]));

		error_set(err, ERROR_INVALID, "'%s': unexpected argument %s", command->name,
			surplus);
	} else {
		return 0;
	}
	return error_hint(err, "see 'nanoclaw %s --help'", command->name);
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

static int show_help(struct cli *cli, const struct target *target, const struct arguments *args)
{
	const struct command *command = target->command;

	pager_start(cli);
	if (command || !target->group)
		help_show(cli, command);
	else
		help_show_group(cli, target->group);
	/* git takes -h, unlike --help, for wrong usage. */
	if (command && command->usage_exit &&
		arguments_find(args, global_option("help"))->by_letter)
		return command->usage_exit;
	return EXIT_DONE;
}

static int missing_command(
	const struct cli *cli, const struct target *target, struct error *err)
{
	if (!cli->json) {
		if (target->group)
			help_show_group(cli, target->group);
		else
			help_show(cli, NULL);
		return EXIT_INVALID;
	}
	if (target->group) {
		error_set(err, ERROR_INVALID, "'%s' needs a subcommand", target->group);
		return error_hint(err, "'nanoclaw help %s' lists them", target->group);
	}
	error_set(err, ERROR_INVALID, "no command given");
	return error_hint(err, "'nanoclaw help' lists the commands");
}

static int command_dispatch(struct cli *cli, const char *const *argv,
	const struct command **ret_command, struct error *err)
{
	CLEANUP(arguments_release) struct arguments args = {0};
	struct target target = {0};
	const char *const *rest = argv;
	int failed = find_command(&rest, &args, &target, err);
	int code;

	*ret_command = target.command;
	if (!failed)
		failed = options_parse(&args, rest,
				 target.command ? target.command->options : NULL,
				 global_options, false, err) < 0;
	if (failed)
		options_rescue(&args, argv, global_options);
	read_globals(cli, &args);
	if (target.unknown[0]) {
		/* The project has packages that may add the command. */
		if (cli->directory && chdir(cli->directory) < 0)
			cli->directory = NULL;
		return words_unknown(target.unknown[0], target.unknown[1], "", err);
	}
	if (failed && !err->hint)
		return error_hint(err, "'nanoclaw %s%s--help' shows the options",
			target.command ? target.command->name : "", target.command ? " " : "");
	if (failed)
		return -1;

	if (global_flag(&args, "help"))
		return show_help(cli, &target, &args);
	if (global_flag(&args, "version")) {
		*ret_command = command_find("version");
		return (*ret_command)->run(cli, &args, err);
	}
	if (!target.command)
		return missing_command(cli, &target, err);
	if (check_argument_count(target.command, &args, err) < 0)
		return -1;
	if (cli->directory && chdir(cli->directory) < 0)
		return quote_errno_typed(err, "work in", cli->directory);
	if (target.command->pages)
		pager_start(cli);
	code = target.command->run(cli, &args, err);
	return code >= 0 && target.command->after ? target.command->after(cli, &args, code, err)
						  : code;
}

/*
 * A file that is opened must not get the number of a standard stream that we were
 * started without: messages would be written into it. What takes the number here
 * is open the wrong way round, so that using the stream fails as before.
 */
static void reserve_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct command *command = NULL;
	struct cli cli = {0};
	int result;

	(void)argc;
	reserve_standard_streams();
	result = command_dispatch(&cli, (const char *const *)argv + 1, &command, &err);
	if (result < 0) {
		output_error(&cli, &err);
		result = exit_code_of(command, &err);
	} else if (err.kind != ERROR_NONE) {
		/* A bug of ours, which must not stay hidden. */
		log_warning("an error was ignored: %s", err.message);
	}
	/* A full disk or a closed pipe must not look like success. */
	if (fflush(stdout) || ferror(stdout)) {
		log_error("cannot write to standard output");
		result = result ? result : EXIT_FAILED;
	}
	pager_wait();
	return result;
}
