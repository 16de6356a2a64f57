/*
 * A fast checksum: tells a damaged file from a whole one, at the speed at which it is
 * read. No protection against somebody who wants two contents with the same sum; for
 * that there is hash.h. The value depends on the byte order of the machine.
 */
#ifndef ARCHIVE_CHECKSUM_H
#define ARCHIVE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t checksum(const void *data, size_t len);

#endif
