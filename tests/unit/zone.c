#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "fs/file.h"
#include "tempdir.h"
#include "time/zone.h"

static struct zone *open_zone(const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct zone *zone = NULL;

	assert_int_equal(zone_open(name, &zone, &err), 0);
	return zone;
}

static void assert_shown(const struct zone *zone, int64_t instant, const char *expected)
{
	char text[ZONE_TEXT_SIZE];

	zone_format(zone, instant, text);
	assert_string_equal(text, expected);
}

static int64_t civil(int year, int month, int day, int hour, int minute)
{
	return civil_seconds(&(struct civil){year, month, day, hour, minute, 0, 0});
}

static void the_clock_is_that_of_the_zone(void **state)
{
	CLEANUP(zone_freep) struct zone *berlin = open_zone("Europe/Berlin");
	CLEANUP(zone_freep) struct zone *kathmandu = open_zone("Asia/Kathmandu");
	CLEANUP(zone_freep) struct zone *utc = open_zone("UTC");

	(void)state;
	assert_shown(berlin, 1770000000, "2026-02-02T03:40:00+01:00");
	assert_shown(berlin, 1785000000, "2026-07-25T19:20:00+02:00");
	assert_shown(kathmandu, 1770000000, "2026-02-02T08:25:00+05:45");
	assert_shown(utc, 1770000000, "2026-02-02T02:40:00+00:00");
	/* Long after what the file lists. */
	assert_shown(berlin, INT64_C(32503680000), "3000-01-01T01:00:00+01:00");
	assert_shown(berlin, INT64_C(32519404800), "3000-07-02T02:00:00+02:00");
}

static void the_zone_of_the_process_does_not_matter(void **state)
{
	CLEANUP(zone_freep) struct zone *berlin = open_zone("Europe/Berlin");

	(void)state;
	setenv("TZ", "Asia/Tokyo", 1);
	assert_shown(berlin, 1770000000, "2026-02-02T03:40:00+01:00");
	assert_string_equal(getenv("TZ"), "Asia/Tokyo");
}

static void a_time_that_is_jumped_over_is_the_moment_after(void **state)
{
	CLEANUP(zone_freep) struct zone *berlin = open_zone("Europe/Berlin");
	struct zone_instants i = zone_instants(berlin, civil(2026, 3, 29, 2, 30));

	(void)state;
	assert_int_equal(i.fit, ZONE_GAP);
	assert_shown(berlin, i.first, "2026-03-29T03:00:00+02:00");
	assert_shown(berlin, i.first - 1, "2026-03-29T01:59:59+01:00");
}

static void a_time_that_is_shown_twice_has_both(void **state)
{
	CLEANUP(zone_freep) struct zone *berlin = open_zone("Europe/Berlin");
	struct zone_instants i = zone_instants(berlin, civil(2026, 10, 25, 2, 30));

	(void)state;
	assert_int_equal(i.fit, ZONE_TWICE);
	assert_shown(berlin, i.first, "2026-10-25T02:30:00+02:00");
	assert_shown(berlin, i.last, "2026-10-25T02:30:00+01:00");
}

static void a_day_that_was_left_out_is_one_gap(void **state)
{
	CLEANUP(zone_freep) struct zone *apia = open_zone("Pacific/Apia");
	struct zone_instants i = zone_instants(apia, civil(2011, 12, 30, 12, 0));

	(void)state;
	assert_int_equal(i.fit, ZONE_GAP);
	assert_shown(apia, i.first, "2011-12-31T00:00:00+14:00");
}

static void assert_unknown(const char *name, const char *hint)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct zone *zone = NULL;

	assert_int_equal(zone_open(name, &zone, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(strstr(err.hint, hint));
}

static void an_unknown_zone_is_refused_with_the_nearest(void **state)
{
	(void)state;
	assert_unknown("Europe/Berln", "'Europe/Berlin'");
	assert_unknown("europe/berlin", "'Europe/Berlin'");
	assert_unknown("berlin", "'Europe/Berlin'");
	assert_unknown("new york", "'America/New_York'");
	assert_unknown("xyzzyxyzzyxyzzy", "name a city");
	assert_unknown("GMT+1", "'Etc/GMT-1'"); /* ahead of UTC, as people mean it */
	assert_unknown("utc-05:00", "'Etc/GMT+5'");
	assert_unknown("UTC+5:30", "name a city");
	assert_unknown("GMT+15", "name a city");
	assert_unknown("USA", "name a city");
	assert_unknown("munich", "name a city");
	assert_unknown("germany", "name a city");
}

static void a_name_leads_nowhere_else(void **state)
{
	(void)state;
	assert_unknown("../../../etc/passwd", "");
	assert_unknown("/usr/share/zoneinfo/UTC", "");
	assert_unknown("Europe/../UTC", "");
	assert_unknown("Europe", "");
	assert_unknown("", "");
	assert_unknown("zone.tab", "");
}

static void the_default_is_what_TZ_says_if_it_is_a_zone(void **state)
{
	CLEANUP(freep) char *named = zone_default_name("Asia/Tokyo");
	CLEANUP(freep) char *colon = zone_default_name(":Asia/Tokyo");
	CLEANUP(freep) char *path = zone_default_name("/usr/share/zoneinfo/Asia/Tokyo");
	CLEANUP(freep) char *none = zone_default_name(NULL);
	CLEANUP(freep) char *posix = zone_default_name("CET-1CEST");
	CLEANUP(zone_freep) struct zone *zone = open_zone(none);

	(void)state;
	assert_string_equal(named, "Asia/Tokyo");
	assert_string_equal(colon, "Asia/Tokyo");
	assert_string_equal(path, "Asia/Tokyo");
	assert_string_equal(posix, none);
	assert_string_equal(zone_name(zone), none);
}

/* --- files that are wrong ------------------------------------------------------ */

static void read_berlin(struct buf *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(
		file_read("/usr/share/zoneinfo/Europe/Berlin", SIZE_MAX, data, &err), 0);
}

static bool is_refused(struct view data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;

	return zone_parse(data, "Test/Zone", &zone, &err) < 0 && err.kind == ERROR_INVALID;
}

static void a_file_that_is_cut_off_is_refused(void **state)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;

	(void)state;
	read_berlin(&data);
	assert_false(is_refused(view_of_buf(&data)));
	for (size_t len = 0; len < data.len; len++) {
		/* A copy of just this size: a read behind it is seen by sanitizers. */
		CLEANUP(freep) char *copy = xmalloc(len ? len : 1);

		memcpy(copy, data.data, len);
		assert_true(is_refused((struct view){copy, len}));
	}
}

static void no_changed_byte_does_harm(void **state)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;

	(void)state;
	read_berlin(&data);
	for (size_t i = 0; i < data.len; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(zone_freep) struct zone *zone = NULL;

		data.data[i] ^= (char)0xff;
		if (zone_parse(view_of_buf(&data), "Test/Zone", &zone, &err) == 0) {
			struct zone_instants found =
				zone_instants(zone, civil(2026, 3, 29, 2, 30));
			struct zone_span span = zone_span_at(zone, found.first);

			assert_true(span.from < span.until);
			assert_true(strlen(span.abbreviation) < 64);
		}
		data.data[i] ^= (char)0xff;
	}
}

static void leap_seconds_are_refused(void **state)
{
	/* Version 1, one type, one leap second. */
	static const char file[] = "TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
				   "\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\4"
				   "\0\0\0\0\0\0UTC\0\4\262\130\0\0\0\0\1";

	(void)state;
	assert_true(is_refused((struct view){file, sizeof(file) - 1}));
}

static void zones_can_be_kept_elsewhere(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct zone *zone = NULL;

	setenv("TZDIR", temp->path, 1);
	tempdir_put(temp->fd, "Garbage", "this is no zone");
	assert_int_equal(zone_open("Garbage", &zone, &err), -1);
	assert_non_null(strstr(err.message, "is not a zone file"));
	error_clear(&err);
	assert_int_equal(zone_open("Europe/Berlin", &zone, &err), -1);
	unsetenv("TZDIR");
}

TESTS(cmocka_unit_test(the_clock_is_that_of_the_zone),
	cmocka_unit_test(the_zone_of_the_process_does_not_matter),
	cmocka_unit_test(a_time_that_is_jumped_over_is_the_moment_after),
	cmocka_unit_test(a_time_that_is_shown_twice_has_both),
	cmocka_unit_test(a_day_that_was_left_out_is_one_gap),
	cmocka_unit_test(an_unknown_zone_is_refused_with_the_nearest),
	cmocka_unit_test(a_name_leads_nowhere_else),
	cmocka_unit_test(the_default_is_what_TZ_says_if_it_is_a_zone),
	cmocka_unit_test(a_file_that_is_cut_off_is_refused),
	cmocka_unit_test(no_changed_byte_does_harm), cmocka_unit_test(leap_seconds_are_refused),
	IN_TEMPDIR(zones_can_be_kept_elsewhere))
