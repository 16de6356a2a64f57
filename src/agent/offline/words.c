#include "agent/offline/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define APOSTROPHE "\xe2\x80\x99"

void words_release(struct words *words)
{
	free(words->list);
}

static bool is_punctuation(char c)
{
	return c && strchr(",.!?;:()\"'`[]", c) != NULL;
}

static void copy_lower(struct view text, char ret_text[static WORD_SIZE])
{
	size_t len = 0;

	for (size_t i = 0; i < text.len && len < WORD_SIZE - 1; i++) {
		if (view_starts_with(view_slice(text, i, text.len), APOSTROPHE)) {
			ret_text[len++] = '\'';
			i += strlen(APOSTROPHE) - 1;
			continue;
		}
		ret_text[len++] = text.data[i] >= 'A' && text.data[i] <= 'Z'
					  ? (char)(text.data[i] - 'A' + 'a')
					  : text.data[i];
	}
	ret_text[len] = '\0';
}

static struct word make_word(struct view text, size_t start, size_t end)
{
	struct word word = {.start = start, .end = end};

	while (start < end && is_punctuation(text.data[start]))
		start++;
	while (end > start && is_punctuation(text.data[end - 1])) {
		end--;
		if (text.data[end] == '.')
			word.dot = true;
		else
			word.clause = true;
	}
	copy_lower(view_slice(text, start, end), word.text);
	return word;
}

void words_split(struct view text, struct words *ret_words)
{
	struct words words = {0};
	size_t at = 0;

	while (at < text.len) {
		size_t start;

		while (at < text.len && isspace((unsigned char)text.data[at]))
			at++;
		start = at;
		while (at < text.len && !isspace((unsigned char)text.data[at]))
			at++;
		if (at == start)
			break;
		GROW(words.list, words.count, words.cap);
		words.list[words.count++] = make_word(text, start, at);
	}
	*ret_words = words;
}

const char *words_at(const struct words *words, size_t at)
{
	return at < words->count ? words->list[at].text : "";
}

bool words_is(const struct words *words, size_t at, const char *any)
{
	const char *word = words_at(words, at);
	struct view rest = view_of(any);
	struct view one;

	while (*word && view_next(&rest, '|', &one))
		if (view_equal_str(one, word))
			return true;
	return false;
}

size_t words_are(const struct words *words, size_t at, const char *several)
{
	struct view rest = view_of(several);
	struct view one;
	size_t count = 0;

	while (view_next(&rest, ' ', &one))
		if (!view_equal_str(one, words_at(words, at + count++)))
			return 0;
	return count;
}

/* --- numbers ----------------------------------------------------------------- */

static const char *const small[] = {"zero", "one", "two", "three", "four", "five", "six",
	"seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
	"sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const tens[] = {"twenty", "thirty", "forty", "fifty", "sixty"};
static const char *const ordinals[] = {"first", "second", "third", "fourth", "fifth", "sixth",
	"seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
	"fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
	"twentieth"};

static int find(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], word))
			return (int)i;
	return -1;
}

int words_digits(const char *text)
{
	int number = 0;

	for (; *text >= '0' && *text <= '9' && number < 100000; text++)
		number = number * 10 + (*text - '0');
	return number;
}

/* How many digits there are at the start. */
static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

static int in_digits(const char *text)
{
	size_t len = digits(text);

	return len && len <= 6 && !text[len] ? words_digits(text) : -1;
}

static int in_letters(const char *text)
{
	const char *hyphen = strchr(text, '-');
	size_t len = hyphen ? (size_t)(hyphen - text) : strlen(text);
	int number = find(small, ARRAY_SIZE(small), text);

	for (size_t i = 0; number < 0 && i < ARRAY_SIZE(tens); i++)
		if (strlen(tens[i]) == len && !strncmp(tens[i], text, len)) {
			int more = hyphen ? find(small, 10, hyphen + 1) : 0;

			number = more < 0 ? -1 : (int)(i + 2) * 10 + more;
		}
	return number;
}

int words_number(const struct words *words, size_t at)
{
	const char *text = words_at(words, at);
	int number = in_digits(text);

	return number >= 0 ? number : in_letters(text);
}

int words_ordinal(const struct words *words, size_t at)
{
	const char *text = words_at(words, at);
	size_t len = digits(text);
	int number = find(ordinals, ARRAY_SIZE(ordinals), text);

	if (number >= 0)
		return number + 1;
	if (!strcmp(text, "thirtieth"))
		return 30;
	if (!strncmp(text, "twenty-", 7)) {
		number = find(ordinals, 9, text + 7);
		return number < 0 ? -1 : 21 + number;
	}
	if (!strcmp(text, "thirty-first"))
		return 31;
	if (!len || len > 2)
		return -1;
	if (!text[len])
		return words->list[at].dot ? words_digits(text) : -1;
	return !strcmp(text + len, "st") || !strcmp(text + len, "nd") ||
			       !strcmp(text + len, "rd") || !strcmp(text + len, "th")
		       ? words_digits(text)
		       : -1;
}
