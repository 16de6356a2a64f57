/*
 * From a channel to the ledger: is the chat registered, may the sender speak, does the
 * message want an answer? These are the events that channels call.
 */
#ifndef HOST_ROUTER_H
#define HOST_ROUTER_H

#include "channels/channel.h"

/* `channel.host` is a struct host. */
extern const struct channel_events router_events;

#endif
