#include "cli/completion.h"

/* fish's own functions take the value of -C for a command. */
static const char start[] =
	"# fish completion for nanoclaw\n"
	"function __nanoclaw_words --description 'what is no option before the cursor'\n"
	"\tset -l value no\n"
	"\tfor word in (commandline -opc)[2..-1]\n"
	"\t\tif test $value = yes\n"
	"\t\t\tset value no\n"
	"\t\t\tcontinue\n"
	"\t\tend\n"
	"\t\tswitch $word\n"
	"\t\t\tcase -C\n"
	"\t\t\t\tset value yes\n"
	"\t\t\tcase '-*'\n"
	"\t\t\tcase '*'\n"
	"\t\t\t\techo -- $word\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"function __nanoclaw_at --description 'are these all the words so far?'\n"
	"\tset -l words (__nanoclaw_words)\n"
	"\ttest \"$words\" = \"$argv\"\n"
	"end\n"
	"function __nanoclaw_in --description 'are these the first words?'\n"
	"\tset -l words (__nanoclaw_words)\n"
	"\tset -l count (count $argv)\n"
	"\ttest (count $words) -ge $count\n"
	"\tand test \"$words[1..$count]\" = \"$argv\"\n"
	"end\n"
	"complete -c nanoclaw -f\n";

#define FOLDERS " -a '(__fish_complete_directories)'"

static void append_text(struct buf *out, const char *text)
{
	buf_append_char(out, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'' || *p == '\\')
			buf_append_char(out, '\\');
		buf_append_char(out, *p);
	}
	buf_append_char(out, '\'');
}

static void append_options(struct buf *out, const struct option *options, const char *condition)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		buf_appendf(out, "complete -c nanoclaw%s", condition);
		if (o->letter)
			buf_appendf(out, " -s %c", o->letter);
		if (o->name)
			buf_appendf(out, " -l %s", o->name);
		if (o->argument)
			buf_append_str(out, o->completes == COMPLETE_FILES     ? " -r -F"
					    : o->completes == COMPLETE_FOLDERS ? " -x" FOLDERS
									       : " -x");
		buf_append_str(out, " -d ");
		append_text(out, o->help);
		buf_append_char(out, '\n');
	}
}

/* At these words, this word may follow. */
static void append_word(struct buf *out, const char *at, struct view word, const char *summary)
{
	buf_appendf(out, "complete -c nanoclaw -n '__nanoclaw_at%s' -a '%.*s' -d ", at,
		VIEW_ARGS(word));
	append_text(out, summary);
	buf_append_char(out, '\n');
}

static void append_first_words(struct buf *out, const char *at)
{
	struct view last = {NULL, 0}, rest;

	for (const struct command *const *c = command_list(); *c; c++) {
		CLEANUP(buf_release) struct buf members = BUF_INIT;
		struct view word = completion_first_word(*c, &rest);

		if (!rest.len) {
			append_word(out, at, word, (*c)->summary);
		} else if (!view_equal(word, last)) {
			completion_append_members(&members, word);
			buf_set_len(&members, members.len - 1);
			append_word(out, at, word, members.data);
		}
		last = word;
	}
}

static void append_members(struct buf *out, struct view group)
{
	CLEANUP(freep) char *at = xasprintf(" %.*s", VIEW_ARGS(group));
	CLEANUP(freep) char *at_help = xasprintf(" help %.*s", VIEW_ARGS(group));
	struct view rest;

	for (const struct command *const *c = command_list(); *c; c++)
		if (view_equal(completion_first_word(*c, &rest), group) && rest.len) {
			append_word(out, at, rest, (*c)->summary);
			append_word(out, at_help, rest, (*c)->summary);
		}
}

static void append_command(struct buf *out, const struct command *command)
{
	CLEANUP(freep) char *in = xasprintf(" -n '__nanoclaw_in %s'", command->name);
	CLEANUP(freep) char *at = xasprintf(" %s", command->name);

	append_options(out, command->options, in);
	if (command->completes == COMPLETE_FILES)
		buf_appendf(out, "complete -c nanoclaw%s -F\n", in);
	if (command->completes == COMPLETE_FOLDERS)
		buf_appendf(out, "complete -c nanoclaw%s" FOLDERS "\n", in);
	if (command->completes == COMPLETE_COMMANDS)
		append_first_words(out, at);
	for (const char *const *word = command->words; word && *word; word++)
		append_word(out, at, view_of(*word), "");
}

void completion_print_fish(struct buf *out)
{
	buf_append_str(out, start);
	append_options(out, global_options, "");
	append_first_words(out, "");
	completion_for_each_group(out, append_members);
	for (const struct command *const *c = command_list(); *c; c++)
		append_command(out, *c);
}
