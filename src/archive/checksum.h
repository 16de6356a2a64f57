/*
 * A fast checksum that detects a damaged file at the speed of reading it. It does not protect
 * against deliberate collisions; use hash.h for that. The value depends on the byte order of
 * the machine.
 */
#ifndef ARCHIVE_CHECKSUM_H
#define ARCHIVE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t checksum(const void *data, size_t len);

#endif
