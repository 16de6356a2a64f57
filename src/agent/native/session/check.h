/*
 * Does every server accept this conversation? The agent checks this before each request, because a
 * server that refuses a history once refuses it every time.
 *
 *	if (check_messages(messages, err) < 0)
 *		check_repair(messages);		afterwards it is one
 *
 * The rules, over the messages of history.h:
 *
 *  1. The first message is a person's, and the last one is not the assistant's.
 *  2. A person's message has a text that is not blank.
 *  3. The assistant's has a text that is not blank or a call; its blocks have all their parts.
 *  4. A call has a name of [a-zA-Z0-9_-]{1,64}, an object as input, and an id of nine letters or
 *     digits that no other call has.
 *  5. Behind a message with calls stand their results: one for each, in their order, and
 * nothing else. Results are nowhere else.
 *  6. Between results and a person's message stands one of the assistant's, and two of the
 *     assistant's never follow each other.
 */
#ifndef AGENT_NATIVE_SESSION_CHECK_H
#define AGENT_NATIVE_SESSION_CHECK_H

#include <jansson.h>

#include "base/error.h"

/* The text that the model gets in place of a result that was never recorded. */
#define CHECK_NO_RESULT "The turn was interrupted before there was a result."

#define CHECK_INTERRUPTED "(The turn was interrupted here.)"

/* The text that the model gets if the program ended during the call. */
#define CHECK_MAY_HAVE_HAPPENED                                                                \
	"The program was ended while this ran. It may have been carried out, in part or as a " \
	"whole: look before you do it again."

int check_messages(const json_t *messages, struct error *err);

/*
 * Turns any value into a conversation that follows the rules: leaves out whatever violates one, and
 * fills in missing results. An empty conversation gets a person's message.
 */
void check_repair(json_t *messages);

#endif
