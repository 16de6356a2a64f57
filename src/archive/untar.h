/*
 * Unpack a .tar.gz that somebody else has made into an empty folder.
 *
 * An archive can say anything, so only what a package needs is taken: regular files and folders,
 * with names that relpath_parse() takes and that are not protected (relpath.h), each file once, as
 * 0644 or 0755. Links, devices, other kinds of members and sparse files are ERROR_INVALID, and so
 * are an archive that is damaged and one that goes beyond UNTAR_MAX_FILES or UNTAR_MAX_BYTES. Long
 * names are understood as pax and as GNU's tar write them. What was unpacked before an error
 * stays; the caller removes the folder.
 */
#ifndef ARCHIVE_UNTAR_H
#define ARCHIVE_UNTAR_H

#include "base/error.h"

#define UNTAR_MAX_FILES 100000
#define UNTAR_MAX_BYTES ((uint64_t)1024 * 1024 * 1024)

/* `fd` is the archive, read from its current offset; `folder` is an open folder. */
int untar(int fd, int folder, struct error *err);

#endif
