/*
 * JSON, over jansson: reading input that may be hostile, and writing it the
 * way npm does or the way we do.
 *
 *	CLEANUP(json_decrefp) json_t *package = NULL;
 *	struct json_style style = json_style_detect(text);
 *
 *	if (json_read(text, "package.json", JSON_MAX_SIZE, &package, err) < 0)
 *		return -1;
 *	...
 *	json_write_npm(package, &style, &out);
 *
 * All numbers that are read are doubles, as they are in JavaScript: ask with
 * json_number_value(), not with json_integer_value().
 */
#ifndef FORMAT_JSON_H
#define FORMAT_JSON_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"

#define JSON_MAX_SIZE  ((size_t)16 * 1024 * 1024)
#define JSON_MAX_DEPTH 256

/*
 * Refused are more than `max` bytes, nesting deeper than JSON_MAX_DEPTH, bytes
 * that are not UTF-8, the same key twice, anything after the value, numbers
 * beyond the range of a double, and escapes of half a character (\ud800). A
 * byte order mark is dropped, as npm does.
 *
 * Messages name the place where the wrong piece ends, as in
 * `package.json:3:7: duplicate object key near '"a"'`.
 */
int json_read(
	struct view text, const char *name, size_t max, json_t **ret_json, struct error *err);

/*
 * A JSON string from outside text. jansson accepts UTF-8 only, so each invalid byte becomes
 * U+FFFD. Never NULL.
 */
json_t *json_text(struct view text);

/* The same, and null for NULL; and all texts of an array. */
json_t *json_text_or_null(const char *text);
json_t *json_strings(const struct string_array *strings);

/* The text of a member, or "" if it has none. */
const char *json_member(const json_t *object, const char *name);

/*
 * An object from a shape, which lists the members and their types:
 *
 *	json_t *change = json_build("path:s lines:I binary:b", path, lines, is_binary);
 *
 *	s	const char *: a text (json_text), or null for NULL
 *	S	the same, but NULL leaves the member out
 *	v	struct view: a text
 *	b	int: true or false
 *	i	int
 *	I	int64_t, size_t or another type of 64 bits
 *	f	double
 *	o	json_t *, which the object takes over; NULL leaves the member out
 *	O	json_t *, which the caller keeps; NULL leaves the member out
 */
json_t *json_build(const char *shape, ...);

/* Set members of an object. */
void json_put(json_t *object, const char *shape, ...);
void json_put_list(json_t *object, const char *shape, va_list values);

/* Append an object to an array; or a text, NULL as null. */
void json_add(json_t *array, const char *shape, ...);
void json_add_text(json_t *array, const char *text);

/*
 * How a file is laid out. The views point into the text that it was detected
 * in, or at constants.
 */
struct json_style {
	struct view indent;  /* empty: everything on one line */
	struct view newline; /* for every line end, also the last */
};

#define JSON_STYLE_DEFAULT ((struct json_style){{"  ", 2}, {"\n", 1}})

/*
 * What npm sees (json-parse-even-better-errors): the white space after the
 * first bracket. Text without a line end there is to stay without any, and gets
 * none at its end either; `{}`, `[]` and scalars give the default.
 */
struct json_style json_style_detect(struct view original);

/*
 * The bytes that npm would write: JSON.stringify(json, null, indent) and a
 * line end. Keys that are array indexes come first, as in any JavaScript
 * object; the others keep their order.
 */
void json_write_npm(json_t *json, const struct json_style *style, struct buf *out);

/*
 * For our own files: keys sorted bytewise. Pretty output is indented by two spaces and ends in
 * a newline; otherwise it is one line without a newline.
 */
void json_write_ours(json_t *json, bool pretty, struct buf *out);

#endif
