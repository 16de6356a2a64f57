#include "cli/completion.h"

#include <string.h>

static const char start[] = "#compdef nanoclaw\n"
			    "# zsh completion for nanoclaw\n"
			    "_nanoclaw() {\n"
			    "\tlocal -a commands members globals\n"
			    "\tlocal command= i\n"
			    "\tfor ((i = 2; i < CURRENT; i++)); do\n"
			    "\t\tcase ${words[i]} in\n"
			    "\t\t-C) ((i++)) ;;\n"
			    "\t\t-*) ;;\n"
			    "\t\t*) command=\"${command:+$command }${words[i]}\" ;;\n"
			    "\t\tesac\n"
			    "\tdone\n";

/* In single quotes, and without what _arguments and _describe take apart. */
static void append_text(struct buf *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			buf_append_str(out, "'\\''");
		else if (strchr("[]:\\", *p))
			buf_appendf(out, "\\%c", *p);
		else
			buf_append_char(out, *p);
	}
}

static const char *action_of(enum completes completes)
{
	switch (completes) {
	case COMPLETE_FILES:
		return "_files";
	case COMPLETE_FOLDERS:
		return "_files -/";
	case COMPLETE_NOTHING:
	case COMPLETE_COMMANDS:
	case COMPLETE_WORDS:
		break;
	}
	return " ";
}

static void append_option(struct buf *out, const struct option *o, const char *spelling)
{
	buf_appendf(out, " '%s[", spelling);
	append_text(out, o->help);
	buf_append_char(out, ']');
	if (o->argument) {
		buf_append_char(out, ':');
		append_text(out, o->argument);
		buf_appendf(out, ":%s", action_of(o->completes));
	}
	buf_append_char(out, '\'');
}

static void append_options(struct buf *out, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		CLEANUP(buf_release) struct buf spelling = BUF_INIT;

		if (o->letter) {
			buf_appendf(&spelling, "-%c", o->letter);
			append_option(out, o, spelling.data);
		}
		buf_clear(&spelling);
		if (o->name) {
			buf_appendf(&spelling, "--%s%s", o->name, o->argument ? "=" : "");
			append_option(out, o, spelling.data);
		}
	}
}

/* 'name:what it is', for _describe. */
static void append_description(struct buf *out, struct view name, const char *summary)
{
	buf_appendf(out, "\t\t'%.*s:", VIEW_ARGS(name));
	append_text(out, summary);
	buf_append_str(out, "'\n");
}

static void append_group_description(struct buf *out, struct view group)
{
	CLEANUP(buf_release) struct buf members = BUF_INIT;

	if (completion_group_command(group))
		return; /* it has a description already */
	completion_append_members(&members, group);
	buf_set_len(&members, members.len - 1);
	append_description(out, group, members.data);
}

static void append_group(struct buf *out, struct view group)
{
	struct view rest;

	buf_appendf(out, "\t'%.*s' | 'help %.*s')\n\t\tmembers=(\n", VIEW_ARGS(group),
		VIEW_ARGS(group));
	for (const struct command *const *c = command_list(); *c; c++)
		if (view_equal(completion_first_word(*c, &rest), group) && rest.len)
			append_description(out, rest, (*c)->summary);
	buf_append_str(out, "\t\t)\n\t\t_describe command members\n\t\t;;\n");
}

static void append_command(struct buf *out, const struct command *command)
{
	buf_appendf(out, "\t'%s' | '%s '*) ", command->name, command->name);
	if (command->completes == COMPLETE_COMMANDS)
		buf_append_str(
			out, "[[ ${words[CURRENT]} != -* ]] && _describe command commands || ");
	buf_append_str(out, "_arguments -S $globals");
	append_options(out, command->options);
	if (command->completes == COMPLETE_FILES)
		buf_append_str(out, " '*:file:_files'");
	else if (command->completes == COMPLETE_FOLDERS)
		buf_append_str(out, " '*:folder:_files -/'");
	else if (command->completes == COMPLETE_WORDS) {
		buf_append_str(out, " '*:word:(");
		for (const char *const *word = command->words; word && *word; word++)
			buf_appendf(out, "%s%s", word == command->words ? "" : " ", *word);
		buf_append_str(out, ")'");
	}
	buf_append_str(out, " ;;\n");
}

void completion_print_zsh(struct buf *out)
{
	struct view rest;

	buf_append_str(out, start);
	buf_append_str(out, "\tcommands=(\n");
	for (const struct command *const *c = command_list(); *c; c++) {
		struct view word = completion_first_word(*c, &rest);

		if (!rest.len)
			append_description(out, word, (*c)->summary);
	}
	completion_for_each_group(out, append_group_description);
	buf_append_str(out, "\t)\n\tglobals=(");
	append_options(out, global_options);
	buf_append_str(out, ")\n\tif [[ ${words[CURRENT - 1]} == -C ]]; then\n"
			    "\t\t_files -/\n\t\treturn\n\tfi\n"
			    "\tcase $command in\n"
			    "\t'')\n\t\tif [[ ${words[CURRENT]} == -* ]]; then\n"
			    "\t\t\t_arguments -S $globals\n\t\telse\n"
			    "\t\t\t_describe command commands\n\t\tfi\n\t\t;;\n");
	completion_for_each_group(out, append_group);
	completion_for_each_command(out, append_command);
	buf_append_str(out, "\tesac\n}\n"
			    "if [[ ${funcstack[1]-} == _nanoclaw ]]; then\n"
			    "\t_nanoclaw \"$@\"\nelse\n\tcompdef _nanoclaw nanoclaw\nfi\n");
}
