#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/irc/irc.h"
#include "time/timestamp.h"

/* Before a channel is joined again that we were kicked from, or that does not let us in. */
#define FIRST_BACKOFF   2000
#define LONGEST_BACKOFF 600000
#define LASTED_MS       60000 /* whoever was in it for longer is not kept out */

/* A channel of IRC: "channel" alone is what connects us to a platform. */
struct irc_room {
	const char *name;
	const char *key; /* "" if it has none */
	bool in;
	char *trouble;     /* why we are not in it; NULL: nothing is known against it */
	int64_t join_at;   /* by the steady clock; 0: not to be tried */
	int64_t joined_at; /* likewise, the last time */
	struct backoff backoff;
};

void irc_rooms_init(struct irc *irc)
{
	irc->room_count = irc->settings.channels.count;
	irc->rooms = xcalloc(irc->room_count + 1, sizeof(*irc->rooms));
	for (size_t i = 0; i < irc->room_count; i++)
		irc->rooms[i] = (struct irc_room){
			.name = irc->settings.channels.list[i],
			.key = irc->settings.keys.list[i],
			.backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF),
		};
}

void irc_rooms_lost(struct irc *irc)
{
	uv_timer_stop(&irc->room_timer);
	for (size_t i = 0; i < irc->room_count; i++) {
		irc->rooms[i].in = false;
		irc->rooms[i].join_at = 0;
	}
}

void irc_rooms_release(struct irc *irc)
{
	for (size_t i = 0; i < irc->room_count; i++)
		free(irc->rooms[i].trouble);
	free(irc->rooms);
}

static struct irc_room *room_find(const struct irc *irc, const char *name)
{
	for (size_t i = 0; i < irc->room_count; i++)
		if (irc_same(irc->mapping, irc->rooms[i].name, name))
			return &irc->rooms[i];
	return NULL;
}

bool irc_rooms_has(const struct irc *irc, const char *name)
{
	return room_find(irc, name) != NULL;
}

bool irc_rooms_in(const struct irc *irc, const char *name)
{
	const struct irc_room *room = room_find(irc, name);

	return room && room->in;
}

/* --- joining ----------------------------------------------------------------- */

static void rooms_plan(struct irc *irc, int64_t least_wait);

static void rooms_work(uv_timer_t *timer)
{
	struct irc *irc = timer->data;
	int64_t now = timestamp_steady();
	int64_t wait = 0;

	for (size_t i = 0; i < irc->room_count && !wait; i++) {
		struct irc_room *room = &irc->rooms[i];

		if (!room->join_at || room->join_at > now)
			continue;
		wait = irc_wait(irc);
		if (!wait) {
			room->join_at = 0;
			irc_write(irc, *room->key ? "JOIN %s %s" : "JOIN %s%s", room->name,
				room->key);
		}
	}
	rooms_plan(irc, wait);
}

static void rooms_plan(struct irc *irc, int64_t least_wait)
{
	int64_t now = timestamp_steady();
	int64_t next = 0;

	for (size_t i = 0; i < irc->room_count; i++)
		if (irc->rooms[i].join_at && (!next || irc->rooms[i].join_at < next))
			next = irc->rooms[i].join_at;
	if (!next || irc->closing)
		return;
	next = next > now ? next - now : 0;
	uv_timer_start(&irc->room_timer, rooms_work,
		(uint64_t)(next > least_wait ? next : least_wait), 0);
}

void irc_rooms_join(struct irc *irc)
{
	for (size_t i = 0; i < irc->room_count; i++)
		irc->rooms[i].join_at = timestamp_steady();
	rooms_plan(irc, 0);
}

/* --- what becomes of it ------------------------------------------------------ */

/* `nanoclaw channel list` shows which channels it is not in, and why. */
static void rooms_report(struct irc *irc)
{
	CLEANUP(buf_release) struct buf detail = BUF_INIT;
	struct channel *channel = &irc->channel;
	const char *before = channel->detail ? channel->detail : "";

	for (size_t i = 0; i < irc->room_count; i++)
		if (irc->rooms[i].trouble)
			buf_appendf(&detail, "%snot in '%s': %s", detail.len ? "; " : "",
				irc->rooms[i].name, irc->rooms[i].trouble);
	if (channel->state == CHANNEL_CONNECTED && strcmp(detail.data, before) != 0)
		channel_set_state(channel, CHANNEL_CONNECTED, detail.len ? detail.data : NULL);
}

static void room_left(struct irc *irc, struct irc_room *room, const char *why)
{
	free(room->trouble);
	room->trouble = utf8_excerpt(view_of(why));
	if (room->in && timestamp_steady() - room->joined_at > LASTED_MS)
		backoff_reset(&room->backoff);
	room->in = false;
	room->join_at = timestamp_steady() + backoff_next(&room->backoff);
	rooms_plan(irc, 0);
	rooms_report(irc);
}

static void room_joined(struct irc *irc, struct irc_room *room)
{
	CLEANUP(freep) char *jid = irc_jid(irc, room->name);
	struct channel *channel = &irc->channel;

	free(room->trouble);
	room->trouble = NULL;
	room->in = true;
	room->joined_at = timestamp_steady();
	room->join_at = 0;
	rooms_report(irc);
	channel->events->begin(channel->host);
	channel->events->chat(channel, jid, room->name, CHAT_GROUP);
	channel->events->commit(channel->host);
	channel->events->ready(channel, jid);
}

/* --- lines ------------------------------------------------------------------- */

static void take_kick(struct irc *irc, struct irc_room *room, const struct irc_line *line)
{
	CLEANUP(freep) char *by = irc_line_nick(line);
	CLEANUP(freep)
	char *why =
		xasprintf("kicked by '%s': %s", by ? by : line->source, line->parameters[2]);

	if (irc_is_me(irc, line->parameters[1]))
		room_left(irc, room, why);
}

static void take_join(struct irc *irc, struct irc_room *room, const struct irc_line *line)
{
	CLEANUP(freep) char *nick = irc_line_nick(line);

	if (nick && irc_is_me(irc, nick))
		room_joined(irc, room);
}

static void take_part(struct irc *irc, struct irc_room *room, const struct irc_line *line)
{
	CLEANUP(freep) char *nick = irc_line_nick(line);

	if (nick && irc_is_me(irc, nick))
		room_left(irc, room, "the server removed us");
}

/* Somebody lets us in who can. */
static void take_invite(struct irc *irc, struct irc_room *room)
{
	if (room->in || !room->trouble)
		return;
	room->join_at = timestamp_steady();
	rooms_plan(irc, 0);
}

/* It is full, for the invited, banned for us, or has another key. */
static bool is_join_error(const char *command)
{
	static const char *const errors[] = {
		"403", "405", "437", "471", "473", "474", "475", "476", "477", "489", "520"};

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (!strcmp(command, errors[i]))
			return true;
	return false;
}

bool irc_rooms_take(struct irc *irc, const struct irc_line *line)
{
	const char *command = line->command;
	bool second = !strcmp(command, "INVITE") || is_join_error(command);
	struct irc_room *room = room_find(irc, line->parameters[second ? 1 : 0]);

	if (!room || irc->closing)
		return false;
	if (!strcmp(command, "JOIN"))
		take_join(irc, room, line);
	else if (!strcmp(command, "PART"))
		take_part(irc, room, line);
	else if (!strcmp(command, "KICK"))
		take_kick(irc, room, line);
	else if (!strcmp(command, "INVITE"))
		take_invite(irc, room);
	else if (second && !room->in)
		room_left(irc, room, line->parameters[line->count - 1]);
	else
		return false;
	return true;
}
