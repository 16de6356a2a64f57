#include "engine/core/wildmatch.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

typedef unsigned char byte;

enum result {
	UNKNOWN, /* in the table of results only */
	MATCH,
	NO_MATCH,
	NEVER,           /* nor with more of the text taken by a star before */
	NEVER_IN_FOLDER, /* the same, unless the star may match slashes */
};

/*
 * Stars make the match recursive. The result for the rest of a pattern and the rest of a text
 * depends on nothing else, so after many calls results are cached.
 */
#define CALLS_WITHOUT_TABLE 1000
#define TABLE_MAX           ((size_t)32 * 1024 * 1024)

struct matcher {
	const byte *pattern;
	const byte *text;
	bool pathname;
	size_t calls;
	size_t width; /* of the table: the text's length and 1 */
	byte *table;  /* or NULL */
};

static enum result match(struct matcher *m, const byte *p, const byte *text);

/* --- sets --------------------------------------------------------------------- */

static bool in_range(byte c, byte first, byte last)
{
	return c >= first && c <= last;
}

static bool is_alpha(byte c)
{
	return in_range(c, 'a', 'z') || in_range(c, 'A', 'Z');
}

static bool is_digit(byte c)
{
	return in_range(c, '0', '9');
}

/* False if there is no such class. */
static bool class_has(const byte *name, size_t len, byte c, bool *ret_has)
{
	const char *s = (const char *)name;

#define IS(word) (len == strlen(word) && !memcmp(s, word, len))
	if (IS("alnum"))
		*ret_has = is_alpha(c) || is_digit(c);
	else if (IS("alpha"))
		*ret_has = is_alpha(c);
	else if (IS("blank"))
		*ret_has = c == ' ' || c == '\t';
	else if (IS("cntrl"))
		*ret_has = c < 0x20 || c == 0x7f;
	else if (IS("digit"))
		*ret_has = is_digit(c);
	else if (IS("graph"))
		*ret_has = in_range(c, 0x21, 0x7e);
	else if (IS("lower"))
		*ret_has = in_range(c, 'a', 'z');
	else if (IS("print"))
		*ret_has = in_range(c, 0x20, 0x7e);
	else if (IS("punct"))
		*ret_has = in_range(c, 0x21, 0x7e) && !is_alpha(c) && !is_digit(c);
	else if (IS("space"))
		*ret_has = c == ' ' || c == '\t' || c == '\n' || c == '\r';
	else if (IS("upper"))
		*ret_has = in_range(c, 'A', 'Z');
	else if (IS("xdigit"))
		*ret_has = is_digit(c) || in_range(c, 'a', 'f') || in_range(c, 'A', 'F');
	else
		return false;
#undef IS
	return true;
}

/*
 * One member of a set, which `*pp` points to; it is moved to the member's last
 * byte. `*before` is the byte that a range could begin with, or 0. False if the
 * set is wrong.
 */
static bool set_member(const byte **pp, byte *before, byte c, bool *matched)
{
	const byte *p = *pp;
	byte this = *p;

	if (this == '\\') {
		this = *++p;
		*matched |= c == this;
	} else if (this == '-' && *before && p[1] && p[1] != ']') {
		if (*++p == '\\')
			p++;
		*matched |= in_range(c, *before, *p);
		this = 0;
	} else if (this == '[' && p[1] == ':') {
		const byte *name = p + 2, *end = name;
		bool has = false;

		while (*end && *end != ']')
			end++;
		if (!*end)
			return false;
		if (end > name && end[-1] == ':') {
			if (!class_has(name, (size_t)(end - name - 1), c, &has))
				return false;
			*matched |= has;
			p = end;
			this = 0;
		} else {
			*matched |= c == '[';
		}
	} else {
		*matched |= c == this;
	}
	*before = this;
	*pp = p;
	return *p != '\0';
}

/* `*pp` is at the bracket that opens, and is moved to the one that closes. */
static enum result match_set(const byte **pp, byte c, bool pathname)
{
	const byte *p = *pp + 1;
	bool negated = *p == '!' || *p == '^';
	bool matched = false;
	byte before = 0;

	if (negated)
		p++;
	/* A closing bracket that comes first is a member. */
	do {
		if (!*p || !set_member(&p, &before, c, &matched))
			return NEVER;
	} while (*++p != ']');
	*pp = p;
	return matched == negated || (pathname && c == '/') ? NO_MATCH : MATCH;
}

/* --- stars -------------------------------------------------------------------- */

/* `p` is after the star. With `deep` the star also matches slashes. */
static enum result match_star(struct matcher *m, const byte *p, const byte *text, bool deep)
{
	bool literal = !strchr(WILDMATCH_SPECIAL, *p);

	for (; *text; text++) {
		enum result result;

		if (literal) {
			while (*text && *text != *p && (deep || *text != '/'))
				text++;
			if (*text != *p)
				return NO_MATCH;
		}
		result = match(m, p, text);
		if (result != NO_MATCH && (!deep || result != NEVER_IN_FOLDER))
			return result;
		if (result == NO_MATCH && !deep && *text == '/')
			return NEVER_IN_FOLDER;
	}
	return NEVER;
}

/* --- the whole ---------------------------------------------------------------- */

/* From a star to the end of the pattern. */
static enum result match_from_star(struct matcher *m, const byte *star, const byte *text)
{
	const byte *p = star + 1;
	bool deep = !m->pathname;

	if (*p == '*') {
		while (*p == '*')
			p++;
		/* Is the `**` a whole path component? */
		if (m->pathname && (star == m->pattern || star[-1] == '/') &&
			(*p == '\0' || *p == '/' || (p[0] == '\\' && p[1] == '/'))) {
			/* Two stars between slashes also match no folder at all. */
			if (*p == '/' && match(m, p + 1, text) == MATCH)
				return MATCH;
			deep = true;
		}
	}
	if (!*p)
		return !deep && strchr((const char *)text, '/') ? NO_MATCH : MATCH;
	if (!deep && *p == '/') {
		text = (const byte *)strchr((const char *)text, '/');
		return text ? match(m, p + 1, text + 1) : NO_MATCH;
	}
	return match_star(m, p, text, deep);
}

static enum result match_plainly(struct matcher *m, const byte *p, const byte *text)
{
	for (; *p; p++, text++) {
		enum result result;

		if (*p == '*')
			return match_from_star(m, p, text);
		if (!*text)
			return NEVER;
		switch (*p) {
		case '?':
			if (m->pathname && *text == '/')
				return NO_MATCH;
			break;
		case '[':
			result = match_set(&p, *text, m->pathname);
			if (result != MATCH)
				return result;
			break;
		case '\\':
			p++; /* at the end it is compared with the NUL, which no text has */
			if (*text != *p)
				return NO_MATCH;
			break;
		default:
			if (*text != *p)
				return NO_MATCH;
		}
	}
	return *text ? NO_MATCH : MATCH;
}

static enum result match(struct matcher *m, const byte *p, const byte *text)
{
	enum result result;
	size_t at = 0;

	if (++m->calls == CALLS_WITHOUT_TABLE) {
		size_t height = strlen((const char *)m->pattern) + 1;

		m->width = strlen((const char *)m->text) + 1;
		if (height <= TABLE_MAX / m->width)
			m->table = xcalloc(height, m->width);
	}
	if (m->table) {
		at = (size_t)(p - m->pattern) * m->width + (size_t)(text - m->text);
		if (m->table[at])
			return m->table[at];
	}
	result = match_plainly(m, p, text);
	if (at)
		m->table[at] = (byte)result;
	return result;
}

bool wildmatch(const char *pattern, const char *text, bool pathname)
{
	struct matcher m = {(const byte *)pattern, (const byte *)text, pathname, 0, 0, NULL};
	bool matched = match(&m, m.pattern, m.text) == MATCH;

	free(m.table);
	return matched;
}
