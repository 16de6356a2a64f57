/*
 * The offline agent: an assistant that needs no model. It keeps notes, sets reminders
 * and administers groups, by commands in plain English (request.h, time/phrase/when.h).
 *
 *	struct offline offline = {.folder = fd, .name = "Andy", .trigger = "@Andy"};
 *
 *	answer = offline_answer(&offline, view_of(prompt));
 *
 * A turn may be repeated after a crash, so doing something twice must have the same effect as doing
 * it once: an existing note is not added again; a note to forget by its number is recorded first
 * (forgotten.h); the host recognizes a task that the turn has already set; and an already
 * registered group is recognized.
 */
#ifndef AGENT_OFFLINE_OFFLINE_H
#define AGENT_OFFLINE_OFFLINE_H

#include <stdint.h>

#include "agent/offline/prompt.h"
#include "agent/offline/request.h"
#include "base/error.h"
#include "time/phrase/when.h"
#include "time/zone.h"

/* A reminder to be set, or asked about. */
struct reminder {
	struct when when;
	struct zone *zone;
	int64_t said;     /* when, in seconds */
	struct civil now; /* the same on the clock of the zone */
	char *group;      /* the folder of another group, or NULL */
	char *moved;      /* the task that it replaces, or NULL */
	bool confirmed;
	struct reminder *next; /* that waits for the zone, too */
};

struct offline {
	int folder; /* of the group, open */
	const char *name;
	const char *trigger;
	char *asked; /* the command that we last asked about, which a bare "yes" runs; or NULL */
	struct reminder *asked_reminder; /* likewise; "no, at 5am" corrects it */
	struct reminder *waiting;        /* until the person says in which zone they are */
};

void offline_release(struct offline *offline);

/* The answer, to be freed. Never NULL; "" means no answer. */
char *offline_answer(struct offline *offline, struct view prompt);

/* --- for the files of this folder: one kind of request each ------------------- */

struct turn_request {
	struct offline *offline;
	const struct request *request;
	const struct prompt_message *message;
	size_t number; /* of the message in the turn */
	struct buf *out;
};

int answer_remember(const struct turn_request *turn, struct error *err);
int answer_remember_all(const struct turn_request *turn, struct error *err);
int answer_notes(const struct turn_request *turn, struct error *err);
/* Offers to note "my dentist is Ann". */
int answer_state(const struct turn_request *turn, struct error *err);
/* Asks the notes. */
int answer_ask(const struct turn_request *turn, struct error *err);
int answer_forget(const struct turn_request *turn, struct error *err);

/* A reminder only if the person says so; most often it is nothing that we know. */
int answer_perhaps_remind(const struct turn_request *turn, struct error *err);
int answer_remind(const struct turn_request *turn, struct error *err);
int answer_tasks(const struct turn_request *turn, struct error *err);
int answer_pause(const struct turn_request *turn, struct error *err);
int answer_resume(const struct turn_request *turn, struct error *err);
int answer_cancel(const struct turn_request *turn, struct error *err);
int answer_move(const struct turn_request *turn, struct error *err);
int answer_done(const struct turn_request *turn, struct error *err);
int answer_snooze(const struct turn_request *turn, struct error *err);
int answer_remind_group(const struct turn_request *turn, struct error *err);
int answer_agenda(const struct turn_request *turn, struct error *err);

int answer_add_item(const struct turn_request *turn, struct error *err);
int answer_remove_item(const struct turn_request *turn, struct error *err);
int answer_clear_list(const struct turn_request *turn, struct error *err);
int answer_list(const struct turn_request *turn, struct error *err);
int answer_lists(const struct turn_request *turn, struct error *err);

/* An answer to the question about `asked`, which is released; else a request of its own. */
int answer_asked(const struct turn_request *turn, struct reminder *asked, bool *ret_answered,
	struct error *err);

/* Is it the zone that reminders wait for? Then they are set; else it is another request. */
int answer_waiting(const struct turn_request *turn, bool *ret_answered, struct error *err);

struct reminder *reminder_new(const struct turn_request *turn, struct error *err);
void reminder_free(struct reminder *reminder);
void reminder_freep(struct reminder **reminder);

/* Sets the reminder, or keeps it in order to ask about it. */
int reminder_set(
	const struct turn_request *turn, struct reminder **reminder, struct error *err);

/* The value of its schedule; NULL if it is impossible, and the answer says why. */
char *reminder_value(
	const struct turn_request *turn, const struct reminder *reminder, size_t number);

int answer_groups(const struct turn_request *turn, struct error *err);
int answer_chats(const struct turn_request *turn, struct error *err);
int answer_add_group(const struct turn_request *turn, struct error *err);
int answer_remove_group(const struct turn_request *turn, struct error *err);

int answer_unknown(const struct turn_request *turn, struct error *err);

int answer_time(const struct turn_request *turn, struct error *err);
/* "I live in New York": the words for the zone; the text itself if it does not begin like that. */
const char *zone_words(const char *text);
/* "europe/berlin", "New York", "CET", "GMT+1" and "Japan" are enough of a name. */
int zone_find(const char *text, struct zone **ret_zone, struct error *err);
int answer_zone(const struct turn_request *turn, struct error *err);

/*
 * A key that stays the same when the turn is repeated and is unique to this message; to be freed.
 * NULL if the host has ended: the next host repeats the turn, so nothing that must happen only once
 * may happen now.
 */
char *offline_message_key(const struct turn_request *turn);

/* Ask for confirmation; "yes" or "yes, COMMAND" then runs it. */
void offline_ask(const struct turn_request *turn, const char *command);

#define REMINDER_PREFIX "Reminder: "

#endif
