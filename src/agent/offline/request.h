/*
 * What a message asks for, in plain English.
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
	REQUEST_CANCEL,
	REQUEST_CHATS,
	REQUEST_FORGET,
	REQUEST_GROUPS,
	REQUEST_HELLO,
	REQUEST_HELP,
	REQUEST_LIST,
	REQUEST_MOVE,
	REQUEST_NO,
	REQUEST_NOTES,
	REQUEST_PAUSE,
	REQUEST_REMEMBER,
	REQUEST_REMIND, /* `what` is all of it, for when_read() */
	REQUEST_REMIND_GROUP,
	REQUEST_REMOVE_GROUP,
	REQUEST_REMOVE_ITEM,
	REQUEST_RESUME,
	REQUEST_SNOOZE,
	REQUEST_TASKS,
	REQUEST_THANKS,
	REQUEST_TIME,
	REQUEST_YES, /* and nothing else */
	REQUEST_ZONE,
};

struct request {
	enum request_kind kind;
	bool confirmed;   /* it began with "yes" */
	char *text;       /* without the name and the trigger */
	char *what;       /* the rest of the text, trimmed; may be "" */
	const char *like; /* if unknown: the command that its first word resembles, or NULL */
};

void request_read(
	struct view text, const char *name, const char *trigger, struct request *ret_request);
void request_release(struct request *request);

/* Cuts "the rent to Friday" at the last " to "; false if it has no such word. */
bool request_split(char *what, const char *word, char **ret_rest);

#endif
