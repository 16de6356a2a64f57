/*
 * The text that an agent gets in each turn, which may include a user skill.
 *
 * If a group has skills, a message that begins with a slash command (after the trigger, if there
 * is one) is a turn of its own:
 *
 *	/brief tomorrow		the agent gets the skill (skill_prompt.h)
 *	/brief			likewise; or the host says what is missing (skill_needs.h)
 *	/skills, /help		the host lists the commands of the group
 *	/help brief		the host describes one of them
 *	/feedback WORDS		feedback on the last use (skill_feedback.h)
 *	/breif			the host suggests the most similar command
 *
 * The host's own answers cost no tokens. In a group without skills the host answers only "/skills";
 * any other command goes to the agent unchanged. A scheduled task of a skill (skill_tasks.h) is a
 * turn for it, too.
 *
 *	          prepare                     answer: completed
 *	(claimed) -------> [use: running] ---------------------> [use: completed]
 *	             |            |           given up
 *	             |            +-----------------------------> [use: failed]
 *	             +--> [use: refused], answered by the host
 *
 * When a turn is repeated, its use already exists; if something is missing by then, that use
 * becomes refused.
 */
#ifndef HOST_SKILL_SKILL_TURN_H
#define HOST_SKILL_SKILL_TURN_H

#include "base/buf.h"
#include "host/base/installation.h"
#include "host/skill/skill_feedback.h"
#include "ledger/groups.h"
#include "ledger/turns.h"

/*
 * Called when a message arrives: `*wants_answer` and `*alone` become true if it is one of these.
 * The text of `said` is the whole message.
 */
int skill_turn_arrival(struct store *store, const struct group *group, const struct said *said,
	bool *wants_answer, bool *alone, struct error *err);

/* Does the host answer the group's next turn itself? */
int skill_turn_is_free(struct store *store, const char *folder, int64_t now, bool *ret_free,
	struct error *err);

/*
 * The text that the agent gets in a turn, with the skill if the turn is for one (context.h);
 * or `*ret_answer`, to be freed: the host's own answer instead ("" sends nothing). Runs in the
 * caller's transaction, which also stores that answer.
 */
int skill_turn_prepare(struct installation *inst, const struct turn *turn, int64_t now,
	struct buf *ret_context, char **ret_answer, struct error *err);

/*
 * The turn has ended, in the transaction of its answer; NULL: it was given up. `*ret_question`,
 * to be freed, is put under the answer; NULL: nothing. If the answer is itself a question, nothing
 * else is asked: a "yes" can answer only one question.
 */
int skill_turn_ended(struct store *store, const struct turn *turn, const char *answer,
	int64_t now, char **ret_question, struct error *err);

#endif
