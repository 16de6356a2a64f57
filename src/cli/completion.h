/*
 * Completions for shells.
 *
 * The scripts for the shells are stubs: they call the hidden command `complete` with the words
 * up to the cursor. It prints one candidate per line, followed by a tab and an explanation. For
 * a line ":files" or ":folders", the shell completes these itself.
 *
 *	$ nanoclaw complete -- skill app
 *	apply	apply skill packages, and the skills they build on
 *
 * Commands and options come from their descriptors. Names that only a project knows, such as
 * those of its groups, come from a function that its room registers:
 *
 *	static void complete_groups(struct completion *completion)
 *	{
 *		...
 *		completion_add(completion, group->folder, group->name);
 *	}
 *
 *	COMPLETER(COMPLETE_GROUPS, complete_groups);
 *
 * Such a function changes nothing, prints nothing and fails silently.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"

struct completion;

/* Offer `word` if it begins with the word at the cursor. `says` may be NULL. */
void completion_add(struct completion *completion, const char *word, const char *says);

struct completer {
	enum completes completes;
	void (*list)(struct completion *completion);
};

/* As COMMAND() (cli/command.h). */
#define COMPLETER(what, function)                                                              \
	static const struct completer completer_##function = {what, function};                 \
	__attribute__((used, section("nanoclaw_completers"))) static const struct completer    \
		*const completer_pointer_##function = &completer_##function

#endif
