#include "cli/help.h"

#include <stdio.h>

#include "cli/command.h"
#include "cli/man.h"
#include "cli/output.h"
#include "util/quote.h"

static const struct option options[] = {
	{0, "man", NULL, "print the man page, in the form that man(1) reads"},
	{0},
};

static int show_man_page(const struct cli *cli)
{
	CLEANUP(buf_release) struct buf page = BUF_INIT;

	man_append(&page);
	if (cli->json)
		output_json(json_pack("{s:b, s:s}", "success", true, "manPage", page.data));
	else
		fwrite(page.data, 1, page.len, stdout);
	return EXIT_DONE;
}

static int unknown_command(const char *name, struct error *err)
{
	const char *suggestion = command_suggest(NULL, name);
	CLEANUP(freep) char *shown = quote(view_of(name));

	error_set(err, ERROR_INVALID, "%s is not a nanoclaw command", shown);
	if (suggestion)
		return error_hint(err, "did you mean 'nanoclaw help %s'?", suggestion);
	return error_hint(err, "'nanoclaw help' lists the commands");
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *name = NULL;
	const struct command *command;

	if (arguments_flag(args, "man"))
		return show_man_page(cli);
	if (!args->count) {
		help_show(cli, NULL);
		return EXIT_DONE;
	}
	if (args->count == 1 && command_is_group(args->words[0]) &&
		!command_find(args->words[0])) {
		help_show_group(cli, args->words[0]);
		return EXIT_DONE;
	}
	name = args->count == 2 ? xasprintf("%s %s", args->words[0], args->words[1])
				: xstrdup(args->words[0]);
	command = command_find(name);
	if (!command)
		return unknown_command(name, err);
	help_show(cli, command);
	return EXIT_DONE;
}

COMMAND(help) = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.usage = "[<command>]",
	.section = SECTION_START,
	.options = options,
	.max_arguments = 2,
	.completes = COMPLETE_COMMANDS,
	.run = run,
};
