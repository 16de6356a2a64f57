#include "format/yaml_write.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

/* libyaml looks no further than this for the ':' after a key. */
#define SIMPLE_KEY_MAX 1000

struct writer {
	struct buf *out;
	enum yaml_order order;
	struct error *err;
};

/* --- which strings need quotes ---------------------------------------------- */

/*
 * Words that some reader takes for null, a bool, a merge or a default value, in any mix of
 * upper and lower case.
 */
static bool looks_like_word(struct view text)
{
	static const char *const words[] = {"", "<<", "=", "false", "n", "no", "null", "off",
		"on", "true", "y", "yes", "~"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text.len == strlen(words[i]) && !strncasecmp(text.data, words[i], text.len))
			return true;
	return false;
}

static bool all_in(struct view text, const char *set)
{
	for (size_t i = 0; i < text.len; i++)
		if (!text.data[i] || !strchr(set, text.data[i]))
			return false;
	return true;
}

static size_t count_char(struct view text, char c)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.data[i] == c;
	return count;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Rather too much than too little: decimal, octal, hex and binary, with '_'
 * between the digits, in base 60 (12:30), with a fraction or an exponent. Two
 * dots make a version, which no reader takes for a number.
 */
static bool looks_like_number(struct view text)
{
	struct view number = text;

	if (number.len && (number.data[0] == '+' || number.data[0] == '-'))
		number = view_slice(number, 1, number.len);
	if (number.len && number.data[0] == '.' &&
		all_in(view_slice(number, 1, number.len), "infaINFA"))
		return true;
	if (view_starts_with(number, "0x") || view_starts_with(number, "0X"))
		return all_in(view_slice(number, 2, number.len), "0123456789abcdefABCDEF_");
	if (view_starts_with(number, "0o") || view_starts_with(number, "0O") ||
		view_starts_with(number, "0b") || view_starts_with(number, "0B"))
		return all_in(view_slice(number, 2, number.len), "01234567_");
	if (!number.len || !(is_digit(number.data[0]) || number.data[0] == '.'))
		return false;
	return all_in(number, "0123456789_.,:eE+-") && count_char(number, '.') < 2;
}

/* 2026-01-01 and everything that begins like it. */
static bool looks_like_date(struct view text)
{
	return text.len >= 6 && all_in(view_slice(text, 0, 4), "0123456789") &&
	       text.data[4] == '-' && is_digit(text.data[5]);
}

static bool can_start_plain(struct view text)
{
	unsigned char first = (unsigned char)text.data[0];

	if (view_starts_with(text, "..."))
		return false;
	return first >= 0x80 || !strchr(" -?:,[]{}#&*!|>'\"%@`<=", first);
}

bool yaml_plain_safe(struct view text)
{
	if (looks_like_word(text) || looks_like_number(text) || looks_like_date(text))
		return false;
	if (!can_start_plain(text) || strchr(" :", text.data[text.len - 1]))
		return false;
	for (size_t at = 0, len; at < text.len; at += len) {
		struct view rest = view_slice(text, at, text.len);
		uint32_t c = 0;

		len = utf8_decode(rest, &c);
		if (!len || !utf8_printable(c) || c == 0xa0)
			return false;
		if (view_starts_with(rest, ": ") || view_starts_with(rest, " #"))
			return false;
	}
	return true;
}

/* --- scalars ---------------------------------------------------------------- */

static void append_escaped(struct buf *out, uint32_t c)
{
	static const char named[] = "\bb\tt\nn\ff\rr";
	const char *found = c && c < 0x20 ? strchr(named, (int)c) : NULL;

	if (found)
		buf_appendf(out, "\\%c", found[1]);
	else
		buf_appendf(out, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
}

int yaml_append_quoted(struct buf *out, struct view text, struct error *err)
{
	buf_append_char(out, '"');
	for (size_t at = 0, len; at < text.len; at += len) {
		struct view rest = view_slice(text, at, text.len);
		uint32_t c;

		len = utf8_decode(rest, &c);
		if (!len) {
			CLEANUP(freep) char *excerpt = utf8_excerpt(text);

			return error_set(err, ERROR_INVALID,
				"text '%s' cannot be written as YAML: not UTF-8", excerpt);
		}
		if (c == '"' || c == '\\')
			buf_append_char(out, '\\');
		if (utf8_printable(c))
			buf_append(out, rest.data, len);
		else
			append_escaped(out, c);
	}
	buf_append_char(out, '"');
	return 0;
}

static int append_text(struct buf *out, struct view text, bool plain, struct error *err)
{
	if (plain && !text.len)
		buf_append_str(out, "null");
	else if ((plain && yaml_plain_type(text) != YAML_STRING) || yaml_plain_safe(text))
		buf_append(out, text.data, text.len);
	else
		return yaml_append_quoted(out, text, err);
	return 0;
}

/* --- collections ------------------------------------------------------------ */

static int write_node(struct writer *w, const struct yaml_node *node, unsigned depth);

static void start_line(struct writer *w, unsigned depth)
{
	buf_append_repeated(w->out, ' ', (size_t)2 * depth);
}

static bool is_block(const struct yaml_node *node)
{
	return node->kind != YAML_SCALAR && node->count;
}

/* What follows the ':' of a key. */
static int write_value(struct writer *w, const struct yaml_node *value, unsigned depth)
{
	if (!is_block(value)) {
		buf_append_char(w->out, ' ');
		return write_node(w, value, depth + 1);
	}
	buf_append_char(w->out, '\n');
	start_line(w, depth + 1);
	return write_node(w, value, depth + 1);
}

static int write_entry(struct writer *w, const struct yaml_entry *entry, unsigned depth)
{
	CLEANUP(buf_release) struct buf key = BUF_INIT;

	if (append_text(&key, entry->key, entry->key_plain, w->err) < 0)
		return -1;
	if (key.len > SIMPLE_KEY_MAX) {
		buf_append_str(w->out, "? ");
		buf_append_char(&key, '\n');
		buf_append_repeated(&key, ' ', (size_t)2 * depth);
	}
	buf_append(w->out, key.data, key.len);
	buf_append_char(w->out, ':');
	return write_value(w, entry->value, depth);
}

/* The first line is indented already: it may follow the '-' of an item. */
static int write_block(struct writer *w, const struct yaml_node *node, unsigned depth)
{
	if (depth >= YAML_MAX_DEPTH)
		return error_set(w->err, ERROR_INVALID,
			"a tree nested deeper than %d cannot be written as YAML",
			YAML_MAX_DEPTH);
	for (size_t i = 0; i < node->count; i++) {
		size_t at = w->order == YAML_KEYS_SORTED && node->order ? node->order[i] : i;

		if (i)
			start_line(w, depth);
		if (node->kind == YAML_MAPPING) {
			if (write_entry(w, &node->entries[at], depth) < 0)
				return -1;
			continue;
		}
		buf_append_str(w->out, "- ");
		if (write_node(w, node->items[i], depth + 1) < 0)
			return -1;
	}
	return 0;
}

static int write_node(struct writer *w, const struct yaml_node *node, unsigned depth)
{
	if (is_block(node))
		return write_block(w, node, depth);
	if (node->kind != YAML_SCALAR)
		buf_append_str(w->out, node->kind == YAML_MAPPING ? "{}" : "[]");
	else if (append_text(w->out, node->text, node->plain, w->err) < 0)
		return -1;
	buf_append_char(w->out, '\n');
	return 0;
}

int yaml_write_ordered(
	const struct yaml_node *root, enum yaml_order order, struct buf *out, struct error *err)
{
	struct writer w = {.out = out, .order = order, .err = err};

	return write_node(&w, root, 0);
}

int yaml_write(const struct yaml_node *root, struct buf *out, struct error *err)
{
	return yaml_write_ordered(root, YAML_KEYS_SORTED, out, err);
}
