#include "archive/tar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The fields of a header, by POSIX. */
struct header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char time[12];
	char checksum[8];
	char kind;
	char target[100];
	char magic[6];
	char version[2];
	char user[32];
	char group[32];
	char major[8];
	char minor[8];
	char prefix[155];
	char rest[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is a block");

#define SIZE_FITS UINT64_C(077777777777)

size_t tar_padding(uint64_t size)
{
	return (size_t)((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

/* All but the last byte in octal digits, and a NUL. */
static void header_put_number(char *field, size_t len, uint64_t number)
{
	field[--len] = '\0';
	while (len > 0) {
		field[--len] = (char)('0' + (number & 7));
		number >>= 3;
	}
}

static void header_put_text(char *field, size_t len, const char *text)
{
	size_t have = strlen(text);

	memcpy(field, text, have < len ? have : len);
}

static void header_append(struct buf *out, char kind, const char *path, const char *target,
	mode_t mode, int64_t time, uint64_t size)
{
	struct header header = {.kind = kind, .magic = "ustar", .version = {'0', '0'}};
	const unsigned char *bytes = (const unsigned char *)&header;
	unsigned sum = 0;

	header_put_text(header.name, sizeof(header.name), path);
	header_put_text(header.target, sizeof(header.target), target);
	header_put_number(header.mode, sizeof(header.mode), mode);
	header_put_number(header.uid, sizeof(header.uid), 0);
	header_put_number(header.gid, sizeof(header.gid), 0);
	header_put_number(header.size, sizeof(header.size), size <= SIZE_FITS ? size : 0);
	header_put_number(header.time, sizeof(header.time), (uint64_t)time);
	header_put_number(header.major, sizeof(header.major), 0);
	header_put_number(header.minor, sizeof(header.minor), 0);
	/* The sum of all bytes, with blanks in its own place. */
	memset(header.checksum, ' ', sizeof(header.checksum));
	for (size_t i = 0; i < sizeof(header); i++)
		sum += bytes[i];
	header_put_number(header.checksum, sizeof(header.checksum) - 1, sum);
	buf_append(out, &header, sizeof(header));
}

/* "LEN KEY=VALUE\n", where LEN includes its own digits. */
static void pax_add(struct buf *out, const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3;
	size_t len = rest + 1;
	char digits[24];

	while (rest + (size_t)snprintf(digits, sizeof(digits), "%zu", len) != len)
		len = rest + strlen(digits);
	buf_appendf(out, "%s %s=%s\n", digits, key, value);
}

void tar_header(const struct tar_member *member, struct buf *out)
{
	static const char kinds[] = {[TAR_FILE] = '0', [TAR_FOLDER] = '5', [TAR_LINK] = '2'};
	CLEANUP(freep)
	char *path = xasprintf("%s%s", member->path, member->kind == TAR_FOLDER ? "/" : "");
	CLEANUP(buf_release) struct buf records = BUF_INIT;

	if (strlen(path) > sizeof(((struct header *)NULL)->name))
		pax_add(&records, "path", path);
	if (member->target && strlen(member->target) > sizeof(((struct header *)NULL)->target))
		pax_add(&records, "linkpath", member->target);
	if (member->size > SIZE_FITS) {
		char digits[24];

		snprintf(digits, sizeof(digits), "%" PRIu64, member->size);
		pax_add(&records, "size", digits);
	}
	if (records.len) {
		header_append(out, 'x', "pax", "", 0644, 0, records.len);
		buf_append(out, records.data, records.len);
		buf_append_repeated(out, '\0', tar_padding(records.len));
	}
	header_append(out, kinds[member->kind], path, member->target ? member->target : "",
		member->mode, member->time, member->size);
}
