/*
 * Tell the owner that a channel or the host is dead, by whatever way still works: main's chat if its
 * channel is connected, else the command line in the setting NANOCLAW_ALERT, which gets the text on
 * its standard input. The terminal counts as both, because nobody may be looking at it. The log has
 * it anyway. A channel's death is tried to be told at each tick until a way has worked.
 *
 * A host leaves a sign of life, the time of data/run/alive, ten times in NANOCLAW_ALERT_SECONDS, and
 * removes it when it is stopped. A sign older than that means that no host ran, without anybody
 * having stopped it: the next host says so, and one that cannot start runs the command. So does one that
 * is ready, at once, because it may be killed as soon as those before it.
 */
#ifndef HOST_CHAT_ALERT_H
#define HOST_CHAT_ALERT_H

#include "host/base/installation.h"

struct alerts;
struct delivery;

/* For a host that is ready. */
struct alerts *alerts_new(struct installation *inst, struct delivery *delivery);
/* The host was stopped. */
void alerts_close(struct alerts *alerts);

/*
 * For a host that cannot start: run the command, once until one runs again, if the sign is too old or a
 * service manager gives up after `why`. It may take a minute.
 */
void alert_failed_start(int root, const struct settings *settings, const struct error *why);

#endif
