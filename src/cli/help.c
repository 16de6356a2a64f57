#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "util/buf.h"

static void print_heading(const struct cli *cli, const char *title)
{
	printf("\n%s%s%s\n", output_color(cli, COLOR_BOLD), title,
		output_color(cli, COLOR_RESET));
}

/* "  left        right", with the left side coloured. */
static void print_row(const struct cli *cli, const char *left, size_t width, const char *right)
{
	size_t len = strlen(left);

	printf("  %s%s%s%*s  %s\n", output_color(cli, COLOR_CYAN), left,
		output_color(cli, COLOR_RESET), len < width ? (int)(width - len) : 0, "",
		right);
}

static void print_options(
	const struct cli *cli, const char *title, const struct option *options)
{
	size_t width = 0;

	for (int print = 0; print < 2; print++) {
		if (print)
			print_heading(cli, title);
		for (const struct option *o = options; o->letter || o->name; o++) {
			CLEANUP(buf_release) struct buf left = BUF_INIT;

			option_spell(o, &left);
			if (print)
				print_row(cli, left.data, width, o->help);
			else if (left.len > width)
				width = left.len;
		}
	}
}

static size_t widest_name(void)
{
	size_t width = 0;

	for (const struct command *const *c = command_list(); *c; c++)
		if (strlen((*c)->name) > width)
			width = strlen((*c)->name);
	return width;
}

static void show_overview(const struct cli *cli)
{
	size_t width = widest_name();

	printf("NanoClaw: a personal AI assistant whose features are skills that change its source\n");
	printf("\nusage: nanoclaw [global options] <command> [...]\n");
	for (int section = 0; section < SECTION_COUNT; section++) {
		print_heading(cli, section_titles[section]);
		for (const struct command *const *c = command_list(); *c; c++)
			if ((int)(*c)->section == section)
				print_row(cli, (*c)->name, width, (*c)->summary);
	}
	print_options(cli, "Global options", global_options);
	printf("\n'nanoclaw <command> --help' tells more about one, "
	       "'nanoclaw tour' shows them at work.\n");
}

static void show_command(const struct cli *cli, const struct command *command)
{
	printf("nanoclaw %s: %s\n", command->name, command->summary);
	printf("\nusage: nanoclaw %s%s%s\n", command->name, command->usage ? " " : "",
		command->usage ? command->usage : "");
	if (command->description)
		printf("\n%s\n", command->description);
	if (command->options)
		print_options(cli, "Options", command->options);
	if (command->examples) {
		print_heading(cli, "Examples");
		for (const struct example *e = command->examples; e->command; e++)
			printf("  %s\n      %s\n", e->command, e->says);
	}
	printf("\nGlobal options are listed by 'nanoclaw help'.\n");
}

static json_t *command_as_json(const struct command *command)
{
	return json_pack("{s:s, s:s, s:s}", "name", command->name, "summary", command->summary,
		"usage", command->usage ? command->usage : "");
}

static json_t *commands_as_json(const char *prefix)
{
	json_t *list = json_array();

	for (const struct command *const *c = command_list(); *c; c++)
		if (!strncmp((*c)->name, prefix, strlen(prefix)))
			json_array_append_new(list, command_as_json(*c));
	return json_pack("{s:b, s:o}", "success", true, "commands", list);
}

void help_show(const struct cli *cli, const struct command *command)
{
	if (cli->json && command)
		output_json(command_as_json(command));
	else if (cli->json)
		output_json(commands_as_json(""));
	else if (command)
		show_command(cli, command);
	else
		show_overview(cli);
}

void help_show_group(const struct cli *cli, const char *group)
{
	CLEANUP(freep) char *prefix = xasprintf("%s ", group);

	if (cli->json) {
		output_json(commands_as_json(prefix));
		return;
	}
	printf("usage: nanoclaw %s <command> [...]\n\n", group);
	for (const struct command *const *c = command_list(); *c; c++)
		if (!strncmp((*c)->name, prefix, strlen(prefix)))
			print_row(cli, (*c)->name, widest_name(), (*c)->summary);
}
