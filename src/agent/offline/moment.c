#include "agent/offline/moment.h"

#define DAY 86400

static int64_t seconds_of_day(const struct civil *moment)
{
	return civil_seconds(moment) -
	       civil_days(moment->year, moment->month, moment->day) * DAY;
}

int moment_weekday(const struct civil *moment)
{
	return civil_of(civil_days(moment->year, moment->month, moment->day) * DAY).weekday;
}

void moment_add_days(struct civil *moment, int days)
{
	int64_t day = civil_days(moment->year, moment->month, moment->day) + days;

	*moment = civil_of(day * DAY + seconds_of_day(moment));
}

int moment_compare(const struct civil *a, const struct civil *b)
{
	int64_t left = civil_seconds(a);
	int64_t right = civil_seconds(b);

	return left < right ? -1 : left > right;
}
