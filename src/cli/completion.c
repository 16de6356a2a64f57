#include "cli/completion.h"

#include <string.h>

#include "cli/command.h"
#include "util/view.h"

/* The words of an option table as a shell would type them: "-q --quiet". */
static void append_option_words(struct buf *out, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		if (o->letter)
			buf_appendf(out, "-%c ", o->letter);
		if (o->name)
			buf_appendf(out, "--%s%s ", o->name, o->argument ? "=" : "");
	}
}

/* The first words of all commands, each once. */
static void append_first_words(struct buf *out)
{
	struct view last = {NULL, 0};

	for (const struct command *const *c = command_list(); *c; c++) {
		struct view rest = view_of((*c)->name), word;

		view_next(&rest, ' ', &word);
		if (!view_equal(word, last))
			buf_appendf(out, "%.*s ", VIEW_ARGS(word));
		last = word;
	}
}

/* For a group, the second words: "skill)" gives "apply check list ". */
static void append_second_words(struct buf *out, struct view group)
{
	for (const struct command *const *c = command_list(); *c; c++) {
		struct view rest = view_of((*c)->name), word;

		view_next(&rest, ' ', &word);
		if (rest.len && view_equal(word, group))
			buf_appendf(out, "%.*s ", VIEW_ARGS(rest));
	}
}

/* Call `each` once for every first word that is a group. */
static void for_each_group(struct buf *out, void (*each)(struct buf *out, struct view group))
{
	struct view last = {NULL, 0};

	for (const struct command *const *c = command_list(); *c; c++) {
		struct view rest = view_of((*c)->name), word;

		view_next(&rest, ' ', &word);
		if (rest.len && !view_equal(word, last))
			each(out, word);
		last = word;
	}
}

/* --- bash ---------------------------------------------------------------- */

static void bash_group(struct buf *out, struct view group)
{
	buf_appendf(out, "\t'%.*s') words='", VIEW_ARGS(group));
	append_second_words(out, group);
	buf_append_str(out, "' ;;\n");
}

static void print_bash(struct buf *out)
{
	buf_append_str(out, "# bash completion for nanoclaw\n"
			    "_nanoclaw() {\n"
			    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} command= words= i\n"
			    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
			    "\t\tcase ${COMP_WORDS[i]} in\n"
			    "\t\t-C) ((i++)) ;;\n"
			    "\t\t-*) ;;\n"
			    "\t\t*) command=\"${command:+$command }${COMP_WORDS[i]}\" ;;\n"
			    "\t\tesac\n"
			    "\tdone\n"
			    "\tCOMPREPLY=()\n"
			    "\tcase $command in\n"
			    "\t'') words='");
	append_first_words(out);
	buf_append_str(out, "' ;;\n");
	for_each_group(out, bash_group);
	for (const struct command *const *c = command_list(); *c; c++) {
		buf_appendf(out, "\t'%s' | '%s '*) words='", (*c)->name, (*c)->name);
		append_option_words(out, (*c)->options);
		buf_append_str(out, "' ;;\n");
	}
	buf_append_str(out, "\tesac\n\t[[ $cur == -* || -z $command ]] && words+=' ");
	append_option_words(out, global_options);
	buf_append_str(out,
		"'\n"
		"\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
		"\t[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
		"}\n"
		"complete -o default -F _nanoclaw nanoclaw\n");
}

/* --- zsh ----------------------------------------------------------------- */

/* In single quotes, and without what _arguments and _describe take apart. */
static void append_zsh_text(struct buf *out, const char *text)
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

static void zsh_option(struct buf *out, const struct option *o, const char *spelling)
{
	buf_appendf(out, " '%s[", spelling);
	append_zsh_text(out, o->help);
	buf_append_char(out, ']');
	if (o->argument) {
		buf_append_char(out, ':');
		append_zsh_text(out, o->argument);
		buf_append_str(out, strcmp(o->argument, "DIR") ? ":_files" : ":_files -/");
	}
	buf_append_char(out, '\'');
}

static void zsh_options(struct buf *out, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		CLEANUP(buf_release) struct buf spelling = BUF_INIT;

		if (o->letter) {
			buf_appendf(&spelling, "-%c", o->letter);
			zsh_option(out, o, spelling.data);
		}
		buf_clear(&spelling);
		if (o->name) {
			buf_appendf(&spelling, "--%s%s", o->name, o->argument ? "=" : "");
			zsh_option(out, o, spelling.data);
		}
	}
}

static void zsh_group(struct buf *out, struct view group)
{
	buf_appendf(out, "\t'%.*s') compadd -- ", VIEW_ARGS(group));
	append_second_words(out, group);
	buf_append_str(out, ";;\n");
}

static void print_zsh(struct buf *out)
{
	buf_append_str(out, "#compdef nanoclaw\n"
			    "# zsh completion for nanoclaw\n"
			    "_nanoclaw() {\n"
			    "\tlocal -a commands globals\n"
			    "\tlocal command= i\n"
			    "\tfor ((i = 2; i < CURRENT; i++)); do\n"
			    "\t\tcase ${words[i]} in\n"
			    "\t\t-C) ((i++)) ;;\n"
			    "\t\t-*) ;;\n"
			    "\t\t*) command=\"${command:+$command }${words[i]}\" ;;\n"
			    "\t\tesac\n"
			    "\tdone\n"
			    "\tcommands=(\n");
	for (const struct command *const *c = command_list(); *c; c++) {
		if (strchr((*c)->name, ' '))
			continue;
		buf_appendf(out, "\t\t'%s:", (*c)->name);
		append_zsh_text(out, (*c)->summary);
		buf_append_str(out, "'\n");
	}
	buf_append_str(out, "\t)\n\tglobals=(");
	zsh_options(out, global_options);
	buf_append_str(out, ")\n\tcase $command in\n"
			    "\t'') _describe command commands; _arguments -S $globals ;;\n");
	for_each_group(out, zsh_group);
	for (const struct command *const *c = command_list(); *c; c++) {
		buf_appendf(
			out, "\t'%s' | '%s '*) _arguments -S $globals", (*c)->name, (*c)->name);
		zsh_options(out, (*c)->options);
		buf_append_str(out, " '*:file:_files' ;;\n");
	}
	buf_append_str(out, "\tesac\n}\n_nanoclaw \"$@\"\n");
}

/* --- fish ---------------------------------------------------------------- */

static void append_fish_text(struct buf *out, const char *text)
{
	buf_append_char(out, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'' || *p == '\\')
			buf_append_char(out, '\\');
		buf_append_char(out, *p);
	}
	buf_append_char(out, '\'');
}

static void fish_options(struct buf *out, const struct option *options, const char *condition)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		buf_appendf(out, "complete -c nanoclaw%s", condition);
		if (o->letter)
			buf_appendf(out, " -s %c", o->letter);
		if (o->name)
			buf_appendf(out, " -l %s", o->name);
		if (o->argument)
			buf_append_str(out, " -r");
		buf_append_str(out, " -d ");
		append_fish_text(out, o->help);
		buf_append_char(out, '\n');
	}
}

static void print_fish(struct buf *out)
{
	buf_append_str(out, "# fish completion for nanoclaw\n");
	fish_options(out, global_options, "");
	for (const struct command *const *c = command_list(); *c; c++) {
		CLEANUP(buf_release) struct buf condition = BUF_INIT;
		struct view rest = view_of((*c)->name), first;

		view_next(&rest, ' ', &first);
		if (rest.len)
			buf_appendf(out,
				"complete -c nanoclaw -n __fish_use_subcommand -f -a %.*s\n"
				"complete -c nanoclaw -n '__fish_seen_subcommand_from %.*s' -f -a %.*s -d ",
				VIEW_ARGS(first), VIEW_ARGS(first), VIEW_ARGS(rest));
		else
			buf_appendf(out,
				"complete -c nanoclaw -n __fish_use_subcommand -f -a %s -d ",
				(*c)->name);
		append_fish_text(out, (*c)->summary);
		buf_append_char(out, '\n');
		buf_appendf(
			&condition, " -n '__fish_seen_subcommand_from %.*s'", VIEW_ARGS(first));
		if (rest.len)
			buf_appendf(&condition, " -n '__fish_seen_subcommand_from %.*s'",
				VIEW_ARGS(rest));
		fish_options(out, (*c)->options, condition.data);
	}
}

const struct completion_shell completion_shells[] = {
	{"bash", print_bash},
	{"fish", print_fish},
	{"zsh", print_zsh},
	{NULL, NULL},
};
