#include "cli/completion.h"

const struct completion_shell completion_shells[] = {
	{"bash", completion_print_bash},
	{"fish", completion_print_fish},
	{"zsh", completion_print_zsh},
	{NULL, NULL},
};

struct view completion_first_word(const struct command *command, struct view *ret_rest)
{
	struct view word;

	*ret_rest = view_of(command->name);
	view_next(ret_rest, ' ', &word);
	return word;
}

void completion_append_options(struct buf *out, const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		if (o->letter)
			buf_appendf(out, "-%c ", o->letter);
		if (o->name)
			buf_appendf(out, "--%s%s ", o->name, o->argument ? "=" : "");
	}
}

void completion_append_first_words(struct buf *out)
{
	struct view last = {NULL, 0}, rest;

	for (const struct command *const *c = command_list(); *c; c++) {
		struct view word = completion_first_word(*c, &rest);

		if (!view_equal(word, last))
			buf_appendf(out, "%.*s ", VIEW_ARGS(word));
		last = word;
	}
}

void completion_append_members(struct buf *out, struct view group)
{
	struct view rest;

	for (const struct command *const *c = command_list(); *c; c++)
		if (view_equal(completion_first_word(*c, &rest), group) && rest.len)
			buf_appendf(out, "%.*s ", VIEW_ARGS(rest));
}

void completion_for_each_command(
	struct buf *out, void (*each)(struct buf *out, const struct command *command))
{
	struct view rest;

	for (int two_words = 1; two_words >= 0; two_words--)
		for (const struct command *const *c = command_list(); *c; c++) {
			completion_first_word(*c, &rest);
			if ((rest.len > 0) == two_words)
				each(out, *c);
		}
}

const struct command *completion_group_command(struct view group)
{
	CLEANUP(freep) char *name = xmemdupz(group.data, group.len);

	return command_find(name);
}

void completion_for_each_group(
	struct buf *out, void (*each)(struct buf *out, struct view group))
{
	struct view last = {NULL, 0}, rest;

	for (const struct command *const *c = command_list(); *c; c++) {
		struct view word = completion_first_word(*c, &rest);

		if (!rest.len)
			continue;
		if (!view_equal(word, last))
			each(out, word);
		last = word;
	}
}
