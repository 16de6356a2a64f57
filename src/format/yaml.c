#include "format/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

struct yaml_doc *yaml_doc_new(const char *name)
{
	struct yaml_doc *doc = xcalloc(1, sizeof(*doc));

	doc->arena = ARENA_INIT;
	doc->name = arena_copy(&doc->arena, name, strlen(name));
	doc->root = arena_alloc(&doc->arena, sizeof(*doc->root));
	*doc->root = (struct yaml_node){.doc = doc, .plain = true, .text = {"", 0}};
	return doc;
}

void yaml_doc_free(struct yaml_doc *doc)
{
	if (!doc)
		return;
	arena_release(&doc->arena);
	free(doc);
}

void yaml_doc_freep(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

/* --- looking up ------------------------------------------------------------- */

size_t yaml_find_order(const struct yaml_node *mapping, struct view key)
{
	size_t low = 0;
	size_t high = mapping->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (view_compare(mapping->entries[mapping->order[middle]].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct yaml_entry *yaml_find(const struct yaml_node *mapping, struct view key)
{
	struct yaml_entry *entry;
	size_t at;

	if (!mapping || mapping->kind != YAML_MAPPING)
		return NULL;
	at = yaml_find_order(mapping, key);
	if (at == mapping->count)
		return NULL;
	entry = &mapping->entries[mapping->order[at]];
	return view_equal(entry->key, key) ? entry : NULL;
}

struct yaml_node *yaml_get(const struct yaml_node *mapping, const char *key)
{
	struct yaml_entry *entry = yaml_find(mapping, view_of(key));

	return entry ? entry->value : NULL;
}

const char *yaml_get_text(const struct yaml_node *mapping, const char *key)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	return node && node->kind == YAML_SCALAR && !yaml_is_null(node) ? node->text.data
									: NULL;
}

const struct yaml_node *yaml_get_kind(
	const struct yaml_node *mapping, const char *key, enum yaml_kind kind)
{
	static const struct yaml_node nothing;
	const struct yaml_node *node = yaml_get(mapping, key);

	return node && node->kind == kind ? node : &nothing;
}

bool yaml_get_bool(const struct yaml_node *mapping, const char *key)
{
	const char *text = yaml_get_text(mapping, key);

	return text && !strcmp(text, "true");
}

bool yaml_has_item(const struct yaml_node *sequence, struct view text)
{
	if (!sequence || sequence->kind != YAML_SEQUENCE)
		return false;
	for (size_t i = 0; i < sequence->count; i++)
		if (sequence->items[i]->kind == YAML_SCALAR &&
			view_equal(sequence->items[i]->text, text))
			return true;
	return false;
}

/* --- messages --------------------------------------------------------------- */

static int __attribute__((format(printf, 4, 0))) report_at(const struct yaml_doc *doc,
	struct yaml_place at, struct error *err, const char *format, va_list args)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendv(&text, format, args);
	if (!at.line)
		return error_set(err, ERROR_INVALID, "%s: %s", doc->name, text.data);
	return error_set(
		err, ERROR_INVALID, "%s:%zu:%zu: %s", doc->name, at.line, at.column, text.data);
}

int yaml_error(const struct yaml_node *node, struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_at(node->doc, node->at, err, format, args);
	va_end(args);
	return -1;
}

int yaml_error_at(const struct yaml_doc *doc, struct yaml_place at, struct error *err,
	const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_at(doc, at, err, format, args);
	va_end(args);
	return -1;
}

/* --- types: the core schema of YAML 1.2 ------------------------------------- */

static bool is_one_of(struct view text, const char *const *words)
{
	for (; *words; words++)
		if (view_equal_str(text, *words))
			return true;
	return false;
}

static size_t node_span(struct view text, size_t from, const char *set)
{
	size_t at = from;

	while (at < text.len && text.data[at] && strchr(set, text.data[at]))
		at++;
	return at;
}

#define DIGITS "0123456789"

static bool is_int(struct view text)
{
	size_t start = text.len && (text.data[0] == '-' || text.data[0] == '+');

	if (view_starts_with(text, "0o"))
		return text.len > 2 && node_span(text, 2, "01234567") == text.len;
	if (view_starts_with(text, "0x"))
		return text.len > 2 && node_span(text, 2, DIGITS "abcdefABCDEF") == text.len;
	return text.len > start && node_span(text, start, DIGITS) == text.len;
}

static bool is_float(struct view text)
{
	static const char *const words[] = {".inf", ".Inf", ".INF", NULL};
	static const char *const nan_words[] = {".nan", ".NaN", ".NAN", NULL};
	size_t start = text.len && (text.data[0] == '-' || text.data[0] == '+');
	size_t at = node_span(text, start, DIGITS);
	size_t digits = at - start;

	if (is_one_of(view_slice(text, start, text.len), words) || is_one_of(text, nan_words))
		return true;
	if (at < text.len && text.data[at] == '.') {
		size_t end = node_span(text, at + 1, DIGITS);

		digits += end - at - 1;
		at = end;
	}
	if (!digits)
		return false;
	if (at < text.len && (text.data[at] == 'e' || text.data[at] == 'E')) {
		at++;
		at += at < text.len && (text.data[at] == '-' || text.data[at] == '+');
		if (node_span(text, at, DIGITS) == at)
			return false;
		at = node_span(text, at, DIGITS);
	}
	return at == text.len;
}

enum yaml_type yaml_plain_type(struct view text)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const bools[] = {
		"true", "True", "TRUE", "false", "False", "FALSE", NULL};

	if (is_one_of(text, nulls))
		return YAML_NULL;
	if (is_one_of(text, bools))
		return YAML_BOOL;
	if (is_int(text))
		return YAML_INT;
	return is_float(text) ? YAML_FLOAT : YAML_STRING;
}

enum yaml_type yaml_type_of(const struct yaml_node *scalar)
{
	return scalar->plain ? yaml_plain_type(scalar->text) : YAML_STRING;
}

bool yaml_is_null(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && yaml_type_of(node) == YAML_NULL;
}

static const char *name_of(const struct yaml_node *node)
{
	static const char *const types[] = {
		[YAML_STRING] = "a string",
		[YAML_NULL] = "null",
		[YAML_BOOL] = "a bool",
		[YAML_INT] = "an integer",
		[YAML_FLOAT] = "a number with a fraction",
	};

	if (node->kind == YAML_SCALAR)
		return types[yaml_type_of(node)];
	return node->kind == YAML_MAPPING ? "a mapping" : "a sequence";
}

/* --- getters ---------------------------------------------------------------- */

static int wrong_type(
	const struct yaml_node *node, const char *what, const char *expected, struct error *err)
{
	return yaml_error(node, err, "%s must be %s, not %s", what, expected, name_of(node));
}

int yaml_expect(
	const struct yaml_node *node, enum yaml_kind kind, const char *what, struct error *err)
{
	static const char *const kinds[] = {
		[YAML_SCALAR] = "a scalar",
		[YAML_SEQUENCE] = "a sequence",
		[YAML_MAPPING] = "a mapping",
	};

	if (node->kind == kind)
		return 0;
	return wrong_type(node, what, kinds[kind], err);
}

int yaml_string(const struct yaml_node *node, const char *what, const char **ret_string,
	struct error *err)
{
	if (node->kind != YAML_SCALAR || yaml_is_null(node))
		return wrong_type(node, what, "a string", err);
	if (memchr(node->text.data, '\0', node->text.len))
		return yaml_error(node, err, "%s must not contain a NUL byte", what);
	*ret_string = node->text.data;
	return 0;
}

int yaml_bool(const struct yaml_node *node, const char *what, bool *ret_bool, struct error *err)
{
	if (node->kind != YAML_SCALAR || yaml_type_of(node) != YAML_BOOL)
		return wrong_type(node, what, "true or false", err);
	*ret_bool = node->text.data[0] == 't' || node->text.data[0] == 'T';
	return 0;
}

int yaml_int(
	const struct yaml_node *node, const char *what, int64_t *ret_int, struct error *err)
{
	const char *digits = node->text.data;
	long long value;
	int base = 10;

	if (node->kind != YAML_SCALAR || yaml_type_of(node) != YAML_INT)
		return wrong_type(node, what, "an integer", err);
	if (view_starts_with(node->text, "0o") || view_starts_with(node->text, "0x")) {
		base = digits[1] == 'o' ? 8 : 16;
		digits += 2;
	}
	errno = 0;
	value = strtoll(digits, NULL, base);
	if (errno)
		return yaml_error(node, err, "%s is too large an integer", what);
	*ret_int = value;
	return 0;
}

int yaml_strings(const struct yaml_node *node, const char *what, const char ***ret_strings,
	size_t *ret_count, struct error *err)
{
	const char **strings;

	if (node->kind != YAML_SEQUENCE)
		return wrong_type(node, what, "a sequence of strings", err);
	strings = arena_alloc(&node->doc->arena, (node->count + 1) * sizeof(*strings));
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);

		if (yaml_string(node->items[i], item, &strings[i], err) < 0)
			return -1;
	}
	*ret_strings = strings;
	*ret_count = node->count;
	return 0;
}

/* --- equality --------------------------------------------------------------- */

static bool scalars_equal(const struct yaml_node *a, const struct yaml_node *b)
{
	enum yaml_type type = yaml_type_of(a);

	if (type != yaml_type_of(b))
		return false;
	return type == YAML_NULL || view_equal(a->text, b->text);
}

static bool entries_equal(const struct yaml_entry *a, const struct yaml_entry *b)
{
	enum yaml_type type_a = a->key_plain ? yaml_plain_type(a->key) : YAML_STRING;
	enum yaml_type type_b = b->key_plain ? yaml_plain_type(b->key) : YAML_STRING;

	return type_a == type_b && view_equal(a->key, b->key) && yaml_equal(a->value, b->value);
}

bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b)
{
	if (a->kind != b->kind || a->count != b->count)
		return false;
	if (a->kind == YAML_SCALAR)
		return scalars_equal(a, b);
	for (size_t i = 0; i < a->count; i++) {
		if (a->kind == YAML_SEQUENCE && !yaml_equal(a->items[i], b->items[i]))
			return false;
		if (a->kind == YAML_MAPPING &&
			!entries_equal(&a->entries[a->order[i]], &b->entries[b->order[i]]))
			return false;
	}
	return true;
}

/* --- places in the text -------------------------------------------------------- */

/* The length of a line end at the start of the text, or 0. */
static size_t line_end_len(struct view text)
{
	static const char *const ends[] = {
		"\r\n", "\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (view_starts_with(text, ends[i]))
			return strlen(ends[i]);
	return 0;
}

size_t yaml_offset(struct view text, struct yaml_place at)
{
	size_t offset = view_starts_with(text, UTF8_BOM) ? strlen(UTF8_BOM) : 0;
	struct yaml_place here = {1, 1};

	while (offset < text.len && here.line <= at.line) {
		struct view rest = view_slice(text, offset, text.len);
		size_t end = line_end_len(rest);
		uint32_t ignored;

		if (here.line == at.line && here.column >= at.column)
			break;
		if (end) {
			if (here.line == at.line)
				break;
			here = (struct yaml_place){here.line + 1, 1};
			offset += end;
			continue;
		}
		here.column++;
		end = utf8_decode(rest, &ignored);
		offset += end ? end : 1;
	}
	return offset;
}
