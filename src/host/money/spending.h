/*
 * The usage of agents as it happens: counts it, checks it against the budgets (budget.h), and
 * notifies the people concerned.
 *
 *	spending_may_ask(spending, folder, err)	before a request to the API (gate/gate.h)
 *	spending_used(spending, folder, …)		after it, with the API's own figures
 *	spending_reported(spending, folder, …)	what an agent reports that did not use the gate
 *	spending_hold(spending, folder, …)		before a turn: is the group paused?
 *
 * Usage and the messages that follow from it are stored in one transaction. The key of a message
 * consists of its subject, the period and the limit. So it is sent once, whatever is killed and
 * when, and again only for another limit or in the next period:
 *
 *	to main		a limit is nearly reached; it is reached, and how to go on; a model has no
 *			price
 *	to a chat	its group is paused, and until when
 *
 * A paused group has no turns: its messages wait, and so do the runs of its tasks, except for
 * tasks whose missed runs are skipped. The queue checks again when the period is over or its
 * container.json has changed. A turn that the limit cuts off counts as failed, and is retried
 * then. A group whose agent needs no model is never paused. Messages that the host answers itself
 * (skill_turn.h) are answered even in a paused group, unless others wait before them.
 *
 * Limits are enforced between requests: requests that are running when a limit is reached still
 * complete, so they can exceed it.
 */
#ifndef HOST_MONEY_SPENDING_H
#define HOST_MONEY_SPENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/stream.h"
#include "gate/usage_reader.h"
#include "host/base/installation.h"

struct delivery;
struct spending;

struct spending *spending_new(struct installation *inst, struct delivery *delivery);
void spending_free(struct spending *spending);

/*
 * -1 with the reason if its budget is used up, cannot be read, or what was used before cannot
 * be stored: nothing is spent that is not counted.
 */
int spending_may_ask(struct spending *spending, const char *folder, struct error *err);

/* The same before an agent starts; an agent that needs no model always may. */
int spending_may_begin(struct spending *spending, const char *folder, struct error *err);

/* `turn` is 0 if there is none. */
void spending_used(struct spending *spending, const char *folder, int64_t turn,
	const struct api_usage *usage);
void spending_reported(struct spending *spending, const char *folder, int64_t turn,
	const struct stream_usage *usage);

/* True: its next turn must wait until then, in milliseconds; the waiting chats are notified. */
bool spending_hold(
	struct spending *spending, const char *folder, const char *task, int64_t *ret_until);

#endif
