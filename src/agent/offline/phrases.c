#include "agent/offline/phrases.h"

#include <stdlib.h>
#include <string.h>

#include "agent/offline/phrase_parts.h"

#define MAX_PHRASE_WORDS 24 /* at the end of a text */
#define MAX_LEAD_WORDS   20 /* before "remind me" */

void phrase_release(struct phrase *phrase)
{
	free(phrase->what);
	phrase->what = NULL;
}

/* --- from words to a meaning ------------------------------------------------- */

static size_t read_part(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len;

	/* "in 20 minutes" is the whole of it. */
	if (meaning->has_span)
		return 0;
	len = phrase_repeat(words, at, meaning);
	if (!len)
		len = phrase_span(words, at, meaning);
	if (!len)
		len = phrase_date(words, at, meaning);
	if (!len)
		len = phrase_day_part(words, at, meaning);
	return len ? len : phrase_clock(words, at, meaning);
}

/* As many parts as there are from here on, before `end`. */
static size_t read_parts(
	const struct words *words, size_t at, size_t end, struct meaning *meaning)
{
	size_t start = at;
	size_t len;

	while (at < end && (len = read_part(words, at, meaning))) {
		at += len;
		if (at < end && words_is(words, at, "and|,|-") && !words->list[at].clause) {
			struct meaning ahead = *meaning;

			if (read_part(words, at + 1, &ahead))
				at++;
		}
	}
	return at > end ? 0 : at - start;
}

/* --- which words are what ---------------------------------------------------- */

struct reading {
	size_t begin; /* of what stands behind the wish */
	size_t end;
	struct meaning meaning;
};

static size_t polite(const struct words *words, size_t at)
{
	static const char *const phrases[] = {"can you", "could you", "would you", "will you",
		"i want you to", "i'd like you to", "you must", "you should",
		"don't forget to"};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		size_t len = words_are(words, at, phrases[i]);

		if (len)
			return len;
	}
	return words_is(words, at, "please|kindly|ok|okay|hey|hi|hello|and|then|also|just|pls")
		       ? 1
		       : 0;
}

/* Where a wish begins and ends: "remind me", "set a reminder". */
static size_t wish_at(const struct words *words, size_t at)
{
	static const char *const wishes[] = {"remind me", "remind us", "set a reminder",
		"set me a reminder", "create a reminder", "add a reminder", "make a reminder",
		"new reminder", "reminder", "set an alarm", "wake me up", "wake me",
		"don't let me forget", "give me a reminder", "send me a reminder", "ping me",
		"alert me", "notify me"};

	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++) {
		size_t len = words_are(words, at, wishes[i]);

		if (len)
			return len;
	}
	return 0;
}

/* The lead is politeness and parts of a time, and nothing else. */
static bool find_wish(const struct words *words, struct reading *reading)
{
	size_t at = 0;

	while (at < words->count && at < MAX_LEAD_WORDS) {
		size_t len = wish_at(words, at);

		if (len) {
			reading->begin = at + len;
			return true;
		}
		len = read_part(words, at, &reading->meaning);
		if (!len)
			len = polite(words, at);
		if (!len)
			return false;
		at += len;
	}
	return false;
}

static void drop_thanks(const struct words *words, struct reading *reading)
{
	while (reading->end > reading->begin &&
		words_is(words, reading->end - 1, "please|thanks|thx|pls|ok|okay|cheers"))
		reading->end--;
	if (reading->end >= reading->begin + 2 &&
		words_are(words, reading->end - 2, "thank you"))
		reading->end -= 2;
}

/* A meaning that goes on from `meaning`, and takes all words from here to the end. */
static bool reads_to_end(const struct words *words, size_t at, size_t end,
	const struct meaning *meaning, struct meaning *ret_meaning)
{
	struct meaning longer = *meaning;

	longer.front = false;
	if (read_parts(words, at, end, &longer) != end - at)
		return false;
	*ret_meaning = longer;
	return true;
}

static void read_end(const struct words *words, struct reading *reading)
{
	size_t first = reading->end > reading->begin + MAX_PHRASE_WORDS
			       ? reading->end - MAX_PHRASE_WORDS
			       : reading->begin;

	for (size_t at = first; at < reading->end; at++)
		if (reads_to_end(
			    words, at, reading->end, &reading->meaning, &reading->meaning)) {
			reading->end = at;
			return;
		}
}

/* "to", "that", "about": between the time and what to remind of. */
static void drop_connectors(const struct words *words, struct reading *reading)
{
	while (reading->begin < reading->end &&
		words_is(words, reading->begin, "to|that|about|of|-|–|for|,|:|=|is|and"))
		reading->begin++;
}

static char *cut_out(struct view text, const struct words *words, const struct reading *reading)
{
	struct view what = {"", 0};

	if (reading->begin < reading->end)
		what = view_slice(text, words->list[reading->begin].start,
			words->list[reading->end - 1].end);
	while (what.len && strchr(",.;:-?", what.data[what.len - 1]))
		what.len--;
	while (what.len >= 2 && strchr("\"'", what.data[0]) &&
		what.data[what.len - 1] == what.data[0])
		what = view_slice(what, 1, what.len - 1);
	what = view_trim(what);
	return xmemdupz(what.data, what.len);
}

/* --- all of it ----------------------------------------------------------------- */

void phrase_read(struct view text, const struct civil *now, struct phrase *ret_phrase)
{
	CLEANUP(words_release) struct words words = {0};
	struct reading reading = {.meaning = {.front = true}};
	struct phrase phrase = {0};

	words_split(text, &words);
	if (!find_wish(&words, &reading))
		reading = (struct reading){.meaning = {.front = true}};
	reading.end = words.count;
	drop_thanks(&words, &reading);
	reading.begin += read_parts(&words, reading.begin, reading.end, &reading.meaning);
	drop_connectors(&words, &reading);
	read_end(&words, &reading);
	phrase_settle(&reading.meaning, now, &phrase);
	phrase.what = cut_out(text, &words, &reading);
	*ret_phrase = phrase;
}

bool phrase_is_wish(struct view text)
{
	CLEANUP(words_release) struct words words = {0};
	struct reading reading = {.meaning = {.front = true}};

	words_split(text, &words);
	return find_wish(&words, &reading);
}
