/*
 * Dates and times of day as people write them, without a zone: the Gregorian calendar,
 * before its introduction, too. A civil time counted in seconds is counted as if it
 * were in UTC; zone.h makes an instant of it.
 */
#ifndef TIME_CIVIL_H
#define TIME_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

struct civil {
	int year;
	int month; /* 1 to 12 */
	int day;   /* 1 to 31 */
	int hour;
	int minute;
	int second;
	int weekday; /* 0 is Sunday; civil_seconds() does not read it */
};

/* The years 0 to 9999 in seconds since 1970. */
#define CIVIL_MIN INT64_C(-62167219200)
#define CIVIL_MAX INT64_C(253402300799)

/* Days since 1970-01-01. */
int64_t civil_days(int year, int month, int day);
int64_t civil_seconds(const struct civil *civil);

/* `seconds` within a few days of CIVIL_MIN and CIVIL_MAX at most. */
struct civil civil_of(int64_t seconds);

int civil_month_length(int year, int month);

/* Does this date and time exist? 24:00 and leap seconds do not. */
bool civil_is_valid(const struct civil *civil);

#endif
