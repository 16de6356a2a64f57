#include "cli/completion.h"

/*
 * Finds the command before the cursor, then what may stand at the cursor: `options`
 * if the word begins with a dash, else `words`, files or folders.
 */
static const char start[] =
	"# bash completion for nanoclaw\n"
	"_nanoclaw() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"\tlocal command= options= words= kind= i\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase ${COMP_WORDS[i]} in\n"
	"\t\t-C) ((i++)) ;;\n"
	"\t\t-*) ;;\n"
	"\t\t*) command=\"${command:+$command }${COMP_WORDS[i]}\" ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\tcase $command in\n";

static const char end[] =
	"\t[[ $cur == -* ]] && words=$options kind=\n"
	"\tcase $prev in\n"
	"\t-C) words= kind=folders ;;\n"
	"\tesac\n"
	"\tcase $kind in\n"
	"\tfiles) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") && compopt -o filenames ;;\n"
	"\tfolders) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") && compopt -o filenames ;;\n"
	"\t*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
	"\tesac\n"
	"\t[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	"}\n"
	"complete -F _nanoclaw nanoclaw\n";

static void append_kind(struct buf *out, enum completes completes)
{
	if (completes == COMPLETE_FILES)
		buf_append_str(out, " kind=files");
	else if (completes == COMPLETE_FOLDERS)
		buf_append_str(out, " kind=folders");
}

static void append_group(struct buf *out, struct view group)
{
	const struct command *command = completion_group_command(group);

	buf_appendf(out, "\t'%.*s') words='", VIEW_ARGS(group));
	completion_append_members(out, group);
	if (command) {
		buf_append_str(out, "' options='");
		completion_append_options(out, command->options);
	}
	buf_append_str(out, "' ;;\n");
}

static void append_help_for_group(struct buf *out, struct view group)
{
	buf_appendf(out, "\t'help %.*s') words='", VIEW_ARGS(group));
	completion_append_members(out, group);
	buf_append_str(out, "' ;;\n");
}

/* Behind an option that takes a value stands that value. */
static void append_option_values(struct buf *out, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		if (!o->argument)
			continue;
		buf_append_str(out, "\t\tcase $prev in ");
		if (o->letter)
			buf_appendf(out, "-%c", o->letter);
		if (o->letter && o->name)
			buf_append_str(out, " | ");
		if (o->name)
			buf_appendf(out, "--%s", o->name);
		buf_append_str(out, ") words= kind=");
		append_kind(out, o->completes);
		buf_append_str(out, " ;; esac\n");
	}
}

static void append_command(struct buf *out, const struct command *command)
{
	buf_appendf(out, "\t'%s' | '%s '*)\n\t\toptions='", command->name, command->name);
	completion_append_options(out, command->options);
	buf_append_str(out, "' words='");
	if (command->completes == COMPLETE_COMMANDS)
		completion_append_first_words(out);
	for (const char *const *word = command->words; word && *word; word++)
		buf_appendf(out, "%s ", *word);
	buf_append_char(out, '\'');
	append_kind(out, command->completes);
	buf_append_char(out, '\n');
	append_option_values(out, command->options);
	buf_append_str(out, "\t\t;;\n");
}

void completion_print_bash(struct buf *out)
{
	buf_append_str(out, start);
	buf_append_str(out, "\t'') words='");
	completion_append_first_words(out);
	buf_append_str(out, "' ;;\n");
	completion_for_each_group(out, append_group);
	completion_for_each_group(out, append_help_for_group);
	completion_for_each_command(out, append_command);
	buf_append_str(out, "\tesac\n\toptions+=' ");
	completion_append_options(out, global_options);
	buf_append_str(out, "'\n");
	buf_append_str(out, end);
}
