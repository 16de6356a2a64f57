#include "cli/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/view.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/words.h"

/*
 * The man page nanoclaw(1), made from the descriptors of the commands.
 */

/* Escapes text that roff would read as a command or an escape. */
static void append_text(struct buf *out, struct view text)
{
	if (text.len && (text.data[0] == '.' || text.data[0] == '\''))
		buf_append_str(out, "\\&");
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\\')
			buf_append_str(out, "\\e");
		else if (text.data[i] == '-')
			buf_append_str(out, "\\-");
		else
			buf_append_char(out, text.data[i]);
	}
}

/* "show the version" as "Show the version." */
static void append_sentence(struct buf *out, const char *text)
{
	size_t start = out->len;

	append_text(out, view_of(text));
	out->data[start] = (char)toupper((unsigned char)out->data[start]);
	buf_append_str(out, ".\n");
}

static void append_bold_line(struct buf *out, const char *text)
{
	buf_append_str(out, "\\fB");
	append_text(out, view_of(text));
	buf_append_str(out, "\\fR\n");
}

/* Paragraphs; indented lines are not wrapped. */
static void append_paragraphs(struct buf *out, const char *text)
{
	struct view rest = view_of(text), line;
	bool verbatim = false;

	while (view_next(&rest, '\n', &line)) {
		bool indented = line.len && line.data[0] == ' ';

		if (indented != verbatim)
			buf_append_str(out, indented ? ".PP\n.nf\n" : ".fi\n");
		verbatim = indented;
		if (!line.len) {
			buf_append_str(out, ".PP\n");
			continue;
		}
		append_text(out, line);
		buf_append_char(out, '\n');
	}
	if (verbatim)
		buf_append_str(out, ".fi\n");
}

/* The options of a command, or the global ones. */
static void append_options(
	struct buf *out, const struct command *command, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		CLEANUP(buf_release) struct buf spelling = BUF_INIT;
		CLEANUP(freep) char *help = command_option_help(command, o);

		option_spell(o, &spelling);
		buf_append_str(out, ".TP\n");
		append_bold_line(out, spelling.data);
		append_sentence(out, help);
	}
}

static void append_command(struct buf *out, const struct command *command)
{
	CLEANUP(freep) char *arguments = command_synopsis(command);
	CLEANUP(freep) char *usage = xasprintf("nanoclaw %s %s", command->name, arguments);

	buf_append_str(out, ".SS\n");
	append_text(out, view_of(command->name));
	buf_append_char(out, '\n');
	append_bold_line(out, usage);
	buf_append_str(out, ".PP\n");
	append_sentence(out, command->summary);
	if (command->description) {
		buf_append_str(out, ".PP\n");
		append_paragraphs(out, command->description);
	}
	append_options(out, command, command->options);
	for (const struct example *e = command->examples; e && e->command; e++) {
		buf_append_str(out, ".PP\n.nf\n");
		buf_append_str(out, "    ");
		append_text(out, view_of(e->command));
		buf_append_str(out, "\n.fi\n");
		buf_append_str(out, "    ");
		append_text(out, view_of(e->says));
		buf_append_char(out, '\n');
	}
}

static void append_exit_codes(struct buf *out)
{
	static const struct {
		int code;
		const char *meaning;
	} codes[] = {
		{EXIT_DONE, "success, or nothing to do"},
		{EXIT_FAILED, "failed; everything is as it was before"},
		{EXIT_INVALID, "wrong usage or invalid input; nothing was touched"},
		{EXIT_PAUSED, "paused on a conflict or a decision"},
		{EXIT_BUSY, "another operation is running or paused"},
		{EXIT_TEST, "a test failed; everything is as it was before"},
	};

	buf_append_str(out, ".SH EXIT STATUS\n");
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		buf_appendf(out, ".TP\n.B %d\n", codes[i].code);
		append_sentence(out, codes[i].meaning);
	}
	buf_append_str(out,
		".PP\nA command that replaces another program keeps its exit codes, and says "
		"so above.\n");
}

static void man_append(struct buf *out)
{
	buf_appendf(
		out, ".TH NANOCLAW 1 \"\" \"nanoclaw %s\" \"NanoClaw\"\n", NANOCLAW_VERSION);
	buf_append_str(out,
		".SH NAME\nnanoclaw \\- a personal AI assistant whose features are skills that "
		"change its source\n");
	buf_append_str(out, ".SH SYNOPSIS\n.B nanoclaw\n[global options] <command> [...]\n");
	buf_append_str(out,
		".SH DESCRIPTION\nNanoClaw has two halves: a skills engine, which is a package "
		"manager for changes to source code, and an assistant host, which runs an AI agent "
		"for each chat group in its own sandbox. This page lists the commands of this "
		"version.\n");
	buf_append_str(
		out, ".SH GLOBAL OPTIONS\nThese can be anywhere before \\fB\\-\\-\\fR.\n");
	append_options(out, NULL, global_options);
	buf_append_str(out, ".SH COMMANDS\n");
	for (const struct command *const *c = command_list(); *c; c++)
		if ((*c)->section != SECTION_HIDDEN)
			append_command(out, *c);
	append_exit_codes(out);
	buf_append_str(out, ".SH ENVIRONMENT\n");
	buf_append_str(out,
		".TP\n.B NANOCLAW_HISTORY_ENTRIES, NANOCLAW_HISTORY_MEGABYTES\nLimits "
		"for 'nanoclaw undo': the number of operations (20), and the size of their saved "
		"files (256).\n");
	buf_append_str(out, ".TP\n.B NO_COLOR\nIf set and not empty, output has no colors.\n");
	buf_append_str(
		out, ".TP\n.B SOURCE_DATE_EPOCH\nIf set, recorded times are this one.\n");
	buf_append_str(out, ".SH SEE ALSO\n.BR git\\-merge\\-file (1)\n");
}

static void print_heading(const struct cli *cli, const char *title)
{
	printf("\n%s%s%s\n", output_color(cli, COLOR_BOLD), title,
		output_color(cli, COLOR_RESET));
}

/* The options of a command, or the global ones. */
static void print_options(const struct cli *cli, const char *title,
	const struct command *command, const struct option *options)
{
	CLEANUP(table_release) struct table table = {.indent = 2};

	for (const struct option *o = options; o->letter || o->name; o++) {
		CLEANUP(buf_release) struct buf spelled = BUF_INIT;
		CLEANUP(freep) char *help = command_option_help(command, o);

		option_spell(o, &spelled);
		table_row(&table);
		table_cell(&table, COLOR_CYAN, "%s", spelled.data);
		table_cell(&table, NULL, "%s", help);
	}
	print_heading(cli, title);
	table_print(&table, cli);
}

static void add_command(struct table *table, const struct command *command)
{
	table_row(table);
	table_cell(table, COLOR_CYAN, "%s", command->name);
	table_cell(table, NULL, "%s", command->summary);
}

static void print_title(void)
{
	printf("NanoClaw: a personal AI assistant whose features are skills that change its source\n");
	printf("\nusage: nanoclaw [global options] <command> [...]\n");
}

/* The commands that people need first. */
static void show_overview(const struct cli *cli)
{
	CLEANUP(table_release) struct table table = {.indent = 2};
	const struct command *next;

	print_title();
	table_line(&table, NULL, "");
	for (int place = 0;; place = next->first) {
		next = NULL;
		for (const struct command *const *c = command_list(); *c; c++)
			if ((*c)->first > place && (!next || (*c)->first < next->first))
				next = *c;
		if (!next)
			break;
		add_command(&table, next);
	}
	table_print(&table, cli);
	printf("\n'nanoclaw help --all' lists all commands, 'nanoclaw <command> --help' explains one.\n");
}

static void show_all(const struct cli *cli)
{
	CLEANUP(table_release) struct table table = {.indent = 2};

	print_title();
	for (int section = 0; section < SECTION_COUNT; section++) {
		table_line(&table, NULL, "");
		table_line(&table, COLOR_BOLD, section_titles[section]);
		for (const struct command *const *c = command_list(); *c; c++)
			if ((int)(*c)->section == section)
				add_command(&table, *c);
	}
	table_print(&table, cli);
	print_options(cli, "Global options", NULL, global_options);
	printf("\n'nanoclaw <command> --help' explains a command, 'nanoclaw tour' shows "
	       "them at work.\n");
}

/* Wrap a paragraph; a line that begins with a space is not wrapped. */
static void print_paragraphs(const char *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(buf_release) struct buf paragraph = BUF_INIT;
	struct view rest = view_of(text), line;
	bool more = shown_on_terminal();

	if (!more)
		buf_append_str(&out, text);
	while (more) {
		more = view_next(&rest, '\n', &line);
		if (more && line.len && line.data[0] != ' ') {
			buf_appendf(&paragraph, "%s%.*s", paragraph.len ? " " : "",
				VIEW_ARGS(line));
			continue;
		}
		if (paragraph.len) {
			output_wrap(&out, paragraph.data, 0);
			buf_append_str(&out, more ? "\n" : "");
		}
		buf_clear(&paragraph);
		if (more)
			buf_appendf(&out, "%.*s\n", VIEW_ARGS(line));
	}
	printf("\n%s\n", out.data);
}

static void show_command(const struct cli *cli, const struct command *command)
{
	CLEANUP(freep) char *usage = command_synopsis(command);

	printf("nanoclaw %s: %s\n", command->name, command->summary);
	printf("\nusage: nanoclaw %s%s%s\n", command->name, *usage ? " " : "", usage);
	if (command->description)
		print_paragraphs(command->description);
	if (command->options)
		print_options(cli, "Options", command, command->options);
	if (command->examples) {
		print_heading(cli, "Examples");
		for (const struct example *e = command->examples; e->command; e++)
			printf("  %s\n      %s\n", e->command, e->says);
	}
	printf("\n'nanoclaw help --all' lists the global options.\n");
}

static json_t *command_as_json(const struct command *command)
{
	CLEANUP(freep) char *usage = command_synopsis(command);

	return json_build("name:s summary:s usage:s", command->name, command->summary, usage);
}

static json_t *commands_as_json(const char *prefix)
{
	json_t *list = json_array();

	for (const struct command *const *c = command_list(); *c; c++)
		if ((*c)->section != SECTION_HIDDEN &&
			!strncmp((*c)->name, prefix, strlen(prefix)))
			json_array_append_new(list, command_as_json(*c));
	return json_build("success:b commands:o", true, list);
}

/* All that the descriptor says. */
static json_t *details_as_json(const struct command *command)
{
	json_t *details = command_as_json(command);
	json_t *examples = json_array();
	json_t *options;

	for (const struct example *e = command->examples; e && e->command; e++)
		json_add(examples, "command:s says:s", e->command, e->says);
	json_put(details, "success:b description:s", true,
		command->description ? command->description : "");
	/* Only what an option has of a letter, a name and an argument. */
	options = json_array();
	for (const struct option *o = command->options; o && (o->letter || o->name); o++) {
		CLEANUP(freep) char *help = command_option_help(command, o);

		json_add(options, "letter:o name:S argument:S help:s",
			o->letter ? json_stringn(&o->letter, 1) : NULL, o->name, o->argument,
			help);
	}
	json_put(details, "options:o examples:o", options, examples);
	return details;
}

void help_show(const struct cli *cli, const struct command *command)
{
	if (cli->json && command)
		output_json(details_as_json(command));
	else if (cli->json)
		output_json(commands_as_json(""));
	else if (command)
		show_command(cli, command);
	else
		show_overview(cli);
}

void help_show_group(const struct cli *cli, const char *group)
{
	CLEANUP(table_release) struct table table = {.indent = 2};
	CLEANUP(freep) char *prefix = xasprintf("%s ", group);

	if (cli->json) {
		output_json(commands_as_json(prefix));
		return;
	}
	printf("usage: nanoclaw %s <command> [...]\n\n", group);
	for (const struct command *const *c = command_list(); *c; c++)
		if (!strncmp((*c)->name, prefix, strlen(prefix)))
			add_command(&table, *c);
	table_print(&table, cli);
}

static const struct option options[] = {
	{0, "all", NULL, "list every command, and the global options"},
	{0, "man", NULL, "print the man page in roff format"},
	{0},
};

static int run_help(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *name = NULL;
	const struct command *command;

	if (arguments_flag(args, "man")) {
		CLEANUP(buf_release) struct buf page = BUF_INIT;

		man_append(&page);
		if (cli->json)
			output_success("manPage:s", page.data);
		else
			fwrite(page.data, 1, page.len, stdout);
		return EXIT_DONE;
	}
	if (!args->count && arguments_flag(args, "all") && !cli->json) {
		show_all(cli);
		return EXIT_DONE;
	}
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
		return words_unknown(args->words[0], args->words[1], "help ", err);
	help_show(cli, command);
	return EXIT_DONE;
}

COMMAND(help) = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.usage = "[<command>]",
	.section = SECTION_START,
	.pages = true,
	.options = options,
	.max_arguments = 2,
	.completes = {COMPLETE_COMMANDS},
	.run = run_help,
};
