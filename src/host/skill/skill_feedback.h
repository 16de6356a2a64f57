/*
 * Feedback questions after a use of a skill whose Feedback Loop has questions, at a tolerable rate:
 * once every few uses (the skill says "Ask: every N uses"; else FEEDBACK_EVERY), and at most once
 * in FEEDBACK_PAUSE in a group, whatever the skill.
 *
 * One question is put under the answer. A bare answer to it, a "yes" or a number of its scale,
 * counts if it is the very next thing that is said in that chat, and by the person who had
 * asked for the skill: a "yes" to anything else is not ours. "/feedback WORDS" counts for a
 * day, from anybody in the group. Then nobody is asked again until the next time.
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
 * The use has ended well: is it time to ask? Then `*ret_question` is what to put under the
 * answer, to be freed, and that it was asked is stored; else NULL.
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
