/*
 * The headers of a tar archive in the POSIX format (ustar, and pax for values that do not fit),
 * so that every tar can read our archives.
 *
 * An archive has for each member its header, its content, and zeros up to a multiple of
 * TAR_BLOCK, and ends with TAR_END zeros.
 *
 * The same member always gives the same bytes, without names or numbers of users. So there is
 * no parser here: a reader that knows its members compares each header with the one that
 * tar_header() makes, and nothing else in a header can do harm.
 */
#ifndef ARCHIVE_TAR_H
#define ARCHIVE_TAR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#define TAR_BLOCK 512
#define TAR_END   ((size_t)2 * TAR_BLOCK)

/* Modification times from 1970 to 2242. */
#define TAR_TIME_MAX INT64_C(077777777777)

enum tar_kind {
	TAR_FILE,
	TAR_FOLDER,
	TAR_LINK, /* symbolic */
};

struct tar_member {
	enum tar_kind kind;
	const char *path;
	const char *target; /* of a link */
	mode_t mode;        /* at most 0777 */
	int64_t time;       /* seconds, 0 to TAR_TIME_MAX */
	uint64_t size;      /* 0 for all but files */
};

/* Append the header: one block or several. */
void tar_header(const struct tar_member *member, struct buf *out);

/* How many zeros follow a content of this size. */
size_t tar_padding(uint64_t size);

#endif
