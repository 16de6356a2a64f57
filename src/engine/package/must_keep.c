#include "engine/package/must_keep.h"

#include <string.h>

#include "engine/package/intent.h"

static size_t backticks_at(struct view text, size_t at)
{
	size_t run = 0;

	while (at + run < text.len && text.data[at + run] == '`')
		run++;
	return run;
}

static void add(struct must_keep *pieces, struct view piece)
{
	char *text;

	piece = view_trim(piece);
	if (!piece.len || pieces->count >= MUST_KEEP_MAX)
		return;
	text = xmemdupz(piece.data, piece.len);
	for (size_t i = 0; i < piece.len; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	GROW(pieces->list, pieces->count, pieces->cap);
	pieces->list[pieces->count++] = text;
}

/* Where the run of exactly `run` backticks begins that ends a piece; 0: nowhere. */
static size_t find_end(struct view paragraph, size_t at, size_t run)
{
	while (at < paragraph.len) {
		size_t here = backticks_at(paragraph, at);

		if (here == run)
			return at;
		at += here ? here : 1;
	}
	return 0;
}

static void read_paragraph(struct view paragraph, struct must_keep *pieces)
{
	size_t at = 0;

	while (at < paragraph.len) {
		size_t run = backticks_at(paragraph, at);
		size_t end = run ? find_end(paragraph, at + run, run) : 0;

		if (end)
			add(pieces, view_slice(paragraph, at + run, end));
		at = end ? end + run : at + (run ? run : 1);
	}
}

/* An item of a list begins a paragraph of its own. */
static bool begins_item(struct view line)
{
	line = view_trim(line);
	return view_starts_with(line, "- ") || view_starts_with(line, "* ") ||
	       view_starts_with(line, "+ ");
}

void must_keep_read(struct view intent, struct must_keep *ret_pieces)
{
	bool found;
	struct view section = intent_section(intent, INTENT_MUST_KEEP, &found);
	struct view rest = section, line;
	size_t start = 0, fence = 0;

	while (view_next(&rest, '\n', &line)) {
		size_t at = (size_t)(line.data - section.data);
		size_t next = section.len - rest.len;
		struct view trimmed = view_trim(line);
		size_t run = backticks_at(trimmed, 0);
		bool is_fence = run >= 3 && !memchr(trimmed.data + run, '`', trimmed.len - run);

		if (fence) {
			if (is_fence && run >= fence)
				fence = 0;
			else
				add(ret_pieces, line);
			start = next;
		} else if (is_fence || !trimmed.len || begins_item(line)) {
			read_paragraph(view_slice(section, start, at), ret_pieces);
			fence = is_fence ? run : 0;
			start = is_fence ? next : at;
		}
	}
	read_paragraph(view_slice(section, start, section.len), ret_pieces);
}

static bool stands_in(const char *piece, struct view text)
{
	return text.len && memmem(text.data, text.len, piece, strlen(piece));
}

const char *must_keep_lost(const struct must_keep *pieces, struct view current,
	struct view skill, struct view result)
{
	for (size_t i = 0; i < pieces->count; i++) {
		const char *piece = pieces->list[i];

		if ((stands_in(piece, current) || stands_in(piece, skill)) &&
			!stands_in(piece, result))
			return piece;
	}
	return NULL;
}

void must_keep_release(struct must_keep *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		free(pieces->list[i]);
	free(pieces->list);
}
