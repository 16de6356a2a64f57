#include "base/view.h"

#include <assert.h>
#include <string.h>

struct view view_of(const char *string)
{
	return (struct view){string, strlen(string)};
}

struct view view_of_buf(const struct buf *b)
{
	return (struct view){b->data, b->len};
}

struct view view_slice(struct view v, size_t start, size_t end)
{
	assert(start <= end && end <= v.len);
	return (struct view){start ? v.data + start : v.data, end - start};
}

bool view_equal(struct view a, struct view b)
{
	return a.len == b.len && (!a.len || !memcmp(a.data, b.data, a.len));
}

bool view_equal_str(struct view a, const char *string)
{
	return view_equal(a, view_of(string));
}

bool view_starts_with(struct view v, const char *prefix)
{
	size_t len = strlen(prefix);

	return v.len >= len && !memcmp(v.data, prefix, len);
}

bool view_ends_with(struct view v, const char *suffix)
{
	size_t len = strlen(suffix);

	return v.len >= len && !memcmp(v.data + v.len - len, suffix, len);
}

int view_compare(struct view a, struct view b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len ? memcmp(a.data, b.data, len) : 0;

	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct view view_trim(struct view v)
{
	while (v.len && is_space(v.data[0])) {
		v.data++;
		v.len--;
	}
	while (v.len && is_space(v.data[v.len - 1]))
		v.len--;
	return v;
}

bool view_next(struct view *rest, char separator, struct view *ret_piece)
{
	const char *at;
	size_t len;

	if (!rest->len)
		return false;
	at = memchr(rest->data, separator, rest->len);
	len = at ? (size_t)(at - rest->data) : rest->len;
	*ret_piece = (struct view){rest->data, len};
	if (at)
		len++;
	rest->data += len;
	rest->len -= len;
	return true;
}

bool view_take_char(struct view *v, char c)
{
	if (!v->len || v->data[0] != c)
		return false;
	*v = view_slice(*v, 1, v->len);
	return true;
}
