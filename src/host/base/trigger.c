#include "host/base/trigger.h"

#include <ctype.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"

static char lower_letter(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Could the byte continue a word? All bytes beyond ASCII could. */
static bool in_word(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x80 || isalnum(byte) || c == '_';
}

bool trigger_matches(const char *trigger, struct view text)
{
	size_t len = strlen(trigger);

	text = view_trim(text);
	if (!len || text.len < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (lower_letter(text.data[i]) != lower_letter(trigger[i]))
			return false;
	return text.len == len || !in_word(trigger[len - 1]) || !in_word(text.data[len]);
}

struct view trigger_rest(const char *trigger, struct view text)
{
	text = view_trim(text);
	if (!trigger_matches(trigger, text))
		return text;
	text = view_slice(text, strlen(trigger), text.len);
	while (text.len && (text.data[0] == ',' || text.data[0] == ':'))
		text = view_slice(text, 1, text.len);
	return view_trim(text);
}

int trigger_check(const char *trigger, struct error *err)
{
	struct view rest = view_of(trigger);
	bool ok = rest.len >= 1 && rest.len <= TRIGGER_MAX && view_trim(rest).len == rest.len;

	while (rest.len && ok) {
		uint32_t character;
		size_t len = utf8_decode(rest, &character);

		ok = len && utf8_printable(character);
		rest = view_slice(rest, len, rest.len);
	}
	if (!ok) {
		CLEANUP(freep) char *shown = quote(view_of(trigger));

		error_set(err, ERROR_INVALID, "%s cannot be a trigger", shown);
		return error_hint(err, "use a word such as '@Andy'");
	}
	return 0;
}
