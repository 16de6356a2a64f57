/*
 * Writing JSON. jansson's own printer differs from JSON.stringify() in numbers
 * and escapes, so this one walks its tree.
 */
#include <inttypes.h>
#include <string.h>

#include "format/json.h"
#include "format/json_number.h"

/* JSON.stringify() uses no more of an indent than this. */
#define INDENT_MAX 10

struct writer {
	struct buf *out;
	struct view indent; /* empty: all on one line */
	struct view newline;
	bool ours;
};

struct entry {
	const char *key;
	json_t *value;
	int64_t index; /* the key as an array index, or -1 */
	size_t position;
};

static void write_value(struct writer *w, json_t *json, unsigned depth);

/* --- scalars ---------------------------------------------------------------- */

/* The letter after the backslash; 0: it has none. */
static char escape_of(char c)
{
	static const char named[] = "\bb\tt\nn\ff\rr";
	const char *found = c > 0 && c < 0x20 ? strchr(named, c) : NULL;

	if (c == '"' || c == '\\')
		return c;
	return found ? found[1] : '\0';
}

static void write_string(struct buf *out, const char *text, size_t len)
{
	buf_append_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		char escape = escape_of(text[i]);

		if (escape)
			buf_appendf(out, "\\%c", escape);
		else if ((unsigned char)text[i] < 0x20)
			buf_appendf(out, "\\u%04x", text[i]);
		else
			buf_append_char(out, text[i]);
	}
	buf_append_char(out, '"');
}

static void write_scalar(struct writer *w, json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_STRING:
		write_string(w->out, json_string_value(json), json_string_length(json));
		break;
	case JSON_INTEGER:
		if (w->ours)
			buf_appendf(w->out, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
		else
			json_number_append(w->out, (double)json_integer_value(json));
		break;
	case JSON_REAL:
		json_number_append(w->out, json_real_value(json));
		break;
	case JSON_TRUE:
		buf_append_str(w->out, "true");
		break;
	case JSON_FALSE:
		buf_append_str(w->out, "false");
		break;
	default:
		buf_append_str(w->out, "null");
	}
}

/* --- the order of keys ------------------------------------------------------ */

/* "0", "17": keys that JavaScript treats as array indexes, up to 2^32 - 2. */
static int64_t array_index(const char *key)
{
	int64_t index = 0;

	if (!*key || (key[0] == '0' && key[1]))
		return -1;
	for (; *key; key++) {
		if (*key < '0' || *key > '9')
			return -1;
		index = index * 10 + (*key - '0');
		if (index > INT64_C(4294967294))
			return -1;
	}
	return index;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

/* Indexes first, in their order; then the others as they came. */
static int compare_as_javascript(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;

	if (x->index >= 0 && y->index >= 0)
		return (x->index > y->index) - (x->index < y->index);
	if (x->index >= 0 || y->index >= 0)
		return x->index >= 0 ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static struct entry *sorted_entries(json_t *object, bool ours)
{
	size_t count = json_object_size(object);
	struct entry *entries = xcalloc(count, sizeof(*entries));
	size_t i = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		entries[i] = (struct entry){key, value, array_index(key), i};
		i++;
	}
	qsort(entries, count, sizeof(*entries), ours ? compare_keys : compare_as_javascript);
	return entries;
}

/* --- collections ------------------------------------------------------------ */

static void start_line(struct writer *w, unsigned depth)
{
	if (!w->indent.len)
		return;
	buf_append(w->out, w->newline.data, w->newline.len);
	for (unsigned i = 0; i < depth; i++)
		buf_append(w->out, w->indent.data, w->indent.len);
}

static void write_object(struct writer *w, json_t *object, unsigned depth)
{
	CLEANUP(freep) struct entry *entries = sorted_entries(object, w->ours);
	size_t count = json_object_size(object);

	buf_append_char(w->out, '{');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_append_char(w->out, ',');
		start_line(w, depth + 1);
		write_string(w->out, entries[i].key, strlen(entries[i].key));
		buf_append_str(w->out, w->indent.len ? ": " : ":");
		write_value(w, entries[i].value, depth + 1);
	}
	if (count)
		start_line(w, depth);
	buf_append_char(w->out, '}');
}

static void write_array(struct writer *w, json_t *array, unsigned depth)
{
	size_t count = json_array_size(array);

	buf_append_char(w->out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_append_char(w->out, ',');
		start_line(w, depth + 1);
		write_value(w, json_array_get(array, i), depth + 1);
	}
	if (count)
		start_line(w, depth);
	buf_append_char(w->out, ']');
}

static void write_value(struct writer *w, json_t *json, unsigned depth)
{
	if (json_is_object(json))
		write_object(w, json, depth);
	else if (json_is_array(json))
		write_array(w, json, depth);
	else
		write_scalar(w, json);
}

/* npm replaces every line end of the result, so also those of the indent. */
static void append_indent(struct buf *out, const struct json_style *style)
{
	for (size_t i = 0; i < style->indent.len && i < INDENT_MAX; i++) {
		if (style->indent.data[i] == '\n')
			buf_append(out, style->newline.data, style->newline.len);
		else
			buf_append_char(out, style->indent.data[i]);
	}
}

void json_write_npm(json_t *json, const struct json_style *style, struct buf *out)
{
	CLEANUP(buf_release) struct buf indent = BUF_INIT;
	struct writer w = {.out = out, .newline = style->newline};

	append_indent(&indent, style);
	w.indent = view_of_buf(&indent);
	write_value(&w, json, 0);
	buf_append(out, style->newline.data, style->newline.len);
}

void json_write_ours(json_t *json, bool pretty, struct buf *out)
{
	struct writer w = {
		.out = out,
		.indent = view_of(pretty ? "  " : ""),
		.newline = view_of("\n"),
		.ours = true,
	};

	write_value(&w, json, 0);
	if (pretty)
		buf_append_char(out, '\n');
}
