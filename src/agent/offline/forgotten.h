/*
 * Which note a message wants to be forgotten, written down before that is done.
 *
 * "forget 2" means another note once note 2 is gone. When the turn is repeated after a
 * crash, the note that was meant the first time is found here by the message.
 */
#ifndef AGENT_OFFLINE_FORGOTTEN_H
#define AGENT_OFFLINE_FORGOTTEN_H

#include "util/error.h"

/* The note that this message meant; NULL if it was not seen before. To be freed. */
int forgotten_find(int folder, const char *message, char **ret_note, struct error *err);
int forgotten_keep(int folder, const char *message, const char *note, struct error *err);

#endif
