#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/discord/discord.h"

#define MAX_ID 32

/*
 * In Discord's texts a person, role, channel or emoji is one of
 *
 *	<@1>  <@!1>  <@&1>  <#1>  <:name:1>  <a:name:1>
 *
 * `kind` is '@', '&', '#' or ':'. Everything else is as people see it.
 */
struct piece {
	char kind;
	char id[MAX_ID];
	struct view name; /* of an emoji */
};

/* The piece that begins at `text`, and its end; NULL: none does. */
static const char *piece_read(const char *text, struct piece *ret_piece)
{
	const char *end = strchr(text, '>');
	const char *id = text + 1;

	if (*text != '<' || !end)
		return NULL;
	ret_piece->kind = *id;
	ret_piece->name = (struct view){"", 0};
	if (!strncmp(id, "@&", 2) || !strncmp(id, "@!", 2)) {
		ret_piece->kind = id[1] == '&' ? '&' : '@';
		id += 2;
	} else if (*id == '@' || *id == '#') {
		id++;
	} else if (*id == ':' || !strncmp(id, "a:", 2)) {
		const char *name = strchr(id, ':') + 1;

		ret_piece->kind = ':';
		ret_piece->name = (struct view){name, strcspn(name, ":>")};
		id = name + ret_piece->name.len + 1;
	}
	if (id >= end || end - id >= MAX_ID)
		return NULL;
	memcpy(ret_piece->id, id, (size_t)(end - id));
	ret_piece->id[end - id] = '\0';
	return discord_is_id(ret_piece->id) ? end + 1 : NULL;
}

bool discord_text_next(const char **text, char *ret_kind, char ret_id[static MAX_ID])
{
	struct piece piece;

	for (const char *at = strchr(*text, '<'); at; at = strchr(at + 1, '<')) {
		const char *end = piece_read(at, &piece);

		if (!end || (piece.kind != '#' && piece.kind != '&'))
			continue;
		*text = end;
		*ret_kind = piece.kind;
		snprintf(ret_id, MAX_ID, "%s", piece.id);
		return true;
	}
	return false;
}

/* A message names the people whom it mentions. To be freed; NULL: it does not. */
static char *person_name(const json_t *message, const char *id)
{
	json_t *user;
	size_t i;

	json_array_foreach(json_object_get(message, "mentions"), i, user) {
		const char *other = discord_text(user, "id");
		const char *names[] = {
			discord_text(json_object_get(user, "member"), "nick"),
			discord_text(user, "global_name"),
			discord_text(user, "username"),
		};

		for (size_t n = 0; other && !strcmp(other, id) && n < ARRAY_SIZE(names); n++)
			if (names[n] && *names[n])
				return utf8_excerpt(view_of(names[n]));
	}
	return NULL;
}

static void append_piece(struct discord *discord, const json_t *message,
	const struct piece *piece, struct buf *out)
{
	CLEANUP(freep)
	char *person = piece->kind == '@' ? person_name(message, piece->id) : NULL;
	const char *name = person ? person : discord_place_name(discord, piece->id);

	if (piece->kind == ':') {
		buf_appendf(out, ":%.*s:", VIEW_ARGS(piece->name));
		return;
	}
	buf_append_char(out, piece->kind == '#' ? '#' : '@');
	buf_append_str(out, name ? name : piece->id);
}

/* "@bot, remember" is "remember"; "@bot" alone stays. */
static bool is_address(
	const struct discord *discord, const struct piece *piece, const char *rest)
{
	return piece->kind == '@' && !strcmp(piece->id, discord->bot) && *rest;
}

void discord_text_plain(struct discord *discord, const json_t *message, struct buf *out)
{
	const json_t *snapshot =
		json_array_get(json_object_get(message, "message_snapshots"), 0);
	const char *text = discord_text(message, "content");
	struct piece piece;
	const char *end;

	if ((!text || !*text) && snapshot) /* it is forwarded */
		text = discord_text(json_object_get(snapshot, "message"), "content");
	if (!text)
		return;
	text += strspn(text, " \n");
	while (*text) {
		const char *rest = NULL;

		end = piece_read(text, &piece);
		if (end)
			rest = end + strspn(end, " ,:\n");
		if (end && !out->len && is_address(discord, &piece, rest)) {
			text = rest;
		} else if (end) {
			append_piece(discord, message, &piece, out);
			text = end;
		} else {
			size_t len = 1 + strcspn(text + 1, "<");

			buf_append(out, text, len);
			text += len;
		}
	}
}
