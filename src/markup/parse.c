#include "markup/parse.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "proc/library.h"
#include "proc/log.h"

#define SONAME "libmd4c.so.0"

#define FIRST_MASK (PARSE_PRODUCT + 1)

/* Bytes from FIRST_MASK on mask these. */
static const char marks[] = "_*~[";

#define DEFINITIONS_MAX 64 /* that are looked for in the text: it is searched for each */
#define LABEL_MAX       200

typedef int (*parse_function)(
	const MD_CHAR *text, MD_SIZE size, const MD_PARSER *parser, void *data);

static parse_function md4c_load(void)
{
	static parse_function parse;
	static bool tried;
	static const struct library_symbol symbols[] = {
		{"md_parse", &parse},
		{0},
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!tried && library_load(SONAME, symbols, &err) < 0)
		log_warning("texts are not formatted: %s; %s", err.message, err.hint);
	tried = true;
	return parse;
}

/* The length of a bare address at the start of the text, or 0. */
static size_t address_len(struct view text)
{
	size_t len = 0;

	if (!view_starts_with(text, "http://") && !view_starts_with(text, "https://"))
		return 0;
	while (len < text.len && (unsigned char)text.data[len] > ' ' &&
		!strchr("<>\"`", text.data[len]) &&
		!view_starts_with(view_slice(text, len, text.len), "**") &&
		!view_starts_with(view_slice(text, len, text.len), "~~"))
		len++;
	while (len && strchr("_*~.,;:!?)'", text.data[len - 1]))
		len--;
	return len;
}

/* The label of a definition at the start of the text, as in "[label]: address"; empty: none. */
static struct view definition_label(struct view text)
{
	size_t len = 1;

	while (len < text.len && len <= LABEL_MAX && !strchr("[]\n", text.data[len]))
		len++;
	if (len + 1 >= text.len || text.data[len] != ']' || text.data[len + 1] != ':')
		return (struct view){"", 0};
	return view_trim(view_slice(text, 1, len));
}

/* Does "[label]" occur outside of a definition? */
static bool label_is_used(struct view source, struct view label)
{
	const char *at = source.data;
	const char *end = source.data + source.len;

	while ((at = memchr(at, '[', (size_t)(end - at)))) {
		const char *close = ++at + label.len;

		if (close < end && *close == ']' && (close + 1 == end || close[1] != ':') &&
			!strncasecmp(at, label.data, label.len))
			return true;
	}
	return false;
}

/* Only quotation and list marks precede it on its line. */
static bool begins_line(struct view source, size_t at)
{
	while (at && strchr(" \t>*+-.)0123456789", source.data[at - 1]))
		at--;
	return !at || source.data[at - 1] == '\n';
}

/* An unused definition would be invisible, so it is text. */
static bool is_unused_definition(struct view source, size_t at, size_t *looked)
{
	struct view label = definition_label(view_slice(source, at, source.len));

	if (!label.len || !begins_line(source, at))
		return false;
	return ++*looked > DEFINITIONS_MAX || !label_is_used(source, label);
}

/* A star between letters or digits, or two between digits: 2*3*4 is no emphasis. */
static bool is_product(struct view source, size_t at)
{
	size_t end = at + 1;
	bool both;

	at -= at && source.data[at - 1] == '*';
	end += end < source.len && source.data[end] == '*';
	if (!at || end == source.len)
		return false;
	both = isdigit((unsigned char)source.data[at - 1]) &&
	       isdigit((unsigned char)source.data[end]);
	return both || (end - at == 1 && isalnum((unsigned char)source.data[at - 1]) &&
			       isalnum((unsigned char)source.data[end]));
}

void parse_mask(struct view source, struct buf *ret_masked)
{
	size_t end = 0; /* of an address */
	size_t definitions = 0;

	for (size_t i = 0; i < source.len; i++) {
		char c = source.data[i];
		const char *mark = c ? strchr(marks, c) : NULL;

		if (i >= end && c == 'h')
			end = i + address_len(view_slice(source, i, source.len));
		if (c == '[' ? is_unused_definition(source, i, &definitions) : i < end && mark)
			c = (char)(FIRST_MASK + (mark - marks));
		else if ((unsigned char)c >= PARSE_PRODUCT)
			c = (char)(PARSE_PRODUCT - 1); /* not in UTF-8 either */
		else if (c == '*' && is_product(source, i))
			c = (char)PARSE_PRODUCT;
		buf_append_char(ret_masked, c);
	}
}

char parse_unmask(char byte)
{
	unsigned char c = (unsigned char)byte;

	if (c == PARSE_PRODUCT)
		return '*';
	return c >= FIRST_MASK ? marks[c - FIRST_MASK] : '\0';
}

int markup_parse(struct view source, const MD_PARSER *events, void *data)
{
	parse_function parse = md4c_load();
	MD_PARSER parser = *events;

	if (!parse || source.len > UINT_MAX)
		return -1;
	parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
		       MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
	return parse(source.data, (MD_SIZE)source.len, &parser, data) ? -1 : 0;
}

void markup_parse_plain(struct view source, const MD_PARSER *events, void *data)
{
	struct view line;
	bool first = true;

	events->enter_block(MD_BLOCK_DOC, NULL, data);
	events->enter_block(MD_BLOCK_P, NULL, data);
	while (view_next(&source, '\n', &line)) {
		if (!first)
			events->text(MD_TEXT_SOFTBR, "\n", 1, data);
		first = false;
		if (line.len)
			events->text(MD_TEXT_NORMAL, line.data, (MD_SIZE)line.len, data);
	}
	events->leave_block(MD_BLOCK_P, NULL, data);
	events->leave_block(MD_BLOCK_DOC, NULL, data);
}
