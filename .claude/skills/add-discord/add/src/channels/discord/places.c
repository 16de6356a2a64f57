#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/discord/discord.h"
#include "time/timestamp.h"

/* Above this, the one that was learned first is forgotten. */
#define MOST_PLACES 1000
#define FRESH_MS    ((int64_t)60 * 60 * 1000)
#define AGAIN_MS    2000 /* after no answer */

/* A channel, a thread or a role. */
struct discord_place {
	struct discord_place *next;
	struct discord *discord;
	struct discord_call *call; /* NULL: it is known, or not to be had */
	char *id;
	char *name;   /* NULL: it has none */
	char *parent; /* the channel of a thread; else NULL */
	char *guild;  /* the server of a channel; else NULL */
	bool is_ours; /* a role that Discord made for the bot */
	int64_t learned_at;
};

static struct discord_place **place_at(struct discord *discord, const char *id)
{
	struct discord_place **at = &discord->places;

	while (*at && strcmp((*at)->id, id) != 0)
		at = &(*at)->next;
	return at;
}

static void place_remove(struct discord_place **at)
{
	struct discord_place *place = *at;

	*at = place->next;
	place->discord->place_count--;
	if (place->call)
		discord_call_cancel(place->call);
	free(place->id);
	free(place->name);
	free(place->parent);
	free(place->guild);
	free(place);
}

void discord_places_end(struct discord *discord)
{
	while (discord->places)
		place_remove(&discord->places);
}

static struct discord_place *place_new(struct discord *discord, const char *id)
{
	struct discord_place **last = place_at(discord, id);
	struct discord_place *place = xcalloc(1, sizeof(*place));

	if (*last)
		place_remove(last);
	if (discord->place_count >= MOST_PLACES) {
		for (last = &discord->places; (*last)->next;)
			last = &(*last)->next;
		place_remove(last);
	}
	place->discord = discord;
	place->id = xstrdup(id);
	place->learned_at = timestamp_clock();
	place->next = discord->places;
	discord->places = place;
	discord->place_count++;
	return place;
}

/* --- learning ---------------------------------------------------------------- */

/* Names are what anybody chose: one line, without controls. */
static void place_name(struct discord_place *place, const json_t *object)
{
	const char *name = discord_text(object, "name");

	free(place->name);
	place->name = name && *name ? utf8_excerpt(view_of(name)) : NULL;
}

/* Threads of announcements, public and private ones. Other channels have a category above them. */
static void place_channel(struct discord_place *place, const json_t *channel)
{
	int type = (int)json_number_value(json_object_get(channel, "type"));
	const char *parent = discord_text(channel, "parent_id");
	const char *guild = discord_text(channel, "guild_id");

	place_name(place, channel);
	free(place->guild);
	place->guild = guild && discord_is_id(guild) ? xstrdup(guild) : NULL;
	free(place->parent);
	place->parent = parent && discord_is_id(parent) && type >= 10 && type <= 12
				? xstrdup(parent)
				: NULL;
}

void discord_place_learn(struct discord *discord, const json_t *channel)
{
	const char *id = discord_text(channel, "id");
	struct discord_place *place;

	if (!id || !discord_is_id(id))
		return;
	place = *place_at(discord, id);
	/* One that is asked for gets its answer. */
	if (!place || !place->call)
		place_channel(place_new(discord, id), channel);
}

/* --- asking ------------------------------------------------------------------ */

/* True: there is no answer; it is asked for again. */
static bool place_unanswered(struct discord_place *place, const struct discord_reply *reply)
{
	struct discord *discord = place->discord;

	place->call = NULL;
	if (reply->outcome == DISCORD_DONE || reply->outcome == DISCORD_REFUSED)
		return false;
	place_remove(place_at(discord, place->id));
	discord_events_go_on(
		discord, reply->retry_after_ms > AGAIN_MS ? reply->retry_after_ms : AGAIN_MS);
	return true;
}

static void take_channel(void *data, const struct discord_reply *reply)
{
	struct discord_place *place = data;

	if (place_unanswered(place, reply))
		return;
	if (reply->outcome == DISCORD_DONE)
		place_channel(place, reply->document);
	discord_events_go_on(place->discord, 0);
}

static void take_roles(void *data, const struct discord_reply *reply)
{
	struct discord_place *place = data;
	json_t *role;
	size_t i;

	if (place_unanswered(place, reply))
		return;
	json_array_foreach(reply->document, i, role) {
		const char *id = discord_text(role, "id");
		const char *bot = discord_text(json_object_get(role, "tags"), "bot_id");

		if (!id || strcmp(id, place->id) != 0)
			continue;
		place_name(place, role);
		place->is_ours = bot && !strcmp(bot, place->discord->bot);
	}
	discord_events_go_on(place->discord, 0);
}

bool discord_place_known(
	struct discord *discord, const char *id, const char *guild, bool is_role)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;
	struct discord_place *place = *place_at(discord, id);

	if (place && (place->call || timestamp_clock() - place->learned_at < FRESH_MS))
		return !place->call;
	if (is_role && !guild)
		return true;
	place = place_new(discord, id);
	path = is_role ? xasprintf("guilds/%s/roles", guild) : xasprintf("channels/%s", id);
	if (discord_call(&discord->api, &(struct discord_request){"GET", path},
		    is_role ? take_roles : take_channel, place, &place->call, &ignored) < 0)
		place->call = NULL;
	return !place->call;
}

const char *discord_place_name(struct discord *discord, const char *id)
{
	const struct discord_place *place = *place_at(discord, id);

	return place ? place->name : NULL;
}

const char *discord_place_parent(struct discord *discord, const char *id)
{
	const struct discord_place *place = *place_at(discord, id);

	return place ? place->parent : NULL;
}

const char *discord_place_guild(struct discord *discord, const char *id)
{
	const struct discord_place *place = *place_at(discord, id);

	return place ? place->guild : NULL;
}

bool discord_place_is_ours(struct discord *discord, const char *id)
{
	const struct discord_place *place = *place_at(discord, id);

	return place && place->is_ours;
}
