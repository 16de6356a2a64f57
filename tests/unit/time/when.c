/*
 * Times as people write them, from the table in corpus.txt.
 */
#include "time/phrase/when.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "fs/file.h"

#define TABLE "tests/unit/time/corpus.txt"

static void write_moment(const struct civil *m, struct buf *out)
{
	buf_appendf(
		out, "%04d-%02d-%02d %02d:%02d", m->year, m->month, m->day, m->hour, m->minute);
}

static void write_meaning(const struct when *when, struct buf *out)
{
	if (when->ask && when->kind != WHEN_NONE && when->kind != WHEN_CANNOT)
		buf_append_str(out, "ask ");
	switch (when->kind) {
	case WHEN_NONE:
		buf_append_str(out, "none");
		break;
	case WHEN_ONCE:
		for (size_t i = 0; i < when->count; i++) {
			buf_append_str(out, i ? ", " : "at ");
			write_moment(&when->at[i], out);
		}
		break;
	case WHEN_IN:
		buf_appendf(out, "in %" PRId64, when->seconds);
		break;
	case WHEN_REPEAT:
		buf_appendf(out, "%s %s", when->type == SCHEDULE_CRON ? "cron" : "every",
			when->value);
		break;
	case WHEN_PAST:
		buf_append_str(out, "past ");
		write_moment(&when->proposal, out);
		break;
	case WHEN_CANNOT:
		buf_append_str(out, "cannot");
		break;
	}
	if (*when->zone)
		buf_appendf(out, " @%s", when->zone);
	buf_appendf(out, "%s | %s", when->taken ? " ~" : "", when->what);
}

static void read_now(const char *line, struct civil *now)
{
	assert_int_equal(sscanf(line, "now %d-%d-%d %d:%d", &now->year, &now->month, &now->day,
				 &now->hour, &now->minute),
		5);
}

static bool is_right(struct view line, const char *arrow, const struct civil *now)
{
	CLEANUP(when_release) struct when when = {0};
	CLEANUP(buf_release) struct buf got = BUF_INIT;
	struct view text = view_trim(view_slice(line, 0, (size_t)(arrow - line.data)));
	struct view wanted =
		view_trim(view_slice(line, (size_t)(arrow - line.data) + 2, line.len));

	when_read(text, &(struct when_context){.now = now}, &when);
	write_meaning(&when, &got);
	if (view_equal(view_trim(view_of_buf(&got)), wanted))
		return true;
	print_message("# %.*s\n#   wanted: %.*s\n#   got:    %s\n", VIEW_ARGS(text),
		VIEW_ARGS(wanted), got.data);
	return false;
}

static void every_phrase_of_the_table_has_its_meaning(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf table = BUF_INIT;
	struct civil now = {0};
	struct view rest, line;
	int count = 0, wrong = 0;

	(void)state;
	assert_int_equal(file_read(SOURCE_ROOT "/" TABLE, 1024 * 1024, &table, &err), 0);
	rest = view_of_buf(&table);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *text = xmemdupz(line.data, line.len);
		const char *arrow = strstr(text, "=>");

		if (!strncmp(text, "now ", 4))
			read_now(text, &now);
		if (!arrow || *text == '#')
			continue;
		count++;
		wrong += !is_right(view_of(text), arrow, &now);
	}
	print_message("# %d phrases\n", count);
	assert_int_equal(wrong, 0);
	assert_true(count >= 600);
}

/* --- no word is dropped ------------------------------------------------------ */

static const char *const fragments[] = {"at 5pm", "at 17:00", "at 5", "at noon",
	"in the morning", "in the evening", "tomorrow", "today", "tonight", "on friday",
	"next monday", "this friday", "on firday", "on the 3rd", "on march 3rd", "on 5 may",
	"on 2026-12-24", "at christmas", "in 20 minutes", "in 2 hours", "in 3 days",
	"in 1 hour 20", "in 2 weeks", "every day", "every weekday", "every monday",
	"every other friday", "every 2 hours", "every 3 days", "every month on the 3rd",
	"on mondays", "daily", "weekly", "until friday", "until christmas", "for a week",
	"for 3 days", "5 times", "starting tomorrow", "except sunday", "between 9 and 17",
	"before 5pm", "10 minutes before", "after friday", "or 6pm", "and 6pm", "and tuesday",
	"Tokyo time", "EST", "a week from friday", "friday week",
	"on the last friday of the month", "the first monday of every month", "twice a day",
	"at 9am and 6pm", "mon, wed, fri", "later", "sharp", "on weekends", "every 15 minutes",
	"at half past 5", "in december", "the day after tomorrow", "3 times a week",
	"on the 3rd and the 5th", "by friday", "every march 3rd", "at 8 and 20",
	"monday to friday", "at night", "next week", "from 1 march to 5 march",
	"every third day", "at the end of the month", "once"};

/* A word, and another that means another time. */
static const char *const swaps[][2] = {{"5pm", "7pm"}, {"17:00", "18:30"}, {"5", "4"},
	{"noon", "midnight"}, {"morning", "afternoon"}, {"evening", "morning"},
	{"tomorrow", "2028-01-05"}, {"today", "tomorrow"}, {"friday", "tuesday"},
	{"monday", "thursday"}, {"mondays", "thursdays"}, {"firday", "tuesday"}, {"3rd", "9th"},
	{"march", "april"}, {"may", "june"}, {"2026-12-24", "2026-12-30"},
	{"christmas", "halloween"}, {"20", "25"}, {"2", "4"}, {"3", "6"}, {"minutes", "hours"},
	{"hours", "days"}, {"days", "weeks"}, {"hour", "day"}, {"week", "month"},
	{"weeks", "days"}, {"weekday", "weekend"}, {"other", "last"}, {"daily", "monthly"},
	{"weekly", "yearly"}, {"month", "year"}, {"9", "10"}, {"10", "20"}, {"17", "18"},
	{"9am", "10am"}, {"6pm", "8pm"}, {"tuesday", "saturday"}, {"sunday", "monday"},
	{"Tokyo", "London"}, {"EST", "PST"}, {"last", "first"}, {"first", "last"},
	{"twice", "once"}, {"mon,", "sun,"}, {"wed,", "thu,"}, {"fri", "sat"},
	{"until", "from"}, {"except", "until"}, {"before", "after"}, {"or", "and"},
	{"every", ""}, {"weekends", "weekdays"}, {"15", "30"}, {"half", "quarter"},
	{"december", "october"}, {"times", "eggs"}, {"5th", "7th"}, {"8", "9"}, {"20", "22"},
	{"night", "noon"}, {"third", "fifth"}, {"1", "20"}, {"end", "start"},
	{"once", "twice"}};

static void read_swapped(const struct civil *now, char *const *words, size_t count,
	size_t swapped, const char *by, struct buf *ret_meaning)
{
	CLEANUP(when_release) struct when when = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_appendf(&text, "%s ", i == swapped ? by : words[i]);
	when_read(view_of_buf(&text), &(struct when_context){.now = now}, &when);
	if (swapped == count && (when.ask || (when.kind != WHEN_ONCE && when.kind != WHEN_IN &&
						     when.kind != WHEN_REPEAT)))
		return; /* not set, so nothing is lost */
	write_meaning(&when, ret_meaning);
}

static int count_dropped(const struct civil *now, const char *sentence)
{
	CLEANUP(buf_release) struct buf meaning = BUF_INIT;
	CLEANUP(freep) char *copy = xstrdup(sentence);
	char *words[64];
	char *rest;
	size_t count = 0;
	int dropped = 0;

	for (char *word = strtok_r(copy, " ", &rest); word && count < 64;
		word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	read_swapped(now, words, count, count, "", &meaning);
	for (size_t i = 0; i < count && meaning.len; i++)
		for (size_t s = 0; s < ARRAY_SIZE(swaps); s++) {
			CLEANUP(buf_release) struct buf other = BUF_INIT;

			if (strcmp(words[i], swaps[s][0]) != 0)
				continue;
			read_swapped(now, words, count, i, swaps[s][1], &other);
			if (strcmp(meaning.data, other.data) != 0)
				continue;
			print_message("# '%s' makes no difference in: %s\n#   %s\n", words[i],
				sentence, meaning.data);
			dropped++;
		}
	return dropped;
}

/* Sentences of random fragments: what is set changes with every word about time. */
static void no_word_about_time_is_dropped(void **state)
{
	static const char *const texts[] = {"call bob", "buy 3 eggs", "water the plants"};
	struct civil now = {.year = 2026, .month = 11, .day = 16, .hour = 10, .minute = 30};
	uint64_t seed = 20261116;
	int dropped = 0;

	(void)state;
	for (int i = 0; i < 1200; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		unsigned random[6];

		for (size_t n = 0; n < ARRAY_SIZE(random); n++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			random[n] = (unsigned)(seed >> 33);
		}
		buf_append_str(&text, "remind me ");
		for (unsigned n = 0; n < random[0] % 3; n++)
			buf_appendf(
				&text, "%s ", fragments[random[1 + n] % ARRAY_SIZE(fragments)]);
		buf_appendf(&text, "to %s ", texts[random[5] % ARRAY_SIZE(texts)]);
		for (unsigned n = 0; n < random[0] / 3 % 3; n++)
			buf_appendf(
				&text, "%s ", fragments[random[3 + n] % ARRAY_SIZE(fragments)]);
		dropped += count_dropped(&now, text.data);
	}
	assert_int_equal(dropped, 0);
}

/* --- counting ----------------------------------------------------------------- */

/* The host gets a reminder some seconds after it was said. */
static void as_many_runs_come_as_were_said(void **state)
{
	static const struct {
		const char *text;
		int runs;
	} cases[] = {
		{"remind me every 10 minutes 3 times to drink", 3},
		{"remind me every hour 5 times to drink", 5},
		{"remind me every 2 days 4 times to drink", 4},
		{"remind me every 10 minutes for an hour to drink", 6},
		{"remind me every day at 9am 5 times to drink", 5},
		{"remind me every day at 9am for a week to drink", 7},
		{"remind me every other monday at 9am 3 times to drink", 3},
		{"remind me every day at 9am and 6pm 4 times to drink", 4},
		{"remind me once a month on the 3rd 2 times to drink", 2},
	};
	struct civil now = {
		.year = 2026, .month = 11, .day = 16, .hour = 10, .minute = 30, .second = 42};
	int64_t anchor = (civil_seconds(&now) + 17) * 1000;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
		CLEANUP(when_release) struct when when = {0};
		int64_t time = anchor;
		int runs = 0;

		when_read(view_of(cases[i].text), &(struct when_context){.now = &now}, &when);
		assert_int_equal(when.kind, WHEN_REPEAT);
		assert_int_equal(
			schedule_parse(when.type, when.value, "UTC", anchor, &schedule, &err),
			0);
		while (runs < 100 && schedule_next(&schedule, time, &time))
			runs++;
		if (runs != cases[i].runs)
			fail_msg("'%s' comes %d times: %s", cases[i].text, runs, when.value);
	}
}

/* --- corrections ------------------------------------------------------------- */

static void a_correction_changes_what_it_says_and_nothing_else(void **state)
{
	static const struct {
		const char *text;
		const char *correction;
		const char *meaning; /* NULL: not a correction */
	} cases[] = {
		{"remind me on firday at 5pm to pay", "no, at 5am",
			"at 2026-11-20 05:00 | pay"},
		{"remind me on firday at 5pm to pay", "tomorrow", "at 2026-11-17 17:00 | pay"},
		{"remind me on firday at 5pm to pay", "no, thursday at 9am please",
			"at 2026-11-19 09:00 | pay"},
		{"remind me on firday at 5pm to pay", "in 20 minutes", "in 1200 | pay"},
		{"remind me on firday at 5pm to pay", "every friday", "cron 0 17 * * 5 | pay"},
		{"remind me on firday to pay", "at 18:30", "at 2026-11-20 18:30 | pay"},
		{"remind me on firday to pay", "tomorrow", "at 2026-11-17 09:00 ~ | pay"},
		{"remind me every mondya at 9am to pay", "at 10am", "cron 0 10 * * 1 | pay"},
		{"remind me every mondya at 9am to pay", "tomorrow",
			"at 2026-11-17 09:00 | pay"},
		{"remind me every day at 9am until firday to pay", "tomorrow",
			"at 2026-11-17 09:00 | pay"},
		{"remind me to pay", "tomorrow at 5pm", "at 2026-11-17 17:00 | pay"},
		{"remind me to pay", "thrusday", "ask at 2026-11-19 09:00 ~ | pay"},
		{"remind me to pay", "make it 7pm Tokyo time",
			"at 2026-11-16 19:00 @Asia/Tokyo | pay"},
		{"erinnere mich am Freitg um 9 Uhr an Mama", "nein, morgen",
			"at 2026-11-17 09:00 | Mama"},
		{"remind me in 5 to pay", "hours", "in 18000 | pay"},
		{"remind me in 5 to pay", "no, days", "at 2026-11-21 10:30 | pay"},
		{"remind me in 5 to pay", "5 hours", "in 18000 | pay"},
		{"erinnere mich in 5 an Mama", "Stunden", "in 18000 | Mama"},
		{"remind me in 5 minutes to pay", "hours", NULL},
		{"remind me to pay", "no", NULL},
		{"remind me to pay", "what time is it", NULL},
		{"remind me to pay", "call mum tomorrow", NULL},
		{"remind me to pay", "", NULL},
	};
	struct civil now = {.year = 2026, .month = 11, .day = 16, .hour = 10, .minute = 30};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(when_release) struct when before = {0};
		CLEANUP(when_release) struct when after = {0};
		CLEANUP(buf_release) struct buf got = BUF_INIT;

		when_read(view_of(cases[i].text), &(struct when_context){.now = &now}, &before);
		if (when_correct(&before, view_of(cases[i].correction), &now, &after))
			write_meaning(&after, &got);
		if (strcmp(got.len ? got.data : "", cases[i].meaning ? cases[i].meaning : "") !=
			0)
			fail_msg("'%s', '%s' is '%s'", cases[i].text, cases[i].correction,
				got.len ? got.data : "nothing");
	}
}

static void a_wish_is_known_as_one(void **state)
{
	static const char *const wishes[] = {
		"remind me to call mum",
		"Tomorrow at 9, please remind me to call mum",
		"could you set a reminder for 5pm",
		"every monday remind us about the bins",
	};
	static const char *const others[] = {
		"",
		"remember to remind me",
		"what did I ask you to remind me of",
		"notes",
		"tomorrow is monday",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++)
		assert_true(when_is_wish(view_of(wishes[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(when_is_wish(view_of(others[i])));
}

/* Every day of 400 years, against the table of the months. */
static void days_are_counted_right(void **state)
{
	struct civil m = {.year = 1970, .month = 1, .day = 1};
	int weekday = 4;

	(void)state;
	for (int day = 0; day < 146097; day++) {
		struct civil next = m;

		assert_int_equal(when_weekday(&m), weekday);
		when_add_days(&next, 1);
		if (m.day < civil_month_length(m.year, m.month))
			m.day++;
		else if (m.month < 12)
			m.month++, m.day = 1;
		else
			m.year++, m.month = m.day = 1;
		assert_int_equal(when_compare(&m, &next), 0);
		weekday = (weekday + 1) % 7;
	}
}

TESTS(cmocka_unit_test(every_phrase_of_the_table_has_its_meaning),
	cmocka_unit_test(no_word_about_time_is_dropped),
	cmocka_unit_test(as_many_runs_come_as_were_said),
	cmocka_unit_test(a_correction_changes_what_it_says_and_nothing_else),
	cmocka_unit_test(a_wish_is_known_as_one), cmocka_unit_test(days_are_counted_right))
