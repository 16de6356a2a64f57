#include "engine/package/intent.h"

#include <string.h>
#include <strings.h>

#include "fs/beneath.h"

static const char *const headings[INTENT_COUNT][3] = {
	[INTENT_WHAT] = {"What this skill adds", "What changed"},
	[INTENT_KEY_SECTIONS] = {"Key sections"},
	[INTENT_INVARIANTS] = {"Invariants"},
	[INTENT_MUST_KEEP] = {"Must-keep", "Must-keep sections"},
};

const char *intent_heading_name(enum intent_heading heading)
{
	return headings[heading][0];
}

int intent_read(const struct package *package, const struct relpath *path, struct buf *ret_text,
	struct error *err)
{
	CLEANUP(freep) char *text = xasprintf("modify/%s" INTENT_SUFFIX, path->text);
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;

	if (relpath_parse(view_of(text), &full, err) < 0)
		return -1;
	return beneath_read(package->fd, &full, INTENT_MAX_SIZE, ret_text, err);
}

/* The title of a line such as "## Key sections:"; false if it is not a heading. */
static bool heading_title(struct view line, struct view *ret_title)
{
	size_t level = 0;

	while (level < line.len && line.data[level] == '#')
		level++;
	if (!level || level > 6 || level == line.len || !strchr(" \t", line.data[level]))
		return false;
	line = view_trim(view_slice(line, level, line.len));
	while (line.len && strchr("#: \t", line.data[line.len - 1]))
		line.len--;
	*ret_title = line;
	return true;
}

struct view intent_section(struct view text, enum intent_heading heading, bool *ret_found)
{
	struct view rest = text, line, title;
	size_t start = 0, end = text.len;
	bool in_code = false, found = false;

	while (view_next(&rest, '\n', &line)) {
		/* "# comment" in a block of code is not a heading. */
		if (view_starts_with(line, "```"))
			in_code = !in_code;
		if (in_code || !heading_title(line, &title))
			continue;
		if (found) {
			end = (size_t)(line.data - text.data);
			break;
		}
		for (const char *const *name = headings[heading]; *name; name++)
			found |= title.len == strlen(*name) &&
				 !strncasecmp(title.data, *name, title.len);
		start = text.len - rest.len;
	}
	*ret_found = found;
	return found ? view_trim(view_slice(text, start, end)) : (struct view){"", 0};
}

/* --- what must be kept ----------------------------------------------------------- */

static size_t backticks_at(struct view text, size_t at)
{
	size_t run = 0;

	while (at + run < text.len && text.data[at + run] == '`')
		run++;
	return run;
}

static void must_keep_add(struct string_array *pieces, struct view piece)
{
	CLEANUP(freep) char *text = NULL;

	piece = view_trim(piece);
	if (!piece.len || pieces->count >= MUST_KEEP_MAX)
		return;
	text = xmemdupz(piece.data, piece.len);
	for (size_t i = 0; i < piece.len; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	string_array_add(pieces, text);
}

/* The pieces of a paragraph: each ends at a run of as many backticks as it begins with. */
static void must_keep_read_paragraph(struct view paragraph, struct string_array *pieces)
{
	size_t at = 0;

	while (at < paragraph.len) {
		size_t run = backticks_at(paragraph, at), end = at + run, here = 0;

		while (run && end < paragraph.len &&
			(here = backticks_at(paragraph, end)) != run)
			end += here ? here : 1;
		if (run && end < paragraph.len) {
			must_keep_add(pieces, view_slice(paragraph, at + run, end));
			at = end + run;
		} else {
			at += run ? run : 1;
		}
	}
}

void must_keep_read(struct view intent, struct string_array *ret_pieces)
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
		/* An item of a list begins a paragraph of its own. */
		bool is_item = trimmed.len > 1 && strchr("-*+", trimmed.data[0]) &&
			       trimmed.data[1] == ' ';

		if (fence) {
			if (is_fence && run >= fence)
				fence = 0;
			else
				must_keep_add(ret_pieces, line);
			start = next;
		} else if (is_fence || !trimmed.len || is_item) {
			must_keep_read_paragraph(view_slice(section, start, at), ret_pieces);
			fence = is_fence ? run : 0;
			start = is_fence ? next : at;
		}
	}
	must_keep_read_paragraph(view_slice(section, start, section.len), ret_pieces);
}

static bool stands_in(const char *piece, struct view text)
{
	return text.len && memmem(text.data, text.len, piece, strlen(piece));
}

const char *must_keep_lost(const struct string_array *pieces, struct view current,
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

void intent_remove_comments(struct buf *text)
{
	char *begin, *end;

	while ((begin = strstr(text->data, "<!--")) && (end = strstr(begin, "-->"))) {
		end += strlen("-->");
		memmove(begin, end, strlen(end) + 1);
		buf_set_len(text, text->len - (size_t)(end - begin));
	}
}
