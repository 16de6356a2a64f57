/*
 * Completions for shells, made from the descriptors of the commands.
 *
 * A shell is one file, completion_NAME.c, with a function that prints its script,
 * and one line in the table of completion.c. What they share is at the end here.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"
#include "util/buf.h"
#include "util/view.h"

struct completion_shell {
	const char *name;
	void (*print)(struct buf *out);
};

/* The shells that are known, ending with an empty one. */
extern const struct completion_shell completion_shells[];

void completion_print_bash(struct buf *out);
void completion_print_fish(struct buf *out);
void completion_print_zsh(struct buf *out);

/* --- for the files of the shells ------------------------------------------- */

/* "help" of "help", "skill" of "skill apply"; what follows is left in `*ret_rest`. */
struct view completion_first_word(const struct command *command, struct view *ret_rest);

/* Each word with a space behind it: first words, once each; members of a group. */
void completion_append_first_words(struct buf *out);
void completion_append_members(struct buf *out, struct view group);
void completion_append_options(struct buf *out, const struct option *options);

/* Call `each` once for every first word that is a group. */
void completion_for_each_group(
	struct buf *out, void (*each)(struct buf *out, struct view group));

/* The same for every command; those of two words first, because a pattern for `matrix` fits
 * `matrix run`, too. */
void completion_for_each_command(
	struct buf *out, void (*each)(struct buf *out, const struct command *command));

/* The command that is called as the group is, or NULL. */
const struct command *completion_group_command(struct view group);

#endif
