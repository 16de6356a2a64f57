/*
 * English times, from the table in phrases.txt.
 */
#include "agent/offline/phrases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "util/file.h"

#define TABLE "tests/unit/offline/phrases.txt"

static void write_moment(const struct civil *m, struct buf *out)
{
	buf_appendf(
		out, "%04d-%02d-%02d %02d:%02d", m->year, m->month, m->day, m->hour, m->minute);
}

static void write_meaning(const struct phrase *phrase, struct buf *out)
{
	switch (phrase->kind) {
	case PHRASE_NONE:
		buf_append_str(out, "none");
		break;
	case PHRASE_AT:
		buf_append_str(out, "at ");
		write_moment(&phrase->at, out);
		break;
	case PHRASE_IN:
		buf_appendf(out, "in %" PRId64, phrase->seconds);
		break;
	case PHRASE_CRON:
		buf_appendf(out, "cron %s", phrase->cron);
		break;
	case PHRASE_INTERVAL:
		buf_appendf(out, "every %" PRId64, phrase->seconds);
		break;
	case PHRASE_PAST:
		buf_append_str(out, "past ");
		write_moment(&phrase->proposal, out);
		break;
	case PHRASE_CANNOT:
		buf_append_str(out, "cannot");
		break;
	}
	buf_appendf(out, "%s | %s", phrase->taken ? " ~" : "", phrase->what);
}

static void read_now(const char *line, struct civil *now)
{
	assert_int_equal(sscanf(line, "now %d-%d-%d %d:%d", &now->year, &now->month, &now->day,
				 &now->hour, &now->minute),
		5);
}

static bool is_right(struct view line, const char *arrow, const struct civil *now)
{
	CLEANUP(phrase_release) struct phrase phrase = {0};
	CLEANUP(buf_release) struct buf got = BUF_INIT;
	struct view text = view_trim(view_slice(line, 0, (size_t)(arrow - line.data)));
	struct view wanted =
		view_trim(view_slice(line, (size_t)(arrow - line.data) + 2, line.len));

	phrase_read(text, now, &phrase);
	write_meaning(&phrase, &got);
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
	assert_true(count >= 200);
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
		assert_true(phrase_is_wish(view_of(wishes[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(phrase_is_wish(view_of(others[i])));
}

/* Every day of 400 years, against the table of the months. */
static void days_are_counted_right(void **state)
{
	struct civil m = {.year = 1970, .month = 1, .day = 1};
	int weekday = 4;

	(void)state;
	for (int day = 0; day < 146097; day++) {
		struct civil next = m;

		assert_int_equal(moment_weekday(&m), weekday);
		moment_add_days(&next, 1);
		if (m.day < civil_month_length(m.year, m.month))
			m.day++;
		else if (m.month < 12)
			m.month++, m.day = 1;
		else
			m.year++, m.month = m.day = 1;
		assert_int_equal(moment_compare(&m, &next), 0);
		weekday = (weekday + 1) % 7;
	}
}

TESTS(cmocka_unit_test(every_phrase_of_the_table_has_its_meaning),
	cmocka_unit_test(a_wish_is_known_as_one), cmocka_unit_test(days_are_counted_right))
