#include "markup/entity.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
	const char *name;
	const char *text;
} names[] = {
	{"&amp;", "&"},
	{"&apos;", "'"},
	{"&bull;", "\u2022"},
	{"&copy;", "\u00a9"},
	{"&deg;", "\u00b0"},
	{"&euro;", "\u20ac"},
	{"&ge;", "\u2265"},
	{"&gt;", ">"},
	{"&hellip;", "\u2026"},
	{"&laquo;", "\u00ab"},
	{"&larr;", "\u2190"},
	{"&ldquo;", "\u201c"},
	{"&le;", "\u2264"},
	{"&lsquo;", "\u2018"},
	{"&lt;", "<"},
	{"&mdash;", "\u2014"},
	{"&middot;", "\u00b7"},
	{"&minus;", "\u2212"},
	{"&nbsp;", "\u00a0"},
	{"&ndash;", "\u2013"},
	{"&ne;", "\u2260"},
	{"&pound;", "\u00a3"},
	{"&quot;", "\""},
	{"&raquo;", "\u00bb"},
	{"&rarr;", "\u2192"},
	{"&rdquo;", "\u201d"},
	{"&reg;", "\u00ae"},
	{"&rsquo;", "\u2019"},
	{"&times;", "\u00d7"},
	{"&trade;", "\u2122"},
};

static void append_character(unsigned long c, struct buf *out)
{
	if (c < 0x80) {
		buf_append_char(out, (char)c);
	} else if (c < 0x800) {
		buf_append_char(out, (char)(0xc0 | c >> 6));
		buf_append_char(out, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_append_char(out, (char)(0xe0 | c >> 12));
		buf_append_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_append_char(out, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_append_char(out, (char)(0xf0 | c >> 18));
		buf_append_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_append_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_append_char(out, (char)(0x80 | (c & 0x3f)));
	}
}

void entity_append(struct view entity, struct buf *out)
{
	CLEANUP(freep) char *text = xmemdupz(entity.data, entity.len);
	bool hex = text[1] == '#' && (text[2] | 0x20) == 'x';
	unsigned long c;

	if (text[1] == '#') {
		c = strtoul(text + (hex ? 3 : 2), NULL, hex ? 16 : 10);
		if (!c || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			buf_append_str(out, UTF8_REPLACEMENT);
		else
			append_character(c, out);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i].name)) {
			buf_append_str(out, names[i].text);
			return;
		}
	buf_append(out, entity.data, entity.len);
}
