/*
 * Pairing: a person gets a code on the terminal, and the chat in which it is sent becomes the
 * chat of a group. The code is valid for ten minutes, on one channel, and until a hundred wrong
 * codes were sent there. It is in memory only, so a restart of the host ends the pairing.
 */
#ifndef HOST_CHAT_PAIRING_H
#define HOST_CHAT_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

struct store;

#define PAIRING_MS    ((int64_t)10 * 60 * 1000)
#define PAIRING_TRIES 100 /* more than strangers write by chance */

struct pairing {
	char code[sizeof("1234-5678")]; /* "": none is under way */
	char *channel;
	char *folder;
	int64_t until;
	unsigned tries;
};

enum pairing_outcome {
	PAIRING_NOTHING, /* it is not a code, or none is expected there */
	PAIRING_WRONG,
	PAIRING_GIVEN_UP, /* too many wrong codes */
	PAIRING_RIGHT,    /* the caller ends it when the chat is the group's */
};

/* Begin a pairing, in place of any earlier one; -1: no random number is available. */
int pairing_begin(struct pairing *pairing, const char *channel, const char *folder, int64_t now,
	struct error *err);

/* A message arrived. The code is its last word; the dash is optional. */
enum pairing_outcome pairing_try(
	struct pairing *pairing, const char *channel, struct view text, int64_t now);

void pairing_end(struct pairing *pairing);

/*
 * Somebody wrote on the channel, and no chat of it belongs to a group: the command that begins a
 * pairing, to be freed. Else NULL.
 */
int pairing_command(
	struct store *store, const char *channel, char **ret_command, struct error *err);

#endif
