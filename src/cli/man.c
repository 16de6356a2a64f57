#include "cli/man.h"

#include <ctype.h>
#include <stdio.h>

#include "cli/command.h"
#include "util/buf.h"
#include "util/view.h"

/* What roff would take for a command or an escape is made plain. */
static void print_text(struct view text)
{
	if (text.len && (text.data[0] == '.' || text.data[0] == '\''))
		fputs("\\&", stdout);
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\\')
			fputs("\\e", stdout);
		else if (text.data[i] == '-')
			fputs("\\-", stdout);
		else
			putchar(text.data[i]);
	}
}

/* "show the version" as "Show the version." */
static void print_sentence(const char *text)
{
	putchar(toupper((unsigned char)text[0]));
	print_text(view_of(text + 1));
	puts(".");
}

static void print_bold_line(const char *text)
{
	fputs("\\fB", stdout);
	print_text(view_of(text));
	fputs("\\fR\n", stdout);
}

/* Paragraphs; indented lines are shown as they are. */
static void print_paragraphs(const char *text)
{
	struct view rest = view_of(text), line;
	bool verbatim = false;

	while (view_next(&rest, '\n', &line)) {
		bool indented = line.len && line.data[0] == ' ';

		if (indented != verbatim)
			puts(indented ? ".PP\n.nf" : ".fi");
		verbatim = indented;
		if (!line.len) {
			puts(".PP");
			continue;
		}
		print_text(line);
		putchar('\n');
	}
	if (verbatim)
		puts(".fi");
}

static void print_options(const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		CLEANUP(buf_release) struct buf spelling = BUF_INIT;

		option_spell(o, &spelling);
		puts(".TP");
		print_bold_line(spelling.data);
		print_sentence(o->help);
	}
}

static void print_command(const struct command *command)
{
	CLEANUP(freep)
	char *usage = xasprintf(
		"nanoclaw %s %s", command->name, command->usage ? command->usage : "");

	puts(".SS");
	print_text(view_of(command->name));
	putchar('\n');
	print_bold_line(usage);
	puts(".PP");
	printf("%c",
		command->summary[0] - ('a' <= command->summary[0] && command->summary[0] <= 'z'
						      ? 'a' - 'A'
						      : 0));
	print_text(view_of(command->summary + 1));
	puts(".");
	if (command->description) {
		puts(".PP");
		print_paragraphs(command->description);
	}
	print_options(command->options);
	for (const struct example *e = command->examples; e && e->command; e++) {
		puts(".PP\n.nf");
		fputs("    ", stdout);
		print_text(view_of(e->command));
		puts("\n.fi");
		fputs("    ", stdout);
		print_text(view_of(e->says));
		putchar('\n');
	}
}

static void print_exit_codes(void)
{
	static const struct {
		int code;
		const char *meaning;
	} codes[] = {
		{EXIT_DONE, "done; also: there was nothing to do"},
		{EXIT_FAILED, "failed, and everything is as it was before"},
		{EXIT_INVALID, "wrong usage or invalid input; nothing was touched"},
		{EXIT_PAUSED, "paused on a conflict or a decision"},
		{EXIT_BUSY, "another operation holds the lock, or one is pending"},
		{EXIT_TEST, "a test command failed, and everything is as it was before"},
	};

	puts(".SH EXIT STATUS");
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		printf(".TP\n.B %d\n", codes[i].code);
		print_sentence(codes[i].meaning);
	}
	puts(".PP\nCommands that stand in for another program keep its exit codes; "
	     "they say so above.");
}

void man_print(void)
{
	printf(".TH NANOCLAW 1 \"\" \"nanoclaw %s\" \"NanoClaw\"\n", NANOCLAW_VERSION);
	puts(".SH NAME\nnanoclaw \\- a personal AI assistant whose features are skills that "
	     "change its source");
	puts(".SH SYNOPSIS\n.B nanoclaw\n[global options] <command> [...]");
	puts(".SH DESCRIPTION\nNanoClaw has two halves: a skills engine, which is a package "
	     "manager for changes to source code, and an assistant host, which runs an AI agent "
	     "for each chat group in a sandbox of its own. This page lists the commands that "
	     "this version has.");
	puts(".SH GLOBAL OPTIONS\nThese may stand anywhere before \\fB\\-\\-\\fR.");
	print_options(global_options);
	puts(".SH COMMANDS");
	for (const struct command *const *c = command_list(); *c; c++)
		print_command(*c);
	print_exit_codes();
	puts(".SH ENVIRONMENT");
	puts(".TP\n.B NO_COLOR\nIf it is set and not empty, nothing is coloured.");
	puts(".TP\n.B SOURCE_DATE_EPOCH\nIf it is set, times that are recorded are this one.");
	puts(".SH SEE ALSO\n.BR git\\-merge\\-file (1)");
}
