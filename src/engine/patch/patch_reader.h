/*
 * The lines of a patch, one after the other, with their numbers for messages.
 */
#ifndef ENGINE_PATCH_PATCH_READER_H
#define ENGINE_PATCH_PATCH_READER_H

#include <stdbool.h>

#include "engine/patch/patch.h"

struct patch_reader {
	const char *name;
	struct view rest;
	size_t number;   /* of the line that was taken last */
	size_t inflated; /* bytes of binary contents so far */
};

/* The next line, without its newline; false at the end. It is not taken yet. */
bool patch_reader_peek(const struct patch_reader *r, struct view *ret_line);
bool patch_reader_take(struct patch_reader *r, struct view *ret_line);

/* Whether the next line begins with this. */
bool patch_reader_sees(const struct patch_reader *r, const char *beginning);

/* Take away `beginning` from a line, if it begins so. */
bool patch_skip(struct view *line, const char *beginning);

/* Take a decimal number of up to ten digits from the beginning of a line. */
bool patch_take_number(struct view *line, size_t *ret_number);

/* Returns -1, with the name and the number of the line before the message. */
int patch_fault(const struct patch_reader *r, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The lines from `diff --git` to before the content. (patch_parse_header.c) */
int patch_parse_header(struct patch_reader *r, struct patch_change *change, struct error *err);

/* `---`, `+++` and the hunks. (patch_parse_text.c) */
int patch_parse_text(struct patch_reader *r, struct patch_change *change, struct error *err);

/* `GIT binary patch` and both contents. (patch_parse_binary.c) */
int patch_parse_binary(struct patch_reader *r, struct patch_change *change, struct error *err);

#endif
