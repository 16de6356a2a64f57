/*
 * What a message asks for, in plain English, with the usual words of German and Spanish.
 *
 *	request_read(view_of("@Andy, could you please forget 2?"), "Andy", "@Andy", &request)
 *
 * gives REQUEST_FORGET with `what` "2". The trigger, the assistant's name and polite words are left
 * out; case and punctuation do not matter. The result depends on the text alone.
 */
#ifndef AGENT_OFFLINE_REQUEST_H
#define AGENT_OFFLINE_REQUEST_H

#include <stdbool.h>

#include "base/view.h"

enum request_kind {
	REQUEST_UNKNOWN,
	REQUEST_ADD_GROUP,
	REQUEST_ADD_ITEM, /* to a list */
	REQUEST_AGENDA,
	REQUEST_ASK, /* a question: `text` */
	REQUEST_CANCEL,
	REQUEST_CHATS,
	REQUEST_CLEAR_LIST,
	REQUEST_DONE, /* what the latest reminder was about */
	REQUEST_FORGET,
	REQUEST_GROUPS,
	REQUEST_HELP,
	REQUEST_LIST,
	REQUEST_LISTS,
	REQUEST_MOVE,
	REQUEST_NO, /* and nothing else: the form has the answer */
	REQUEST_NOTES,
	REQUEST_PAUSE,
	REQUEST_REMEMBER,
	REQUEST_REMEMBER_ALL, /* for every group */
	REQUEST_REMIND,       /* `what` is all of it, for when_read() */
	REQUEST_REMIND_GROUP,
	REQUEST_REMOVE_GROUP,
	REQUEST_REMOVE_ITEM,
	REQUEST_RESUME,
	REQUEST_SAY, /* small talk: the form has the answer */
	REQUEST_SNOOZE,
	REQUEST_STATE, /* "my dentist is Ann" */
	REQUEST_TASKS,
	REQUEST_TIME,
	REQUEST_YES, /* and nothing else */
	REQUEST_ZONE,
};

enum rest {
	REST_ANY,
	REST_NONE, /* it is this only if nothing follows */
	REST_SOME, /* it is this only if something follows */
};

/* A way to ask. '|' separates several words or phrases. */
struct form {
	const char *words;
	enum request_kind kind;
	enum rest rest;
	bool shown;       /* "show me my" may precede it */
	const char *tail; /* words that may end it: "was steht morgen AN" */
	const char *
		prepositions; /* between a thing and its list; the first that is there counts */
	const char *list;     /* the name of a list that has none; "it": the latest task */
	const char *say;      /* the answer; '@' is the assistant's name */
};

struct request {
	enum request_kind kind;
	const struct form *form; /* NULL: it matched none */
	bool confirmed;          /* it began with "yes" */
	char *text;              /* without the name and the trigger */
	char *what;              /* the rest of the text, trimmed; may be "" */
	const char *like; /* if unknown: the command that its first word resembles, or NULL */
};

void request_read(
	struct view text, const char *name, const char *trigger, struct request *ret_request);
void request_release(struct request *request);

/*
 * Where a second request begins in "add milk to shopping and remind me tomorrow to buy it"; `*ret_end`
 * is the end of the first. 0: there is only one. `perhaps`: also where a reminder may go on, as in
 * "remind me at 9 to call Ann and cancel the flight".
 */
size_t request_second(
	struct view text, const char *name, const char *trigger, bool perhaps, size_t *ret_end);

/* The length of the first of `words` that `text` begins with, and a space or the end; or 0. */
size_t request_leading(const char *text, const char *words);

/*
 * Cuts "the rent to Friday" where the last " to" is, a whole word. Of several `words`, separated by
 * '|', the first that is there counts. False if none is.
 */
bool request_split(char *what, const char *words, char **ret_rest);

#endif
