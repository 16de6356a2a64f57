#include "time/phrase/rule.h"

#include "base/alloc.h"
#include "time/civil.h"

/* --- numbers and spans ------------------------------------------------------- */

/* "45", "twenty", "forty five" */
bool piece_number(struct reader *r, struct match *match)
{
	int number = reader_token(r, 0)->value[CLASS_NUMBER];
	int more = reader_token(r, 1)->value[CLASS_NUMBER];

	if (!reader_is(r, 0, CLASS_NUMBER) || number > 100000)
		return false;
	r->at++;
	if (number >= 20 && number < 100 && number % 10 == 0 && reader_is(r, 0, CLASS_NUMBER) &&
		more > 0 && more < 10) {
		number += more;
		r->at++;
	}
	VALUE(match, 'n') = number;
	return true;
}

bool piece_year(struct reader *r, struct match *match)
{
	VALUE(match, 'y') = reader_token(r, 0)->value[CLASS_NUMBER];
	return reader_is(r, 0, CLASS_NUMBER) && VALUE(match, 'y') >= 1970 &&
	       VALUE(match, 'y') <= 9999 && ++r->at;
}

/* `n` units and `f` sixtieths, or `h` hundredths; `number` if no `n` is said. */
static struct rule span_rules[] = {
	{"[article] fraction=f [of] [article] unit=u", 0, 0},
	{"<number> and|plus [article] fraction=f unit=u", 0, 0},
	{"<number> unit=u and|plus [article] fraction=f", 0, 0},
	{"<number> unit=u", 0, 0},
	{"decimal=h unit=u", 0, 0},
	{"article unit=u and|plus [article] fraction=f", 0, 1},
	{"article unit=u", 0, 1},
};
static struct rule unit_rules[] = {
	{"unit=u and|plus [article] fraction=f", 0, 1},
	{"unit=u", 0, 1},
};

static bool piece_add_span(struct reader *r, bool unit_alone, struct span *span, int *unit)
{
	struct match match = {0};
	const struct rule *rule;

	if (reader_is(r, 0, CLASS_SPAN)) {
		const struct span *more = &r->list[r->at++].span;

		*span = (struct span){span->seconds + more->seconds, span->days + more->days,
			span->months + more->months};
		return true;
	}
	rule = rule_match_any(r, span_rules, ARRAY_SIZE(span_rules), &match);
	if (!rule && unit_alone)
		rule = rule_match_any(r, unit_rules, ARRAY_SIZE(unit_rules), &match);
	if (!rule)
		return false;
	*unit = VALUE(&match, 'u');
	return span_add(span, (enum time_unit)VALUE(&match, 'u'),
		(int64_t)(VALUE(&match, 'n') + rule->number) * 100 + VALUE(&match, 'h') +
			VALUE(&match, 'f') * 100 / 60);
}

static bool piece_spans(struct reader *r, bool unit_alone, struct match *match)
{
	struct reader ahead;
	struct span span = {0};
	struct match minutes = {0};
	int unit = 0;
	int smaller = 0;

	if (!piece_add_span(r, unit_alone, &span, &unit))
		return false;
	for (ahead = *r;; *r = ahead) {
		struct span longer = span;

		ahead.at += reader_is(&ahead, 0, CLASS_AND) ? 1 : 0;
		if (!piece_add_span(&ahead, false, &longer, &smaller) ||
			(unit && smaller >= unit))
			break;
		span = longer;
		unit = smaller;
	}
	/* "1 hour 20" */
	ahead = *r;
	if (unit == TIME_HOUR && piece_number(&ahead, &minutes) && VALUE(&minutes, 'n') < 60 &&
		reader_at_border(&ahead)) {
		span.seconds += (int64_t)VALUE(&minutes, 'n') * 60;
		*r = ahead;
	}
	match->span = span;
	return true;
}

bool piece_span(struct reader *r, struct match *match)
{
	return piece_spans(r, false, match);
}

bool piece_length(struct reader *r, struct match *match)
{
	return piece_spans(r, true, match);
}

/* --- clocks ------------------------------------------------------------------ */

enum clock_flag {
	CLOCK_PLAIN = 1,     /* it is nothing but a time */
	CLOCK_TOKEN = 2,     /* "17:30" */
	CLOCK_LETTERS = 4,   /* "eight thirty", not "8 30" */
	CLOCK_TO_HOUR = 8,   /* "ten to 5", "viertel nach 17": the hour follows */
	CLOCK_NO_UNIT = 16,  /* no unit follows: "5 to 10 minutes" */
	CLOCK_NO_RANGE = 32, /* "9 to 17" */
};

/* `h` hours, and `f` minutes times `number`; or `q` minutes. */
static struct rule clock_rules[] = {
	{"[the] noon=q", 0, 0, CLOCK_PLAIN},
	{"clocktime=q oclock=o", 0, 0, CLOCK_TOKEN},
	{"clocktime=q", 0, 0, CLOCK_TOKEN},
	{"halfto=f number=h", 0, -1, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"fraction=f past number=h", 0, 1, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"fraction/15 to number=h", 0, -15, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"number=f [unit/minute] past number=h", 0, 1,
		CLOCK_PLAIN | CLOCK_TO_HOUR | CLOCK_NO_UNIT},
	{"number=f [unit/minute] to number=h", 0, -1,
		CLOCK_PLAIN | CLOCK_TO_HOUR | CLOCK_NO_UNIT | CLOCK_NO_RANGE},
	{"number=h oclock=o number=f", 0, 1, CLOCK_PLAIN | CLOCK_NO_UNIT},
	{"number=h oclock=o", 0, 0, CLOCK_PLAIN},
	{"number=h plus fraction|number=f", 0, 1, CLOCK_PLAIN},
	{"number=h minus fraction|number=f", 0, -1, CLOCK_PLAIN},
	{"number=h number=f", 0, 1, CLOCK_LETTERS | CLOCK_NO_UNIT},
	{"number=h", 0, 0, 0},
};

static bool is_letters(const struct reader *r, size_t at)
{
	return at >= r->end || r->text.data[r->list[at].start] > '9';
}

static bool clock_is_possible(const struct reader *before, const struct reader *r,
	const struct rule *rule, const struct match *match)
{
	int hour = VALUE(match, 'h');
	int minute = VALUE(match, 'f');

	if (hour > 24 || minute > 59 || (hour == 24 && minute))
		return false;
	if (rule->flags & CLOCK_TO_HOUR &&
		(hour < 1 || minute > 45 || (rule->flags & CLOCK_NO_RANGE && hour > 12)))
		return false;
	if (rule->flags & CLOCK_NO_UNIT && reader_is(r, 0, CLASS_UNIT))
		return false;
	return !(rule->flags & CLOCK_LETTERS) ||
	       (minute >= 10 && is_letters(before, before->at) &&
		       is_letters(before, r->at - 1));
}

/* "5pm" may be written apart. */
static void piece_half_of_day(struct reader *r, struct match *match)
{
	struct clock *clock = &match->clocks[match->clock_count];

	if ((!reader_is(r, 0, CLASS_AM) && !reader_is(r, 0, CLASS_PM)) || !clock->bare)
		return;
	clock->minute = clock->minute % 720 + (reader_is(r, 0, CLASS_PM) ? 720 : 0);
	clock->bare = false;
	clock->half = true;
	match->plain = true;
	r->at++;
}

bool piece_clock(struct reader *r, struct match *match)
{
	if (match->clock_count == ARRAY_SIZE(match->clocks))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(clock_rules) && r->at < r->end; i++) {
		struct rule *rule = &clock_rules[i];
		struct reader ahead = *r;
		struct match m = {0};
		int hour;
		int minute;

		if (!rule_match(&ahead, rule, &m) || !clock_is_possible(r, &ahead, rule, &m))
			continue;
		hour = VALUE(&m, 'h') == 12 && rule->flags & CLOCK_TO_HOUR ? 0 : VALUE(&m, 'h');
		minute = hour * 60 + VALUE(&m, 'q') +
			 (VALUE(&m, 'f')                       ? VALUE(&m, 'f') * rule->number
				 : rule->flags & CLOCK_TO_HOUR ? rule->number
							       : 0);
		if (rule->flags & CLOCK_TO_HOUR && minute < 60)
			minute += 720; /* 12:10, 12:50 */
		match->clocks[match->clock_count] = (struct clock){
			minute, rule->flags & CLOCK_TOKEN
					? r->list[r->at].bare
					: VALUE(&m, 'h') >= 1 && VALUE(&m, 'h') <= 12};
		match->plain = rule->flags & CLOCK_PLAIN ||
			       (rule->flags & CLOCK_TOKEN &&
				       (r->list[r->at].plain || ahead.at > r->at + 1));
		if (VALUE(&m, 'o') == 24)
			match->clocks[match->clock_count].bare = false;
		*r = ahead;
		piece_half_of_day(r, match);
		match->clock_count++;
		return true;
	}
	return false;
}

/* --- days -------------------------------------------------------------------- */

enum date_flag {
	DATE_IF_TOLD = 1,  /* only after "on" and the like */
	DATE_IF_NAMED = 2, /* an everyday word only so */
	DATE_HAS_DAY = 4,  /* `w` is a weekday beside a date */
	DATE_IF_DIGITS = 8,
	DATE_WITH_AT = 16, /* "at Christmas", too */
	DATE_WITH_IN = 32,
	DATE_ONLY_IN = 64, /* "in March" */
};

/* The letters are those of struct date: number, month, year, k is nth, w weekday. */
static struct rule full_date_rules[] = {
	{"[the] ordinal=n [of] month=m [of] [<year>]", DATE_FULL, 0},
	{"[the] number=n [of] month=m [of] [<year>]", DATE_FULL, 0},
	{"month=m [the] ordinal=n [<year>]", DATE_FULL, 0},
	{"month=m [the] number=n [<year>]", DATE_FULL, 0},
};

/* `number` is added: the nth, or days further. */
static struct rule date_rules[] = {
	{"day=n", DATE_IN_DAYS, 0},
	{"[the] ordinal=k weekday=n of month=m [<year>]", DATE_NTH, 0},
	{"[the] last weekday=n of month=m [<year>]", DATE_NTH, -1},
	{"[the] ordinal=k weekday=n of next unit/month", DATE_NTH_NEXT, 0},
	{"[the] last weekday=n of next unit/month", DATE_NTH_NEXT, -1},
	{"[the] ordinal=k weekday=n of [the|this] unit/month", DATE_NTH, 0},
	{"[the] last weekday=n of [the|this] unit/month", DATE_NTH, -1},
	{"weekday=n next unit/week", DATE_NEXT_WEEKDAY, 0},
	{"next unit/week [on] weekday=n", DATE_NEXT_WEEKDAY, 0},
	{"next weekday=n", DATE_NEXT_WEEKDAY, 0},
	{"[this|the] weekday=w <fulldate>", DATE_FULL, 0, DATE_HAS_DAY | DATE_IF_NAMED},
	{"[this|the] weekday=w [the] ordinal=n", DATE_DAY, 0, DATE_HAS_DAY | DATE_IF_NAMED},
	{"[this|the] weekday=n unit/week", DATE_WEEKDAY, 7},
	{"this weekday=n [this] [unit/week]", DATE_WEEKDAY, 0},
	{"[the] weekday=n this unit/week", DATE_WEEKDAY, 0},
	{"[the] weekday=n", DATE_WEEKDAY, 0, DATE_IF_NAMED},
	{"<fulldate>", DATE_FULL, 0, DATE_WITH_AT},
	{"next weekend", DATE_NEXT_WEEKEND, 0},
	{"this|the weekend", DATE_WEEKEND, 0, DATE_WITH_AT},
	{"weekend", DATE_WEEKEND, 0, DATE_IF_TOLD | DATE_WITH_AT},
	{"next unit/week", DATE_NEXT_WEEK, 0},
	{"next unit/month [on] the ordinal=n", DATE_NEXT_MONTH, 0},
	{"the ordinal=n of next unit/month", DATE_NEXT_MONTH, 0, DATE_IF_TOLD},
	{"next unit/month", DATE_NEXT_MONTH, 0},
	{"next unit/year", DATE_NEXT_YEAR, 0},
	{"the ordinal=n of [the|this] unit/month", DATE_DAY, 0, DATE_IF_TOLD},
	{"the ordinal=n", DATE_DAY, 0, DATE_IF_TOLD},
	{"ordinal=n", DATE_DAY, 0, DATE_IF_TOLD | DATE_IF_DIGITS},
	{"[the] monthend", DATE_MONTH_END, 0, DATE_WITH_AT},
	{"holiday=h [<year>]", DATE_FULL, 0, DATE_IF_NAMED | DATE_WITH_AT | DATE_WITH_IN},
	{"month=m [<year>]", DATE_FULL, 0, DATE_WITH_IN | DATE_ONLY_IN},
};

bool piece_full_date(struct reader *r, struct match *match)
{
	const struct token *token = reader_token(r, 0);
	struct match m = {0};

	if (token_is(token, CLASS_DATE) &&
		(!token_is(token, CLASS_DECIMAL) || (r->told && r->lead != CLASS_AT))) {
		match->date = (struct date){.kind = DATE_FULL,
			.number = token->date.day,
			.month = token->date.month,
			.year = token->date.year};
		/* The clock of "2026-12-25T18:00" is read next. */
		if (!token_is(token, CLASS_CLOCKTIME) || token_is(token, CLASS_DECIMAL))
			r->at++;
		return true;
	}
	if (r->lead == CLASS_AT ||
		!rule_match_any(r, full_date_rules, ARRAY_SIZE(full_date_rules), &m) ||
		reader_is(r, 0, CLASS_UNIT) || reader_is(r, 0, CLASS_AM) ||
		reader_is(r, 0, CLASS_PM))
		return false;
	match->date = (struct date){.kind = DATE_FULL,
		.number = VALUE(&m, 'n'),
		.month = VALUE(&m, 'm'),
		.year = VALUE(&m, 'y')};
	return true;
}

struct date date_of_holiday(const struct match *match)
{
	return (struct date){.kind = DATE_FULL,
		.number = VALUE(match, 'h') % 100,
		.month = VALUE(match, 'h') / 100,
		.year = VALUE(match, 'y')};
}

bool piece_date(struct reader *r, struct match *match)
{
	for (size_t i = 0; i < ARRAY_SIZE(date_rules); i++) {
		struct rule *rule = &date_rules[i];
		struct reader ahead = *r;
		struct match m = {0};

		ahead.told |= rule->flags & DATE_HAS_DAY;
		if ((r->lead == CLASS_AT && !(rule->flags & DATE_WITH_AT)) ||
			(r->lead == CLASS_IN && !(rule->flags & DATE_WITH_IN)) ||
			(r->lead != CLASS_IN && rule->flags & DATE_ONLY_IN) ||
			(rule->flags & DATE_IF_TOLD && !r->told) ||
			(rule->flags & DATE_IF_DIGITS && is_letters(r, r->at)) ||
			(rule->flags & DATE_IF_NAMED && reader_token(r, 0)->weak && !r->told &&
				!r->front) ||
			!rule_match(&ahead, rule, &m) || reader_is(&ahead, 0, CLASS_DAYSET))
			continue;
		ahead.told = r->told;
		*r = ahead;
		if (m.date.kind != DATE_NONE)
			match->date = m.date;
		else
			match->date = (struct date){.kind = (enum date_kind)rule->kind,
				.number = VALUE(&m, 'n'),
				.month = VALUE(&m, 'm'),
				.year = VALUE(&m, 'y'),
				.nth = VALUE(&m, 'k') + (rule->number < 0 ? rule->number : 0),
				.days = rule->number > 0 ? rule->number : 0};
		if (VALUE(&m, 'h'))
			match->date = date_of_holiday(&m);
		if (rule->flags & DATE_ONLY_IN)
			match->date.number = 1;
		match->date.weekday = rule->flags & DATE_HAS_DAY ? VALUE(&m, 'w') + 1 : 0;
		return true;
	}
	return false;
}

bool date_is_possible(const struct date *date)
{
	if (date->kind == DATE_DAY || (date->kind == DATE_NEXT_MONTH && date->number))
		return date->number >= 1 && date->number <= 31;
	if (date->kind == DATE_NTH || date->kind == DATE_NTH_NEXT)
		return date->nth && date->nth <= 5;
	return date->kind != DATE_FULL ||
	       (date->number >= 1 &&
		       date->number <=
			       civil_month_length(date->year ? date->year : 2000, date->month));
}

bool piece_moment(struct reader *r, struct match *match)
{
	struct reader ahead = *r;
	struct match m = *match;
	static struct rule rule = {.pattern = "[on] <date>"};
	static struct rule at = {.pattern = "[at] <clock>"};
	bool date;

	ahead.told = true;
	date = rule_match(&ahead, &rule, &m);
	if (rule_match(&ahead, &at, &m) && !date)
		date = rule_match(&ahead, &rule, &m);
	if ((!date && m.clock_count == match->clock_count) ||
		(date && !date_is_possible(&m.date)))
		return false;
	ahead.told = r->told;
	*r = ahead;
	*match = m;
	return true;
}

/* --- days of the week -------------------------------------------------------- */

static struct rule days_rules[] = {
	{"[on] weekday|weekdays=a range weekday|weekdays=b"},
	{"[on] weekday|weekdays=a"},
	{"[on] dayset=d"},
};
static struct rule plural_days_rules[] = {
	{"[on] weekday|weekdays=a range weekday|weekdays=b"},
	{"[on] weekdays=a"},
	{"[on] daysets=d"},
};

/* "Mon Wed Fri", but not "Monday sun cream". */
static bool is_next_day(const struct reader *r)
{
	const struct token *token = reader_token(r, 0);

	return token_is(token, CLASS_WEEKDAY) &&
	       (!token->weak || r->list[r->at - 1].end - r->list[r->at - 1].start <= 4);
}

static bool piece_day_list(
	struct reader *r, struct rule *rules, size_t count, struct match *match)
{
	unsigned days = 0;

	for (;;) {
		struct reader ahead = *r;
		struct match m = {.value = {['b' - 'a'] = -1}};
		const struct rule *rule;
		unsigned more;

		if (days && !reader_take_and(&ahead) && !reader_is(&ahead, 0, CLASS_OR) &&
			!is_next_day(&ahead))
			break;
		ahead.at += days && reader_is(&ahead, 0, CLASS_OR) ? 1 : 0;
		rule = rule_match_any(&ahead, rules, count, &m);
		if (!rule)
			break;
		more = (unsigned)VALUE(&m, 'd');
		for (int day = VALUE(&m, 'a'); !VALUE(&m, 'd'); day = (day + 1) % 7) {
			more |= 1U << day;
			if (day == VALUE(&m, 'b') || VALUE(&m, 'b') < 0)
				break;
		}
		if (!(more & ~days))
			break; /* "every day and Tuesday" */
		days |= more;
		*r = ahead;
	}
	match->days = days;
	return days;
}

bool piece_days(struct reader *r, struct match *match)
{
	return piece_day_list(r, days_rules, ARRAY_SIZE(days_rules), match);
}

bool piece_plural_days(struct reader *r, struct match *match)
{
	return piece_day_list(r, plural_days_rules, ARRAY_SIZE(plural_days_rules), match);
}
