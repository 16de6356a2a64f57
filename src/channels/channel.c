#include "channels/channel.h"

#include <stdlib.h>
#include <string.h>

extern const struct channel_kind *const __start_nanoclaw_channels[];
extern const struct channel_kind *const __stop_nanoclaw_channels[];

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

static int compare_kinds(const void *a, const void *b)
{
	const struct channel_kind *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

void channel_for_each_kind(
	void (*each)(const struct channel_kind *kind, void *data), void *data)
{
	size_t count = (size_t)(__stop_nanoclaw_channels - __start_nanoclaw_channels);
	CLEANUP(freep) const struct channel_kind **kinds = xcalloc(count, sizeof(*kinds));

	for (size_t i = 0; i < count; i++)
		kinds[i] = __start_nanoclaw_channels[i];
	qsort(kinds, count, sizeof(*kinds), compare_kinds);
	for (size_t i = 0; i < count; i++)
		each(kinds[i], data);
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

void channel_split(
	const struct channel *channel, struct view text, struct string_array *ret_parts)
{
	static const struct markup_form whole = {0};

	markup_split(text, channel ? &channel->form : &whole, ret_parts);
}
