/*
 * The ledger: what became of every message.
 *
 *	          receive             claim              answer             sent
 *	(channel) ------> [received] ------> [claimed] -------> [answered] ------> [delivered]
 *	                                      |     ^    give up    ^
 *	                                      |     |  (an error as |
 *	                           attempt    |     |   the answer) |
 *	                           failed,    v     |               |
 *	                           killed   (wait, try again) ------+
 *
 * A turn is one piece of work for an agent: the messages of a chat since the last
 * answer, up to the newest that wants one. Its attempts say what was tried. Each arrow
 * is one transaction, named as above, so that a crash leaves a message in a state and
 * never between two.
 *
 * Invariants, by which the code and the tests refer to them:
 *
 *  L1. A channel hears that a message has arrived only after the transaction that
 *	stored it was committed.
 *  L2. A message is stored once, whatever the channel repeats: it is known by
 *	channel, chat and id. A repetition is acknowledged like the first.
 *  L3. A group has at most one open turn, and takes its messages in the order of their
 *	arrival. So answers of a group are in order, too. An isolated task has a lane of
 *	its own beside the group's, for which the same holds.
 *  L4. An answer, its parts in the outbox, the states of the messages, the cursor of
 *	the chat and the session are one transaction.
 *  L5. A turn ends in an answer or in an error that goes the way of an answer; by
 *	nothing else.
 *  L6. A row of the outbox has a key that never changes, and is sent under it until a
 *	receipt is stored. A channel that remembers keys therefore sends it once.
 *  L7. Within a chat the rows of the outbox leave in their order, one after the other.
 *  L8. What an agent sends in the middle of a turn is keyed by the turn and a number.
 *	When the turn is repeated, the key is there already, and nothing is added.
 *  L9. Who may do what is decided by is_main in registered_groups when it is done.
 * L10. A run of a task is known by the task and the time that it is for. That it is due
 *	and when the next one will be are one transaction; that it ends and the answer of
 *	its turn are another. So it happens once.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "db/store.h"
#include "ledger/outbox.h"

/* What one turn holds at most: messages, bytes of them, and context before them. */
#define TURN_MAX_MESSAGES 100
#define TURN_MAX_BYTES    ((int64_t)512 * 1024)
#define TURN_MAX_CONTEXT  50

/* --- receive ----------------------------------------------------------------- */

struct arrival {
	const char *channel;
	const char *chat_jid;
	const char *id;
	const char *sender;
	const char *sender_name;
	struct view content; /* UTF-8 without NUL */
	int64_t time;
	bool from_me;
	const char *group_folder;
	bool wants_answer;
	bool alone; /* it has a turn to itself, with the context before it */
};

/* The chat must have been noted. `*ret_new` is false for a repetition (L2). */
int ledger_receive(struct store *store, const struct arrival *arrival, int64_t now,
	int64_t *ret_seq, bool *ret_new, struct error *err);

/* --- turns ------------------------------------------------------------------- */

struct turn {
	int64_t id; /* 0: there is none */
	char *group_folder;
	char *chat_jid;
	int64_t first_seq;
	int64_t last_seq;
	int failures;
	int interruptions;
	int64_t not_before; /* 0: at once */
	int64_t run;        /* of a task (task_runs.h); 0: it is for messages */
};

#define TURN_INIT ((struct turn){0})

void turn_release(struct turn *turn);

/* Has the lane of a group, or that of an isolated task, something to be done? */
int ledger_has_work(struct store *store, const char *folder, const char *isolated_task,
	bool *ret_has_work, struct error *err);

/* The message that the next turn of a group is for, if it has that to itself. */
struct next_alone {
	int64_t seq; /* 0: there is none */
	char *chat_jid;
	char *sender;
	char *content;
};

void next_alone_release(struct next_alone *next);

int ledger_next_alone(struct store *store, const char *folder, struct next_alone *ret_next,
	struct error *err);

/* The chats in which somebody waits for an answer of this group, each with a newline. */
int ledger_waiting_chats(
	struct store *store, const char *folder, struct buf *ret_chats, struct error *err);

/* The folders of all groups that have something to do, each followed by a newline. */
int ledger_groups_with_work(struct store *store, struct buf *ret_folders, struct error *err);

/*
 * The turn that is open in a group, else one that is claimed now, else none (L3). Of
 * messages and runs of tasks, what has waited longest is claimed.
 */
int ledger_next_turn(struct store *store, const char *folder, int64_t now,
	struct turn *ret_turn, struct error *err);

/* The same in the lane of an isolated task. */
int ledger_next_isolated(struct store *store, const char *folder, const char *task_id,
	int64_t now, struct turn *ret_turn, struct error *err);

/* Call `each` for the messages of a turn that are shown to the agent, in order. */
struct turn_message {
	const char *sender_name;
	const char *sender;
	const char *content;
	const char *timestamp;
	bool wants_answer;
};
int ledger_turn_messages(struct store *store, const struct turn *turn,
	void (*each)(const struct turn_message *message, void *data), void *data,
	struct error *err);

/* An attempt begins; and ends without an answer. */
int ledger_attempt(struct store *store, const struct turn *turn, const char *session_id,
	int64_t now, struct error *err);

enum attempt_end {
	ATTEMPT_FAILED,      /* by the agent: counts, and waits until `not_before` */
	ATTEMPT_INTERRUPTED, /* the host was killed */
	ATTEMPT_STOPPED,     /* the host was stopped */
	ATTEMPT_FRESH,       /* the session could not be resumed: again without it */
};

int ledger_attempt_ended(struct store *store, const struct turn *turn, enum attempt_end end,
	const char *detail, int64_t not_before, int64_t now, struct error *err);

/* After a kill: every attempt that was running is interrupted. */
int ledger_recover(struct store *store, int64_t now, int *ret_count, struct error *err);

/* --- answer ------------------------------------------------------------------ */

struct answer {
	enum outbox_kind kind;    /* OUTBOX_ANSWER or OUTBOX_ERROR */
	const char *const *parts; /* none: the agent had nothing to say */
	size_t part_count;
	const char *session_id; /* of the agent, or NULL: as it was */
	const char *error;      /* why it is an error */
};

int ledger_answer(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err);

/* Where a message of a chat is: "received" … "delivered", or "" if it is not known. */
int ledger_state(struct store *store, int64_t seq, char **ret_state, struct error *err);

#endif
