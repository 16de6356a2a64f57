#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"

/* An id that a person could not have written is not looked up. */
#define MOST_ID 32

/*
 * In Slack's texts `&`, `<` and `>` are entities, so that `<` always begins one of
 *
 *	<@U1|name>  <#C1|name>  <!here>  <!subteam^S1|@name>  <!date^…|words>  <https://…|words>
 */
struct piece {
	struct view target; /* behind '<', up to '|' */
	struct view label;  /* behind '|'; empty without one */
};

/* The next piece at or behind `*at`, and where it is; false: there is none. */
static bool piece_next(
	const char *text, const char **ret_begin, const char **ret_end, struct piece *ret_piece)
{
	const char *begin = strchr(text, '<');
	const char *end = begin ? strchr(begin, '>') : NULL;
	const char *bar;

	if (!end)
		return false;
	bar = memchr(begin, '|', (size_t)(end - begin));
	ret_piece->target = (struct view){begin + 1, (size_t)((bar ? bar : end) - begin - 1)};
	ret_piece->label =
		bar ? (struct view){bar + 1, (size_t)(end - bar - 1)} : (struct view){"", 0};
	*ret_begin = begin;
	*ret_end = end + 1;
	return true;
}

/* The id of a person or chat that a piece mentions; false for other pieces. */
static bool piece_id(const struct piece *piece, char ret_id[static MOST_ID])
{
	struct view target = piece->target;

	if (target.len < 2 || target.len > MOST_ID || !strchr("@#", target.data[0]))
		return false;
	memcpy(ret_id, target.data + 1, target.len - 1);
	ret_id[target.len - 1] = '\0';
	return slack_is_id(ret_id);
}

bool slack_text_known(struct slack *slack, const char *text,
	bool (*known)(struct slack *slack, const char *id))
{
	bool all = true;
	struct piece piece;
	const char *begin;
	char id[MOST_ID];

	while (piece_next(text, &begin, &text, &piece))
		if (!piece.label.len && piece_id(&piece, id))
			all &= known(slack, id);
	return all;
}

static void append_unescaped(struct buf *out, struct view text)
{
	static const struct {
		const char *entity;
		char character;
	} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};

	while (text.len) {
		size_t len = 1;
		char character = *text.data;

		for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
			if (view_starts_with(text, entities[i].entity)) {
				len = strlen(entities[i].entity);
				character = entities[i].character;
			}
		buf_append_char(out, character);
		text = view_slice(text, len, text.len);
	}
}

static void append_piece(const struct slack *slack, const struct piece *piece, struct buf *out)
{
	char kind = piece->target.len ? *piece->target.data : ' ';
	struct view label = piece->label;
	const char *name = NULL;
	char id[MOST_ID];

	if (piece_id(piece, id)) {
		name = slack_name_get(slack, id);
		buf_append_char(out, kind);
		if (name)
			buf_append_str(out, name);
		else
			append_unescaped(out, label.len ? label : view_of(id));
	} else if (kind == '!') {
		if (!label.len)
			buf_append_char(out, '@');
		append_unescaped(out,
			label.len ? label : view_slice(piece->target, 1, piece->target.len));
	} else if (!label.len || view_equal(label, piece->target)) {
		append_unescaped(out, piece->target);
	} else {
		append_unescaped(out, label);
		buf_append_str(out, " (");
		append_unescaped(out, piece->target);
		buf_append_char(out, ')');
	}
}

bool slack_text_plain(const struct slack *slack, const char *text, struct buf *out)
{
	bool mentioned = false;
	struct piece piece;
	const char *begin;
	const char *end;
	char id[MOST_ID];

	text += strspn(text, " \n");
	while (piece_next(text, &begin, &end, &piece)) {
		bool is_us = piece_id(&piece, id) && !strcmp(id, slack->bot_user);

		append_unescaped(out, (struct view){text, (size_t)(begin - text)});
		mentioned |= is_us;
		/* "@bot, remember" is "remember"; "@bot" alone stays. */
		text = end + strspn(end, " ,:\n");
		if (is_us && !out->len && *text)
			continue;
		append_piece(slack, &piece, out);
		text = end;
	}
	append_unescaped(out, view_of(text));
	return mentioned;
}
