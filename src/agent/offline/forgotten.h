/*
 * Which note a message wants to be forgotten, written down before that is done.
 *
 * "forget 2" means another note once note 2 is gone. When the turn is repeated after a
 * crash, the notes that were meant the first time are found here by the messages.
 */
#ifndef AGENT_OFFLINE_FORGOTTEN_H
#define AGENT_OFFLINE_FORGOTTEN_H

#include "base/error.h"

/* The note that this message meant; NULL if it was not seen before. To be freed. */
char *forgotten_find(int folder, const char *message);

/* Before it is done. */
int forgotten_keep(int folder, const char *message, const char *note, struct error *err);

#endif
