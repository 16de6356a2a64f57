/* Does the server of the settings answer, with a good certificate? No nick is taken there. */
#ifndef CHANNELS_IRC_REACH_H
#define CHANNELS_IRC_REACH_H

#include "channels/irc/settings.h"
#include "net/network.h"

/* NULL: it does. */
typedef void (*irc_reach_function)(void *data, const char *why);

/* `function` is called once, perhaps at once. */
void irc_reach(struct network *network, const struct irc_settings *settings,
	irc_reach_function function, void *data);

#endif
