/*
 * Unpack a .tar.gz from an untrusted source into an empty folder.
 *
 * An archive can contain anything, so only what a package needs is accepted: regular files and
 * folders, with names that relpath_parse() accepts and that are not protected (relpath.h), each
 * file once, as 0644 or 0755. Links, devices, other kinds of members and sparse files are
 * ERROR_INVALID, and so are a damaged archive and one beyond UNTAR_MAX_FILES or
 * UNTAR_MAX_BYTES. Long names may be in the format of pax or of GNU tar. Files unpacked before
 * an error stay; the caller removes the folder.
 */
#ifndef ARCHIVE_UNTAR_H
#define ARCHIVE_UNTAR_H

#include "base/error.h"

#define UNTAR_MAX_FILES 100000
#define UNTAR_MAX_BYTES ((uint64_t)1024 * 1024 * 1024)

/* `fd` is the archive, read from its current offset; `folder` is an open folder. */
int untar(int fd, int folder, struct error *err);

#endif
