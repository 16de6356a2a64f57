#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "markup/entity.h"
#include "markup/renderer.h"

unsigned renderer_shown(unsigned depth)
{
	return depth < NESTING_MAX ? depth : NESTING_MAX;
}

/* --- characters ---------------------------------------------------------------- */

static const struct dialect unescaped = {0};

static void append_escaped_char(const struct dialect *d, uint32_t c, struct view bytes,
	bool line_start, struct buf *out)
{
	if (d->escaping == ESCAPE_XML && (c == '&' || c == '<' || c == '>')) {
		buf_append_str(out, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;");
		return;
	}
	if (d->escaping == ESCAPE_BACKSLASH &&
		((c < 0x80 && strchr("\\*_~`|[]<", (int)c)) ||
			(line_start && c < 0x80 && strchr("#>-+", (int)c))))
		buf_append_char(out, '\\');
	buf_append(out, bytes.data, bytes.len);
}

void inline_escape(const struct dialect *d, struct view text, bool in_code, struct buf *out)
{
	if (in_code && d->escaping == ESCAPE_BACKSLASH)
		d = &unescaped;
	while (text.len) {
		uint32_t c;
		size_t len = utf8_decode(text, &c);

		if ((unsigned char)text.data[0] == PARSE_PRODUCT)
			append_escaped_char(d, '*', view_of("*"), false, out);
		else if (parse_unmask(text.data[0]))
			buf_append_char(out, parse_unmask(text.data[0]));
		else if (!len)
			buf_append_str(out, UTF8_REPLACEMENT);
		else if (c == '\n' || c == '\t' ||
			 (c >= ' ' && c != 0x7f && (c < 0x80 || c > 0x9f)))
			append_escaped_char(d, c, view_slice(text, 0, len),
				!out->len || out->data[out->len - 1] == '\n', out);
		text = view_slice(text, len ? len : 1, text.len);
	}
}

static bool is_word_at_end(const struct buf *text)
{
	unsigned char c = text->len ? (unsigned char)text->data[text->len - 1] : ' ';

	return (isalnum(c) || c >= 0x80) && !view_ends_with(view_of_buf(text), ZERO_WIDTH);
}

/* --- styles -------------------------------------------------------------------- */

static const struct marks *style_marks(const struct renderer *r, unsigned i)
{
	static const struct marks none = {"", ""};

	if (i >= NESTING_MAX || r->styles[i] == STYLE_NONE || !r->d->styles[r->styles[i]].open)
		return &none;
	return &r->d->styles[r->styles[i]];
}

static void styles_open(struct renderer *r)
{
	for (; r->written < r->style_depth; r->written++) {
		const char *mark = style_marks(r, r->written)->open;

		if (*mark && r->d->bounded && is_word_at_end(&r->text))
			buf_append_str(&r->text, ZERO_WIDTH);
		buf_append_str(&r->text, mark);
	}
}

void styles_close(struct renderer *r, unsigned depth)
{
	size_t spaces = 0;

	if (r->written <= depth)
		return;
	while (spaces < r->text.len && r->text.data[r->text.len - 1 - spaces] == ' ')
		spaces++;
	buf_set_len(&r->text, r->text.len - spaces);
	while (r->written > depth) {
		const char *mark = style_marks(r, --r->written)->close;

		buf_append_str(&r->text, mark);
		r->just_closed |= *mark != '\0' && !spaces;
	}
	buf_append_repeated(&r->text, ' ', spaces);
}

void style_enter(struct renderer *r, enum style style)
{
	for (unsigned i = 0; i < renderer_shown(r->style_depth); i++)
		if (r->styles[i] == style)
			style = STYLE_NONE;
	if (r->links && !r->d->nests)
		style = STYLE_NONE;
	if (r->style_depth < NESTING_MAX)
		r->styles[r->style_depth] = style;
	r->style_depth++;
}

void style_leave(struct renderer *r)
{
	styles_close(r, r->style_depth - 1);
	r->style_depth--;
}

/* --- inline text --------------------------------------------------------------- */

void inline_text(struct renderer *r, struct view text)
{
	if (r->in_code) {
		buf_append(&r->code, text.data, text.len);
		return;
	}
	if (r->links)
		inline_escape(&unescaped, text, false, &r->label);
	/* A style that begins with a space is not one for most platforms. */
	while (r->written < r->style_depth && text.len && text.data[0] == ' ') {
		buf_append_char(&r->text, ' ');
		r->just_closed = false;
		text = view_slice(text, 1, text.len);
	}
	if (!text.len)
		return;
	if (r->d->bounded && r->just_closed &&
		(isalnum((unsigned char)text.data[0]) || (unsigned char)text.data[0] >= 0x80))
		buf_append_str(&r->text, ZERO_WIDTH);
	r->just_closed = false;
	styles_open(r);
	inline_escape(r->d, text, false, &r->text);
}

void inline_break(struct renderer *r)
{
	if (r->in_code || (r->links && !r->d->nests)) {
		inline_text(r, view_of(" "));
		return;
	}
	if (!r->d->nests)
		styles_close(r, 0);
	r->just_closed = false;
	buf_append_str(&r->text, r->d->blocks ? "<br>\n" : "\n");
}

void inline_code(struct renderer *r)
{
	const struct marks *marks = &r->d->styles[STYLE_CODE];
	struct view code = view_of_buf(&r->code);

	r->in_code = false;
	if (!code.len)
		return;
	for (size_t i = 0; i < code.len; i++)
		if (r->code.data[i] == '\n')
			r->code.data[i] = ' ';
	/* No way to write a backtick in code, nor code in a label. */
	if ((r->links && !r->d->nests) || !marks->open ||
		(marks->open[0] == '`' && memchr(code.data, '`', code.len))) {
		inline_text(r, code);
	} else {
		if (r->links)
			inline_escape(&unescaped, code, false, &r->label);
		if (r->d->nests)
			styles_open(r);
		else
			styles_close(r, 0);
		if (r->d->bounded && is_word_at_end(&r->text))
			buf_append_str(&r->text, ZERO_WIDTH);
		buf_append_str(&r->text, marks->open);
		inline_escape(r->d, code, true, &r->text);
		buf_append_str(&r->text, marks->close);
		r->just_closed = true;
	}
	buf_clear(&r->code);
}

/* --- links --------------------------------------------------------------------- */

static bool is_address_for_people(struct view url)
{
	static const char *const schemes[] = {"http://", "https://", "mailto:", "tel:"};

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (url.len > strlen(schemes[i]) &&
			!strncasecmp(url.data, schemes[i], strlen(schemes[i])))
			return true;
	return false;
}

/* In an attribute, or between angle brackets: with nothing that could end it. */
static void append_address(const struct dialect *d, struct view url, struct buf *out)
{
	for (size_t i = 0; i < url.len; i++) {
		unsigned char c = (unsigned char)url.data[i];

		if (c <= ' ' || c == 0x7f || strchr("\"<>|\\^`", c))
			buf_appendf(out, "%%%02X", c);
		else if (c == '&' && d->escaping == ESCAPE_XML)
			buf_append_str(out, "&amp;");
		else if (strchr("()", c) && d->link == LINK_BRACKETS)
			buf_appendf(out, "%%%02X", c);
		else
			buf_append_char(out, (char)c);
	}
}

static void attribute_text(const MD_ATTRIBUTE *attribute, struct buf *out)
{
	for (unsigned i = 0; attribute->size && attribute->substr_offsets[i] < attribute->size;
		i++) {
		struct view piece = {attribute->text + attribute->substr_offsets[i],
			attribute->substr_offsets[i + 1] - attribute->substr_offsets[i]};

		if (attribute->substr_types[i] == MD_TEXT_ENTITY)
			entity_append(piece, out);
		else
			buf_append(out, piece.data, piece.len);
	}
}

void link_enter(struct renderer *r)
{
	if (r->links++)
		return;
	styles_open(r);
	r->link_start = r->text.len;
	buf_clear(&r->label);
}

static void put_link(struct renderer *r, struct view url, struct view label)
{
	switch (r->d->link) {
	case LINK_TAG:
		buf_append_str(&r->text, "<a href=\"");
		append_address(r->d, url, &r->text);
		buf_appendf(&r->text, "\">%.*s</a>", VIEW_ARGS(label));
		break;
	case LINK_ANGLES:
		buf_append_char(&r->text, '<');
		append_address(r->d, url, &r->text);
		buf_appendf(&r->text, "|%.*s>", VIEW_ARGS(label));
		break;
	case LINK_BRACKETS:
		buf_appendf(&r->text, "[%.*s](", VIEW_ARGS(label));
		append_address(r->d, url, &r->text);
		buf_append_char(&r->text, ')');
		break;
	case LINK_BEHIND:
		buf_appendf(&r->text, "%.*s (%.*s)", VIEW_ARGS(label), VIEW_ARGS(url));
		break;
	}
}

void link_leave(struct renderer *r, const MD_ATTRIBUTE *address)
{
	CLEANUP(buf_release) struct buf url = BUF_INIT;
	CLEANUP(buf_release) struct buf raw = BUF_INIT;
	CLEANUP(freep) char *label = NULL;
	struct view shown;
	bool same;

	if (--r->links)
		return;
	attribute_text(address, &raw);
	inline_escape(&unescaped, view_of_buf(&raw), false, &url);
	shown = view_of_buf(&url);
	if (view_starts_with(shown, "mailto:"))
		shown = view_slice(shown, strlen("mailto:"), shown.len);
	same = !r->label.len || view_equal(view_of_buf(&r->label), shown);
	label = xmemdupz(r->text.data + r->link_start, r->text.len - r->link_start);
	buf_set_len(&r->text, r->link_start);
	if (!is_address_for_people(view_of_buf(&url))) {
		buf_append_str(&r->text, label);
		if (url.len && !same)
			buf_append_str(&r->text, " (");
		if (url.len && (!same || !r->label.len))
			inline_escape(r->d, view_of_buf(&url), false, &r->text);
		if (url.len && !same)
			buf_append_char(&r->text, ')');
	} else if (same && r->d->link == LINK_TAG) {
		buf_clear(&raw);
		inline_escape(r->d, shown, false, &raw);
		put_link(r, view_of_buf(&url), *label ? view_of(label) : view_of_buf(&raw));
	} else if (same && r->d->link == LINK_ANGLES) {
		buf_append_char(&r->text, '<');
		append_address(r->d, view_of_buf(&url), &r->text);
		buf_append_char(&r->text, '>');
	} else if (same) {
		buf_append(&r->text, shown.data, shown.len);
	} else {
		put_link(r, view_of_buf(&url), view_of(label));
	}
	r->just_closed = false;
}
