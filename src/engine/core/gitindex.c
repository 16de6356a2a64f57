/*
 * The format is in git's Documentation/gitformat-index.txt. Everything is big
 * endian. An entry is
 *
 *	40 bytes of stat data	the mode is at 24
 *	the object name		20 or 32 bytes
 *	flags			2 bytes: 0x4000 is "extended", 0x0fff the path's length
 *	more flags		2 bytes, if extended
 *	the path		ends in a NUL; in versions 2 and 3 it is filled up with
 *				NULs to a multiple of 8, in version 4 it is what is
 *				different from the path before
 */
#include "engine/core/gitindex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include "base/error.h"
#include "fs/file.h"

#define HEADER_SIZE     12
#define STAT_SIZE       40
#define MODE_OFFSET     24
#define FLAG_EXTENDED   0x4000
#define FLAG_NAME_MASK  0x0fff
#define EXTENSION_SIZE  8
#define MODE_TYPE       0170000
#define MODE_GITLINK    0160000
#define MODE_FOLDER     0040000
#define PATH_LENGTH_MAX ((size_t)64 * 1024)

/* A bounds-checked reader of bytes. */
struct cursor {
	const unsigned char *at;
	const unsigned char *end;
};

struct reader {
	struct gitindex *index;
	struct cursor cursor;
	uint32_t version;
	size_t name_size; /* of an object */
	struct view last; /* the path before */
	size_t total;     /* length of all paths of version 4: a few bytes can be long ones */
	const char *unknown; /* why it is given up, or NULL */
};

static size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

static uint32_t big_endian(const unsigned char *p, size_t len)
{
	uint32_t value = 0;

	while (len--)
		value = value << 8 | *p++;
	return value;
}

/* --- entries ------------------------------------------------------------------ */

static bool index_damaged(struct reader *r)
{
	r->unknown = "it is damaged";
	return false;
}

/* git's variable-length numbers: base 128, the highest part first, each part + 1. */
static bool cursor_read_number(struct cursor *c, size_t *ret_value)
{
	size_t value = 0;

	for (;;) {
		unsigned char byte;

		if (!cursor_left(c))
			return false;
		byte = *c->at++;
		value = value << 7 | (byte & 127);
		if (!(byte & 128))
			break;
		if (++value > PATH_LENGTH_MAX)
			return false;
	}
	*ret_value = value;
	return true;
}

/* Version 4: drop this many bytes from the previous path, and append this text. */
static bool index_read_path_v4(struct reader *r, struct view *ret_path)
{
	const unsigned char *end;
	size_t dropped, kept, len;
	char *path;

	if (!cursor_read_number(&r->cursor, &dropped) || dropped > r->last.len)
		return index_damaged(r);
	end = memchr(r->cursor.at, 0, cursor_left(&r->cursor));
	if (!end)
		return index_damaged(r);
	kept = r->last.len - dropped;
	len = (size_t)(end - r->cursor.at);
	r->total += kept + len;
	if (kept + len > PATH_LENGTH_MAX || r->total > GITINDEX_MAX_SIZE)
		return index_damaged(r);
	path = arena_alloc(&r->index->arena, kept + len + 1);
	if (kept)
		memcpy(path, r->last.data, kept);
	memcpy(path + kept, r->cursor.at, len);
	r->cursor.at = end + 1;
	*ret_path = (struct view){path, kept + len};
	return true;
}

static bool index_read_path_v2(
	struct reader *r, const unsigned char *entry, struct view *ret_path)
{
	const unsigned char *start = r->cursor.at;
	const unsigned char *end = memchr(start, 0, cursor_left(&r->cursor));
	size_t size;

	if (!end)
		return index_damaged(r);
	*ret_path = (struct view){(const char *)start, (size_t)(end - start)};
	size = ((size_t)(end - entry) + 8) & ~(size_t)7;
	if (size > (size_t)(r->cursor.end - entry))
		return index_damaged(r);
	r->cursor.at = entry + size;
	return true;
}

static bool index_read_entry(struct reader *r)
{
	const unsigned char *entry = r->cursor.at;
	size_t fixed = STAT_SIZE + r->name_size + 2;
	uint32_t mode, flags, said;
	struct view path;

	if (cursor_left(&r->cursor) < fixed + 2)
		return index_damaged(r);
	mode = big_endian(entry + MODE_OFFSET, 4) & MODE_TYPE;
	flags = big_endian(entry + fixed - 2, 2);
	if (flags & FLAG_EXTENDED && r->version == 2)
		return index_damaged(r);
	r->cursor.at += fixed + (flags & FLAG_EXTENDED ? 2 : 0);
	if (!(r->version == 4 ? index_read_path_v4(r, &path)
			      : index_read_path_v2(r, entry, &path)))
		return false;
	/* The length in the flags is exact, or means "at least this much". */
	said = flags & FLAG_NAME_MASK;
	if (path.len < said || (path.len > said && said != FLAG_NAME_MASK) ||
		view_compare(r->last, path) > 0)
		return index_damaged(r);
	r->last = path;
	if (mode == MODE_FOLDER)
		r->unknown = "it is sparse";
	if (mode == MODE_GITLINK || mode == MODE_FOLDER)
		return true;
	GROW(r->index->names, r->index->count, r->index->names_cap);
	r->index->names[r->index->count] = entry + STAT_SIZE;
	GROW(r->index->paths, r->index->count, r->index->cap);
	r->index->paths[r->index->count++] = path;
	return true;
}

/* --- the rest ----------------------------------------------------------------- */

/* An extension whose name begins with a capital letter may be left aside. */
static bool index_read_extension(struct reader *r)
{
	const unsigned char *name = r->cursor.at;
	size_t size;

	if (cursor_left(&r->cursor) < EXTENSION_SIZE)
		return index_damaged(r);
	size = big_endian(name + 4, 4);
	r->cursor.at += EXTENSION_SIZE;
	if (size > cursor_left(&r->cursor))
		return index_damaged(r);
	r->cursor.at += size;
	if (!memcmp(name, "link", 4))
		r->unknown = "it is split";
	else if (!memcmp(name, "sdir", 4))
		r->unknown = "it is sparse";
	else if (name[0] < 'A' || name[0] > 'Z')
		r->unknown = "it has an unknown extension";
	return true;
}

static bool index_parse_as(struct gitindex *index, size_t name_size)
{
	const unsigned char *start = (const unsigned char *)index->text.data;
	struct reader r = {
		.index = index,
		.version = big_endian(start + 4, 4),
		.name_size = name_size,
		.last = view_of(""),
	};
	uint32_t count = big_endian(start + 8, 4);
	bool whole = true; /* everything ends where it must */

	if (index->text.len < HEADER_SIZE + name_size)
		return false;
	r.cursor = (struct cursor){start + HEADER_SIZE, start + index->text.len - name_size};
	while (whole && count--)
		whole = index_read_entry(&r);
	while (whole && cursor_left(&r.cursor))
		whole = index_read_extension(&r);
	if (!whole || r.unknown)
		index->count = 0;
	index->unknown = r.unknown;
	index->name_size = name_size;
	return whole;
}

void gitindex_parse(struct buf *text, struct gitindex *ret_index)
{
	struct gitindex index = GITINDEX_INIT;
	const unsigned char *start = (const unsigned char *)text->data;
	uint32_t version = 0;

	index.text = *text;
	*text = BUF_INIT;
	if (index.text.len >= HEADER_SIZE && !memcmp(start, "DIRC", 4))
		version = big_endian(start + 4, 4);
	if (version > 4)
		index.unknown = "its version is unknown";
	else if (version < 2 || (!index_parse_as(&index, 20) && !index_parse_as(&index, 32)))
		index.unknown = "it is damaged";
	*ret_index = index;
}

void gitindex_read(int gitdir, struct gitindex *ret_index)
{
	CLEANUP(closep)
	int fd = openat(gitdir, "index", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool missing = fd < 0 && errno == ENOENT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct stat st;

	*ret_index = GITINDEX_INIT;
	if (missing)
		return;
	if (fd >= 0 && fstat(fd, &st) == 0) {
		if (!S_ISREG(st.st_mode)) {
			ret_index->unknown = "it is not a file";
			return;
		}
		if (file_read_fd(fd, "index", GITINDEX_MAX_SIZE, &text, &err) == 0) {
			gitindex_parse(&text, ret_index);
			return;
		}
	}
	ret_index->unknown =
		err.kind == ERROR_INVALID ? "it is too large" : "it cannot be read";
}

void gitindex_release(struct gitindex *index)
{
	free(index->paths);
	free(index->names);
	buf_release(&index->text);
	arena_release(&index->arena);
}

/* --- questions ---------------------------------------------------------------- */

/* The first path that is not before `text`. */
static size_t index_lower_bound(const struct gitindex *index, struct view text)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (view_compare(index->paths[middle], text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool gitindex_tracks(const struct gitindex *index, const char *path)
{
	size_t at = index_lower_bound(index, view_of(path));

	return at < index->count && view_equal_str(index->paths[at], path);
}

/* The name that git gives to a blob of this content. */
static void name_blob(struct view content, size_t name_size, unsigned char *ret_name)
{
	char header[32];
	size_t len = (size_t)snprintf(header, sizeof(header), "blob %zu", content.len) + 1;

	if (name_size == SHA1_DIGEST_SIZE) {
		struct sha1_ctx sha1;

		sha1_init(&sha1);
		sha1_update(&sha1, len, (const uint8_t *)header);
		sha1_update(&sha1, content.len, (const uint8_t *)content.data);
		sha1_digest(&sha1, SHA1_DIGEST_SIZE, ret_name);
	} else {
		struct sha256_ctx sha256;

		sha256_init(&sha256);
		sha256_update(&sha256, len, (const uint8_t *)header);
		sha256_update(&sha256, content.len, (const uint8_t *)content.data);
		sha256_digest(&sha256, SHA256_DIGEST_SIZE, ret_name);
	}
}

bool gitindex_differs(const struct gitindex *index, const char *path, struct view content)
{
	CLEANUP(buf_release) struct buf unix_lines = BUF_INIT;
	unsigned char name[SHA256_DIGEST_SIZE];
	size_t at = index_lower_bound(index, view_of(path));

	if (index->unknown || at >= index->count || !view_equal_str(index->paths[at], path))
		return false;
	name_blob(content, index->name_size, name);
	if (!memcmp(name, index->names[at], index->name_size))
		return false;
	for (size_t i = 0; i < content.len; i++)
		if (content.data[i] != '\r' || i + 1 == content.len ||
			content.data[i + 1] != '\n')
			buf_append_char(&unix_lines, content.data[i]);
	name_blob(view_of_buf(&unix_lines), index->name_size, name);
	return memcmp(name, index->names[at], index->name_size) != 0;
}

bool gitindex_tracks_below(const struct gitindex *index, const char *folder)
{
	CLEANUP(freep) char *start = xasprintf("%s/", folder);
	size_t at = index_lower_bound(index, view_of(start));

	return at < index->count && view_starts_with(index->paths[at], start);
}
