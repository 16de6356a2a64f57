/*
 * Shared by the files of this room.
 */
#ifndef ENGINE_PATCH_INTERNAL_H
#define ENGINE_PATCH_INTERNAL_H

#include "engine/patch/patch.h"

#define PATCH_NO_NEWLINE "\\ No newline at end of file\n"
#define PATCH_NULL_ID    "0000000000000000000000000000000000000000"

/* Every change starts as this. */
#define PATCH_CHANGE_INIT                                                                      \
	((struct patch_change){                                                                \
		.forward = {.data = BUF_INIT},                                                 \
		.reverse = {.data = BUF_INIT},                                                 \
	})

void patch_change_release(struct patch_change *change);

/* Move a change to the end of the patch; `*change` is empty afterwards. */
void patch_take_change(struct patch *patch, struct patch_change *change);

/* A new, empty hunk at the end of the list. */
struct patch_hunk *patch_add_hunk(struct patch_change *change);

/*
 * The next line of a hunk: its sign, and its content, with the newline if it has one.
 * False when nothing is left.
 */
bool patch_next_line(struct view *rest, char *ret_sign, struct view *ret_content);

/* git's name for a content. */
void patch_id_of(struct view content, char ret_id[static PATCH_ID_SIZE]);

/* Apply git's delta to `base`. (patch_apply.c) */
int patch_delta_apply(
	struct view base, struct view delta, struct buf *ret_content, struct error *err);

/* --- spelling (patch_write.c) ---------------------------------------------------- */

/*
 * A name after `prefix`, in double quotes and escaped as in C if it has unusual bytes.
 */
void patch_name_append(struct buf *out, const char *prefix, struct view name);

/*
 * Parse a quoted name at the beginning of `rest`, which starts with a double quote. False if
 * the quote does not end, or has an escape that git does not write.
 */
bool patch_name_unquote(struct view *rest, struct buf *out);

/* Skip a name, quoted or not, at the beginning of `rest`. False if it is not there. */
bool patch_name_skip(struct view *rest, const char *prefix, struct view name);

/* --- reading (patch_parse.c) ----------------------------------------------------- */

/* The lines of a patch, one after the other, with their numbers for messages. */
struct patch_reader {
	const char *name;
	struct view rest;
	size_t number;   /* of the line that was taken last */
	size_t inflated; /* bytes of binary contents so far */
};

/* Read the next line, without its newline; false at the end. */
bool patch_reader_take(struct patch_reader *r, struct view *ret_line);

/* Does the next line begin with this? */
bool patch_reader_sees(const struct patch_reader *r, const char *beginning);

/* Remove `beginning` from a line, if it begins with it. */
bool patch_skip(struct view *line, const char *beginning);

/* Parse a decimal number of up to ten digits at the beginning of a line. */
bool patch_take_number(struct view *line, size_t *ret_number);

/* Returns -1, with the name and the number of the line before the message. */
int patch_fault(const struct patch_reader *r, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The lines from `diff --git` to before the content. (patch_header.c) */
int patch_parse_header(struct patch_reader *r, struct patch_change *change, struct error *err);

#endif
