#include "archive/untar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "archive/tar.h"
#include "base/quote.h"
#include "fs/beneath.h"
#include "fs/sys.h"

#define PIECE_SIZE    ((size_t)64 * 1024)
#define LONG_NAME_MAX ((uint64_t)64 * 1024)

/* Where the fields of a header begin, and how long they are. */
enum {
	NAME = 0,
	NAME_LEN = 100,
	MODE = 100,
	MODE_LEN = 8,
	SIZE = 124,
	SIZE_LEN = 12,
	CHECKSUM = 148,
	CHECKSUM_LEN = 8,
	KIND = 156,
	MAGIC = 257,
	PREFIX = 345,
	PREFIX_LEN = 155,
};

struct unpacking {
	struct gzip_reader *in;
	int folder;
	char *piece;
	char *long_name; /* of the next member; or NULL */
	size_t files;
	uint64_t bytes; /* of files */
	uint64_t all;   /* with headers and padding */
};

static int refuse_member(const char *path, const char *why, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));

	return error_set(err, ERROR_INVALID, "%s in the archive %s", shown, why);
}

/* --- headers --------------------------------------------------------------------- */

/* Octal digits, with blanks and zeros around them; larger numbers have another form. */
static bool header_number(const char *field, size_t len, uint64_t *ret_number)
{
	size_t i = 0;

	*ret_number = 0;
	while (i < len && field[i] == ' ')
		i++;
	for (; i < len && field[i] >= '0' && field[i] <= '7'; i++)
		*ret_number = *ret_number * 8 + (uint64_t)(field[i] - '0');
	return i == len || field[i] == ' ' || field[i] == '\0';
}

static bool header_is_sound(const char *block)
{
	uint64_t said, sum = 0;

	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LEN ? ' '
								    : (unsigned char)block[i];
	return header_number(block + CHECKSUM, CHECKSUM_LEN, &said) && said == sum &&
	       !memcmp(block + MAGIC, "ustar", 5);
}

/* The path in a record of pax, "27 path=a/long/name\n"; other records do not matter here. */
static char *find_pax_path(struct view text)
{
	struct view line;
	char *path = NULL;

	while (view_next(&text, '\n', &line)) {
		const char *key = memchr(line.data, ' ', line.len);
		struct view rest;

		if (!key)
			continue;
		rest = view_slice(line, (size_t)(key + 1 - line.data), line.len);
		if (!view_starts_with(rest, "path="))
			continue;
		free(path);
		path = xmemdupz(rest.data + 5, rest.len - 5);
	}
	return path;
}

/*
 * The next `len` bytes; with `ret_len`, fewer at the end. A small archive can unpack to any number
 * of headers and zeros.
 */
static int unpack_read(
	struct unpacking *u, void *data, size_t len, size_t *ret_len, struct error *err)
{
	u->all += len;
	if (u->all > 2 * UNTAR_MAX_BYTES)
		return error_set(err, ERROR_INVALID, "the archive is too large when unpacked");
	return ret_len ? gzip_read_some(u->in, data, len, ret_len, err)
		       : gzip_read(u->in, data, len, err);
}

/* --- contents -------------------------------------------------------------------- */

/* What follows a header; `out` may be NULL, and `fd` -1. */
static int unpack_content(
	struct unpacking *u, uint64_t size, struct buf *out, int fd, struct error *err)
{
	uint64_t left = size;

	while (left) {
		size_t part = left < PIECE_SIZE ? (size_t)left : PIECE_SIZE;

		if (unpack_read(u, u->piece, part, NULL, err) < 0)
			return -1;
		if (out)
			buf_append(out, u->piece, part);
		if (fd >= 0 && sys_write_all(fd, u->piece, part) < 0)
			return error_errno(err, "cannot write the unpacked data");
		left -= part;
	}
	return tar_padding(size) ? unpack_read(u, u->piece, tar_padding(size), NULL, err) : 0;
}

static int read_long_name(struct unpacking *u, char kind, uint64_t size, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (size > LONG_NAME_MAX)
		return error_set(err, ERROR_INVALID, "a name in the archive is too long");
	if (unpack_content(u, size, &text, -1, err) < 0)
		return -1;
	if (kind == 'g')
		return 0;
	free(u->long_name);
	u->long_name = kind == 'L' ? xstrdup(text.data) : find_pax_path(view_of_buf(&text));
	return 0;
}

/* A folder that is there stays. */
static int put_member(struct unpacking *u, const struct relpath *path, bool is_folder,
	bool executable, uint64_t size, struct error *err)
{
	CLEANUP(closep) int dir = -1;
	CLEANUP(closep) int fd = -1;

	u->bytes += size;
	if (++u->files > UNTAR_MAX_FILES || size > UNTAR_MAX_BYTES ||
		u->bytes > UNTAR_MAX_BYTES)
		return error_set(err, ERROR_INVALID, "the archive is too large when unpacked");
	if (beneath_open_parent(u->folder, path, BENEATH_CREATE, &dir, err) < 0) {
		/* A file where a folder should be is the archive's fault. */
		if (err->errnum == ENOTDIR)
			err->kind = ERROR_INVALID;
		return -1;
	}
	if (is_folder) {
		if (sys.mkdir(dir, relpath_base(path), 0755) < 0 && errno != EEXIST)
			return error_errno(err, "cannot create the folder '%s'", path->text);
		return 0;
	}
	fd = sys.create(dir, relpath_base(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
		executable ? 0755 : 0644);
	if (fd < 0 && errno == EEXIST)
		return refuse_member(path->text, "comes twice", err);
	if (fd < 0)
		return error_errno(err, "cannot create '%s'", path->text);
	return unpack_content(u, size, NULL, fd, err);
}

/* --- members --------------------------------------------------------------------- */

static int unpack_member(struct unpacking *u, const char *block, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *name = NULL;
	uint64_t size, mode;
	char kind = block[KIND];
	const char *start;
	size_t len;

	if (!header_is_sound(block) || !header_number(block + SIZE, SIZE_LEN, &size) ||
		!header_number(block + MODE, MODE_LEN, &mode))
		return error_set(err, ERROR_INVALID, "the archive is damaged");
	if (kind == 'x' || kind == 'g' || kind == 'L')
		return read_long_name(u, kind, size, err);
	/* GNU's own form has other things where the prefix would be. */
	if (u->long_name)
		name = TAKE(u->long_name);
	else if (block[MAGIC + 5] || !block[PREFIX])
		name = xmemdupz(block + NAME, strnlen(block + NAME, NAME_LEN));
	else
		name = xasprintf(
			"%.*s/%.*s", PREFIX_LEN, block + PREFIX, NAME_LEN, block + NAME);
	if (kind != '0' && kind != '\0' && kind != '5')
		return refuse_member(name, "is neither a file nor a folder", err);
	/* tar writes "./a" and "folder/". */
	start = !strncmp(name, "./", 2) ? name + 2 : name;
	len = strlen(start);
	len -= kind == '5' && len && start[len - 1] == '/';
	if (kind == '5' && (!len || (len == 1 && *start == '.')))
		return 0;
	if (relpath_parse((struct view){start, len}, &path, err) < 0)
		return -1;
	if (relpath_protected(&path))
		return refuse_member(name, "leads into '.git' or '.nanoclaw'", err);
	return put_member(u, &path, kind == '5', mode & 0100, kind == '5' ? 0 : size, err);
}

int untar(int fd, int folder, struct error *err)
{
	static const char zeros[TAR_BLOCK];
	CLEANUP(gzip_reader_freep) struct gzip_reader *in = gzip_reader_new(fd);
	CLEANUP(freep) char *piece = xmalloc(PIECE_SIZE);
	struct unpacking u = {.in = in, .folder = folder, .piece = piece};
	char block[TAR_BLOCK];
	int failed = 0;
	size_t got;

	while (!failed) {
		failed = unpack_read(&u, block, sizeof(block), NULL, err);
		if (failed || !memcmp(block, zeros, sizeof(block)))
			break;
		failed = unpack_member(&u, block, err);
	}
	free(u.long_name);
	if (failed)
		return -1;
	/* Zeros up to the end. */
	do {
		if (unpack_read(&u, u.piece, PIECE_SIZE, &got, err) < 0)
			return -1;
		for (size_t i = 0; i < got; i++)
			if (u.piece[i])
				return error_set(err, ERROR_INVALID,
					"there is something behind the end of the archive");
	} while (got);
	return 0;
}
