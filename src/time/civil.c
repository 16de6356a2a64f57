#include "time/civil.h"

#define DAY 86400

/* Years begin in March here, so that the leap day is the last of its year. */
int64_t civil_days(int year, int month, int day)
{
	int64_t shifted = (int64_t)year - (month <= 2);
	int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
	int64_t year_of_era = shifted - era * 400;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	int64_t day_of_era =
		year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * 146097 + day_of_era - 719468;
}

int64_t civil_seconds(const struct civil *civil)
{
	return civil_days(civil->year, civil->month, civil->day) * DAY + civil->hour * 3600 +
	       civil->minute * 60 + civil->second;
}

static void set_date(struct civil *civil, int64_t days)
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t day_of_era = z - era * 146097;
	int64_t year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) /
		365;
	int64_t day_of_year =
		day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t month = (5 * day_of_year + 2) / 153;

	civil->day = (int)(day_of_year - (153 * month + 2) / 5 + 1);
	civil->month = (int)(month < 10 ? month + 3 : month - 9);
	civil->year = (int)(year_of_era + era * 400 + (civil->month <= 2));
}

struct civil civil_of(int64_t seconds)
{
	int64_t rest = (seconds % DAY + DAY) % DAY;
	int64_t days = (seconds - rest) / DAY;
	struct civil civil = {
		.hour = (int)(rest / 3600),
		.minute = (int)(rest / 60 % 60),
		.second = (int)(rest % 60),
		.weekday = (int)(((days + 4) % 7 + 7) % 7),
	};

	set_date(&civil, days);
	return civil;
}

int civil_month_length(int year, int month)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : lengths[month - 1];
}

bool civil_is_valid(const struct civil *c)
{
	return c->year >= 0 && c->year <= 9999 && c->month >= 1 && c->month <= 12 &&
	       c->day >= 1 && c->day <= civil_month_length(c->year, c->month) && c->hour >= 0 &&
	       c->hour <= 23 && c->minute >= 0 && c->minute <= 59 && c->second >= 0 &&
	       c->second <= 59;
}
