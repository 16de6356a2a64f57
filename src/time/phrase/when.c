#include "time/phrase/when.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "time/point.h"

#define MAX_PHRASE 32 /* tokens of a time at the end of a text */
#define MAX_LEAD   24 /* tokens before "remind me" */

void when_release(struct when *when)
{
	free(when->value);
	free(when->unused);
	free(when->what);
	when->value = when->unused = when->what = NULL;
}

/* A text, and the roles of its tokens. */
struct reading {
	const struct language *language;
	struct view text;
	struct tokens tokens;
	size_t begin; /* of the text to remind of */
	size_t end;
	size_t tail;   /* where the time at the end begins */
	size_t middle; /* where a time in the text begins, and its length */
	size_t middle_len;
	enum wish wish;
	struct said said;
};

static void reading_release(struct reading *reading)
{
	tokens_release(&reading->tokens);
}

static struct reader reader_at(const struct reading *reading, size_t at, size_t end)
{
	return (struct reader){.language = reading->language,
		.list = reading->tokens.list,
		.at = at,
		.end = end,
		.wish = reading->wish,
		.text = reading->text};
}

/* --- wish, phrases and text -------------------------------------------------- */

/* The lead before a wish is politeness and parts of a time, and nothing else. */
static bool reading_find_wish(struct reading *reading)
{
	struct reader reader = reader_at(reading, 0, reading->tokens.count);

	reader.front = true;
	while (reader.at < reader.end && reader.at < MAX_LEAD) {
		const struct token *token = &reader.list[reader.at];

		if (token_is(token, CLASS_WISH)) {
			reading->wish = (enum wish)token->value[CLASS_WISH];
			reading->begin = reader.at + 1;
			return true;
		}
		if (token_is(token, CLASS_POLITE))
			reader.at++;
		else if (!said_part(&reader, &reading->said))
			return false;
	}
	return false;
}

static size_t count_known(const struct tokens *tokens)
{
	size_t count = 0;

	for (size_t i = 0; i < tokens->count; i++)
		count += tokens->list[i].classes[0] || tokens->list[i].classes[1];
	return count;
}

/*
 * Splits into tokens, in the language that expresses the wish; if several do, in the one that
 * knows most of the words. Without a wish, splits in English and returns false.
 */
static bool read_tokens(struct view text, struct reading *reading)
{
	const struct language *language;
	size_t best = 0;

	for (size_t i = 0; (language = language_at(i)); i++) {
		struct reading other = {.language = language, .text = text};

		language_read(language, text, &other.tokens);
		if (reading_find_wish(&other) && count_known(&other.tokens) > best) {
			best = count_known(&other.tokens);
			tokens_release(&reading->tokens);
			*reading = other;
		} else {
			tokens_release(&other.tokens);
		}
	}
	if (best)
		return true;
	*reading = (struct reading){.language = language_at(0), .text = text};
	language_read(reading->language, text, &reading->tokens);
	return false;
}

/* Adds the longest phrase that ends at `end` to the reading. */
static bool reading_find_tail(struct reading *reading)
{
	size_t first = reading->end > reading->begin + MAX_PHRASE ? reading->end - MAX_PHRASE
								  : reading->begin;

	for (size_t at = first; at < reading->end; at++) {
		struct reader reader = reader_at(reading, at, reading->end);
		struct said longer = reading->said;

		if (said_phrase(&reader, &longer) && reader.at == reader.end) {
			reading->said = longer;
			reading->tail = at;
			return true;
		}
	}
	return false;
}

/* A time in the middle of the text: it is read, but the person is asked. */
static void reading_find_middle(struct reading *reading)
{
	struct said best = {0};
	size_t longest = 0;

	for (size_t at = reading->begin; at < reading->end; at++) {
		struct reader reader = reader_at(reading, at, reading->end);
		struct said said = reading->said;

		if (!reading->tokens.list[at].quoted && said_phrase(&reader, &said) &&
			reader.at - at > longest && !said_is_empty(&said)) {
			best = said;
			longest = reader.at - at;
			reading->middle = at;
			reading->middle_len = longest;
		}
	}
	if (!longest)
		return;
	reading->said = best;
	if (!best.ask)
		reading->said.ask = "the time is in the middle of the text";
}

/* "to", "that", "about": between the time and the text. */
static void reading_skip_connectors(struct reading *reading)
{
	const struct token *list = reading->tokens.list;

	while (reading->begin < reading->end &&
		(token_is(&list[reading->begin], CLASS_CONNECT) ||
			token_is(&list[reading->begin], CLASS_DASH)))
		reading->begin++;
}

/* --- words about time that are left over ------------------------------------- */

static bool reading_token_is(const struct reading *reading, size_t at, enum time_class class)
{
	return at < reading->tokens.count && token_is(&reading->tokens.list[at], class);
}

/* Words that bind to a time beside them. */
static bool is_binding(const struct token *token)
{
	static const enum time_class binding[] = {CLASS_UNTIL, CLASS_BEFORE, CLASS_AFTER,
		CLASS_EXCEPT, CLASS_BETWEEN, CLASS_OR, CLASS_NUMBER, CLASS_UNIT, CLASS_ZONE,
		CLASS_VAGUE, CLASS_FEW, CLASS_ORDINAL, CLASS_STARTING, CLASS_AM, CLASS_PM,
		CLASS_OTHER, CLASS_LAST, CLASS_TIMES, CLASS_ONCE};

	for (size_t i = 0; i < ARRAY_SIZE(binding); i++)
		if (token_is(token, binding[i]))
			return true;
	return false;
}

/* Is the word in a place where it may belong to the time that was understood? */
static bool is_touching(const struct reading *reading, size_t at)
{
	const struct token *list = reading->tokens.list;
	const struct token *token = &list[at];
	bool first = at == reading->begin && at && !list[at - 1].clause &&
		     !token_is(&list[at - 1], CLASS_CONNECT);
	bool tail = reading->tail < reading->tokens.count;
	bool last = tail && at + 1 == reading->end && !token->weak;

	/* "before the meeting at 5pm" may mean a time before that. */
	if (tail && (token_is(token, CLASS_BEFORE) || token_is(token, CLASS_EXCEPT) ||
			    token_is(token, CLASS_AFTER) || token_is(token, CLASS_UNTIL)))
		return true;
	if (first && (token_is(token, CLASS_AT) || token_is(token, CLASS_ON) ||
			     reading->text.data[token->start] <= '9'))
		return true;
	/* "buy 5 at 5pm": the time has its own beginning. */
	if (token_is(token, CLASS_NUMBER) || token_is(token, CLASS_UNIT) ||
		token_is(token, CLASS_ORDINAL))
		last = last && !reading_token_is(reading, at + 1, CLASS_AT) &&
		       !reading_token_is(reading, at + 1, CLASS_ON) &&
		       !reading_token_is(reading, at + 1, CLASS_IN) &&
		       !reading_token_is(reading, at + 1, CLASS_BY) &&
		       !reading_token_is(reading, at + 1, CLASS_EVERY);
	return (first || last) && (is_binding(token) || token_is(token, CLASS_AND));
}

/* The piece of the text from the first to the last word about time, or NULL. */
static char *reading_unused(const struct reading *reading)
{
	size_t first = reading->end;
	size_t last = 0;
	struct view words;

	for (size_t at = reading->begin; at < reading->end; at++) {
		struct reader reader = reader_at(reading, at, reading->end);
		size_t len = said_about_time(&reader);

		if (at - reading->middle < reading->middle_len ||
			reading->tokens.list[at].quoted || (!len && !is_touching(reading, at)))
			continue;
		first = at < first ? at : first;
		last = at + (len ? len - 1 : 0);
	}
	if (first == reading->end)
		return NULL;
	words = view_trim(view_slice(reading->text, reading->tokens.list[first].start,
		reading->tokens.list[last].end));
	while (words.len && strchr(",.;:!?", words.data[words.len - 1]))
		words.len--;
	return xmemdupz(words.data, words.len);
}

/* --- reading a text ---------------------------------------------------------- */

static char *reading_text(const struct reading *reading)
{
	const struct token *list = reading->tokens.list;
	struct view what = {"", 0};

	if (reading->begin < reading->end)
		what = view_slice(
			reading->text, list[reading->begin].start, list[reading->end - 1].end);
	while (what.len && strchr(",.;:-?", what.data[what.len - 1]))
		what.len--;
	while (what.len >= 2 && strchr("\"'", what.data[0]) &&
		what.data[what.len - 1] == what.data[0])
		what = view_slice(what, 1, what.len - 1);
	what = view_trim(what);
	return xmemdupz(what.data, what.len);
}

/* All tokens are one phrase, in this language. */
static bool read_phrase(struct reading *reading)
{
	struct reader reader = reader_at(reading, 0, reading->tokens.count);

	reader.front = true;
	while (reader.at < reader.end) {
		const struct token *token = &reader.list[reader.at];

		if (said_phrase(&reader, &reading->said))
			continue;
		if (!token_is(token, CLASS_NO) && !token_is(token, CLASS_POLITE) &&
			!token_is(token, CLASS_THANKS))
			return false;
		reader.at++;
	}
	reading->begin = reading->end = reading->tokens.count;
	return true;
}

/* Reads a text that is only a time, in the first language that understands it. */
static void read_whole(struct view text, enum wish wish, struct reading *reading)
{
	const struct language *language;

	for (size_t i = 0; (language = language_at(i)); i++) {
		tokens_release(&reading->tokens);
		*reading = (struct reading){.language = language, .text = text, .wish = wish};
		language_read(language, text, &reading->tokens);
		if (read_phrase(reading))
			return;
	}
	reading->said = (struct said){0};
}

static void read_parts(struct view text, struct reading *reading)
{
	struct reader reader;
	bool front;
	bool tail;

	read_tokens(text, reading);
	reading->end = reading->tokens.count;
	while (reading->end > reading->begin &&
		token_is(&reading->tokens.list[reading->end - 1], CLASS_THANKS))
		reading->end--;
	while (reading->begin < reading->end && reading->wish &&
		token_is(&reading->tokens.list[reading->begin], CLASS_POLITE))
		reading->begin++;
	reader = reader_at(reading, reading->begin, reading->end);
	reader.front = true;
	front = said_phrase(&reader, &reading->said);
	reading->begin = reader.at;
	reading_skip_connectors(reading);
	reading->tail = reading->tokens.count;
	tail = reading_find_tail(reading);
	if (tail)
		reading->end = reading->tail;
	else if (!front && said_is_empty(&reading->said))
		reading_find_middle(reading);
}

void when_resolve_again(struct when *when, const struct civil *now)
{
	when->said = when->heard;
	when_resolve(when, now);
	if (when->unused && !when->ask)
		when->ask = "some words about time are left over";
}

void when_read(struct view text, const struct when_context *context, struct when *ret_when)
{
	CLEANUP(reading_release) struct reading reading = {0};
	struct when when = {0};

	if (context->whole)
		read_whole(text, context->wish, &reading);
	else
		read_parts(text, &reading);
	when.heard = reading.said;
	when.wish = reading.wish;
	when.what = reading_text(&reading);
	when.unused = reading_unused(&reading);
	when_resolve_again(&when, context->now);
	*ret_when = when;
}

/* A clock that was not said is chosen again. */
static void said_forget_default(struct said *said)
{
	if (said->default_clock)
		said->clock_count = 0;
	said->default_clock = false;
}

static void said_copy_clocks(struct said *said, const struct said *from)
{
	memcpy(said->clocks, from->clocks, sizeof(said->clocks));
	said->clock_count = from->clock_count;
	said->part = from->part;
}

/* Replace the clock, the days or the repetition of `said` by what `new` has. */
static void said_correct(struct said *said, struct said *new)
{
	bool has_clock;

	said_forget_default(said);
	said_forget_default(new);
	has_clock = new->clock_count || new->part;
	if (!has_clock && !new->has_span)
		said_copy_clocks(new, said);
	if (!new->zone)
		new->zone = said->zone;
	if (new->unit || new->has_span || new->date_count) {
		*said = *new;
		return;
	}
	said_copy_clocks(said, new);
	said->zone = new->zone;
	said->ask = new->ask;
	said->cannot = new->cannot;
}

/* "Hours" after "in 5". */
static bool said_add_unit(struct said *said, struct view text)
{
	const struct language *language;
	int64_t number = said->span.seconds / 60;

	for (size_t i = 0; said->no_unit && (language = language_at(i)); i++) {
		CLEANUP(tokens_release) struct tokens tokens = {0};
		const struct token *last;

		language_read(language, text, &tokens);
		last = tokens.count && tokens.count <= 2 ? &tokens.list[tokens.count - 1]
							 : NULL;
		if (!last || !token_is(last, CLASS_UNIT) ||
			(tokens.count == 2 && !token_is(last - 1, CLASS_NO)))
			continue;
		said->span = (struct span){0};
		said->no_unit = false;
		said->ask = NULL;
		return span_add(
			&said->span, (enum time_unit)last->value[CLASS_UNIT], number * 100);
	}
	return false;
}

bool when_correct(const struct when *before, struct view text, const struct civil *now,
	struct when *ret_when)
{
	struct when when = {0};
	struct said said = before->said;

	/* "No, 5 hours" needs no "in" after "in 5". */
	when_read(text,
		&(struct when_context){.now = now,
			.whole = true,
			.wish = said.has_span ? WISH_TIMER : WISH_NONE},
		&when);
	if (said_is_empty(&when.said)) {
		if (!said_add_unit(&said, text)) {
			when_release(&when);
			return false;
		}
	} else {
		said_correct(&said, &when.said);
	}
	when.said = when.heard = said;
	when.wish = before->wish;
	free(when.what);
	when.what = xstrdup(before->what);
	when_resolve(&when, now);
	*ret_when = when;
	return true;
}

char *when_point(struct view text, const struct zone *zone, int64_t now)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(when_release) struct when when = {0};
	struct civil local = zone_local(zone, now / 1000, NULL);
	char point[ZONE_TEXT_SIZE];
	int64_t instant;

	if (point_parse(text, zone, &instant, &ignored) == 0)
		return NULL;
	when_read(text, &(struct when_context){.now = &local, .whole = true}, &when);
	if (when.ask || *when.zone)
		return NULL;
	if (when.kind == WHEN_IN)
		instant = now / 1000 + when.seconds;
	else if (when.kind == WHEN_ONCE && when.count == 1)
		instant = zone_instants(zone, civil_seconds(&when.at[0])).first;
	else
		return NULL;
	zone_format(zone, instant, point);
	return xstrdup(point);
}

const char *when_zone(struct view text)
{
	const struct language *language;

	for (size_t i = 0; (language = language_at(i)); i++) {
		CLEANUP(tokens_release) struct tokens tokens = {0};

		language_read(language, text, &tokens);
		if (tokens.count == 1 && token_is(tokens.list, CLASS_ZONE))
			return language_zone(language, tokens.list->value[CLASS_ZONE]);
	}
	return NULL;
}

bool when_is_wish(struct view text)
{
	CLEANUP(reading_release) struct reading reading = {0};

	return read_tokens(text, &reading);
}
