/*
 * The files of src/time/phrase/languages, which the build puts here (tools/embed), in the order
 * of their names; the last one has no path.
 */
#ifndef TIME_PHRASE_LANGUAGE_FILES_H
#define TIME_PHRASE_LANGUAGE_FILES_H

#include <stddef.h>

struct language_file {
	const char *path;
	unsigned mode;
	const unsigned char *data;
	size_t len;
};

extern const struct language_file language_files[];

#endif
