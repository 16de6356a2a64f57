#include "agent/offline/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fs/beneath.h"
#include "fs/replace.h"

#define ZONE_LINE "Time zone:"

/* --- lines of Markdown ------------------------------------------------------- */

enum line_kind {
	LINE_OTHER,
	LINE_HEADING,
	LINE_NOTES, /* the heading of our section */
	LINE_ITEM,  /* the first line of a list item */
	LINE_MORE,  /* indented: it belongs to the item before it */
	LINE_EMPTY,
};

struct line {
	enum line_kind kind;
	struct view all;  /* with its line end */
	struct view text; /* of an item, without its mark */
	bool in_notes;
};

/* Goes through a text line by line and tracks the section. */
struct reader {
	struct view rest;
	struct view fence; /* that is open: "```"; empty if none is */
	bool in_notes;
};

/* The text after "- ", "* ", "+ " or "12. ". */
static bool is_item(struct view line, struct view *ret_text)
{
	size_t mark = 0;

	if (line.len && strchr("-*+", line.data[0])) {
		mark = 1;
	} else {
		while (mark < line.len && mark < 9 && isdigit((unsigned char)line.data[mark]))
			mark++;
		if (!mark || mark == line.len || !strchr(".)", line.data[mark]))
			return false;
		mark++;
	}
	if (mark >= line.len || (line.data[mark] != ' ' && line.data[mark] != '\t'))
		return false;
	*ret_text = view_trim(view_slice(line, mark, line.len));
	return ret_text->len > 0;
}

/* LINE_OTHER if it is not a heading: one to six '#' and white space. */
static enum line_kind heading_kind(struct view line)
{
	size_t level = 0;
	struct view title;

	while (level < line.len && line.data[level] == '#')
		level++;
	if (!level || level > 6 || level == line.len ||
		!isspace((unsigned char)line.data[level]))
		return LINE_OTHER;
	title = view_trim(view_slice(line, level, line.len));
	return title.len == strlen("notes") && !strncasecmp(title.data, "notes", title.len)
		       ? LINE_NOTES
		       : LINE_HEADING;
}

/* Is the line code, or the beginning or end of it ("```", "~~~~")? */
static bool is_code(struct reader *reader, struct view line, size_t indent)
{
	struct view fence = {line.data, 0};

	/* The lines of a fence in an item are indented, and part of it. */
	while (indent < 2 && fence.len < line.len && line.data[fence.len] == line.data[0] &&
		strchr("`~", line.data[0]))
		fence.len++;
	if (fence.len < 3)
		fence.len = 0;

	if (!reader->fence.len) {
		reader->fence = fence;
		return fence.len > 0;
	}
	if (fence.len == line.len && fence.len >= reader->fence.len &&
		fence.data[0] == reader->fence.data[0])
		reader->fence.len = 0;
	return true;
}

static bool next_line(struct reader *reader, struct line *ret_line)
{
	struct line line = {.kind = LINE_OTHER};
	struct view before = reader->rest;
	struct view text, trimmed;
	size_t indent = 0;

	if (!view_next(&reader->rest, '\n', &text))
		return false;
	line.all = view_slice(before, 0, before.len - reader->rest.len);
	trimmed = view_trim(text);
	while (indent < text.len && (text.data[indent] == ' ' || text.data[indent] == '\t'))
		indent++;
	if (is_code(reader, trimmed, indent))
		line.kind = LINE_OTHER;
	else if (!trimmed.len)
		line.kind = LINE_EMPTY;
	else if (indent >= 2)
		line.kind = LINE_MORE;
	else if (!indent && heading_kind(text) != LINE_OTHER)
		line.kind = heading_kind(text);
	else if (is_item(trimmed, &line.text))
		line.kind = LINE_ITEM;
	if (line.kind == LINE_NOTES)
		reader->in_notes = true;
	else if (line.kind == LINE_HEADING)
		reader->in_notes = false;
	line.in_notes = reader->in_notes && line.kind != LINE_NOTES;
	*ret_line = line;
	return true;
}

static bool is_crlf(struct view text)
{
	const char *end = text.len ? memchr(text.data, '\n', text.len) : NULL;

	return end && end > text.data && end[-1] == '\r';
}

/* --- notes in a text --------------------------------------------------------- */

void memory_parse_notes(struct view text, struct string_array *ret_notes)
{
	struct reader reader = {.rest = text};
	struct string_array notes = {0};
	struct line line;
	bool open = false;

	while (next_line(&reader, &line)) {
		struct view more = view_trim(line.all);

		if (line.in_notes && line.kind == LINE_ITEM) {
			string_array_addf(&notes, "%.*s", VIEW_ARGS(line.text));
		} else if (line.in_notes && line.kind == LINE_MORE && open) {
			char **last = &notes.list[notes.count - 1];
			char *longer = xasprintf("%s\n%.*s", *last, VIEW_ARGS(more));

			free(*last);
			*last = longer;
		}
		open = line.in_notes &&
		       (line.kind == LINE_ITEM || (open && line.kind == LINE_MORE));
	}
	*ret_notes = notes;
}

static void append_note(struct view note, const char *end_of_line, struct buf *out)
{
	struct view rest = note;
	struct view line;
	bool first = true;

	while (view_next(&rest, '\n', &line)) {
		line = view_trim(line);
		if (!line.len)
			continue;
		buf_appendf(out, "%s%.*s%s", first ? "- " : "  ", VIEW_ARGS(line), end_of_line);
		first = false;
	}
}

/* Where a new note goes: after the last item, or after the heading. */
struct gap {
	size_t place;
	bool section;      /* there is a heading */
	bool first;        /* there is no note yet */
	bool blank;        /* an empty line precedes it */
	struct view fence; /* to be closed first; or empty */
};

static struct gap find_gap(struct view text)
{
	struct reader reader = {.rest = text};
	struct gap gap = {.place = text.len, .first = true};
	struct line line;
	bool open = false;
	bool at_heading = false;

	while (next_line(&reader, &line)) {
		size_t end = (size_t)(line.all.data + line.all.len - text.data);
		bool heading = line.kind == LINE_NOTES && !gap.section;

		open = line.in_notes &&
		       (line.kind == LINE_ITEM || (open && line.kind == LINE_MORE));
		if (heading)
			gap.section = true;
		if (open)
			gap.first = false;
		if (at_heading && line.kind == LINE_EMPTY)
			gap.blank = true;
		if (heading || open || (at_heading && line.kind == LINE_EMPTY))
			gap.place = end;
		at_heading = heading;
	}
	if (!gap.section)
		gap.fence = reader.fence;
	return gap;
}

void memory_insert_note(struct view text, struct view note, struct buf *out)
{
	const char *end_of_line = is_crlf(text) ? "\r\n" : "\n";
	struct gap gap = find_gap(text);
	struct view rest = view_slice(text, gap.place, text.len);

	buf_append(out, text.data, gap.place);
	if (gap.place && text.data[gap.place - 1] != '\n')
		buf_append_str(out, end_of_line);
	if (gap.fence.len)
		buf_appendf(out, "%.*s%s", VIEW_ARGS(gap.fence), end_of_line);
	if (!gap.section)
		buf_appendf(out, "%s## Notes%s", gap.place ? end_of_line : "", end_of_line);
	if (gap.first && !gap.blank)
		buf_append_str(out, end_of_line);
	append_note(note, end_of_line, out);
	/* A list that something follows at once would swallow it. */
	if (gap.first && rest.len && !view_starts_with(rest, end_of_line))
		buf_append_str(out, end_of_line);
	buf_append(out, rest.data, rest.len);
}

/* Is the item that begins here, with its further lines, this note? */
static bool item_is(struct reader reader, const struct line *first, const char *note)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct line line;

	buf_append(&text, first->text.data, first->text.len);
	while (next_line(&reader, &line) && line.kind == LINE_MORE) {
		struct view more = view_trim(line.all);

		buf_appendf(&text, "\n%.*s", VIEW_ARGS(more));
	}
	return !strcmp(text.data, note);
}

bool memory_delete_note(struct view text, const char *note, struct buf *out)
{
	struct reader reader = {.rest = text};
	struct line line;
	bool found = false;
	bool deleting = false;

	while (next_line(&reader, &line)) {
		bool item = line.in_notes && line.kind == LINE_ITEM;

		if (item)
			deleting = !note || (!found && item_is(reader, &line, note));
		else if (line.kind != LINE_MORE)
			deleting = false;
		found = found || deleting;
		if (!deleting)
			buf_append(out, line.all.data, line.all.len);
	}
	return found;
}

/* --- the zone in a text ------------------------------------------------------ */

/* The value in "Time zone: Europe/Berlin", also as a list item, but not as a note. */
static bool find_zone(struct view text, struct view *ret_zone)
{
	struct reader reader = {.rest = text};
	struct line line;

	while (next_line(&reader, &line)) {
		struct view words = view_trim(line.all);

		if (line.in_notes && (line.kind == LINE_ITEM || line.kind == LINE_MORE))
			continue;
		is_item(words, &words);
		if (words.len < strlen(ZONE_LINE) ||
			strncasecmp(words.data, ZONE_LINE, strlen(ZONE_LINE)) != 0)
			continue;
		*ret_zone = view_trim(view_slice(words, strlen(ZONE_LINE), words.len));
		if (ret_zone->len)
			return true;
	}
	return false;
}

void memory_replace_zone(struct view text, const char *zone, struct buf *out)
{
	const char *end_of_line = is_crlf(text) ? "\r\n" : "\n";
	struct view old;

	if (find_zone(text, &old)) {
		const char *after = old.data + old.len;

		buf_append(out, text.data, (size_t)(old.data - text.data));
		buf_append_str(out, zone);
		buf_append(out, after, (size_t)(text.data + text.len - after));
		return;
	}
	buf_appendf(out, ZONE_LINE " %s%s", zone, end_of_line);
	if (text.len && text.data[0] != '\n' && text.data[0] != '\r')
		buf_append_str(out, end_of_line);
	buf_append(out, text.data, text.len);
}

/* --- the file ---------------------------------------------------------------- */

static int read_memory(int folder, struct buf *ret_text, mode_t *ret_mode, struct error *err)
{
	struct stat st;

	if (beneath_path_read_if(folder, MEMORY_FILE, MEMORY_MAX_SIZE, ret_text, err) < 0)
		return -1;
	*ret_mode = fstatat(folder, MEMORY_FILE, &st, AT_SYMLINK_NOFOLLOW) < 0
			    ? 0600
			    : st.st_mode & 07777;
	return 0;
}

/* With the mode that it had; a sandbox may refuse to set any. */
static int write_memory(int folder, const struct buf *text, mode_t mode, struct error *err)
{
	CLEANUP(error_release) struct error refused = ERROR_INIT;

	if (text->len > MEMORY_MAX_SIZE)
		return error_set(err, ERROR_INVALID, "'" MEMORY_FILE "' would become too long");
	if (replace_file(folder, MEMORY_FILE, view_of_buf(text), mode, NULL, 0, &refused) == 0)
		return 0;
	if (refused.errnum != EPERM)
		return error_move(err, &refused);
	return replace_file(folder, MEMORY_FILE, view_of_buf(text), 0600, NULL, 0, err);
}

int memory_notes(int folder, struct string_array *ret_notes, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	mode_t mode;

	if (read_memory(folder, &text, &mode, err) < 0)
		return -1;
	memory_parse_notes(view_of_buf(&text), ret_notes);
	return 0;
}

/* As it will read when it is read again. */
static char *as_note(struct view text)
{
	CLEANUP(buf_release) struct buf written = BUF_INIT;
	CLEANUP(string_array_release) struct string_array notes = {0};

	memory_insert_note((struct view){"", 0}, text, &written);
	memory_parse_notes(view_of_buf(&written), &notes);
	return xstrdup(notes.count ? notes.list[0] : "");
}

int memory_add_note(int folder, struct view text, bool *ret_new, struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(freep) char *note = as_note(text);
	mode_t mode;

	if (text.len > MEMORY_MAX_NOTE)
		return error_set(err, ERROR_INVALID, "a note can have %zu bytes at most",
			MEMORY_MAX_NOTE);
	if (read_memory(folder, &before, &mode, err) < 0)
		return -1;
	memory_parse_notes(view_of_buf(&before), &notes);
	*ret_new = !string_array_has(&notes, note);
	if (!*ret_new)
		return 0;
	memory_insert_note(view_of_buf(&before), text, &after);
	return write_memory(folder, &after, mode, err);
}

int memory_remove_note(int folder, const char *note, bool *ret_found, struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	mode_t mode;

	if (read_memory(folder, &before, &mode, err) < 0)
		return -1;
	*ret_found = memory_delete_note(view_of_buf(&before), note, &after);
	return *ret_found ? write_memory(folder, &after, mode, err) : 0;
}

int memory_zone(int folder, char **ret_zone, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view zone;
	mode_t mode;

	if (read_memory(folder, &text, &mode, err) < 0)
		return -1;
	*ret_zone = find_zone(view_of_buf(&text), &zone) ? xmemdupz(zone.data, zone.len) : NULL;
	return 0;
}

int memory_set_zone(int folder, const char *zone, struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	mode_t mode;

	if (read_memory(folder, &before, &mode, err) < 0)
		return -1;
	memory_replace_zone(view_of_buf(&before), zone, &after);
	return write_memory(folder, &after, mode, err);
}
