#include <string.h>

#include "agent/offline/phrase_parts.h"

struct clock {
	int hour;
	int minute;
	bool bare;
	bool midnight;
	bool plain; /* a number that says of itself that it is a time */
};

static size_t half_of_day(const struct words *words, size_t at, struct clock *clock)
{
	bool am = words_is(words, at, "am|a.m");
	bool pm = words_is(words, at, "pm|p.m");

	if ((!am && !pm) || clock->hour < 1 || clock->hour > 12)
		return 0;
	clock->hour = clock->hour % 12 + (pm ? 12 : 0);
	clock->bare = false;
	clock->plain = true;
	return 1;
}

/* The letters behind the digits of "5pm", "5:30am", "17h". */
static bool take_suffix(const char *suffix, struct clock *clock)
{
	bool am = !strcmp(suffix, "am") || !strcmp(suffix, "a.m");
	bool pm = !strcmp(suffix, "pm") || !strcmp(suffix, "p.m");

	if (!*suffix)
		return true;
	if (!strcmp(suffix, "h") || !strcmp(suffix, "hrs")) {
		clock->bare = false;
		clock->plain = true;
		return true;
	}
	if ((!am && !pm) || clock->hour < 1 || clock->hour > 12)
		return false;
	clock->hour = clock->hour % 12 + (pm ? 12 : 0);
	clock->bare = false;
	clock->plain = true;
	return true;
}

/* "5", "17", "5pm", "17:30", "5.30pm", "17h30", "0930". */
static bool read_digits(const char *text, struct clock *ret_clock)
{
	size_t len = strspn(text, "0123456789");
	const char *rest = text + len;
	struct clock clock = {0};

	if (len == 4) {
		clock.hour = words_digits(text) / 100;
		clock.minute = words_digits(text) % 100;
	} else if (len == 1 || len == 2) {
		clock.hour = words_digits(text);
		clock.bare = text[0] != '0' && clock.hour <= 12;
	} else {
		return false;
	}
	if (len <= 2 && (*rest == ':' || *rest == '.' || *rest == 'h') &&
		strspn(rest + 1, "0123456789") == 2) {
		clock.minute = words_digits(rest + 1);
		clock.plain = *rest != '.';
		clock.bare = clock.bare && *rest != 'h';
		rest += 3;
		if (*rest == ':' && strspn(rest + 1, "0123456789") == 2)
			rest += 3; /* seconds are of no use here */
	}
	if (clock.hour > 23 || clock.minute > 59 || !take_suffix(rest, &clock))
		return false;
	*ret_clock = clock;
	return true;
}

/* "half past 5", "quarter to six", "ten past 3". */
static size_t read_spoken(const struct words *words, size_t at, struct clock *ret_clock)
{
	size_t first = at;
	int minutes;
	int hour;

	if (words_is(words, at, "a"))
		at++;
	if (words_is(words, at, "quarter"))
		minutes = 15;
	else if (words_is(words, at, "half"))
		minutes = 30;
	else
		minutes = words_number(words, at);
	at++;
	if (words_is(words, at, "minutes"))
		at++;
	hour = words_number(words, at + 1);
	if (minutes < 1 || minutes > 30 || hour < 1 || hour > 12)
		return 0;
	if (words_is(words, at, "past|after"))
		*ret_clock = (struct clock){hour, minutes, true, false, true};
	else if (words_is(words, at, "to|before|till") && minutes < 30)
		*ret_clock = (struct clock){
			hour == 1 ? 12 : hour - 1, 60 - minutes, true, false, true};
	else
		return 0;
	return at + 2 - first;
}

static size_t read_clock(const struct words *words, size_t at, struct clock *ret_clock)
{
	size_t len = read_spoken(words, at, ret_clock);
	int number = words_number(words, at);

	if (len)
		return len + half_of_day(words, at + len, ret_clock);
	if (words_is(words, at, "noon|midday|lunchtime")) {
		*ret_clock = (struct clock){.hour = 12, .plain = true};
		return 1;
	}
	if (words_is(words, at, "midnight")) {
		*ret_clock = (struct clock){.midnight = true, .plain = true};
		return 1;
	}
	if (!read_digits(words_at(words, at), ret_clock)) {
		if (number < 1 || number > 12)
			return 0;
		*ret_clock = (struct clock){.hour = number, .bare = true};
	}
	len = 1;
	if (words_at(words, at)[0] > '9' && words_number(words, at + 1) >= 10 &&
		words_number(words, at + 1) < 60 && words_at(words, at + 1)[0] > '9') {
		ret_clock->minute = words_number(words, at + 1); /* "eight thirty" */
		len = 2;
	}
	if (words_is(words, at + len, "o'clock|oclock")) {
		ret_clock->plain = true;
		len++;
	} else if (words_is(words, at + len, "h|hrs|uhr") && !ret_clock->minute) {
		ret_clock->plain = true;
		ret_clock->bare = false;
		len++;
	}
	return len + half_of_day(words, at + len, ret_clock);
}

/* "at 8 and 20": two times are two reminders. */
static size_t second_clock(const struct words *words, size_t at, struct meaning *meaning)
{
	struct clock clock;
	size_t len = words_is(words, at, "and|&") ? 1 : 0;
	size_t more =
		len ? read_clock(words, at + len + words_is(words, at + len, "at"), &clock) : 0;

	len += words_is(words, at + len, "at");
	if (!more ||
		(!clock.plain && !words_is(words, at + len + more, "to|every|each|daily") &&
			at + len + more < words->count))
		return 0;
	meaning->cannot = "Please set one reminder for each time.";
	return len + more;
}

size_t phrase_clock(const struct words *words, size_t at, struct meaning *meaning)
{
	struct clock clock;
	size_t prefix = 0;
	size_t len;
	bool told = words_is(words, at, "at|@|by|around") ||
		    (meaning->front && words_is(words, at, "for"));

	if (meaning->has_clock)
		return 0;
	if (told || words_is(words, at, "for|about"))
		prefix = 1;
	if (told && words_is(words, at + prefix, "about|around|exactly"))
		prefix++;
	len = read_clock(words, at + prefix, &clock);
	if (!len || (!clock.plain && !told))
		return 0;
	/* "at 5 minutes": a number of something. */
	if (!clock.plain && words_is(words, at + prefix + len,
				    "minutes|minute|min|mins|hours|hour|days|day|weeks|week|"
				    "people|times|things|percent"))
		return 0;
	meaning->has_clock = true;
	meaning->hour = clock.hour;
	meaning->minute = clock.minute;
	meaning->bare = clock.bare;
	meaning->midnight = clock.midnight;
	len += prefix;
	if (words_is(words, at + len, "sharp"))
		len++;
	return len + second_clock(words, at + len, meaning);
}

static enum day_part part_named(const struct words *words, size_t at)
{
	return words_is(words, at, "morning")     ? PART_MORNING
	       : words_is(words, at, "afternoon") ? PART_AFTERNOON
	       : words_is(words, at, "evening")   ? PART_EVENING
	       : words_is(words, at, "night")     ? PART_NIGHT
						  : PART_NONE;
}

size_t phrase_day_part(const struct words *words, size_t at, struct meaning *meaning)
{
	enum day_part part = part_named(words, at);
	size_t len = 0;
	bool today = words_is(words, at, "this");

	if (meaning->part)
		return 0;
	/* "tomorrow morning", "friday night": right behind the day. */
	if (part && (meaning->date || meaning->repeat == REPEAT_DAYS)) {
		meaning->part = part;
		return 1;
	}
	if (words_are(words, at, "in the") || words_are(words, at, "during the"))
		len = 2;
	else if (today || words_are(words, at, "at night"))
		len = 1;
	part = part_named(words, at + len);
	if (!len || !part || (today && meaning->date))
		return 0;
	if (today) {
		meaning->date = DATE_IN_DAYS;
		meaning->number = 0;
	}
	meaning->part = part;
	return len + 1;
}
