/*
 * Feedback questions after a use of a skill whose Feedback Loop has questions, at a tolerable rate:
 * once every few uses (the skill says "Ask: every N uses"; else FEEDBACK_EVERY), and at most once
 * in FEEDBACK_PAUSE in a group, whatever the skill.
 *
 * One question is appended to the answer. A bare reply to it, a "yes" or a number of its scale,
 * counts only if it is the very next message in that chat, from the person who asked for the
 * skill: a "yes" to anything else is not for us. "/feedback WORDS" counts for a day, from
 * anybody in the group. After that, the question is closed.
 */
#ifndef HOST_SKILL_SKILL_FEEDBACK_H
#define HOST_SKILL_SKILL_FEEDBACK_H

#include "base/view.h"
#include "db/store.h"
#include "userskill/lookup.h"
#include "userskill/user_skill_uses.h"

#define FEEDBACK_EVERY 5
#define FEEDBACK_PAUSE ((int64_t)20 * 60 * 60 * 1000)
#define FEEDBACK_OPEN  ((int64_t)24 * 60 * 60 * 1000)

/*
 * The use has succeeded. If it is time to ask, `*ret_question`, to be freed, is the question to
 * append to the answer, and the store records that it was asked; else NULL.
 */
int skill_feedback_ask(struct store *store, const struct skill_use *use,
	const struct user_skill *skill, int64_t now, char **ret_question, struct error *err);

/* A person's message. */
struct said {
	const char *folder; /* of the group */
	const char *chat;
	const char *sender;
	struct view text; /* without the trigger */
	int64_t seq;      /* of the message; 0: it is not stored yet */
	int64_t now;
};

/* Is a question open in the group to which this is the bare answer? */
int skill_feedback_fits(
	struct store *store, const struct said *said, bool *ret_fits, struct error *err);

/*
 * Store a free-form answer to the open question of a group. `*ret_taken` is false if no question is
 * open.
 */
int skill_feedback_take(struct store *store, const char *folder, struct view words, int64_t now,
	bool *ret_taken, struct error *err);

#endif
