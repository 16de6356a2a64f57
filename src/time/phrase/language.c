#include "time/phrase/language.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/similar.h"
#include "time/phrase/language_files.h"
#include "time/phrase/word_list.h"

#define MAX_LANGUAGES 16
#define MAX_TOGETHER  6 /* words of a phrase */
#define DIGITS        "0123456789"
#define LEAST_SLIP    5 /* letters */

/* --- the files --------------------------------------------------------------- */

struct entry {
	char *text;
	enum time_class class;
	int value;
	bool weak;
	bool suffix; /* of an ordinal in digits, not a word */
};

struct language {
	struct entry *list;
	size_t count;
	size_t cap;
	char **zones;
	size_t zone_count;
	size_t zone_cap;
};

static const char *const class_names[] = {
#define X(name, text) text,
	TIME_CLASSES(X)
#undef X
};

static const struct {
	const char *name;
	int value;
} value_names[] = {
	{"afternoon", PART_AFTERNOON},
	{"all", ALL_DAYS},
	{"day", TIME_DAY},
	{"evening", PART_EVENING},
	{"fortnight", TIME_FORTNIGHT},
	{"hour", TIME_HOUR},
	{"minute", TIME_MINUTE},
	{"month", TIME_MONTH},
	{"morning", PART_MORNING},
	{"night", PART_NIGHT},
	{"quarter", TIME_QUARTER},
	{"remind", WISH_REMIND},
	{"second", TIME_SECOND},
	{"timer", WISH_TIMER},
	{"wake", WISH_WAKE},
	{"week", TIME_WEEK},
	{"weekend", WEEKEND_DAYS},
	{"working", WORKING_DAYS},
	{"year", TIME_YEAR},
};

enum time_class language_class(struct view name)
{
	int found = 0;

	while (found < CLASS_COUNT && !view_equal_str(name, class_names[found]))
		found++;
	return (enum time_class)found;
}

/* "working", "-1" */
int language_value(struct view name)
{
	CLEANUP(freep) char *digits = xmemdupz(name.data, name.len);

	for (size_t i = 0; i < ARRAY_SIZE(value_names); i++)
		if (!strcmp(digits, value_names[i].name))
			return value_names[i].value;
	return (int)strtol(digits, NULL, 10);
}

/* "class value: word, word" */
static void language_read_line(struct language *language, struct view line)
{
	struct view name = {"", 0};
	struct view head = {"", 0};
	struct entry entry = {0};
	struct view word;

	if (!line.len || line.data[0] == '#')
		return;
	view_next(&line, ':', &head);
	view_next(&head, ' ', &name);
	entry.suffix = view_equal_str(name, "suffix");
	entry.class = language_class(name);
	if (entry.class == CLASS_COUNT && !entry.suffix)
		return;
	head = view_trim(head);
	if (entry.class == CLASS_ZONE) { /* the value is the index of its name; '?' has none */
		entry.value = (int)language->zone_count;
		GROW(language->zones, language->zone_count, language->zone_cap);
		language->zones[language->zone_count++] =
			view_equal_str(head, "?") ? xstrdup("") : xmemdupz(head.data, head.len);
	} else {
		entry.value = language_value(head);
	}
	while (view_next(&line, ',', &word)) {
		word = view_trim(word);
		entry.weak = word.len && word.data[0] == '?';
		entry.text = xmemdupz(word.data + entry.weak, word.len - entry.weak);
		for (char *c = entry.text; (c = strchr(c, '\''));)
			memmove(c, c + 1, strlen(c)); /* as in word_list.h */
		GROW(language->list, language->count, language->cap);
		language->list[language->count++] = entry;
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *left = a;
	const struct entry *right = b;

	return strcmp(left->text, right->text);
}

/* Read on first use, and kept until the process ends. */
const struct language *language_at(size_t i)
{
	static struct language languages[MAX_LANGUAGES];
	struct view text;
	struct view line;

	if (i >= MAX_LANGUAGES || !language_files[i].path)
		return NULL;
	if (languages[i].count)
		return &languages[i];
	text = (struct view){(const char *)language_files[i].data, language_files[i].len};
	while (view_next(&text, '\n', &line))
		language_read_line(&languages[i], line);
	qsort(languages[i].list, languages[i].count, sizeof(*languages[i].list),
		compare_entries);
	return &languages[i];
}

/* The first entry with this text; the others follow it. */
static const struct entry *find_entry(const struct language *language, const char *text)
{
	struct entry key = {.text = (char *)(uintptr_t)text};
	const struct entry *found = language->count
					    ? bsearch(&key, language->list, language->count,
						      sizeof(*language->list), compare_entries)
					    : NULL;

	while (found && found > language->list && !strcmp(found[-1].text, text))
		found--;
	return found;
}

const char *language_zone(const struct language *language, int value)
{
	return language->zones[value];
}

/* --- tokens ------------------------------------------------------------------ */

void tokens_release(struct tokens *tokens)
{
	free(tokens->list);
}

bool token_is(const struct token *token, enum time_class class)
{
	return token->classes[class / 64] >> class % 64 & 1;
}

static void token_set(struct token *token, enum time_class class, int value)
{
	token->classes[class / 64] |= (uint64_t)1 << class % 64;
	token->value[class] = value;
}

/* All meanings of the text; false if it has none. */
static bool token_look_up(
	const struct language *language, const char *text, struct token *token)
{
	const struct entry *entry = find_entry(language, text);
	const struct entry *end = language->list + language->count;
	bool found = false;

	for (; entry && entry < end && !strcmp(entry->text, text); entry++) {
		if (entry->suffix)
			continue;
		token_set(token, entry->class, entry->value);
		token->weak |= entry->weak;
		found = true;
	}
	return found;
}

/* --- digits ------------------------------------------------------------------ */

/* `count` numbers with these characters between them, and nothing else. */
static bool read_numbers(const char *text, const char *between, int *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strspn(text, DIGITS);

		if (!len || len > 4)
			return false;
		numbers[i] = word_digits(text);
		text += len;
		if (i + 1 < count && *text++ != between[i])
			return false;
	}
	return !*text;
}

static void set_date(struct token *token, int year, int month, int day)
{
	/* The 29th of February of some year. */
	if (month < 1 || month > 12 || day < 1 ||
		day > civil_month_length(year ? year : 2000, month) || (year && year < 1970)) {
		token_set(token, CLASS_BAD, 0);
		return;
	}
	token_set(token, CLASS_DATE, 0);
	token->date = (struct civil){.year = year, .month = month, .day = day};
}

/* "2026-12-25", "2026-12-25t18:00", "25.12.", "25.12.2026", "12/25", "25/12/2026" */
static bool scan_date(const char *text, bool dot, struct token *token)
{
	int n[6] = {0};

	if (read_numbers(text, "--", n, 3) && n[0] >= 1000) {
		set_date(token, n[0], n[1], n[2]);
	} else if (read_numbers(text, "--t:", n, 5) || read_numbers(text, "--t::", n, 6)) {
		set_date(token, n[0], n[1], n[2]);
		token_set(token, n[3] < 24 && n[4] < 60 ? CLASS_CLOCKTIME : CLASS_BAD,
			n[3] * 60 + n[4]);
		token->plain = true;
	} else if (read_numbers(text, "//", n, 3) && n[0] >= 1000) {
		set_date(token, n[0], n[1], n[2]);
	} else if ((read_numbers(text, "..", n, 3) || read_numbers(text, "--", n, 3)) &&
		   (n[2] >= 1000 || (n[2] >= 20 && n[2] < 100))) {
		set_date(token, n[2] < 100 ? 2000 + n[2] : n[2], n[1], n[0]);
	} else if (dot && read_numbers(text, ".", n, 2) && n[0] <= 31 && n[1] <= 12) {
		set_date(token, 0, n[1], n[0]);
	} else if ((read_numbers(text, "//", n, 3) && n[2] >= 1000) ||
		   (n[2] = 0, read_numbers(text, "/", n, 2))) {
		bool day_first = n[1] <= 12;

		set_date(token, n[2], day_first ? n[1] : n[0], day_first ? n[0] : n[1]);
		/* 3/4 could be March or April: ambiguous. */
		token->slip = n[0] <= 12 && n[1] <= 12 && n[0] != n[1];
	} else {
		return false;
	}
	return true;
}

/* "5", "17:30", "5pm", "5.30pm", "17h30", "0930": `hour` and `minute` are digits. */
static bool scan_clock(const struct language *language, const char *text, struct token *token)
{
	size_t len = strspn(text, DIGITS);
	const char *rest = text + len;
	int hour = word_digits(text);
	int minute = 0;
	bool colon = false;
	struct token half = {0};

	if (len == 4 && !*rest) {
		minute = hour % 100;
		hour /= 100;
	} else if (len > 2) {
		return false;
	}
	token->bare = len <= 2 && text[0] != '0' && hour <= 12 && hour > 0;
	if (len <= 2 && *rest && strchr(":.h", *rest) && strspn(rest + 1, DIGITS) == 2) {
		minute = word_digits(rest + 1);
		colon = *rest != '.';
		token->bare = token->bare && *rest != 'h';
		rest += 3;
		if (*rest == ':' && strspn(rest + 1, DIGITS) == 2)
			rest += 3; /* seconds are ignored */
	} else if (!*rest && len <= 2) {
		return false; /* a number */
	}
	if (*rest && (!token_look_up(language, rest, &half) ||
			     (!token_is(&half, CLASS_AM) && !token_is(&half, CLASS_PM) &&
				     !token_is(&half, CLASS_OCLOCK))))
		return false;
	token->plain = colon || *rest;
	if (token_is(&half, CLASS_AM) || token_is(&half, CLASS_PM)) {
		if (hour < 1 || hour > 12)
			hour = 99;
		hour = hour == 99 ? hour : hour % 12 + (token_is(&half, CLASS_PM) ? 12 : 0);
		token->bare = false;
		token->half = true;
	} else if (*rest) {
		token->bare = false;
	}
	if (hour > 24 || minute > 59 || (hour == 24 && minute)) {
		if (token->plain)
			token_set(token, CLASS_BAD, 0);
		return token->plain;
	}
	token_set(token, CLASS_CLOCKTIME, hour * 60 + minute);
	token->weak = !token->plain; /* "1984" */
	return true;
}

bool span_add(struct span *span, enum time_unit unit, int64_t hundredths)
{
	static const struct span units[] = {
		[TIME_SECOND] = {1, 0, 0},
		[TIME_MINUTE] = {60, 0, 0},
		[TIME_HOUR] = {3600, 0, 0},
		[TIME_DAY] = {0, 1, 0},
		[TIME_WEEK] = {0, 7, 0},
		[TIME_FORTNIGHT] = {0, 14, 0},
		[TIME_MONTH] = {0, 0, 1},
		[TIME_QUARTER] = {0, 0, 3},
		[TIME_YEAR] = {0, 0, 12},
	};
	const struct span *one = &units[unit];

	/* One and a half days are hours. */
	if (one->days * hundredths % 100) {
		span->seconds += hundredths * one->days * 864;
		return true;
	}
	if (one->months * hundredths % 100)
		return false;
	span->seconds += one->seconds * hundredths / 100;
	span->days += (int)(one->days * hundredths / 100);
	span->months += (int)(one->months * hundredths / 100);
	return true;
}

/* "90s", "2h", "1h30m", "1h30", "1.5h": in one word. */
static bool scan_span(const struct language *language, const char *text, struct token *token)
{
	struct span span = {0};
	int last = 0;

	while (*text) {
		size_t len = strspn(text, DIGITS);
		size_t more = text[len] == '.' ? strspn(text + len + 1, DIGITS) : 0;
		const char *letters = text + len + (more ? more + 1 : 0);
		size_t letter_count = strcspn(letters, DIGITS);
		int64_t hundredths = (int64_t)word_digits(text) * 100;
		char name[WORD_SIZE] = "m"; /* after the hours of "1h30" */
		struct token unit = {0};

		if (!len || len > 5 || more > 2 || letter_count >= sizeof(name) ||
			(!letter_count && (last != TIME_HOUR || more)))
			return false;
		if (more)
			hundredths += word_digits(text + len + 1) * (more == 1 ? 10 : 1);
		if (letter_count) {
			memcpy(name, letters, letter_count);
			name[letter_count] = '\0';
		}
		if (!token_look_up(language, name, &unit) || !token_is(&unit, CLASS_UNIT) ||
			(last && unit.value[CLASS_UNIT] >= last))
			return false;
		last = unit.value[CLASS_UNIT];
		if (!span_add(&span, (enum time_unit)last, hundredths))
			return false;
		text = letters + letter_count;
	}
	token_set(token, CLASS_SPAN, 0);
	token->span = span;
	return true;
}

static bool scan_ordinal(
	const struct language *language, const char *text, bool dot, struct token *token)
{
	size_t len = strspn(text, DIGITS);
	const struct entry *entry = find_entry(language, text + len);
	const struct entry *end = language->list + language->count;

	if (len > 2)
		return false;
	if (!text[len]) {
		if (dot)
			token_set(token, CLASS_ORDINAL, word_digits(text));
		return false; /* a number, too */
	}
	for (; entry && entry < end && !strcmp(entry->text, text + len); entry++)
		if (entry->suffix) {
			token_set(token, CLASS_ORDINAL, word_digits(text));
			return true;
		}
	return false;
}

static void scan_digits(
	const struct language *language, const char *text, bool dot, struct token *token)
{
	size_t len = strspn(text, DIGITS);
	int n[2];

	if (!len || scan_date(text, dot, token) || scan_ordinal(language, text, dot, token))
		return;
	if (!text[len] && len <= 6)
		token_set(token, CLASS_NUMBER, word_digits(text));
	scan_clock(language, text, token);
	scan_span(language, text, token);
	if (len <= 4 && (read_numbers(text, ".", n, 2) || read_numbers(text, ",", n, 2)) &&
		n[1] < 100) {
		token_set(token, CLASS_DECIMAL,
			n[0] * 100 + n[1] * (strlen(text) == len + 2 ? 10 : 1));
		/* "25.12" is a date where one is expected. */
		if (text[len] == '.' && n[0] >= 1 && n[1] >= 1 && n[1] <= 12 &&
			n[0] <= civil_month_length(2000, n[1])) {
			token_set(token, CLASS_DATE, 0);
			token->weak = true;
			token->date = (struct civil){.month = n[1], .day = n[0]};
		}
	}
}

/* --- from a text to tokens --------------------------------------------------- */

/* "13:00z", "gmt+2": certainly times, but of an unknown kind. */
static void scan_odd(const struct language *language, const char *text, struct token *token)
{
	size_t len = strcspn(text, "+-" DIGITS);
	CLEANUP(freep) char *letters = xmemdupz(text, len);
	struct token zone = {0};

	if (len && text[len] && token_look_up(language, letters, &zone) &&
		token_is(&zone, CLASS_ZONE) && !zone.weak)
		token_set(token, CLASS_ODD, 0);
	len = strspn(text, DIGITS);
	if (len && len <= 4 && text[len] && strchr(":/-.", text[len]) &&
		strspn(text + len + 1, DIGITS) && strspn(text + len + 1, DIGITS) <= 4)
		token_set(token, CLASS_ODD, 0);
}

/* A mistyped weekday, month or "tomorrow". */
static void scan_slip(const struct language *language, const char *text, struct token *token)
{
	struct similar best = similar_to(text);
	size_t len = strlen(text);

	if (len < LEAST_SLIP)
		return;
	for (size_t i = 0; i < language->count; i++) {
		const struct entry *entry = &language->list[i];

		if (strlen(entry->text) >= LEAST_SLIP && !strchr(entry->text, ' ') &&
			(entry->class == CLASS_WEEKDAY || entry->class == CLASS_MONTH ||
				entry->class == CLASS_WEEKDAYS || entry->class == CLASS_DAY))
			similar_consider(&best, entry->text);
	}
	if (best.found && best.distance <= (len >= 7 ? 2U : 1U)) {
		token_look_up(language, best.found, token);
		token->slip = true;
		token->weak = false;
	}
}

static void add_token(struct tokens *tokens, const struct token *token)
{
	GROW(tokens->list, tokens->count, tokens->cap);
	tokens->list[tokens->count++] = *token;
}

/* "mon-fri", "9-17", "twenty-five": both sides mean something by themselves. */
static bool add_joined(const struct language *language, const struct word *word,
	const struct token *whole, struct tokens *tokens)
{
	const char *hyphen = strchr(word->text, '-');
	char left[WORD_SIZE] = "";
	struct token sides[3] = {*whole, *whole, *whole};
	bool number;

	if (!hyphen || hyphen == word->text || !hyphen[1] || strchr(hyphen + 1, '-'))
		return false;
	memcpy(left, word->text, (size_t)(hyphen - word->text));
	if (!token_look_up(language, left, &sides[0]))
		scan_digits(language, left, false, &sides[0]);
	if (!token_look_up(language, hyphen + 1, &sides[2]))
		scan_digits(language, hyphen + 1, false, &sides[2]);
	number = token_is(&sides[0], CLASS_NUMBER) && token_is(&sides[2], CLASS_NUMBER) &&
		 !strchr(DIGITS, left[0]);
	if (!number &&
		!(token_is(&sides[0], CLASS_WEEKDAY) && token_is(&sides[2], CLASS_WEEKDAY)) &&
		!((token_is(&sides[0], CLASS_CLOCKTIME) || token_is(&sides[0], CLASS_NUMBER)) &&
			(token_is(&sides[2], CLASS_CLOCKTIME) ||
				token_is(&sides[2], CLASS_NUMBER))))
		return false;
	sides[0].clause = sides[1].clause = false;
	add_token(tokens, &sides[0]);
	token_set(&sides[1], CLASS_RANGE, 0);
	if (!number)
		add_token(tokens, &sides[1]);
	add_token(tokens, &sides[2]);
	return true;
}

/* The longest phrase that begins with word `at`; how many words it has. */
static size_t match_phrase(const struct language *language, const struct word_list *words,
	size_t at, struct token *token)
{
	CLEANUP(buf_release) struct buf phrase = BUF_INIT;
	size_t best = 0;

	for (size_t i = 0; i < MAX_TOGETHER && at + i < words->count; i++) {
		const struct word *word = &words->list[at + i];
		struct token longer = {0};

		buf_appendf(&phrase, "%s%s", i ? " " : "", word->text);
		if (word->text[0] && token_look_up(language, phrase.data, &longer)) {
			*token = longer;
			best = i + 1;
		}
		if (word->clause)
			break;
	}
	return best;
}

void language_read(const struct language *language, struct view text, struct tokens *ret_tokens)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	struct tokens tokens = {0};
	bool quoted = false;

	word_list_split(text, &words);
	for (size_t at = 0, len; at < words.count; at += len) {
		const struct word *word = &words.list[at];
		struct token token = {0};

		len = match_phrase(language, &words, at, &token);
		len = len ? len : 1;
		token.start = word->start;
		token.end = words.list[at + len - 1].end;
		token.clause = words.list[at + len - 1].clause;
		token.quoted = quoted || text.data[word->start] == '"';
		for (size_t i = word->start; i < word->end; i++)
			quoted ^= text.data[i] == '"';
		if (!word->text[0] && tokens.count) {
			tokens.list[tokens.count - 1].clause = true; /* a lonely comma */
			tokens.list[tokens.count - 1].end = token.end;
			continue;
		}
		if (len == 1)
			scan_digits(language, word->text + (word->text[0] == '@'), word->dot,
				&token);
		if (!token.classes[0] && !token.classes[1]) {
			if (add_joined(language, word, &token, &tokens))
				continue;
			scan_odd(language, word->text, &token);
			if (word->text[0] >= 'a')
				scan_slip(language, word->text, &token);
		}
		add_token(&tokens, &token);
	}
	*ret_tokens = tokens;
}

int language_number(const char *word)
{
	struct token token = {0};

	if (!token_look_up(language_at(0), word, &token))
		scan_digits(language_at(0), word, false, &token);
	return token_is(&token, CLASS_NUMBER) ? token.value[CLASS_NUMBER] : -1;
}
