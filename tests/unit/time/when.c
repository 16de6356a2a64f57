/*
 * Times as people write them, from the table in corpus.txt.
 */
#include "time/when.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "util/file.h"

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
	cmocka_unit_test(a_wish_is_known_as_one), cmocka_unit_test(days_are_counted_right))
