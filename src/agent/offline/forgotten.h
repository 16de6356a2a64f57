/*
 * A record of each message's actions that must not happen twice, written before they happen.
 *
 * "forget 2" means a different note once note 2 is gone, and "move 3 by an hour" a different time
 * once task 3 has moved. When a turn is repeated after a crash, the original note or time is found
 * here by the message.
 */
#ifndef AGENT_OFFLINE_FORGOTTEN_H
#define AGENT_OFFLINE_FORGOTTEN_H

#include "base/error.h"

/* The note or time that this message meant, to be freed; NULL if the message is new. */
char *forgotten_find(int folder, const char *message);

/* To be called before it is done. */
int forgotten_keep(int folder, const char *message, const char *note, struct error *err);

#endif
