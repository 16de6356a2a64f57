#include "cli/man.h"

#include <ctype.h>

#include "base/view.h"
#include "cli/command.h"

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

void man_append(struct buf *out)
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
