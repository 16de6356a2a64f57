/*
 * The commands that an operation runs for packages: installing dependencies, commands after a
 * skill is applied, and tests. Files from which other programs start commands count too.
 *
 *	commands_collect(s, skills, &install, &commands, err)
 *	commands_agree(s, skills, err)		before anything is changed
 *	transaction_apply(…)
 *	commands_run(s, &commands, err)
 *
 * All of it is listed in the result. The person is asked once for each content of a package
 * (agreed.h).
 */
#ifndef ENGINE_COMMIT_COMMANDS_H
#define ENGINE_COMMIT_COMMANDS_H

#include "engine/commit/install.h"
#include "engine/session/session.h"

/* A command of a skill. */
struct hook {
	char *skill;
	char *command;
	bool is_test; /* fails with ERROR_TEST, else with ERROR_FAILED */
};

struct commands {
	struct hook *hooks; /* commands after an apply, and then tests */
	size_t count;
	size_t cap;
};

#define COMMANDS_INIT ((struct commands){0})

/*
 * Of an operation on these skills: their commands, and the tests of all that are applied. Packs
 * may still be staged. Fills the list in the result, too.
 */
int commands_collect(struct session *s, const struct string_array *skills,
	const struct install *install, struct commands *ret_commands, struct error *err);

/*
 * Ask about commands of the result that nobody agreed to before. ERROR_INVALID without a
 * terminal, ERROR_FAILED if the person declines.
 */
int commands_agree(struct session *s, const struct string_array *skills, struct error *err);

/* By sh, in the project's root. A failure is an error with the end of the output. */
int commands_run(struct session *s, const struct commands *commands, struct error *err);

/* The skills whose tests an operation on these skills runs. */
struct string_array commands_tested(const struct session *s, const struct string_array *skills);

void commands_release(struct commands *commands);

#endif
