#include "channels/channel.h"

#include <stdlib.h>
#include <string.h>

ENTRY_SET(channels, channel_kind)

const char *channel_state_name(enum channel_state state)
{
	static const char *const names[] = {
		[CHANNEL_STARTING] = "starting",
		[CHANNEL_CONNECTED] = "connected",
		[CHANNEL_DISCONNECTED] = "disconnected",
		[CHANNEL_DOWN] = "down",
	};

	return names[state];
}

const struct channel_kind *const *channel_kinds(void)
{
	return channels_sorted();
}

void channel_init(struct channel *channel, const struct channel_kind *kind, const char *name,
	const struct channel_setup *setup)
{
	channel->kind = kind;
	channel->name = xstrdup(name);
	channel->state = CHANNEL_STARTING;
	channel->events = setup->events;
	channel->host = setup->host;
}

void channel_release(struct channel *channel)
{
	free(channel->name);
	free(channel->detail);
}

void channel_set_state(struct channel *channel, enum channel_state state, const char *detail)
{
	char *copy = detail ? xstrdup(detail) : NULL;

	free(channel->detail);
	channel->detail = copy;
	channel->state = state;
	if (state != CHANNEL_DOWN)
		channel->retry_at = 0;
	channel->events->changed(channel);
}

bool channel_is_followed(const struct channel *channel)
{
	return channel->abilities & (CHANNEL_TYPING | CHANNEL_EDIT | CHANNEL_LIVE) &&
	       !(channel->abilities & CHANNEL_STATE) && strcmp(channel->name, "local") != 0;
}

void channel_split(
	const struct channel *channel, struct view text, struct string_array *ret_parts)
{
	static const struct markup_form whole = {0};

	markup_split(text, channel ? &channel->form : &whole, ret_parts);
}
