/*
 * What a message did that must not be done twice, written down before it is done.
 *
 * "forget 2" means another note once note 2 is gone, and "move 3 by an hour" another time once
 * it was moved. When the turn is repeated after a crash, the note or time that was meant first
 * is found here by the message.
 */
#ifndef AGENT_OFFLINE_FORGOTTEN_H
#define AGENT_OFFLINE_FORGOTTEN_H

#include "base/error.h"

/* The note or time that this message meant; NULL if it was not seen before. To be freed. */
char *forgotten_find(int folder, const char *message);

/* To be called before it is done. */
int forgotten_keep(int folder, const char *message, const char *note, struct error *err);

#endif
