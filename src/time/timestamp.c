#include "time/timestamp.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"

static bool source_date(int64_t *ret_ms)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	char *end;
	long long seconds;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	seconds = strtoll(text, &end, 10);
	if (errno || *end || seconds > TIMESTAMP_MAX / 1000)
		return false;
	*ret_ms = seconds * 1000;
	return true;
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t timestamp_clock(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t timestamp_steady(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t timestamp_now(void)
{
	int64_t ms;

	return source_date(&ms) ? ms : timestamp_clock();
}

static void put_number(char *text, size_t len, int value)
{
	while (len-- > 0) {
		text[len] = (char)('0' + value % 10);
		value /= 10;
	}
}

void timestamp_format(int64_t ms, char ret_text[static TIMESTAMP_SIZE])
{
	int fraction = (int)((ms % 1000 + 1000) % 1000);
	time_t seconds = (time_t)((ms - fraction) / 1000);
	struct tm tm;

	assert(ms >= TIMESTAMP_MIN && ms <= TIMESTAMP_MAX);
	gmtime_r(&seconds, &tm);
	memcpy(ret_text, "0000-00-00T00:00:00.000Z", TIMESTAMP_SIZE);
	put_number(ret_text, 4, tm.tm_year + 1900);
	put_number(ret_text + 5, 2, tm.tm_mon + 1);
	put_number(ret_text + 8, 2, tm.tm_mday);
	put_number(ret_text + 11, 2, tm.tm_hour);
	put_number(ret_text + 14, 2, tm.tm_min);
	put_number(ret_text + 17, 2, tm.tm_sec);
	put_number(ret_text + 20, 3, fraction);
}

/* The number in these characters; -1 if they are not all digits. */
static int number_at(struct view text, size_t start, size_t len)
{
	int value = 0;

	for (size_t i = start; i < start + len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return -1;
		value = value * 10 + (text.data[i] - '0');
	}
	return value;
}

/* The milliseconds in ".139Z"; -1 if it is something else. */
static int parse_fraction(struct view text)
{
	int ms = 0;

	if (view_equal_str(text, "Z"))
		return 0;
	if (text.len < 3 || text.len > 11 || text.data[0] != '.' ||
		text.data[text.len - 1] != 'Z')
		return -1;
	if (number_at(text, 1, text.len - 2) < 0)
		return -1;
	for (size_t i = 1; i <= 3; i++)
		ms = ms * 10 + (i < text.len - 1 ? text.data[i] - '0' : 0);
	return ms;
}

static bool parse_fields(struct view text, struct tm *ret_tm)
{
	static const char pattern[] = "0000-00-00T00:00:00";
	const size_t pattern_len = sizeof(pattern) - 1;
	struct tm tm = {0};

	if (text.len <= pattern_len)
		return false;
	for (size_t i = 0; i < pattern_len; i++)
		if (pattern[i] == '0' ? number_at(text, i, 1) < 0 : text.data[i] != pattern[i])
			return false;
	tm.tm_year = number_at(text, 0, 4) - 1900;
	tm.tm_mon = number_at(text, 5, 2) - 1;
	tm.tm_mday = number_at(text, 8, 2);
	tm.tm_hour = number_at(text, 11, 2);
	tm.tm_min = number_at(text, 14, 2);
	tm.tm_sec = number_at(text, 17, 2);
	*ret_tm = tm;
	return true;
}

int timestamp_parse(struct view text, int64_t *ret_ms, struct error *err)
{
	struct tm tm;
	struct tm normal;
	int fraction = -1;
	time_t seconds = 0;
	bool ok = parse_fields(text, &tm);

	if (ok) {
		normal = tm;
		seconds = timegm(&normal);
		fraction = parse_fraction(view_slice(text, 19, text.len));
		/* The 31st of February comes back as the 3rd of March. */
		ok = fraction >= 0 && normal.tm_mon == tm.tm_mon &&
		     normal.tm_mday == tm.tm_mday && normal.tm_hour == tm.tm_hour &&
		     normal.tm_min == tm.tm_min && normal.tm_sec == tm.tm_sec;
	}
	if (!ok) {
		CLEANUP(freep) char *excerpt = utf8_excerpt(text);

		return error_set(err, ERROR_INVALID,
			"'%s' is not a time like 2026-02-16T22:47:02.139Z", excerpt);
	}
	*ret_ms = (int64_t)seconds * 1000 + fraction;
	return 0;
}
