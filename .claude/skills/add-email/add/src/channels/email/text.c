#include "channels/email/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/string_array.h"
#include "base/utf8.h"
#include "base/view.h"

/* --- HTML -------------------------------------------------------------------- */

/* Is `at`, behind a '<' and perhaps a '/', the name of this tag? */
static bool html_is_tag(const char *at, const char *name)
{
	size_t len = strlen(name);

	return !strncasecmp(at, name, len) && strchr(" \t\r\n/>", at[len]) && at[len];
}

static bool html_breaks_line(const char *at)
{
	static const char *const names[] = {"blockquote", "br", "div", "h1", "h2", "h3", "h4",
		"li", "p", "table", "tr", "ul"};

	at += *at == '/';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (html_is_tag(at, names[i]))
			return true;
	return false;
}

/* Behind the element that begins at `at`, if its content is nothing to read; else NULL. */
static const char *html_skip_hidden(const char *at)
{
	static const char *const hidden[][2] = {{"head", "</head"}, {"script", "</script"},
		{"style", "</style"}, {"title", "</title"}};

	if (!strncmp(at, "!--", 3)) {
		const char *end = strstr(at, "-->");

		return end ? end + 3 : at + strlen(at);
	}
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (html_is_tag(at, hidden[i][0])) {
			const char *end = strcasestr(at, hidden[i][1]);

			return end ? end : at + strlen(at);
		}
	return NULL;
}

static void html_append_character(struct buf *out, unsigned long character)
{
	char bytes[4];
	size_t len = 0;

	if (character < 0x80) {
		bytes[len++] = (char)character;
	} else if (character < 0x800) {
		bytes[len++] = (char)(0xc0 | (character >> 6));
		bytes[len++] = (char)(0x80 | (character & 0x3f));
	} else if (character < 0x10000) {
		bytes[len++] = (char)(0xe0 | (character >> 12));
		bytes[len++] = (char)(0x80 | ((character >> 6) & 0x3f));
		bytes[len++] = (char)(0x80 | (character & 0x3f));
	} else {
		bytes[len++] = (char)(0xf0 | (character >> 18));
		bytes[len++] = (char)(0x80 | ((character >> 12) & 0x3f));
		bytes[len++] = (char)(0x80 | ((character >> 6) & 0x3f));
		bytes[len++] = (char)(0x80 | (character & 0x3f));
	}
	if (character >= ' ' && utf8_valid((struct view){bytes, len}))
		buf_append(out, bytes, len);
}

/* "&amp;", "&#8217;" …; behind it, or NULL if it is none that is known. */
static const char *html_take_entity(const char *at, struct buf *out)
{
	static const struct {
		const char *name;
		unsigned character;
	} entities[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'},
		{"apos;", '\''}, {"nbsp;", ' '}, {"auml;", 0xe4}, {"ouml;", 0xf6},
		{"uuml;", 0xfc}, {"szlig;", 0xdf}, {"eacute;", 0xe9}, {"ndash;", 0x2013},
		{"mdash;", 0x2014}, {"rsquo;", 0x2019}, {"hellip;", 0x2026}, {"euro;", 0x20ac}};
	char *end;

	at++;
	if (*at == '#') {
		bool hex = at[1] == 'x' || at[1] == 'X';
		unsigned long character = strtoul(at + 1 + hex, &end, hex ? 16 : 10);

		if (*end != ';' || character > 0x10ffff)
			return NULL;
		html_append_character(out, character);
		return end + 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		if (!strncmp(at, entities[i].name, strlen(entities[i].name))) {
			html_append_character(out, entities[i].character);
			return at + strlen(entities[i].name);
		}
	return NULL;
}

static void html_end_line(struct buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		buf_set_len(out, out->len - 1);
	if (out->len && out->data[out->len - 1] != '\n')
		buf_append_char(out, '\n');
}

char *text_of_html(const char *html)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *at = html;

	while (*at) {
		const char *after = *at == '&' ? html_take_entity(at, &out) : NULL;
		const char *end;

		if (*at == '<') {
			after = html_skip_hidden(at + 1);
			end = strchr(at, '>');
			if (html_breaks_line(at + 1))
				html_end_line(&out);
			if (!after)
				after = end ? end + 1 : at + strlen(at);
		} else if (!after && strchr(" \t\r\n", *at)) {
			if (out.len && !strchr(" \n", out.data[out.len - 1]))
				buf_append_char(&out, ' ');
			after = at + 1;
		} else if (!after) {
			buf_append_char(&out, *at);
			after = at + 1;
		}
		at = after;
	}
	return buf_take(&out);
}

/* --- quotations -------------------------------------------------------------- */

static bool quote_is_blank(const char *line)
{
	return !view_trim(view_of(line)).len;
}

/* "On Monday Mia wrote:", in some languages: it ends in a colon and has the word. */
static bool quote_is_introduction(const char *line)
{
	static const char *const words[] = {
		"wrote", "schrieb", "escribi", "a écrit", "ha scritto", "schreef", "escreveu"};
	struct view text = view_trim(view_of(line));

	if (!view_ends_with(text, ":"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

/* What stands below it is another mail, whether it is quoted or not. */
static bool quote_is_separator(const char *line)
{
	static const char *const lines[] = {"-----Original Message-----",
		"-----Urspr\303\274ngliche Nachricht-----", "-----Mensaje original-----",
		"________________________________"};
	struct view text = view_trim(view_of(line));

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (view_equal_str(text, lines[i]))
			return true;
	return false;
}

/* The lines that are left when what stands below `count` is gone. */
static size_t quote_trim(const struct string_array *lines, size_t count)
{
	while (count && quote_is_blank(lines->list[count - 1]))
		count--;
	return count;
}

static size_t quote_cut(const struct string_array *lines)
{
	size_t count = lines->count;
	size_t above;

	for (size_t i = 0; i < count; i++)
		if (quote_is_separator(lines->list[i]) || !strcmp(lines->list[i], "-- ")) {
			count = i;
			break;
		}
	count = quote_trim(lines, count);
	above = count;
	while (above &&
		(lines->list[above - 1][0] == '>' || quote_is_blank(lines->list[above - 1])))
		above--;
	if (above == count)
		return count;
	if (above && quote_is_introduction(lines->list[above - 1])) {
		above--;
		/* Mail programs wrap it: "On Monday, 16 November, Mia <mia@…>" and "wrote:". */
		if (above && !strncmp(lines->list[above - 1], "On ", 3))
			above--;
	}
	return quote_trim(lines, above);
}

char *text_without_quotes(const char *text)
{
	CLEANUP(string_array_release) struct string_array lines = {0};
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest = view_of(text);
	struct view line;
	size_t count;

	while (view_next(&rest, '\n', &line)) {
		if (view_ends_with(line, "\r"))
			line.len--;
		string_array_addf(&lines, "%.*s", VIEW_ARGS(line));
	}
	count = quote_cut(&lines);
	for (size_t i = 0; i < count; i++) {
		buf_append_str(&out, lines.list[i]);
		buf_append_char(&out, '\n');
	}
	buf_set_len(&out, view_trim(view_of_buf(&out)).len ? out.len : 0);
	while (out.len && strchr(" \t\n", out.data[out.len - 1]))
		buf_set_len(&out, out.len - 1);
	return buf_take(&out);
}
