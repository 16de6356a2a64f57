/*
 * The parts of a time that repeat it, and their limits.
 */
#include <string.h>

#include "base/alloc.h"
#include "time/phrase/said.h"

/* --- repetitions ------------------------------------------------------------- */

enum repeat_flag {
	REPEAT_BY_CLOCK = 1,
	REPEAT_TIMES = 2, /* `n` is how often in the unit */
	REPEAT_MAY_BE_NTH = 4,
};

enum repeat_kind {
	REPEAT_DAYS, /* of a week, in every `number`th */
	REPEAT_NTH,  /* of a month: the `k`th, or (-1) the last */
	REPEAT_UNIT, /* `n` units, or a length */
	REPEAT_DATE, /* of a year, or without a month of a month */
	REPEAT_BOTH, /* days of a week that are a day of a month: it cannot be done */
};

static struct rule repeat_rules[] = {
	{"every ordinal=k <days> of [the|every] unit/month", REPEAT_NTH, 0},
	{"every last <days> of [the|every] unit/month", REPEAT_NTH, -1},
	{"every last <days>", REPEAT_NTH, -1},
	{"every other=o <days>", REPEAT_DAYS, 2, REPEAT_BY_CLOCK},
	{"every other|ordinal=n unit=u", REPEAT_UNIT, 0, REPEAT_BY_CLOCK},
	{"every ordinal=k <days>", REPEAT_NTH, 0, REPEAT_MAY_BE_NTH},
	{"every weekday=a [on] [the] ordinal=n", REPEAT_BOTH, 0},
	{"every <days>", REPEAT_DAYS, 1}, {"every part=p", REPEAT_DAYS, 1},
	{"every noon=q", REPEAT_DAYS, 1}, {"every <length>", REPEAT_UNIT, 0},
	{"every <fulldate>", REPEAT_DATE, 0}, {"every holiday=h", REPEAT_DATE, 0},
	{"every ordinal=n [dayset/all] of [the|every] unit/month", REPEAT_DATE, 0},
	{"every ordinal=n", REPEAT_DATE, 0},
	{"every [the] monthend", REPEAT_DATE, DATE_MONTH_END},
	{"[on|at] [the] everymonthend", REPEAT_DATE, DATE_MONTH_END},
	{"[on] [the] ordinal=k weekday=a [of] every unit/month", REPEAT_NTH, 0},
	{"[on] [the] last weekday=a [of] every unit/month", REPEAT_NTH, -1},
	{"[on] the ordinal=n [dayset/all] [of] every unit/month", REPEAT_DATE, 0},
	{"on ordinal|number=n [dayset/all] [of] every unit/month", REPEAT_DATE, 0},
	{"[on] [the] ordinal=k dayset=d [of] every unit/month", REPEAT_NTH, 0},
	{"[on] [the] last dayset=d [of] every unit/month", REPEAT_NTH, -1},
	{"once=n per unit=u", REPEAT_UNIT, 0, REPEAT_TIMES},
	{"once=n repeat=u", REPEAT_UNIT, 0, REPEAT_TIMES},
	{"<number> times per unit=u", REPEAT_UNIT, 0, REPEAT_TIMES},
	{"<number> times repeat=u", REPEAT_UNIT, 0, REPEAT_TIMES},
	{"repeat=u", REPEAT_UNIT, 0, REPEAT_TIMES}, {"[on] <days> parts=p", REPEAT_DAYS, 1},
	{"[on] parts=p", REPEAT_DAYS, 1}, {"[on|at|from] <plural>", REPEAT_DAYS, 1},
	{"of every unit/month", REPEAT_DATE, DATE_DAY}, /* after "the 3rd" */
};

/* After a repetition that has no day yet; the kind is its unit. */
static struct rule more_days_rules[] = {
	{"[on] <plural>", 0, 0},
	{"[on] [the] ordinal=k weekday=a", TIME_MONTH, 0},
	{"[on] [the] last weekday=a", TIME_MONTH, -1},
	{"on <days>", TIME_WEEK, 0},
};

static void said_set_unit(struct said *said, enum time_unit unit, int64_t every)
{
	said->unit = unit;
	said->every = (int)every;
}

static bool said_repeat_days(struct said *said, const struct rule *rule, const struct match *m)
{
	if ((VALUE(m, 'p') && said->part) || (VALUE(m, 'q') && said->clock_count))
		return false;
	/* "um acht Uhr abends" is once. */
	if (VALUE(m, 'p') && !m->days && said->clock_count && m->part)
		return false;
	said_set_unit(said, TIME_WEEK, rule->number);
	said->by_clock = rule->flags & REPEAT_BY_CLOCK;
	said->days = m->days ? m->days : ALL_DAYS;
	if (VALUE(m, 'p'))
		said->part = (enum day_part)VALUE(m, 'p');
	if (VALUE(m, 'q'))
		said->clocks[said->clock_count++] = (struct clock){.minute = VALUE(m, 'q')};
	if (rule->number > 1 && said->days == ALL_DAYS)
		said_set_unit(said, TIME_DAY, rule->number); /* "every other day" has no week */
	else if (rule->number > 1 && (m->ordinal || said->days == WORKING_DAYS))
		said->ask = "it could also be that of the month"; /* "every second Tuesday" */
	return true;
}

static bool said_repeat_nth(struct said *said, const struct rule *rule, const struct match *m)
{
	int nth = VALUE(m, 'k') + rule->number;
	unsigned days = m->days | (unsigned)VALUE(m, 'd');

	said->days = days ? days : 1U << VALUE(m, 'a');
	said_set_unit(said, TIME_MONTH, 1);
	said->nth = nth;
	if (said->days == ALL_DAYS && nth > 1) {
		said_set_unit(said, TIME_DAY, nth); /* "every third day" */
		said->by_clock = true;
		said->nth = 0;
	} else if (nth > 5 || !nth || said->days == ALL_DAYS || said->days == WORKING_DAYS ||
		   said->days == WEEKEND_DAYS) {
		said->cannot = "I can count the days of a week in a month, such as 'the first "
			       "Monday', up to five.";
	} else if (rule->flags & REPEAT_MAY_BE_NTH && nth > 1) {
		said->ask = "I assumed that you mean each month";
	}
	return true;
}

static bool said_repeat_unit(struct said *said, const struct rule *rule, const struct match *m)
{
	bool times = rule->flags & REPEAT_TIMES;
	struct span span = m->span;
	int64_t seconds;

	if (VALUE(m, 'u'))
		span_add(&span, (enum time_unit)VALUE(m, 'u'),
			times ? 100 : (int64_t)VALUE(m, 'n') * 100);
	seconds = span.seconds + (int64_t)span.days * 86400;
	if (span.months)
		said_set_unit(said, span.months % 12 ? TIME_MONTH : TIME_YEAR,
			span.months % 12 ? span.months : span.months / 12);
	else if (seconds % 604800 == 0)
		said_set_unit(said, TIME_WEEK, seconds / 604800);
	else if (seconds % 86400 == 0)
		said_set_unit(said, TIME_DAY, seconds / 86400);
	else
		said_set_unit(said, TIME_SECOND, seconds);
	if ((seconds < 60 && !span.months) || (seconds && span.months))
		said->cannot = "Once a minute is as often as I can.";
	if (seconds > (int64_t)3650 * 86400 || span.months > 120)
		said->cannot = "That is less than once in ten years.";
	said->by_clock = said->unit != TIME_SECOND &&
			 (rule->flags & REPEAT_BY_CLOCK || (times && said->every > 1));
	said->per = times ? VALUE(m, 'n') : 0;
	if (times && said->unit == TIME_DAY)
		said->days = ALL_DAYS;
	return true;
}

static bool said_repeat_date(struct said *said, const struct rule *rule, const struct match *m)
{
	struct date date = m->date;

	if (rule->number == DATE_DAY && said->dates[0].kind == DATE_DAY) {
		said_set_unit(said, TIME_MONTH, 1);
		return true;
	}
	if (said->date_count || date.year || rule->number == DATE_DAY)
		return false;
	if (rule->number == DATE_MONTH_END)
		date = (struct date){.kind = DATE_MONTH_END};
	else if (VALUE(m, 'h'))
		date = date_of_holiday(m);
	else if (date.kind == DATE_NONE)
		date = (struct date){.kind = DATE_DAY, .number = VALUE(m, 'n')};
	said_set_unit(said, date.kind == DATE_FULL ? TIME_YEAR : TIME_MONTH, 1);
	said_add_date(said, &date);
	return true;
}

/* The days of a repetition that has none yet. */
static bool said_more_days(struct reader *r, struct said *said)
{
	struct match m = {0};
	const struct rule *rule =
		rule_match_any(r, more_days_rules, ARRAY_SIZE(more_days_rules), &m);

	if (!rule || said->days || said->date_count || said->unit > TIME_MONTH ||
		(rule->kind && rule->kind != (int)said->unit))
		return false;
	said->days = rule->kind == TIME_MONTH ? 1U << VALUE(&m, 'a') : m.days;
	said->nth = VALUE(&m, 'k') + rule->number;
	said->by_clock |= said->every > 1;
	return true;
}

bool said_repeat(struct reader *r, struct said *said)
{
	struct reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;
	bool understood = false;

	ahead.told = !said->unit;
	if (said->unit) {
		understood = said_more_days(&ahead, said);
	} else if ((rule = rule_match_any(
			    &ahead, repeat_rules, ARRAY_SIZE(repeat_rules), &m))) {
		m.ordinal = token_is(reader_token(r, 1), CLASS_ORDINAL);
		m.part = token_is(reader_token(r, 0), CLASS_PART);
		switch ((enum repeat_kind)rule->kind) {
		case REPEAT_DAYS:
			understood = said_repeat_days(said, rule, &m);
			break;
		case REPEAT_NTH:
			understood = said_repeat_nth(said, rule, &m);
			break;
		case REPEAT_UNIT:
			understood = said_repeat_unit(said, rule, &m);
			break;
		case REPEAT_DATE:
			understood = said_repeat_date(said, rule, &m);
			break;
		case REPEAT_BOTH:
			said->cannot = "I can repeat days of the week or a day of the month, "
				       "such as 'every Friday' or 'every 13th', but not both "
				       "at once.";
			understood = true;
			break;
		}
	}
	if (understood)
		r->at = ahead.at;
	return understood;
}

/* --- limits of a repetition -------------------------------------------------- */

enum limit_kind {
	LIMIT_EXCEPT,
	LIMIT_WINDOW,
	LIMIT_UNTIL,
	LIMIT_UNTIL_AFTER_FROM,
	LIMIT_FROM,
	LIMIT_LASTING,
	LIMIT_COUNT,
};

static struct rule limit_rules[] = {
	{"except [on] [the] <days>", LIMIT_EXCEPT},
	{"between <clock> and <clock>", LIMIT_WINDOW},
	{"from <clock> range|until <clock>", LIMIT_WINDOW},
	{"range <moment>", LIMIT_UNTIL_AFTER_FROM},
	{"until <moment>", LIMIT_UNTIL},
	{"starting|from <moment>", LIMIT_FROM},
	{"for [the] [next] <number> times", LIMIT_COUNT},
	{"for [the] [next] <length>", LIMIT_LASTING},
	{"<number> times", LIMIT_COUNT},
};

/* Does a repetition follow somewhere: "for a week every day"? */
static bool repeats_later(const struct reader *r)
{
	for (size_t i = r->at; i < r->end; i++)
		if (token_is(&r->list[i], CLASS_EVERY) || token_is(&r->list[i], CLASS_REPEAT) ||
			token_is(&r->list[i], CLASS_WEEKDAYS) ||
			token_is(&r->list[i], CLASS_DAYSETS))
			return true;
	return false;
}

/* "every day until Friday at 9": the clock belongs to "every day". */
static bool said_take_clock(struct said *said, const struct match *match)
{
	if (!match->clock_count || match->date.kind == DATE_NONE || said->clock_count ||
		said->unit <= TIME_HOUR)
		return false;
	said->clocks[said->clock_count++] = match->clocks[0];
	return true;
}

static bool said_add_limit(struct said *said, const struct rule *rule, const struct match *m)
{
	bool ends = said_ends(said);

	switch ((enum limit_kind)rule->kind) {
	case LIMIT_EXCEPT:
		if (said->except || !said->days)
			return false;
		said->except = m->days;
		return true;
	case LIMIT_WINDOW:
		if (said->has_window || m->clock_count < 2)
			return false;
		said->has_window = true;
		memcpy(said->window, m->clocks, sizeof(said->window));
		return true;
	case LIMIT_UNTIL_AFTER_FROM:
		if (said->from.kind == DATE_NONE)
			return false;
		__attribute__((fallthrough));
	case LIMIT_UNTIL:
		if (ends)
			return false;
		said->has_until = true;
		said->until = m->date;
		said->has_until_clock = m->clock_count && !said_take_clock(said, m);
		said->until_clock = m->clocks[0];
		return true;
	case LIMIT_FROM:
		/* "every 6 hours starting at 8" */
		if (said->unit && said->unit <= TIME_HOUR && m->date.kind == DATE_NONE &&
			!said->has_from_clock && m->clock_count) {
			said->has_from_clock = true;
			said->from_clock = m->clocks[0];
			return true;
		}
		if (said->from.kind != DATE_NONE || m->date.kind == DATE_NONE ||
			(m->clock_count && !said_take_clock(said, m)))
			return false;
		said->from = m->date;
		return true;
	case LIMIT_LASTING:
		if (ends)
			return false;
		said->lasting = m->span;
		return true;
	case LIMIT_COUNT:
		if (ends || VALUE(m, 'n') < 1)
			return false;
		said->count = VALUE(m, 'n');
		return true;
	}
	return false;
}

bool said_limit(struct reader *r, struct said *said)
{
	if (!said->unit && !repeats_later(r))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(limit_rules); i++) {
		struct reader ahead = *r;
		struct match m = {0};

		if (rule_match(&ahead, &limit_rules[i], &m) &&
			said_add_limit(said, &limit_rules[i], &m)) {
			r->at = ahead.at;
			return true;
		}
	}
	return false;
}
