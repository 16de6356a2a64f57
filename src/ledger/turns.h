/*
 * Turns: how messages and scheduled runs get their answers.
 *
 *	          receive             claim              answer             sent
 *	(channel) ------> [received] ------> [claimed] -------> [answered] ------> [delivered]
 *	                                      |     ^    give up    ^
 *	                           attempt    |     |  (an error as |
 *	                           failed,    v     |   the answer) |
 *	                           killed   (wait, try again) ------+
 *
 * A turn is one piece of work for an agent: the messages of a chat since the last answer, up to
 * the newest one that wants an answer; or a run of a task. Its attempts record what was tried.
 * Each arrow is one transaction, named as above, so a crash leaves a message in one of these
 * states. The invariants L1 to L10 are in docs/host.md; code and tests refer to their numbers.
 *
 * The main lane of a group is for its messages and tasks. An isolated task has a lane of its
 * own: functions with `isolated_task` work in that lane, or with NULL in the group's.
 */
#ifndef LEDGER_TURNS_H
#define LEDGER_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "ledger/outbox.h"

/* Maximum per turn: messages, their bytes, and messages of context before them. */
#define TURN_MAX_MESSAGES 100
#define TURN_MAX_BYTES    ((int64_t)512 * 1024)
#define TURN_MAX_CONTEXT  50

/* Steps that are kept of an attempt. */
#define TURN_MAX_STEPS 200

struct turn {
	int64_t id; /* 0: no turn */
	char *group_folder;
	char *chat_jid;
	int64_t first_seq;
	int64_t last_seq;
	int failures;
	int interruptions;
	int64_t not_before; /* 0: at once */
	int64_t run;        /* of a task (task_runs.h); 0: the turn is for messages */
};

#define TURN_INIT ((struct turn){0})

void turn_release(struct turn *turn);

/* --- the next turn ------------------------------------------------------------- */

int turn_has_work(struct store *store, const char *folder, const char *isolated_task,
	bool *ret_has_work, struct error *err);

/* The folders of all groups with work in their main lane, each followed by a newline. */
int turn_groups_with_work(struct store *store, struct buf *ret_folders, struct error *err);

/* The chats that wait for an answer from this group, each followed by a newline. */
int turn_waiting_chats(
	struct store *store, const char *folder, struct buf *ret_chats, struct error *err);

struct waiting_message {
	int64_t seq; /* 0: no message */
	char *chat_jid;
	char *sender;
	char *content;
	bool alone; /* it has a turn to itself */
	char *received_at;
};

void waiting_message_release(struct waiting_message *message);

/* The message that turn_next() would claim, if it would claim one. */
int turn_next_message(struct store *store, const char *folder,
	struct waiting_message *ret_message, struct error *err);

/*
 * The open turn of the lane; without one, claim the message or run that has waited longest
 * (L3). `id` is 0 if there is no work.
 */
int turn_next(struct store *store, const char *folder, const char *isolated_task, int64_t now,
	struct turn *ret_turn, struct error *err);

/* Call `each` for the messages that the agent is shown, in order. */
struct turn_message {
	int64_t seq;
	const char *sender_name;
	const char *sender;
	const char *channel;
	const char *content;
	const char *timestamp;
	bool wants_answer;
	const char *thread;       /* or NULL */
	const char *reference;    /* "reply", "edit", "reaction"; NULL: none */
	const char *earlier;      /* the text that it refers to, if known … */
	const char *earlier_name; /* … and who wrote it; NULL: the assistant */
};
int turn_messages(struct store *store, const struct turn *turn,
	void (*each)(const struct turn_message *message, void *data), void *data,
	struct error *err);

/* --- attempts ------------------------------------------------------------------ */

int turn_attempt_begin(struct store *store, const struct turn *turn, const char *session_id,
	int64_t now, struct error *err);

/* How an attempt ends without an answer. */
enum attempt_end {
	ATTEMPT_FAILED,  /* by the agent: counts, and the turn waits until `not_before` */
	ATTEMPT_STOPPED, /* the host was stopped */
	ATTEMPT_FRESH,   /* the session could not be resumed; the next attempt has none */
	ATTEMPT_LOST,    /* the agent's machine was lost: an interruption */
};

/* How the detail of a stopped attempt begins whose agent no machine took. */
#define TURN_NO_PLACE "no place: "

/* How often in a row no machine took its agent, and since when. */
int turn_place_tries(struct store *store, int64_t turn, int64_t *ret_tries, int64_t *ret_since,
	struct error *err);

/* The open turns that wait for a place: their turn, group and reason, a line each. */
int turns_without_place(struct store *store, struct buf *ret_lines, struct error *err);

int turn_attempt_end(struct store *store, const struct turn *turn, enum attempt_end end,
	const char *detail, int64_t not_before, int64_t now, struct error *err);

/* After a kill: every attempt that was running is interrupted. */
int turn_recover(struct store *store, int64_t now, int *ret_count, struct error *err);

/* What an agent does before its answer, for `trace`; nothing depends on these rows. */
enum step_kind {
	STEP_SAID, /* a text before the answer */
	STEP_TOOL,
};

/* A step of the latest attempt. */
int turn_step_add(struct store *store, int64_t turn, enum step_kind kind, const char *detail,
	int64_t now, struct error *err);

/* --- answers ------------------------------------------------------------------- */

struct answer {
	enum outbox_kind kind;    /* OUTBOX_ANSWER or OUTBOX_ERROR */
	const char *const *parts; /* none: the agent had no answer */
	size_t part_count;
	const char *session_id; /* of the agent; NULL: unchanged */
	const char *error;      /* why it is an error */
};

int turn_answer(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err);

#endif
