#include "time/phrase/word_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define APOSTROPHE "\xe2\x80\x99"

void word_list_release(struct word_list *words)
{
	free(words->list);
}

static bool is_punctuation(char c)
{
	return c && strchr(",.!?;:()\"'`[]", c) != NULL;
}

/* A letter of ASCII, or the second byte of one from Latin-1 in UTF-8: À to Þ but ×. */
static bool is_upper(struct view text, size_t i)
{
	unsigned char c = (unsigned char)text.data[i];

	if (i && (unsigned char)text.data[i - 1] == 0xc3)
		return c >= 0x80 && c <= 0x9e && c != 0x97;
	return c >= 'A' && c <= 'Z';
}

static void copy_lower(struct view text, char ret_text[static WORD_SIZE])
{
	size_t len = 0;

	for (size_t i = 0; i < text.len && len < WORD_SIZE - 1; i++) {
		if (view_starts_with(view_slice(text, i, text.len), APOSTROPHE)) {
			i += strlen(APOSTROPHE) - 1;
			continue;
		}
		if (text.data[i] == '\'')
			continue;
		ret_text[len++] =
			is_upper(text, i) ? (char)(text.data[i] + 'a' - 'A') : text.data[i];
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

void word_list_split(struct view text, struct word_list *ret_words)
{
	struct word_list words = {0};
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

/* Words have lost their apostrophes, so one in what is looked for counts for nothing. */
static bool word_equal(struct view wanted, const char *word)
{
	for (; wanted.len; wanted = view_slice(wanted, 1, wanted.len))
		if (wanted.data[0] != '\'' && wanted.data[0] != *word++)
			return false;
	return !*word;
}

const char *word_list_at(const struct word_list *words, size_t at)
{
	return at < words->count ? words->list[at].text : "";
}

bool word_list_is(const struct word_list *words, size_t at, const char *any)
{
	const char *word = word_list_at(words, at);
	struct view rest = view_of(any);
	struct view one;

	while (*word && view_next(&rest, '|', &one))
		if (word_equal(one, word))
			return true;
	return false;
}

size_t word_list_are(const struct word_list *words, size_t at, const char *several)
{
	struct view rest = view_of(several);
	struct view one;
	size_t count = 0;

	while (view_next(&rest, ' ', &one))
		if (!word_equal(one, word_list_at(words, at + count++)))
			return 0;
	return count;
}

int word_digits(const char *text)
{
	int number = 0;

	for (; *text >= '0' && *text <= '9' && number < 100000; text++)
		number = number * 10 + (*text - '0');
	return number;
}
