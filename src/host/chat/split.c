#include "host/chat/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void split_parts_release(struct split_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		free(parts->list[i]);
	free(parts->list);
	*parts = (struct split_parts){0};
}

static void add_part(struct split_parts *parts, struct view text)
{
	text = view_trim(text);
	if (!text.len)
		return;
	GROW(parts->list, parts->count, parts->cap);
	parts->list[parts->count++] = xmemdupz(text.data, text.len);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Kinds of places to cut before byte `at`, the best first. */
static bool cut_at(struct view text, size_t at, int kind)
{
	const char *c = text.data + at;

	switch (kind) {
	case 0:
		return at >= 2 && c[-1] == '\n' && c[-2] == '\n';
	case 1:
		return c[-1] == '\n';
	case 2:
		return at >= 2 && is_space(c[-1]) && strchr(".!?", c[-2]);
	default:
		return is_space(c[-1]);
	}
}

/* The end of a whole character at or before `at`. */
static size_t character_end(struct view text, size_t at)
{
	size_t end = at;

	while (end > 0 && at - end < 4 && ((unsigned char)text.data[end] & 0xc0) == 0x80)
		end--;
	return end > 0 && at - end < 4 ? end : at;
}

static size_t find_cut(struct view text, size_t max)
{
	for (int kind = 0; kind < 4; kind++)
		for (size_t at = max; at > max / 2; at--)
			if (cut_at(text, at, kind))
				return at;
	return character_end(text, max);
}

void split_text(struct view text, size_t max, struct split_parts *ret_parts)
{
	if (max && max < SPLIT_MIN)
		max = SPLIT_MIN;
	text = view_trim(text);
	while (max && text.len > max) {
		size_t cut = find_cut(text, max);

		add_part(ret_parts, view_slice(text, 0, cut));
		text = view_trim(view_slice(text, cut, text.len));
	}
	add_part(ret_parts, text);
}
