/*
 * A conversation with the assistant of one group, over the local channel.
 *
 *	conversation_open(&assistant, "main", &conversation, err)
 *	conversation_say(&conversation, "hello", &seq, err)	stored, with a number
 *	conversation_wait(&conversation, seq, &heard, err)	until it is answered
 */
#ifndef CLI_CHAT_CONVERSATION_H
#define CLI_CHAT_CONVERSATION_H

#include <stdint.h>

#include "cli/assistant/assistant.h"

struct conversation {
	struct client *client;
	char *folder;
	char *name; /* of the assistant */

	/* Owned by the caller: messages that wait for the host's "ack"; NULL to keep none. */
	json_t *unstored;
};

/* A message from the assistant; "typing" with the text "" means that it has stopped. */
struct heard {
	const char *text;
	const char *kind; /* "answer", "error", "message", "notice"; or "typing" */
	int64_t upto;     /* the last message that it answers, or 0 */
	int part;
};

typedef void (*heard_function)(const struct heard *heard, void *data);

/* `word` names the group. */
int conversation_open(struct assistant *assistant, const char *word,
	struct conversation *ret_conversation, struct error *err);
void conversation_release(struct conversation *conversation);

/* `*ret_id`, which may be NULL, is the id of the message, to be freed. */
int conversation_say(struct conversation *conversation, const char *text, int64_t *ret_seq,
	char **ret_id, struct error *err);

/* Without waiting until the host has stored it. */
int conversation_post(
	struct conversation *conversation, const char *text, char **ret_id, struct error *err);

/*
 * From now on, the assistant's messages in this chat arrive here. Messages that an earlier host
 * has not acknowledged are sent again; the host stores each id only once.
 */
int conversation_attach(struct conversation *conversation, struct error *err);

/* Wait until message `seq` is answered; `function` gets everything that arrives before. */
int conversation_wait(struct conversation *conversation, int64_t seq, heard_function function,
	void *data, struct error *err);

/* Handle one line from the host; only this function reports "typing". */
int conversation_listen(struct conversation *conversation, heard_function function, void *data,
	struct error *err);

#endif
