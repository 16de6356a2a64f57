/* Read a file in numbered lines, an image, or list a folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/regular_file.h"
#include "agent/native/tools/tool_input.h"
#include "base/buf.h"
#include "base/quote.h"
#include "base/string_array.h"
#include "base/view.h"
#include "format/clean_text.h"
#include "fs/file.h"

/* Image types that models accept: PNG, JPEG, GIF and WebP. */

/* Providers accept 5 MB of base64. */
#define IMAGE_MAX ((size_t)3750000)

/* "image/png", judged by the first bytes; NULL: another type. */
static const char *image_type(struct view bytes)
{
	if (view_starts_with(bytes, "\x89PNG\r\n\x1a\n"))
		return "image/png";
	if (view_starts_with(bytes, "\xff\xd8\xff"))
		return "image/jpeg";
	if (view_starts_with(bytes, "GIF87a") || view_starts_with(bytes, "GIF89a"))
		return "image/gif";
	if (bytes.len >= 12 && view_starts_with(bytes, "RIFF") &&
		view_starts_with(view_slice(bytes, 8, 12), "WEBP"))
		return "image/webp";
	return NULL;
}

static void image_base64(struct view bytes, struct buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)bytes.data;

	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t left = bytes.len - i;
		unsigned group = (unsigned)at[i] << 16 |
				 (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
				 (left > 2 ? at[i + 2] : 0);
		char four[4] = {
			digits[group >> 18],
			digits[group >> 12 & 63],
			left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '=',
		};

		buf_append(out, four, sizeof(four));
	}
}

#define READ_CHUNK         ((size_t)64 * 1024)
#define READ_DEFAULT_LINES 2000

/* Of a line; the rest is left out. */
#define READ_LINE_MAX ((size_t)2000)

/* For the note at the end. */
#define READ_NOTE 200

/* A folder with more entries shows the first of these. */
#define READ_ENTRIES 1000

/* --- folders ----------------------------------------------------------------- */

static int read_folder(int fd, const char *path, const struct tool_place *place,
	struct buf *out, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(closedirp) DIR *dir = fdopendir(dup(fd));
	struct dirent *entry;
	size_t shown = 0;

	if (!dir)
		return quote_errno(err, "list", path);
	while ((entry = readdir(dir)) != NULL) {
		struct stat st;
		bool folder = entry->d_type == DT_DIR;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if ((entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK) &&
			!fstatat(fd, entry->d_name, &st, 0))
			folder = S_ISDIR(st.st_mode);
		string_array_addf(&names, "%s%s", entry->d_name, folder ? "/" : "");
	}
	string_array_sort_once(&names);
	buf_appendf(out, "a folder with %zu entries:\n", names.count);
	while (shown < names.count && shown < READ_ENTRIES &&
		out->len + READ_NOTE < place->max) {
		CLEANUP(freep) char *name = quote_command(view_of(names.list[shown++]));

		buf_appendf(out, "%s\n", name);
	}
	if (shown < names.count)
		buf_appendf(
			out, "… (%zu more; glob or bash finds them)\n", names.count - shown);
	return 0;
}

/* --- files ------------------------------------------------------------------- */

struct read_lines {
	struct buf *out;
	size_t line_max;
	size_t room;              /* bytes of `out`, without the note */
	unsigned long long first; /* lines, counted from 1 */
	unsigned long long last;
	unsigned long long line; /* the one that comes */
	struct buf text;         /* of that line, up to its maximum */
	size_t line_len;         /* of all of it */
	bool full;               /* the line does not fit */
};

static void read_line_end(struct read_lines *lines)
{
	struct view text = view_of_buf(&lines->text);
	size_t shown = clean_text_cut(text, lines->line_max);
	size_t before = lines->out->len;

	if (lines->line >= lines->first) {
		buf_appendf(lines->out, "%6llu\t", lines->line);
		clean_text_append(lines->out, view_slice(text, 0, shown));
		if (shown < lines->line_len)
			buf_appendf(lines->out, "… (%zu more bytes)", lines->line_len - shown);
		buf_append_char(lines->out, '\n');
	}
	/* The first line is always shown: there is no way to ask for less of it. */
	if (lines->out->len > lines->room && lines->line > lines->first) {
		buf_set_len(lines->out, before);
		lines->full = true;
		return;
	}
	lines->line++;
	lines->line_len = 0;
	buf_set_len(&lines->text, 0);
}

/* False: no more is needed. */
static bool read_piece(struct read_lines *lines, struct view bytes)
{
	while (bytes.len && !lines->full && lines->line <= lines->last) {
		const char *end = memchr(bytes.data, '\n', bytes.len);
		size_t len = end ? (size_t)(end - bytes.data) : bytes.len;
		size_t room = lines->line_max + 8 - lines->text.len;

		if (lines->line >= lines->first)
			buf_append(&lines->text, bytes.data, len < room ? len : room);
		lines->line_len += len;
		if (end)
			read_line_end(lines);
		bytes = view_slice(bytes, end ? len + 1 : len, bytes.len);
	}
	return !lines->full && lines->line <= lines->last;
}

/* `chunk` has the first bytes. */
static int read_text(int fd, const char *path, struct buf *chunk, struct read_lines *lines,
	struct error *err)
{
	while (read_piece(lines, view_of_buf(chunk))) {
		ssize_t got = read(fd, chunk->data, READ_CHUNK);

		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got < 0)
			return quote_errno(err, "read", path);
		else if (!got)
			break;
		buf_set_len(chunk, (size_t)got);
	}
	if (lines->line_len && !lines->full && lines->line <= lines->last)
		read_line_end(lines);
	return 0;
}

static void read_add_note(const struct read_lines *lines, long long size)
{
	if (lines->line <= lines->first && !lines->full) {
		if (!lines->out->len)
			buf_appendf(lines->out,
				"(there is no line %llu: the file has %llu lines)",
				lines->first, lines->line - 1);
		return;
	}
	if (lines->full || lines->line > lines->last)
		buf_appendf(lines->out,
			"… (lines %llu to %llu of a file of %lld bytes; offset %llu continues)\n",
			lines->first, lines->line - 1, size, lines->line);
}

static int read_image(int fd, const char *path, const char *type, struct buf *chunk,
	struct tool_result *result, struct error *err)
{
	CLEANUP(buf_release) struct buf bytes = BUF_INIT;
	CLEANUP(buf_release) struct buf rest = BUF_INIT;

	if (file_read_fd(fd, path, IMAGE_MAX, &rest, err) < 0)
		return -1;
	buf_append(&bytes, chunk->data, chunk->len);
	buf_append(&bytes, rest.data, rest.len);
	if (bytes.len > IMAGE_MAX)
		return error_set(
			err, ERROR_INVALID, "the image is larger than %zu bytes", IMAGE_MAX);
	image_base64(view_of_buf(&bytes), &result->image);
	result->image_type = xstrdup(type);
	buf_appendf(&result->text, "an image, %s, %zu bytes", type, bytes.len);
	return 0;
}

static int read_file(int fd, const char *path, const struct stat *st,
	const struct tool_place *place, struct read_lines *lines, struct tool_result *result,
	struct error *err)
{
	CLEANUP(buf_release) struct buf chunk = BUF_INIT;
	const char *type;
	ssize_t got;

	buf_reserve(&chunk, READ_CHUNK);
	got = read(fd, chunk.data, READ_CHUNK);
	if (got < 0)
		return quote_errno(err, "read", path);
	buf_set_len(&chunk, (size_t)got);
	type = image_type(view_of_buf(&chunk));
	if (type && place->images)
		return read_image(fd, path, type, &chunk, result, err);
	if (type || memchr(chunk.data, '\0', chunk.len))
		return error_set(err, ERROR_INVALID, "a binary file%s%s of %lld bytes",
			type ? ", " : "", type ? type : "", (long long)st->st_size);
	if (!chunk.len) {
		buf_append_str(&result->text, "(the file is empty)");
		return 0;
	}
	if (read_text(fd, path, &chunk, lines, err) < 0)
		return -1;
	read_add_note(lines, (long long)st->st_size);
	return 0;
}

int tool_read(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(closep) int fd = -1;
	struct read_lines lines = {.out = &result->text, .text = BUF_INIT, .line = 1};
	long long offset = 1;
	long long limit = READ_DEFAULT_LINES;
	struct stat st;
	int outcome;

	if (input_path(input, place->folder, &path, err) < 0 ||
		input_number(input, "offset", 1, 1LL << 60, &offset, err) < 0 ||
		input_number(input, "limit", 1, 1LL << 60, &limit, err) < 0 ||
		regular_file_open(path, true, &fd, &st, err) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return read_folder(fd, path, place, &result->text, err);
	lines.first = (unsigned long long)offset;
	lines.last = lines.first + (unsigned long long)limit - 1;
	lines.line_max = place->max / 3 < READ_LINE_MAX ? place->max / 3 : READ_LINE_MAX;
	lines.room = place->max > 2 * READ_NOTE ? place->max - READ_NOTE : READ_NOTE;
	outcome = read_file(fd, path, &st, place, &lines, result, err);
	buf_release(&lines.text);
	return outcome;
}
