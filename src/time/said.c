#include "time/said.h"

#include <string.h>
#include <strings.h>

#include "util/alloc.h"
#include "util/zone.h"

#define MAX_NUMBER 100000
#define DAY_UNITS  (1U << TIME_DAY | 1U << TIME_WEEK | 1U << TIME_FORTNIGHT)

/* --- tokens ------------------------------------------------------------------ */

static const struct token *here(const struct said_reader *r, size_t ahead)
{
	static const struct token none;

	return r->at + ahead < r->end ? &r->list[r->at + ahead] : &none;
}

static bool is(const struct said_reader *r, size_t ahead, enum time_class class)
{
	return token_is(here(r, ahead), class);
}

static bool take(struct said_reader *r, enum time_class class)
{
	if (!is(r, 0, class))
		return false;
	r->at++;
	return true;
}

static bool take_value(struct said_reader *r, enum time_class class, int *ret_value)
{
	*ret_value = here(r, 0)->value[class];
	return take(r, class);
}

static bool take_unit(struct said_reader *r, enum time_unit unit)
{
	if (!is(r, 0, CLASS_UNIT) || here(r, 0)->value[CLASS_UNIT] != (int)unit)
		return false;
	r->at++;
	return true;
}

/* Back to where it was: for the end of a rule that does not fit. */
static bool back(struct said_reader *r, size_t start)
{
	r->at = start;
	return false;
}

/* Is this where a phrase can end: the text follows, or nothing? */
static bool at_border(const struct said_reader *r)
{
	return r->at >= r->end || is(r, 0, CLASS_CONNECT) || is(r, 0, CLASS_THANKS) ||
	       (r->at && r->list[r->at - 1].clause);
}

/* "twenty", "45", "forty five" */
static bool take_number(struct said_reader *r, int *ret_number)
{
	int more;

	if (!take_value(r, CLASS_NUMBER, ret_number) || *ret_number > MAX_NUMBER)
		return false;
	more = here(r, 0)->value[CLASS_NUMBER];
	if (*ret_number >= 20 && *ret_number % 10 == 0 && is(r, 0, CLASS_NUMBER) && more > 0 &&
		more < 10) {
		*ret_number += more;
		r->at++;
	}
	return true;
}

/* "and" or a comma between the members of a list. */
static bool take_and(struct said_reader *r)
{
	return take(r, CLASS_AND) || (r->at && r->list[r->at - 1].clause);
}

/* --- how long ---------------------------------------------------------------- */

/* "and a half" */
static int take_fraction_more(struct said_reader *r)
{
	size_t start = r->at;
	int sixtieths;

	if ((take(r, CLASS_AND) || take(r, CLASS_PLUS)) &&
		(take(r, CLASS_ARTICLE), take_value(r, CLASS_FRACTION, &sixtieths)))
		return sixtieths * 100 / 60;
	return back(r, start);
}

/* "20 minutes", "half an hour", "an hour and a half", "1h20"; "hour" if `alone`. */
static bool take_one_span(struct said_reader *r, bool alone, struct span *span, int *ret_unit)
{
	size_t start = r->at;
	int hundredths = 100;
	int number;

	if (is(r, 0, CLASS_SPAN)) {
		*span = (struct span){span->seconds + here(r, 0)->span.seconds,
			span->days + here(r, 0)->span.days,
			span->months + here(r, 0)->span.months};
		*ret_unit = 0;
		r->at++;
		return true;
	}
	if (is(r, 0, CLASS_ARTICLE) && is(r, 1, CLASS_FRACTION))
		r->at++;
	if (take_value(r, CLASS_FRACTION, &number)) {
		hundredths = number * 100 / 60;
		take(r, CLASS_OF);
		take(r, CLASS_ARTICLE);
	} else if (take_value(r, CLASS_DECIMAL, &number)) {
		hundredths = number;
	} else if (take_number(r, &number)) {
		hundredths = number * 100 + take_fraction_more(r);
	} else if (!take(r, CLASS_ARTICLE) && !alone) {
		return false;
	}
	if (!take_value(r, CLASS_UNIT, ret_unit))
		return back(r, start);
	hundredths += take_fraction_more(r);
	return span_add(span, (enum time_unit) * ret_unit, hundredths) || back(r, start);
}

static bool take_span(struct said_reader *r, bool alone, struct span *ret_span)
{
	struct span span = {0};
	size_t start;
	int unit;
	int minutes;

	if (!take_one_span(r, alone, &span, &unit))
		return false;
	for (;;) {
		struct span longer = span;

		start = r->at;
		take(r, CLASS_AND);
		if (!take_one_span(r, false, &longer, &unit))
			break;
		span = longer;
	}
	r->at = start;
	/* "1 hour 20" */
	if (unit == TIME_HOUR && take_number(r, &minutes)) {
		if (minutes < 60 && at_border(r))
			span.seconds += (int64_t)minutes * 60;
		else
			r->at = start;
	}
	*ret_span = span;
	return true;
}

/* --- clocks ------------------------------------------------------------------ */

/* "ten past 3", "quarter to six", "halb sechs": minutes before or after an hour. */
static bool take_spoken(struct said_reader *r, struct clock *clock)
{
	size_t start = r->at;
	int minutes = 30;
	int hour;
	bool to = take(r, CLASS_HALFTO);

	if (!to) {
		if (!take_value(r, CLASS_FRACTION, &minutes) && !take_number(r, &minutes))
			return false;
		take_unit(r, TIME_MINUTE);
		to = !is(r, 0, CLASS_PAST);
		if (!take(r, CLASS_PAST) && !take(r, CLASS_TO))
			return back(r, start);
	}
	if (!take_value(r, CLASS_NUMBER, &hour) || hour < 1 || hour > 12 || minutes < 1 ||
		minutes > 45 || is(r, 0, CLASS_UNIT) ||
		(to && minutes == 30 && start + 2 < r->at))
		return back(r, start);
	*clock = (struct clock){hour % 12 * 60 + (to ? -minutes : minutes), true};
	clock->minute += clock->minute < 60 ? 720 : 0; /* 12:10, 12:50 */
	return true;
}

/* "5", "17", "eight thirty", "17 uhr 30", "seis y media" */
static bool take_hour(struct said_reader *r, struct clock *clock, bool *plain)
{
	bool letters = !is(r, 0, CLASS_CLOCK) && here(r, 0)->start < r->text.len &&
		       r->text.data[here(r, 0)->start] > '9';
	size_t start = r->at;
	int hour;
	int minute = 0;
	bool minus;

	if (!take_value(r, CLASS_NUMBER, &hour) || hour > 24)
		return back(r, start);
	*clock = (struct clock){hour * 60, hour >= 1 && hour <= 12};
	if (take(r, CLASS_OCLOCK)) {
		*plain = true;
		if (is(r, 0, CLASS_NUMBER) && here(r, 0)->value[CLASS_NUMBER] < 60 &&
			!is(r, 1, CLASS_UNIT) && !is(r, 0, CLASS_CLOCK))
			take_number(r, &minute);
	} else if (is(r, 0, CLASS_PLUS) || is(r, 0, CLASS_MINUS)) {
		minus = is(r, 0, CLASS_MINUS);
		r->at++;
		if (take_value(r, CLASS_FRACTION, &minute) || take_number(r, &minute)) {
			minute = minus ? -minute : minute;
			*plain = true;
		} else {
			r->at--;
		}
	} else if (letters && is(r, 0, CLASS_NUMBER) && !is(r, 1, CLASS_UNIT) &&
		   here(r, 0)->value[CLASS_NUMBER] >= 10 &&
		   r->text.data[here(r, 0)->start] > '9') {
		take_number(r, &minute);
	}
	if (minute >= 60 || (minute && hour == 24))
		return back(r, start);
	clock->minute += minute;
	return true;
}

static bool take_clock(struct said_reader *r, struct clock *ret_clock, bool *ret_plain)
{
	struct clock clock = {0};
	size_t start = r->at;
	bool plain = true;
	bool am;

	take(r, CLASS_THE);
	if (take_value(r, CLASS_NOON, &clock.minute)) {
		clock.bare = false;
	} else if (is(r, 0, CLASS_CLOCK)) {
		clock = (struct clock){here(r, 0)->value[CLASS_CLOCK], here(r, 0)->bare};
		plain = here(r, 0)->plain;
		r->at++;
		if (take(r, CLASS_OCLOCK))
			plain = true;
	} else if (!take_spoken(r, &clock)) {
		plain = false;
		if (!take_hour(r, &clock, &plain))
			return back(r, start);
	}
	am = is(r, 0, CLASS_AM);
	if ((am || is(r, 0, CLASS_PM)) && clock.minute >= 30 && clock.minute < 780 &&
		(clock.bare || plain)) {
		if (!clock.bare && clock.minute < 60)
			return back(r, start);
		r->at++;
		clock.minute = clock.minute % 720 + (am ? 0 : 720);
		clock.bare = false;
		plain = true;
	}
	*ret_clock = clock;
	*ret_plain = plain;
	return true;
}

/* More times behind the first: ", 12:00 and at 18". */
static void take_more_clocks(struct said_reader *r, struct said *said)
{
	while (said->clock_count < SAID_MAX_TIMES) {
		size_t start = r->at;
		bool or = take(r, CLASS_OR);
		bool told;
		bool plain;
		struct clock clock;

		if (! or &&!take_and(r)) {
			r->at = start;
			return;
		}
		told = take(r, CLASS_AT);
		if (!take_clock(r, &clock, &plain) || is(r, 0, CLASS_UNIT) ||
			is(r, 0, CLASS_TIMES) ||
			!(plain || at_border(r) || is(r, 0, CLASS_AND) ||
				is(r, 0, CLASS_EVERY) || is(r, 0, CLASS_REPEAT) ||
				(told && r->front))) {
			r->at = start;
			return;
		}
		said->clocks[said->clock_count++] = clock;
		if (or)
			said->ask = "you said 'or'";
	}
}

static bool part_clock(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool told;
	bool plain;
	struct clock clock;

	if (said->clock_count || (said->has_span && said->span.seconds))
		return false;
	told = take(r, CLASS_AT) || take(r, CLASS_BY);
	if (!told && (is(r, 0, CLASS_BEFORE) || is(r, 0, CLASS_AFTER))) {
		r->at++;
		if (!take_clock(r, &clock, &plain) || !plain)
			return back(r, start);
		r->at = start + 1;
		said->ask = "you did not say how long before or after";
	} else if (!told && is(r, 0, CLASS_FOR)) {
		told = r->front;
		r->at++;
	}
	while (take(r, CLASS_FUZZ))
		told = true;
	/* "tomorrow 7": a number where a time is missing. */
	if (!told && is(r, 0, CLASS_NUMBER) && said->date_count && r->at) {
		size_t number = r->at;

		if (take_clock(r, &clock, &plain) && !plain && at_border(r)) {
			told = true;
			said->ask = "you said no 'at'";
		}
		r->at = number;
	}
	if (!take_clock(r, &clock, &plain) || (!plain && !told) ||
		(!plain && (is(r, 0, CLASS_UNIT) || is(r, 0, CLASS_TIMES))))
		return back(r, start);
	said->clocks[said->clock_count++] = clock;
	take(r, CLASS_FUZZ);
	take_more_clocks(r, said);
	return true;
}

static bool part_of_day(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	int part = 0;

	if (said->part)
		return false;
	if (take(r, CLASS_TONIGHT)) {
		if (said->date_count)
			return back(r, start);
		said->dates[said->date_count++] = (struct date){.kind = DATE_IN_DAYS};
		said->part = PART_TONIGHT;
		return true;
	}
	if (take(r, CLASS_THIS)) {
		if (said->date_count || !take_value(r, CLASS_PART, &part))
			return back(r, start);
		said->dates[said->date_count++] = (struct date){.kind = DATE_IN_DAYS};
	} else if (is(r, 1, CLASS_PART) && (is(r, 0, CLASS_INTHE) || is(r, 0, CLASS_AT))) {
		/* "in the morning" is one part, "in morning" none. */
		r->at++;
		take_value(r, CLASS_PART, &part);
	} else if (is(r, 0, CLASS_PARTS) ||
		   ((is(r, 0, CLASS_ON) || is(r, 0, CLASS_INTHE)) && is(r, 1, CLASS_PARTS))) {
		take(r, is(r, 0, CLASS_PARTS) ? CLASS_PARTS : CLASS_COUNT - 1);
		if (r->at == start)
			r->at += 2;
		part = r->list[r->at - 1].value[CLASS_PARTS];
		if (!said->unit) {
			said->unit = TIME_WEEK;
			said->every = 1;
		}
		if (!said->days)
			said->days = ALL_DAYS;
	} else if (!(said->date_count || said->unit || said->clock_count || said->has_span) ||
		   !take_value(r, CLASS_PART, &part)) {
		return false;
	}
	said->part = (enum day_part)part;
	return true;
}

/* --- days -------------------------------------------------------------------- */

static bool take_year(struct said_reader *r, int *ret_year)
{
	int year = here(r, 0)->value[CLASS_NUMBER];

	*ret_year = 0;
	if (!is(r, 0, CLASS_NUMBER) || year < 1970 || year > 9999)
		return false;
	*ret_year = year;
	r->at++;
	return true;
}

/* "3rd of March 2027", "March 3", "3 March" */
static bool take_named_date(struct said_reader *r, struct date *date)
{
	size_t start = r->at;
	int month;
	int day = 0;
	int year;

	take(r, CLASS_THE);
	if (take_value(r, CLASS_MONTH, &month)) {
		take(r, CLASS_THE);
		if (!take_value(r, CLASS_ORDINAL, &day) && !take_value(r, CLASS_NUMBER, &day))
			return back(r, start);
	} else {
		if (!take_value(r, CLASS_ORDINAL, &day) && !take_value(r, CLASS_NUMBER, &day))
			return back(r, start);
		take(r, CLASS_OF);
		if (!take_value(r, CLASS_MONTH, &month))
			return back(r, start);
		take(r, CLASS_OF); /* "de 2027" */
	}
	if (is(r, 0, CLASS_UNIT) || (is(r, 0, CLASS_AM) || is(r, 0, CLASS_PM)))
		return back(r, start);
	take_year(r, &year);
	*date = (struct date){.kind = DATE_FULL, .number = day, .month = month, .year = year};
	return true;
}

static bool take_full_date(struct said_reader *r, bool told, struct date *date)
{
	const struct token *token = here(r, 0);

	if (token_is(token, CLASS_DATE) && (told || !token_is(token, CLASS_DECIMAL))) {
		*date = (struct date){.kind = DATE_FULL,
			.number = token->date.day,
			.month = token->date.month,
			.year = token->date.year};
		/* The clock of "2026-12-25T18:00" is read next. */
		if (!token_is(token, CLASS_CLOCK) || token_is(token, CLASS_DECIMAL))
			r->at++;
		return true;
	}
	return take_named_date(r, date);
}

/* "first Monday of next month", "last Friday of March" */
static bool take_nth(struct said_reader *r, struct date *date, bool *ret_every)
{
	size_t start = r->at;
	int nth = -1;
	int weekday;

	*ret_every = false;
	take(r, CLASS_THE);
	if (!take(r, CLASS_LAST) && !take_value(r, CLASS_ORDINAL, &nth))
		return back(r, start);
	if (nth > 5 || !take_value(r, CLASS_WEEKDAY, &weekday))
		return back(r, start);
	*date = (struct date){.kind = DATE_NTH, .number = weekday, .nth = nth};
	if (take(r, CLASS_EVERY) || (take(r, CLASS_OF) && take(r, CLASS_EVERY))) {
		*ret_every = true;
		return take_unit(r, TIME_MONTH) || back(r, start);
	}
	if (r->list[r->at - 1].value[CLASS_WEEKDAY] == weekday &&
		!token_is(&r->list[r->at - 1], CLASS_OF))
		return back(r, start);
	if (take_value(r, CLASS_MONTH, &date->month)) {
		take_year(r, &date->year);
		return true;
	}
	if (take(r, CLASS_NEXT))
		date->year = -1; /* next month */
	else if (!take(r, CLASS_THE) && !take(r, CLASS_THIS))
		return back(r, start);
	return take_unit(r, TIME_MONTH) || back(r, start);
}

static bool take_weekday(struct said_reader *r, bool told, struct date *date)
{
	size_t start = r->at;
	bool next = take(r, CLASS_NEXT);
	bool slip;
	bool prefix = next || take(r, CLASS_THIS);
	int day;

	if (!prefix && told)
		take(r, CLASS_THE);
	slip = here(r, 0)->weak && !told && !prefix && !r->front;
	/* "in the sun" and "has sat" are no days. */
	if (slip || !take_value(r, CLASS_WEEKDAY, &day))
		return back(r, start);
	if (is(r, 0, CLASS_NEXT) && is(r, 1, CLASS_UNIT)) {
		next = here(r, 1)->value[CLASS_UNIT] == TIME_WEEK;
		r->at += next ? 2 : 0;
	} else if (is(r, 0, CLASS_THIS) && is(r, 1, CLASS_UNIT) &&
		   here(r, 1)->value[CLASS_UNIT] == TIME_WEEK) {
		r->at += 2;
	}
	if (!next && take_full_date(r, true, date)) {
		date->weekday = day + 1;
		return true;
	}
	/* "Friday the 20th" */
	if (!next && is(r, 0, CLASS_THE) && is(r, 1, CLASS_ORDINAL)) {
		*date = (struct date){.kind = DATE_DAY,
			.number = here(r, 1)->value[CLASS_ORDINAL],
			.weekday = day + 1};
		r->at += 2;
		return true;
	}
	*date = (struct date){.kind = next ? DATE_NEXT_WEEKDAY : DATE_WEEKDAY, .number = day};
	if (!next && take_unit(r, TIME_WEEK))
		date->days = 7; /* "Friday week" */
	return true;
}

/* "next week", "this weekend", "next month" */
static bool take_period(struct said_reader *r, struct date *date)
{
	size_t start = r->at;
	bool next = take(r, CLASS_NEXT);
	int unit;

	if (!next && !take(r, CLASS_THIS) && !take(r, CLASS_THE))
		return false;
	if (take(r, CLASS_WEEKEND)) {
		*date = (struct date){.kind = next ? DATE_NEXT_WEEKEND : DATE_WEEKEND};
		return true;
	}
	if (!next || !take_value(r, CLASS_UNIT, &unit) ||
		(unit != TIME_WEEK && unit != TIME_MONTH && unit != TIME_YEAR))
		return back(r, start);
	*date = (struct date){.kind = unit == TIME_WEEK    ? DATE_NEXT_WEEK
				      : unit == TIME_MONTH ? DATE_NEXT_MONTH
							   : DATE_NEXT_YEAR};
	/* "next week on Friday" */
	if (unit == TIME_WEEK) {
		size_t behind = r->at;
		int day;

		take(r, CLASS_ON);
		if (take_value(r, CLASS_WEEKDAY, &day))
			*date = (struct date){.kind = DATE_NEXT_WEEKDAY, .number = day};
		else
			r->at = behind;
	}
	return true;
}

static bool take_day_of_month(struct said_reader *r, bool told, struct date *date)
{
	size_t start = r->at;
	int day;
	bool the = take(r, CLASS_THE);

	/* "the second" of something, unless it was "on the second". */
	if (!take_value(r, CLASS_ORDINAL, &day) || !the || !told || is(r, 0, CLASS_WEEKDAY))
		return back(r, start);
	*date = (struct date){.kind = DATE_DAY, .number = day};
	start = r->at;
	if (take(r, CLASS_OF)) {
		if (take(r, CLASS_NEXT) && take_unit(r, TIME_MONTH)) {
			date->kind = DATE_NEXT_MONTH;
			return true;
		}
		if ((!take(r, CLASS_THE) && !take(r, CLASS_THIS)) || !take_unit(r, TIME_MONTH))
			r->at = start;
	}
	return true;
}

static bool take_date(struct said_reader *r, bool told, struct date *date)
{
	size_t start = r->at;
	int value;
	bool every;

	if (take_value(r, CLASS_DAY, &value)) {
		*date = (struct date){.kind = DATE_IN_DAYS, .number = value};
		return true;
	}
	if (take_nth(r, date, &every)) {
		if (!every)
			return true;
		return back(r, start);
	}
	if (take_weekday(r, told, date) || take_full_date(r, told, date) ||
		take_period(r, date) || take_day_of_month(r, told, date))
		return true;
	if (take(r, CLASS_MONTHEND)) {
		*date = (struct date){.kind = DATE_MONTH_END};
		return true;
	}
	if ((told || !here(r, 0)->weak) && take_value(r, CLASS_HOLIDAY, &value)) {
		*date = (struct date){
			.kind = DATE_FULL, .number = value % 100, .month = value / 100};
		take_year(r, &date->year);
		return true;
	}
	return false;
}

static bool is_possible(const struct date *date)
{
	if (date->kind == DATE_DAY || (date->kind == DATE_NEXT_MONTH && date->number))
		return date->number >= 1 && date->number <= 31;
	return date->kind != DATE_FULL ||
	       (date->number >= 1 &&
		       date->number <=
			       civil_month_length(date->year ? date->year : 2000, date->month));
}

static void check_date(const struct said_reader *r, size_t start, struct said *said)
{
	const struct date *date = &said->dates[said->date_count - 1];

	for (size_t i = start; i < r->at; i++)
		if (r->list[i].slip && token_is(&r->list[i], CLASS_DATE))
			said->cannot = "I cannot tell which of the two numbers is the month; "
				       "please write it as a word, such as '3 April'.";
	if (!is_possible(date))
		said->cannot = "There is no such day in the calendar.";
}

/* "in March": its first day */
static bool take_month(struct said_reader *r, struct date *date)
{
	size_t start = r->at;
	int month;

	if (!take(r, CLASS_IN) || !take_value(r, CLASS_MONTH, &month))
		return back(r, start);
	*date = (struct date){.kind = DATE_FULL, .number = 1, .month = month};
	take_year(r, &date->year);
	return true;
}

static bool part_date(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	struct date date;
	bool told = take(r, CLASS_ON) || take(r, CLASS_BY);
	bool at = !told && take(r, CLASS_AT);
	bool sure = true;

	if (said->date_count || (said->unit && said->days) || said->has_span)
		return back(r, start);
	if (!told && !at && (is(r, 0, CLASS_BEFORE) || is(r, 0, CLASS_AFTER)) && r->front) {
		told = true;
		sure = false;
		r->at++;
	} else if (!told && !at && take(r, CLASS_FOR)) {
		told = r->front;
	}
	if (at && !is(r, 0, CLASS_HOLIDAY) && !is(r, 0, CLASS_MONTHEND) &&
		!is(r, 1, CLASS_WEEKEND) && !is(r, 0, CLASS_DATE))
		return back(r, start);
	if (at && is(r, 0, CLASS_DECIMAL))
		return back(r, start); /* "at 18.45" */
	if (!take_date(r, told || at || said->unit || (r->front && said->clock_count), &date)) {
		r->at = start;
		if (!take_month(r, &date))
			return false;
	}
	if (!sure)
		said->ask = "you did not say how long before or after";
	if (date.kind == DATE_NTH && !date.month && !date.year)
		said->ask = "I took it once; say 'of every month' if it repeats";
	said->dates[said->date_count++] = date;
	check_date(r, start, said);
	while (said->date_count < SAID_MAX_TIMES) {
		size_t behind = r->at;

		if (take(r, CLASS_OR))
			sure = false;
		else if (!take_and(r))
			break;
		take(r, CLASS_ON);
		start = r->at;
		if (!take_date(r, told || date.kind == DATE_WEEKDAY, &date) ||
			(date.kind == DATE_DAY && said->dates[0].kind != DATE_DAY)) {
			r->at = behind;
			break;
		}
		/* "Saturday, the 21st of November" is one day. */
		if (said->date_count == 1 && said->dates[0].kind == DATE_WEEKDAY &&
			date.kind == DATE_FULL && r->list[behind - 1].clause) {
			date.weekday = said->dates[0].number + 1;
			said->dates[0] = date;
		} else {
			said->dates[said->date_count++] = date;
		}
		if (!sure)
			said->ask = "you said 'or'";
		check_date(r, start, said);
	}
	return true;
}

/* --- again and again --------------------------------------------------------- */

static void repeat(struct said *said, enum time_unit unit, int every, unsigned days)
{
	said->unit = unit == TIME_FORTNIGHT ? TIME_WEEK
		     : unit == TIME_QUARTER ? TIME_MONTH
					    : unit;
	said->every = every * (unit == TIME_FORTNIGHT ? 2 : unit == TIME_QUARTER ? 3 : 1);
	said->by_clock = unit == TIME_FORTNIGHT;
	said->days = days;
}

/* "monday", "monday to friday", "mondays, wednesdays and fridays", "weekdays" */
static bool take_days(
	struct said_reader *r, bool plural_only, unsigned *ret_days, bool *ret_range)
{
	unsigned days = 0;
	size_t start = r->at;

	*ret_range = false;
	for (;;) {
		size_t behind = r->at;
		int day;
		int last;
		int set;

		if (days && !take_and(r) && !take(r, CLASS_OR))
			break;
		take(r, CLASS_ON);
		if (take_value(r, plural_only ? CLASS_DAYSETS : CLASS_DAYSET, &set)) {
			days |= (unsigned)set;
			continue;
		}
		if (plural_only ? !take_value(r, CLASS_WEEKDAYS, &day)
				: !take_value(r, CLASS_WEEKDAY, &day) &&
					  !take_value(r, CLASS_WEEKDAYS, &day)) {
			/* The day that a range begins with needs no plural. */
			if (days || !plural_only || !is(r, 0, CLASS_WEEKDAY) ||
				!is(r, 1, CLASS_RANGE) || !is(r, 2, CLASS_WEEKDAY)) {
				r->at = behind;
				break;
			}
			take_value(r, CLASS_WEEKDAY, &day);
		}
		days |= 1U << day;
		behind = r->at;
		if (take(r, CLASS_RANGE) && (take_value(r, CLASS_WEEKDAY, &last) ||
						    take_value(r, CLASS_WEEKDAYS, &last))) {
			for (; day != last; day = (day + 1) % 7)
				days |= 1U << day;
			days |= 1U << last;
			*ret_range = true;
		} else {
			r->at = behind;
		}
	}
	*ret_days = days;
	return days || back(r, start);
}

static bool every_nth(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool last = take(r, CLASS_LAST);
	bool other = !last && is(r, 0, CLASS_OTHER);
	int nth = last ? -1 : 0;
	int unit;
	unsigned days;
	bool range;
	bool of_month;

	if (!last && !take_value(r, CLASS_ORDINAL, &nth) && !take(r, CLASS_OTHER))
		return false;
	nth = nth ? nth : 2;
	if (take_days(r, false, &days, &range) && days != ALL_DAYS && days) {
		size_t behind = r->at;

		of_month = take(r, CLASS_OF) && (take(r, CLASS_THE) || take(r, CLASS_EVERY)) &&
			   take_unit(r, TIME_MONTH);
		if (!of_month)
			r->at = behind;
		if (nth > 5) {
			said->cannot = "No month has that many of them.";
			nth = 5;
		}
		if (other && !of_month) {
			repeat(said, TIME_WEEK, 2, days);
			/* "every second Tuesday" may be that of a month. */
			if (token_is(&r->list[start], CLASS_ORDINAL))
				said->ask = "it could also be that of the month";
			if (days == WORKING_DAYS)
				said->ask = "I took the weekdays of every other week";
			return true;
		}
		repeat(said, TIME_MONTH, 1, days);
		said->nth = nth;
		if (!of_month && nth > 1)
			said->ask = "I took those of a month";
		return true;
	}
	r->at = start + 1;
	if (!last && take_value(r, CLASS_UNIT, &unit) && unit >= TIME_HOUR) {
		repeat(said, (enum time_unit)unit, nth * (unit == TIME_FORTNIGHT ? 2 : 1), 0);
		said->by_clock = unit > TIME_HOUR;
		if (unit == TIME_DAY && !is(r, 0, CLASS_OF))
			return true;
		if (unit != TIME_DAY)
			return true;
	}
	return back(r, start);
}

/* "every 3rd of the month", "every March 3rd" */
static bool every_date(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	struct date date;
	int day;

	if (said->date_count)
		return false;
	if (take_full_date(r, true, &date) && !date.year) {
		repeat(said, TIME_YEAR, 1, 0);
		said->dates[said->date_count++] = date;
		check_date(r, start, said);
		return true;
	}
	r->at = start;
	if (take_value(r, CLASS_HOLIDAY, &day)) {
		repeat(said, TIME_YEAR, 1, 0);
		said->dates[said->date_count++] = (struct date){
			.kind = DATE_FULL, .number = day % 100, .month = day / 100};
		return true;
	}
	if (!take_value(r, CLASS_ORDINAL, &day) || is(r, 0, CLASS_WEEKDAY))
		return back(r, start);
	repeat(said, TIME_MONTH, 1, 0);
	said->dates[said->date_count++] = (struct date){.kind = DATE_DAY, .number = day};
	check_date(r, start, said);
	start = r->at;
	take(r, CLASS_DAYSET);
	if (!take(r, CLASS_OF) || !(take(r, CLASS_THE) || take(r, CLASS_EVERY)) ||
		!take_unit(r, TIME_MONTH))
		r->at = start;
	return true;
}

/* "every 2 hours", "every hour and a half", "every day" */
static bool every_span(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	struct span span = {0};
	int64_t seconds;

	if (!take_span(r, true, &span))
		return false;
	seconds = span.seconds + (int64_t)span.days * 86400;
	if (seconds && span.months)
		return back(r, start);
	if (span.months)
		repeat(said, span.months % 12 ? TIME_MONTH : TIME_YEAR,
			span.months % 12 ? span.months : span.months / 12, 0);
	else if (seconds % (7 * 86400) == 0)
		repeat(said, TIME_WEEK, (int)(seconds / (7 * 86400)), 0);
	else if (seconds % 86400 == 0)
		repeat(said, TIME_DAY, (int)(seconds / 86400), 0);
	else
		repeat(said, TIME_SECOND, (int)seconds, 0);
	if (seconds < 60 && !span.months)
		said->cannot = "Once a minute is as often as I can.";
	if (seconds > (int64_t)3650 * 86400 || span.months > 120)
		said->cannot = "That is less than once in ten years.";
	return true;
}

static bool take_every(struct said_reader *r, struct said *said)
{
	unsigned days;
	bool range;
	int part;

	if (every_nth(r, said))
		return true;
	if (take_days(r, false, &days, &range)) {
		repeat(said, TIME_WEEK, 1, days);
		return true;
	}
	if (!said->part && take_value(r, CLASS_PART, &part)) {
		repeat(said, TIME_WEEK, 1, ALL_DAYS);
		said->part = (enum day_part)part;
		return true;
	}
	if (!said->part && take(r, CLASS_TONIGHT)) {
		repeat(said, TIME_WEEK, 1, ALL_DAYS);
		said->part = PART_NIGHT;
		return true;
	}
	if (is(r, 0, CLASS_NOON)) {
		repeat(said, TIME_WEEK, 1, ALL_DAYS);
		return true;
	}
	return every_span(r, said) || every_date(r, said);
}

/* "twice a day", "3 times a week", "once a day" */
static bool take_per(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	int times = 1;

	if (!take_value(r, CLASS_ONCE, &times) &&
		!(take_number(r, &times) && take(r, CLASS_TIMES)))
		return back(r, start);
	if (take(r, CLASS_REPEAT))
		r->at--;
	else if (!take(r, CLASS_PER))
		return back(r, start);
	if (is(r, 0, CLASS_REPEAT)) {
		repeat(said, (enum time_unit)here(r, 0)->value[CLASS_REPEAT], 1,
			here(r, 0)->value[CLASS_REPEAT] == TIME_DAY ? ALL_DAYS : 0);
		r->at++;
	} else if (!take_every(r, said)) {
		return back(r, start);
	}
	said->per = times;
	return true;
}

static bool part_repeat(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	struct date date;
	unsigned days;
	bool every;
	bool range;
	int unit;

	/* "every 2 hours on weekdays", "weekly on Monday and Friday" */
	if (said->unit && !said->days && !said->date_count && !said->nth &&
		said->unit <= TIME_WEEK) {
		bool on = take(r, CLASS_ON);

		if (take_days(r, !on || said->unit != TIME_WEEK, &days, &range)) {
			said->days = days;
			if (said->every > 1)
				said->by_clock = true;
			return true;
		}
		return back(r, start);
	}
	if (said->unit) {
		/* "every day of every month" has its repetition. */
		return false;
	}
	if (take_per(r, said) || (take(r, CLASS_EVERY) && take_every(r, said)))
		return true;
	r->at = start;
	take(r, CLASS_ON);
	if (take(r, CLASS_EVERYMONTHEND) ||
		((take(r, CLASS_MONTHEND) || true) && is(r, 0, CLASS_EVERYMONTHEND))) {
		repeat(said, TIME_MONTH, 1, 0);
		said->dates[said->date_count++] = (struct date){.kind = DATE_MONTH_END};
		return true;
	}
	r->at = start;
	take(r, CLASS_ON);
	if (take_nth(r, &date, &every) && every) {
		repeat(said, TIME_MONTH, 1, 1U << date.number);
		said->nth = date.nth;
		return true;
	}
	r->at = start;
	if (take_value(r, CLASS_REPEAT, &unit)) {
		repeat(said, (enum time_unit)unit, 1, unit == TIME_DAY ? ALL_DAYS : 0);
		if (unit == TIME_FORTNIGHT)
			said->by_clock = true;
		return true;
	}
	/* "of every month" behind a day */
	if (said->date_count == 1 && take(r, CLASS_OF) && take(r, CLASS_EVERY) &&
		take_unit(r, TIME_MONTH)) {
		repeat(said, TIME_MONTH, 1, 0);
		return true;
	}
	r->at = start;
	if (!take(r, CLASS_ON) && !take(r, CLASS_AT))
		take(r, CLASS_FROM);
	if (take_days(r, true, &days, &range) && !said->date_count) {
		repeat(said, TIME_WEEK, 1, days);
		return true;
	}
	return back(r, start);
}

/* --- the limits of a repetition ---------------------------------------------- */

/* Does a repetition stand somewhere behind: "for a week every day"? */
static bool repeats_later(const struct said_reader *r)
{
	for (size_t i = r->at; i < r->end; i++)
		if (token_is(&r->list[i], CLASS_EVERY) || token_is(&r->list[i], CLASS_REPEAT) ||
			token_is(&r->list[i], CLASS_WEEKDAYS) ||
			token_is(&r->list[i], CLASS_DAYSETS))
			return true;
	return false;
}

/* A day, a clock or both, and nothing more. */
static bool take_moment(struct said_reader *r, struct date *ret_date, struct clock *ret_clock,
	bool *ret_has_clock)
{
	struct said_reader inner = *r;
	struct said said = {0};

	inner.front = true;
	while (said.date_count + said.clock_count < 2)
		if (!part_date(&inner, &said) && !part_clock(&inner, &said)) {
			bool plain;

			if (said.clock_count || !take_clock(&inner, &said.clocks[0], &plain))
				break;
			said.clock_count = 1;
		}
	if ((!said.date_count && !said.clock_count) || said.date_count > 1 ||
		said.clock_count > 1 || said.cannot || said.ask)
		return false;
	*ret_date = said.dates[0];
	*ret_clock = said.clocks[0];
	*ret_has_clock = said.clock_count;
	r->at = inner.at;
	return true;
}

static bool take_window(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool between = take(r, CLASS_BETWEEN);
	struct clock first;
	struct clock last;
	bool plain;

	if (said->has_window || (!between && !take(r, CLASS_FROM)) ||
		!take_clock(r, &first, &plain) ||
		!(between ? take(r, CLASS_AND)
			  : take(r, CLASS_RANGE) || take(r, CLASS_UNTIL)) ||
		!take_clock(r, &last, &plain))
		return back(r, start);
	said->has_window = true;
	said->window[0] = first;
	said->window[1] = last;
	return true;
}

static bool part_limit(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	struct clock clock;
	bool has_clock;
	bool range;
	int count;

	if (!said->unit && !repeats_later(r))
		return false;
	if (!said->except && said->days && take(r, CLASS_EXCEPT)) {
		take(r, CLASS_ON);
		take(r, CLASS_THE);
		return take_days(r, false, &said->except, &range) || back(r, start);
	}
	if (take_window(r, said))
		return true;
	if (!said->has_until && take(r, CLASS_UNTIL)) {
		if (!take_moment(r, &said->until, &said->until_clock, &said->has_until_clock))
			return back(r, start);
		said->has_until = true;
		return true;
	}
	if (said->from.kind == DATE_NONE && (take(r, CLASS_STARTING) || take(r, CLASS_FROM))) {
		struct date from;

		if (!take_moment(r, &from, &clock, &has_clock) || from.kind == DATE_NONE ||
			(has_clock && said->clock_count))
			return back(r, start);
		said->from = from;
		if (has_clock)
			said->clocks[said->clock_count++] = clock;
		/* "from 1 March to 5 March" */
		start = r->at;
		if (!said->has_until && take(r, CLASS_RANGE) &&
			take_moment(
				r, &said->until, &said->until_clock, &said->has_until_clock))
			said->has_until = true;
		else
			r->at = start;
		return true;
	}
	if (!said->count && !said->lasting.seconds && !said->lasting.days &&
		!said->lasting.months) {
		if (take(r, CLASS_FOR)) {
			take(r, CLASS_THE);
			take(r, CLASS_NEXT);
			if (take_span(r, true, &said->lasting))
				return true;
			if (take_number(r, &count) && take(r, CLASS_TIMES)) {
				said->count = count;
				return true;
			}
			return back(r, start);
		}
		if (take_number(r, &count) && count > 0 && take(r, CLASS_TIMES)) {
			said->count = count;
			return true;
		}
	}
	return back(r, start);
}

/* --- from now on, before and after ------------------------------------------- */

static bool part_span(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool in = take(r, CLASS_IN) || (r->wish == WISH_TIMER && take(r, CLASS_FOR));
	struct span span;
	struct date date;
	bool fuzz = take(r, CLASS_FUZZ);

	if (said->has_span || said->unit)
		return back(r, start);
	if (take(r, CLASS_FEW)) {
		if (!in && !r->front)
			return back(r, start);
		take(r, CLASS_UNIT);
		said->cannot = "I need a number, such as 'in 5 minutes'.";
		said->has_span = true;
		return true;
	}
	/* "the day before …" */
	if (!in && !fuzz && is(r, 0, CLASS_THE) && is(r, 1, CLASS_UNIT) &&
		(is(r, 2, CLASS_BEFORE) || is(r, 2, CLASS_AFTER)))
		r->at++;
	if (!take_span(r, r->at > start && !in && !fuzz, &span))
		return back(r, start);
	in = in || take(r, CLASS_NOW) || (r->wish == WISH_TIMER && r->front);
	if (!in && !said->offset_sign && (is(r, 0, CLASS_BEFORE) || is(r, 0, CLASS_AFTER))) {
		said->offset_sign = is(r, 0, CLASS_BEFORE) ? -1 : 1;
		said->offset = span;
		r->at++;
		return true;
	}
	if (in && said->date_count == 1 && !span.seconds && !span.months &&
		said->dates[0].kind == DATE_WEEKDAY && span.days % 7 == 0) {
		said->dates[0].days = span.days;
		said->ask = "I counted the weeks from this one";
		return true;
	}
	if (!in && (take(r, CLASS_FROM) || take(r, CLASS_ON)) && !span.seconds &&
		!span.months && !said->date_count && take_date(r, true, &date)) {
		date.days += span.days;
		said->dates[said->date_count++] = date;
		if (token_is(&r->list[start], CLASS_IN))
			said->ask = "I counted from that day";
		check_date(r, start, said);
		return true;
	}
	if (!in || said->date_count || (said->clock_count && span.seconds))
		return back(r, start);
	said->has_span = true;
	said->span = span;
	return true;
}

/* --- where ------------------------------------------------------------------- */

/* A place with a zone of its own name, before the word "time": "Lisbon time". */
static bool take_city(struct said_reader *r, struct said *said)
{
	const struct token *token = here(r, 0);
	CLEANUP(freep) char *word = NULL;
	CLEANUP(freep) char *found = NULL;
	static char name[ZONE_NAME_MAX + 1];
	const char *last;

	if (token->classes[0] || token->classes[1] || r->at >= r->end ||
		!is(r, 1, CLASS_CLOCKWORD))
		return false;
	word = xmemdupz(r->text.data + token->start, token->end - token->start);
	found = zone_suggest(word);
	last = found ? strrchr(found, '/') : NULL;
	if (!last || strcasecmp(last + 1, word) != 0 || strlen(found) > ZONE_NAME_MAX)
		return false;
	memcpy(name, found, strlen(found) + 1);
	said->zone = name;
	r->at += 2;
	return true;
}

static bool part_zone(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool in = take(r, CLASS_IN);
	int zone;

	if (said->zone || !(said->clock_count || said->unit || said->date_count))
		return back(r, start);
	if (take_city(r, said))
		return true;
	if (!take_value(r, CLASS_ZONE, &zone))
		return back(r, start);
	said->zone = language_zone(r->language, zone);
	if (r->list[r->at - 1].weak && !is(r, 0, CLASS_CLOCKWORD) && !in && !at_border(r))
		said->ask = "I took a name for a time zone";
	if (!take(r, CLASS_CLOCKWORD) && in)
		said->ask = "I took the place for the time zone";
	if (!*said->zone)
		said->cannot =
			"I do not know which time zone that is; please name a city, such "
			"as 'Chicago time'.";
	return true;
}

/* --- the whole --------------------------------------------------------------- */

static bool part_unclear(struct said_reader *r, struct said *said)
{
	if (is(r, 0, CLASS_BAD) ||
		((is(r, 0, CLASS_AT) || is(r, 0, CLASS_ON)) && is(r, 1, CLASS_BAD))) {
		r->at += is(r, 0, CLASS_BAD) ? 1 : 2;
		said->cannot = "There is no such time, or no such day in the calendar.";
		return true;
	}
	if (r->front && is(r, 0, CLASS_VAGUE)) {
		r->at++;
		said->cannot = "I need a time, such as 'in 5 minutes' or 'tomorrow at 9'.";
		return true;
	}
	return false;
}

bool said_part(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool found = part_repeat(r, said) || part_limit(r, said) || part_span(r, said) ||
		     part_date(r, said) || part_of_day(r, said) || part_clock(r, said) ||
		     part_zone(r, said) || part_unclear(r, said);

	for (size_t i = start; found && i < r->at; i++)
		if (r->list[i].slip && !token_is(&r->list[i], CLASS_DATE))
			said->ask = "a word looks mistyped";
	return found;
}

bool said_phrase(struct said_reader *r, struct said *said)
{
	size_t start = r->at;

	while (r->at < r->end && said_part(r, said)) {
		struct said ahead = *said;
		struct said_reader further = *r;

		further.at++;
		if ((is(r, 0, CLASS_AND) || is(r, 0, CLASS_RANGE)) && further.at < r->end &&
			said_part(&further, &ahead))
			r->at++;
	}
	return r->at > start;
}

bool said_is_empty(const struct said *said)
{
	return !said->clock_count && !said->part && !said->date_count && !said->has_span &&
	       !said->unit && !said->offset_sign && !said->cannot;
}
