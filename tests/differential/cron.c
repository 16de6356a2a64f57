/*
 * Random cron expressions against a second implementation, which shares nothing with the
 * first: it knows what the system's clock shows in each minute of some years, and goes
 * through them one by one.
 *
 *	differential-cron COUNT SEED
 *
 * The expressions are made together with the numbers that they mean, so that they need
 * not be read here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../harness/tap.h"
#include "base/buf.h"
#include "time/cron.h"

static const char *const zones[] = {
	"Africa/Casablanca",
	"America/New_York",
	"America/Sao_Paulo",
	"America/St_Johns",
	"Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Europe/Berlin",
	"Europe/Dublin",
	"Pacific/Apia",
	"Pacific/Chatham",
	"Pacific/Kiritimati",
	"UTC",
};

/* 2010 to 2012 has Apia's missing day and Sao Paulo's midnights, 2026 is the usual. */
static const int first_years[] = {2010, 2026};

#define YEARS 2

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31) % limit);
}

/* --- what the clock shows ---------------------------------------------------- */

struct minute {
	int64_t civil;  /* minutes since 1970 on the clock on the wall */
	int64_t latest; /* the latest that it has shown before */
	uint8_t minute, hour, day, month, weekday;
};

struct table {
	int64_t start; /* in minutes */
	int count;
	struct minute *minutes;
};

static void fill(struct table *table, const char *zone, int year)
{
	struct tm first = {.tm_year = year - 1900, .tm_mday = 1};
	struct tm end = {.tm_year = year + YEARS - 1900, .tm_mday = 1};
	int64_t latest = INT64_MIN;

	setenv("TZ", zone, 1);
	tzset();
	table->start = timegm(&first) / 60;
	table->count = (int)(timegm(&end) / 60 - table->start);
	table->minutes =
		xreallocarray(table->minutes, (size_t)table->count, sizeof(*table->minutes));
	for (int i = 0; i < table->count; i++) {
		time_t t = (table->start + i) * 60;
		struct tm tm;

		localtime_r(&t, &tm);
		table->minutes[i] = (struct minute){(t + tm.tm_gmtoff) / 60, latest,
			(uint8_t)tm.tm_min, (uint8_t)tm.tm_hour, (uint8_t)tm.tm_mday,
			(uint8_t)(tm.tm_mon + 1), (uint8_t)tm.tm_wday};
		if (table->minutes[i].civil > latest)
			latest = table->minutes[i].civil;
	}
}

/* --- expressions ------------------------------------------------------------- */

struct expression {
	char text[CRON_MAX];
	bool minute[60], hour[24], day[32], month[13], weekday[7];
	bool hour_star, day_star, weekday_star;
};

static const char *const months[] = {
	"jan", "Feb", "MAR", "apr", "May", "JUN", "jul", "Aug", "SEP", "oct", "Nov", "DEC"};
static const char *const weekdays[] = {"sun", "Mon", "TUE", "wed", "Thu", "FRI", "sat"};

static void put_value(struct buf *out, int value, int least, const char *const *names)
{
	if (names && below(3) == 0 && (value < 7 || least == 1))
		buf_append_str(out, names[value - least]);
	else
		buf_appendf(out, below(8) ? "%d" : "%02d", value);
}

/* One item of a list: a star, a number or a range, with or without a step. */
static void put_item(
	struct buf *out, bool *set, int least, int most, int values, const char *const *names)
{
	int kind = (int)below(6);
	int first = least;
	int last = least + values - 1;
	int step = 1;

	if (kind < 2) {
		buf_append_char(out, '*');
	} else {
		first = least + (int)below((unsigned)(most - least + 1));
		last = first;
		put_value(out, first, least, names);
		if (kind >= 4) {
			last = first + (int)below((unsigned)(most - first + 1));
			buf_append_char(out, '-');
			put_value(out, last, least, names);
		}
	}
	if (kind % 2) {
		step = 1 + (int)below((unsigned)values);
		buf_appendf(out, "/%d", step);
		if (kind == 3)
			last = first > least + values - 1 ? first : least + values - 1;
	}
	for (int value = first; value <= last; value += step)
		set[values == 7 ? value % 7 : value] = true;
}

static bool put_field(struct buf *out, bool *set, int least, int most, int values,
	const char *const *names, unsigned plain)
{
	size_t start = out->len;
	unsigned items = 1;

	if (below(100) < plain) {
		buf_append_char(out, '*');
		for (int value = least; value < least + values; value++)
			set[value] = true;
	} else {
		while (below(3) == 0 && items < 4)
			items++;
		for (unsigned i = 0; i < items; i++) {
			if (i)
				buf_append_char(out, ',');
			put_item(out, set, least, most, values, names);
		}
	}
	buf_append_str(out, below(20) ? " " : " \t ");
	return out->data[start] == '*';
}

static void make(struct expression *e)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	*e = (struct expression){0};
	put_field(&text, e->minute, 0, 59, 60, NULL, 20);
	e->hour_star = put_field(&text, e->hour, 0, 23, 24, NULL, 30);
	e->day_star = put_field(&text, e->day, 1, 31, 31, NULL, 50);
	put_field(&text, e->month, 1, 12, 12, months, 70);
	e->weekday_star = put_field(&text, e->weekday, 0, 7, 7, weekdays, 50);
	snprintf(e->text, sizeof(e->text), "%s", text.data);
}

/* --- the second implementation ----------------------------------------------- */

static bool fits(const struct expression *e, const struct minute *m)
{
	bool day = e->day[m->day];
	bool weekday = e->weekday[m->weekday];

	return e->minute[m->minute] && e->hour[m->hour] && e->month[m->month] &&
	       (e->day_star || e->weekday_star ? day && weekday : day || weekday);
}

/* Is a time that fits among those that the clock has jumped over? */
static bool jumped_over(const struct expression *e, int64_t from, int64_t until)
{
	for (int64_t civil = from; civil < until; civil++) {
		time_t t = civil * 60;
		struct tm tm;
		struct minute m;

		gmtime_r(&t, &tm);
		m = (struct minute){civil, 0, (uint8_t)tm.tm_min, (uint8_t)tm.tm_hour,
			(uint8_t)tm.tm_mday, (uint8_t)(tm.tm_mon + 1), (uint8_t)tm.tm_wday};
		if (fits(e, &m))
			return true;
	}
	return false;
}

static bool happens(const struct expression *e, const struct minute *m)
{
	if (e->hour_star)
		return fits(e, m);
	if (m->civil <= m->latest)
		return false;
	return fits(e, m) ||
	       (m->civil > m->latest + 1 && jumped_over(e, m->latest + 1, m->civil));
}

static int search(const struct table *table, const struct expression *e, int from)
{
	for (int i = from; i < table->count; i++)
		if (happens(e, &table->minutes[i]))
			return i;
	return -1;
}

/* --- both -------------------------------------------------------------------- */

/* Every third instant is near a change of the clock, or very near: it is difficult there. */
static int choose_start(const struct table *table, const int *changes, int count)
{
	int near;

	if (!count || below(3))
		return 1 + (int)below((unsigned)table->count - 1);
	near = changes[below((unsigned)count)];
	near += below(2) ? (int)below(300) - 150 : (int)below(3200) - 3000;
	return near < 1 ? 1 : near >= table->count ? table->count - 1 : near;
}

static int find_changes(const struct table *table, int *changes, int max)
{
	int count = 0;

	for (int i = 1; i < table->count && count < max; i++)
		if (table->minutes[i].civil != table->minutes[i - 1].civil + 1)
			changes[count++] = i;
	return count;
}

static bool agrees(const struct table *table, const struct zone *zone, int start)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct expression e;
	struct cron cron;
	int64_t after = (table->start + start) * 60 - 1 - (int64_t)below(60);
	int64_t ours = 0;
	int64_t expected;
	int found;

	make(&e);
	if (cron_parse(view_of(e.text), &cron, &err) < 0) {
		printf("# '%s': %s\n", e.text, err.message);
		return false;
	}
	found = search(table, &e, start);
	expected = (table->start + found) * 60;
	if (!cron_next(&cron, zone, after, &ours))
		ours = INT64_MAX;
	if (found >= 0 ? ours == expected : ours >= (table->start + table->count) * 60)
		return true;
	printf("# '%s' in %s after %" PRId64 ": %" PRId64 " and not %" PRId64 "\n", e.text,
		zone_name(zone), after, ours, found >= 0 ? expected : -1);
	return false;
}

static unsigned compare(struct table *table, const char *name, int year, unsigned count)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	int changes[32];
	int change_count;
	unsigned wrong = 0;

	fill(table, name, year);
	change_count = find_changes(table, changes, ARRAY_SIZE(changes));
	if (zone_open(name, &zone, &err) < 0) {
		printf("# %s\n", err.message);
		return 1;
	}
	for (unsigned i = 0; i < count && wrong < 5; i++)
		wrong += !agrees(table, zone, choose_start(table, changes, change_count));
	return wrong;
}

int main(int argc, char **argv)
{
	const unsigned runs = ARRAY_SIZE(zones) * ARRAY_SIZE(first_years);
	struct table table = {0};
	struct tap tap = {0};
	unsigned count;
	unsigned wrong = 0;

	if (argc != 3)
		return 2;
	count = (unsigned)strtoul(argv[1], NULL, 10);
	random_state = strtoull(argv[2], NULL, 10);
	printf("# seed %s\n", argv[2]);
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++)
		for (size_t k = 0; k < ARRAY_SIZE(first_years); k++)
			wrong += compare(
				&table, zones[i], first_years[k], (count + runs - 1) / runs);
	free(table.minutes);
	printf("# %u expressions\n", (count + runs - 1) / runs * runs);
	tap_result(&tap, wrong == 0, "every next time is that of the second implementation");
	return tap_end(&tap);
}
