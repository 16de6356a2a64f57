#include "time/said.h"

#include <string.h>
#include <strings.h>

#include "time/zone.h"
#include "util/alloc.h"

/* --- rules ------------------------------------------------------------------- */

/*
 * A rule is a row of classes, by their names in the files of the languages:
 *
 *	at|by		one of them
 *	[the]		it may be missing
 *	ordinal=n	its value is `n` of the match
 *	unit/month	only with this value
 *	<date>		what another table of rules reads
 */
#define MAX_ELEMENTS 8
#define ANY_VALUE    (-1000)

struct match {
	int value[26]; /* by the letter */
	struct span span;
	struct clock clocks[2];
	int clock_count;
	bool plain; /* of the clock: it is nothing else */
	struct date date;
	unsigned days;
};

struct element {
	uint64_t classes[2];
	bool (*read)(struct said_reader *r, struct match *match);
	int value;
	char letter;
	bool optional;
};

struct rule {
	const char *pattern;
	int kind;
	int number; /* what it means depends on the table */
	unsigned flags;
	struct element elements[MAX_ELEMENTS];
	int count; /* 0: not yet compiled */
};

#define VALUE(match, letter) ((match)->value[(letter) - 'a'])

static bool read_clock(struct said_reader *r, struct match *match);
static bool read_date(struct said_reader *r, struct match *match);
static bool read_days(struct said_reader *r, struct match *match);
static bool read_full_date(struct said_reader *r, struct match *match);
static bool read_length(struct said_reader *r, struct match *match);
static bool read_moment(struct said_reader *r, struct match *match);
static bool read_number(struct said_reader *r, struct match *match);
static bool read_plural_days(struct said_reader *r, struct match *match);
static bool read_span(struct said_reader *r, struct match *match);
static bool read_year(struct said_reader *r, struct match *match);

static const struct {
	const char *name;
	bool (*read)(struct said_reader *r, struct match *match);
} tables[] = {
	{"<clock>", read_clock}, {"<date>", read_date}, {"<days>", read_days},
	{"<full date>", read_full_date}, {"<length>", read_length}, /* "week" is one week */
	{"<moment>", read_moment}, /* a date, a clock or both */
	{"<number>", read_number}, /* `n` */
	{"<plural days>", read_plural_days}, {"<span>", read_span},
	{"<year>", read_year}, /* `y` */
};

static void compile_element(struct view text, struct element *element)
{
	struct view name;

	*element = (struct element){.value = ANY_VALUE};
	if (text.data[0] == '[') {
		element->optional = true;
		text = view_slice(text, 1, text.len - 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (view_equal_str(text, tables[i].name))
			element->read = tables[i].read;
	if (text.len > 2 && text.data[text.len - 2] == '=') {
		element->letter = text.data[text.len - 1];
		text.len -= 2;
	}
	while (!element->read && view_next(&text, '|', &name)) {
		struct view value = name;
		enum time_class class;

		view_next(&value, '/', &name);
		if (value.len)
			element->value = language_value(value);
		class = language_class(name);
		element->classes[class / 64] |= (uint64_t)1 << class % 64;
	}
}

static void compile(struct rule *rule)
{
	struct view rest = view_of(rule->pattern);
	struct view text;

	while (rest.len) {
		/* A name in angle brackets may have a space. */
		const char *end = rest.data[0] == '<' || (rest.len > 1 && rest.data[1] == '<')
					  ? memchr(rest.data, '>', rest.len)
					  : rest.data;
		size_t len = (size_t)(end - rest.data);

		while (len < rest.len && rest.data[len] != ' ')
			len++;
		text = view_slice(rest, 0, len);
		rest = view_slice(rest, len < rest.len ? len + 1 : len, rest.len);
		compile_element(text, &rule->elements[rule->count++]);
	}
}

static const struct token *here(const struct said_reader *r, size_t ahead)
{
	static const struct token none;

	return r->at + ahead < r->end ? &r->list[r->at + ahead] : &none;
}

static bool is(const struct said_reader *r, size_t ahead, enum time_class class)
{
	return token_is(here(r, ahead), class);
}

static bool match_element(
	struct said_reader *r, const struct element *element, struct match *match)
{
	const struct token *token = here(r, 0);
	uint64_t common[2] = {token->classes[0] & element->classes[0],
		token->classes[1] & element->classes[1]};
	int class;

	if (element->read)
		return element->read(r, match);
	if (!common[0] && !common[1])
		return false;
	class = common[0] ? __builtin_ctzll(common[0]) : 64 + __builtin_ctzll(common[1]);
	if (element->value != ANY_VALUE && token->value[class] != element->value)
		return false;
	if (element->letter)
		VALUE(match, element->letter) = token->value[class];
	r->at++;
	return true;
}

/* The elements from `i` on; what is optional is taken if the rest fits then. */
static bool match_from(
	struct said_reader *r, const struct rule *rule, int i, struct match *match)
{
	struct said_reader reader = *r;
	struct match longer = *match;

	if (i == rule->count)
		return true;
	if (match_element(&reader, &rule->elements[i], &longer) &&
		match_from(&reader, rule, i + 1, &longer)) {
		*r = reader;
		*match = longer;
		return true;
	}
	return rule->elements[i].optional && match_from(r, rule, i + 1, match);
}

static bool match_rule(struct said_reader *r, struct rule *rule, struct match *match)
{
	if (!rule->count)
		compile(rule);
	return r->at < r->end && match_from(r, rule, 0, match);
}

/* The first rule of a table that fits. */
static const struct rule *match_table(
	struct said_reader *r, struct rule *rules, size_t count, struct match *match)
{
	for (size_t i = 0; i < count; i++)
		if (match_rule(r, &rules[i], match))
			return &rules[i];
	return NULL;
}

/* Can a phrase end here, because the text follows, or nothing? */
static bool at_border(const struct said_reader *r)
{
	return r->at >= r->end || is(r, 0, CLASS_CONNECT) || is(r, 0, CLASS_THANKS) ||
	       (r->at && r->list[r->at - 1].clause);
}

/* "and" or a comma between the members of a list. */
static bool take_and(struct said_reader *r)
{
	if (is(r, 0, CLASS_AND))
		r->at++;
	else if (!r->at || !r->list[r->at - 1].clause)
		return false;
	return true;
}

/* --- numbers and spans ------------------------------------------------------- */

/* "45", "twenty", "forty five" */
static bool read_number(struct said_reader *r, struct match *match)
{
	int number = here(r, 0)->value[CLASS_NUMBER];
	int more = here(r, 1)->value[CLASS_NUMBER];

	if (!is(r, 0, CLASS_NUMBER) || number > 100000)
		return false;
	r->at++;
	if (number >= 20 && number < 100 && number % 10 == 0 && is(r, 0, CLASS_NUMBER) &&
		more > 0 && more < 10) {
		number += more;
		r->at++;
	}
	VALUE(match, 'n') = number;
	return true;
}

static bool read_year(struct said_reader *r, struct match *match)
{
	VALUE(match, 'y') = here(r, 0)->value[CLASS_NUMBER];
	return is(r, 0, CLASS_NUMBER) && VALUE(match, 'y') >= 1970 &&
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

static bool add_span(struct said_reader *r, bool unit_alone, struct span *span, int *unit)
{
	struct match match = {0};
	const struct rule *rule;

	if (is(r, 0, CLASS_SPAN)) {
		const struct span *more = &r->list[r->at++].span;

		*span = (struct span){span->seconds + more->seconds, span->days + more->days,
			span->months + more->months};
		return true;
	}
	rule = match_table(r, span_rules, ARRAY_SIZE(span_rules), &match);
	if (!rule && unit_alone)
		rule = match_table(r, unit_rules, ARRAY_SIZE(unit_rules), &match);
	if (!rule)
		return false;
	*unit = VALUE(&match, 'u');
	return span_add(span, (enum time_unit) * unit,
		(int64_t)(VALUE(&match, 'n') + rule->number) * 100 + VALUE(&match, 'h') +
			VALUE(&match, 'f') * 100 / 60);
}

static bool read_spans(struct said_reader *r, bool unit_alone, struct match *match)
{
	struct said_reader ahead;
	struct span span = {0};
	struct match minutes = {0};
	int unit = 0;
	int smaller = 0;

	if (!add_span(r, unit_alone, &span, &unit))
		return false;
	for (ahead = *r;; *r = ahead) {
		struct span longer = span;

		ahead.at += is(&ahead, 0, CLASS_AND) ? 1 : 0;
		if (!add_span(&ahead, false, &longer, &smaller) || (unit && smaller >= unit))
			break;
		span = longer;
		unit = smaller;
	}
	/* "1 hour 20" */
	ahead = *r;
	if (unit == TIME_HOUR && read_number(&ahead, &minutes) && VALUE(&minutes, 'n') < 60 &&
		at_border(&ahead)) {
		span.seconds += (int64_t)VALUE(&minutes, 'n') * 60;
		*r = ahead;
	}
	match->span = span;
	return true;
}

static bool read_span(struct said_reader *r, struct match *match)
{
	return read_spans(r, false, match);
}

static bool read_length(struct said_reader *r, struct match *match)
{
	return read_spans(r, true, match);
}

/* --- clocks ------------------------------------------------------------------ */

enum clock_flag {
	CLOCK_PLAIN = 1,    /* it is nothing but a time */
	CLOCK_TOKEN = 2,    /* "17:30" */
	CLOCK_LETTERS = 4,  /* "eight thirty", not "8 30" */
	CLOCK_TO_HOUR = 8,  /* "ten to 5": the hour is 1 to 12, and follows */
	CLOCK_NO_UNIT = 16, /* no unit follows: "5 to 10 minutes" */
};

/* `h` hours, and `f` minutes times `number`; or `q` minutes. */
static struct rule clock_rules[] = {
	{"[the] noon=q", 0, 0, CLOCK_PLAIN},
	{"clocktime=q oclock=o", 0, 0, CLOCK_TOKEN},
	{"clocktime=q", 0, 0, CLOCK_TOKEN},
	{"halfto number=h", 0, -30, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"fraction=f past number=h", 0, 1, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"fraction/15 to number=h", 0, -15, CLOCK_PLAIN | CLOCK_TO_HOUR},
	{"number=f [unit/minute] past number=h", 0, 1,
		CLOCK_PLAIN | CLOCK_TO_HOUR | CLOCK_NO_UNIT},
	{"number=f [unit/minute] to number=h", 0, -1,
		CLOCK_PLAIN | CLOCK_TO_HOUR | CLOCK_NO_UNIT},
	{"number=h oclock=o number=f", 0, 1, CLOCK_PLAIN | CLOCK_NO_UNIT},
	{"number=h oclock=o", 0, 0, CLOCK_PLAIN},
	{"number=h plus fraction|number=f", 0, 1, CLOCK_PLAIN},
	{"number=h minus fraction|number=f", 0, -1, CLOCK_PLAIN},
	{"number=h number=f", 0, 1, CLOCK_LETTERS | CLOCK_NO_UNIT},
	{"number=h", 0, 0, 0},
};

static bool is_letters(const struct said_reader *r, size_t at)
{
	return at >= r->end || r->text.data[r->list[at].start] > '9';
}

static bool fits_clock(const struct said_reader *before, const struct said_reader *r,
	const struct rule *rule, const struct match *match)
{
	int hour = VALUE(match, 'h');
	int minute = VALUE(match, 'f');

	if (hour > 24 || minute > 59 || (hour == 24 && minute))
		return false;
	if (rule->flags & CLOCK_TO_HOUR && (hour < 1 || hour > 12 || minute > 45))
		return false;
	if (rule->flags & CLOCK_NO_UNIT && is(r, 0, CLASS_UNIT))
		return false;
	return !(rule->flags & CLOCK_LETTERS) ||
	       (minute >= 10 && is_letters(before, before->at) &&
		       is_letters(before, r->at - 1));
}

/* "5pm" may be written apart. */
static void take_half(struct said_reader *r, struct match *match)
{
	struct clock *clock = &match->clocks[match->clock_count];

	if ((!is(r, 0, CLASS_AM) && !is(r, 0, CLASS_PM)) || !clock->bare)
		return;
	clock->minute = clock->minute % 720 + (is(r, 0, CLASS_PM) ? 720 : 0);
	clock->bare = false;
	clock->half = true;
	match->plain = true;
	r->at++;
}

static bool read_clock(struct said_reader *r, struct match *match)
{
	if (match->clock_count == ARRAY_SIZE(match->clocks))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(clock_rules) && r->at < r->end; i++) {
		struct rule *rule = &clock_rules[i];
		struct said_reader ahead = *r;
		struct match m = {0};
		int hour;
		int minute;

		if (!match_rule(&ahead, rule, &m) || !fits_clock(r, &ahead, rule, &m))
			continue;
		hour = VALUE(&m, 'h') % (rule->flags & CLOCK_TO_HOUR ? 12 : 25);
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
		take_half(r, match);
		match->clock_count++;
		return true;
	}
	return false;
}

/* --- days -------------------------------------------------------------------- */

enum date_flag {
	DATE_IF_TOLD = 1,  /* only behind "on" and the like */
	DATE_IF_NAMED = 2, /* an everyday word only so */
	DATE_HAS_DAY = 4,  /* `w` is a weekday beside a date */
	DATE_IF_DIGITS = 8,
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
	{"[this|the] weekday=w <full date>", DATE_FULL, 0, DATE_HAS_DAY | DATE_IF_NAMED},
	{"[this|the] weekday=w [the] ordinal=n", DATE_DAY, 0, DATE_HAS_DAY | DATE_IF_NAMED},
	{"[this|the] weekday=n unit/week", DATE_WEEKDAY, 7},
	{"this weekday=n [this] [unit/week]", DATE_WEEKDAY, 0},
	{"[the] weekday=n this unit/week", DATE_WEEKDAY, 0},
	{"[the] weekday=n", DATE_WEEKDAY, 0, DATE_IF_NAMED},
	{"<full date>", DATE_FULL, 0},
	{"next weekend", DATE_NEXT_WEEKEND, 0},
	{"this|the weekend", DATE_WEEKEND, 0},
	{"next unit/week", DATE_NEXT_WEEK, 0},
	{"next unit/month [on] the ordinal=n", DATE_NEXT_MONTH, 0},
	{"the ordinal=n of next unit/month", DATE_NEXT_MONTH, 0, DATE_IF_TOLD},
	{"next unit/month", DATE_NEXT_MONTH, 0},
	{"next unit/year", DATE_NEXT_YEAR, 0},
	{"the ordinal=n of [the|this] unit/month", DATE_DAY, 0, DATE_IF_TOLD},
	{"the ordinal=n", DATE_DAY, 0, DATE_IF_TOLD},
	{"ordinal=n", DATE_DAY, 0, DATE_IF_TOLD | DATE_IF_DIGITS},
	{"[the] monthend", DATE_MONTH_END, 0},
	{"holiday=h [<year>]", DATE_FULL, 0, DATE_IF_NAMED},
};

static bool read_full_date(struct said_reader *r, struct match *match)
{
	const struct token *token = here(r, 0);
	struct match m = {0};

	if (token_is(token, CLASS_DATE) && (r->told || !token_is(token, CLASS_DECIMAL))) {
		match->date = (struct date){.kind = DATE_FULL,
			.number = token->date.day,
			.month = token->date.month,
			.year = token->date.year};
		/* The clock of "2026-12-25T18:00" is read next. */
		if (!token_is(token, CLASS_CLOCKTIME) || token_is(token, CLASS_DECIMAL))
			r->at++;
		return true;
	}
	if (!match_table(r, full_date_rules, ARRAY_SIZE(full_date_rules), &m) ||
		is(r, 0, CLASS_UNIT) || is(r, 0, CLASS_AM) || is(r, 0, CLASS_PM))
		return false;
	match->date = (struct date){.kind = DATE_FULL,
		.number = VALUE(&m, 'n'),
		.month = VALUE(&m, 'm'),
		.year = VALUE(&m, 'y')};
	return true;
}

static bool read_date(struct said_reader *r, struct match *match)
{
	for (size_t i = 0; i < ARRAY_SIZE(date_rules); i++) {
		struct rule *rule = &date_rules[i];
		struct said_reader ahead = *r;
		struct match m = {0};

		ahead.told |= rule->flags & DATE_HAS_DAY;
		if ((rule->flags & DATE_IF_TOLD && !r->told) ||
			(rule->flags & DATE_IF_DIGITS && is_letters(r, r->at)) ||
			(rule->flags & DATE_IF_NAMED && here(r, 0)->weak && !r->told &&
				!r->front) ||
			!match_rule(&ahead, rule, &m) || is(&ahead, 0, CLASS_DAYSET))
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
		if (VALUE(&m, 'h')) {
			match->date.number = VALUE(&m, 'h') % 100;
			match->date.month = VALUE(&m, 'h') / 100;
		}
		match->date.weekday = rule->flags & DATE_HAS_DAY ? VALUE(&m, 'w') + 1 : 0;
		return true;
	}
	return false;
}

static bool is_possible(const struct date *date)
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

static void add_date(struct said *said, const struct date *date)
{
	said->dates[said->date_count++] = *date;
	if (!is_possible(date))
		said->cannot = "There is no such day in the calendar.";
	if (date->kind == DATE_NTH && !date->month)
		said->ask = "I took it once; say 'of every month' if it repeats";
}

/* A day, a clock or both, and nothing more: the end or the beginning of a repetition. */
static bool read_moment(struct said_reader *r, struct match *match)
{
	struct said_reader ahead = *r;
	struct match m = *match;
	static struct rule rule = {.pattern = "[on] <date>"};
	static struct rule at = {.pattern = "[at] <clock>"};
	bool date;

	ahead.told = true;
	date = match_rule(&ahead, &rule, &m);
	if (match_rule(&ahead, &at, &m) && !date)
		date = match_rule(&ahead, &rule, &m);
	if ((!date && m.clock_count == match->clock_count) || (date && !is_possible(&m.date)))
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

static bool read_day_list(
	struct said_reader *r, struct rule *rules, size_t count, struct match *match)
{
	unsigned days = 0;

	for (;;) {
		struct said_reader ahead = *r;
		struct match m = {.value = {['b' - 'a'] = -1}};
		const struct rule *rule;
		unsigned more;

		if (days && !take_and(&ahead) && !is(&ahead, 0, CLASS_OR))
			break;
		ahead.at += days && is(&ahead, 0, CLASS_OR) ? 1 : 0;
		rule = match_table(&ahead, rules, count, &m);
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

static bool read_days(struct said_reader *r, struct match *match)
{
	return read_day_list(r, days_rules, ARRAY_SIZE(days_rules), match);
}

static bool read_plural_days(struct said_reader *r, struct match *match)
{
	return read_day_list(r, plural_days_rules, ARRAY_SIZE(plural_days_rules), match);
}

/* --- parts: again and again -------------------------------------------------- */

enum repeat_kind {
	REPEAT_DAYS,  /* of every week, or (`number`) of every other */
	REPEAT_NTH,   /* of every month: the `k`th, or (-1) the last */
	REPEAT_UNIT,  /* `n` units, or `number` of them, on the clock */
	REPEAT_SPAN,  /* of any length, counted from now */
	REPEAT_DATE,  /* every year, or if there is no month every month */
	REPEAT_PART,  /* of the day */
	REPEAT_TIMES, /* `n` times, or `number`, in a unit */
	REPEAT_NOON,
};

enum repeat_flag {
	REPEAT_ASK_IF_LATER = 1, /* "every 3rd Friday": of the month? */
	REPEAT_ASK_IF_ORDINAL = 2,
};

static struct rule repeat_rules[] = {
	{"every ordinal=k <days> of [the|every] unit/month", REPEAT_NTH, 0},
	{"every last <days> of [the|every] unit/month", REPEAT_NTH, -1},
	{"every last <days>", REPEAT_NTH, -1},
	{"every other <days>", REPEAT_DAYS, 2, REPEAT_ASK_IF_ORDINAL},
	{"every other=n unit=u", REPEAT_UNIT, 0},
	{"every ordinal=n unit=u", REPEAT_UNIT, 0},
	{"every ordinal=k <days>", REPEAT_NTH, 0, REPEAT_ASK_IF_LATER},
	{"every <days>", REPEAT_DAYS, 1},
	{"every part=p", REPEAT_PART, 0},
	{"every tonight", REPEAT_PART, PART_NIGHT},
	{"every noon=q", REPEAT_NOON, 0},
	{"every <length>", REPEAT_SPAN, 0},
	{"every <full date>", REPEAT_DATE, 0},
	{"every holiday=h", REPEAT_DATE, 0},
	{"every ordinal=n [dayset/all] of [the|every] unit/month", REPEAT_DATE, 0},
	{"every ordinal=n", REPEAT_DATE, 0},
	{"every [the] monthend", REPEAT_DATE, DATE_MONTH_END},
	{"[on|at] [the] everymonthend", REPEAT_DATE, DATE_MONTH_END},
	{"[on] [the] ordinal=k weekday=a [of] every unit/month", REPEAT_NTH, 0},
	{"[on] [the] last weekday=a [of] every unit/month", REPEAT_NTH, -1},
	{"[on] the ordinal=n [dayset/all] [of] every unit/month", REPEAT_DATE, 0},
	{"on ordinal=n [dayset/all] [of] every unit/month", REPEAT_DATE, 0},
	{"[on] [the] ordinal=k dayset=d [of] every unit/month", REPEAT_NTH, 0},
	{"[on] [the] last dayset=d [of] every unit/month", REPEAT_NTH, -1},
	{"once=n per unit=u", REPEAT_TIMES, 0},
	{"once=n repeat=u", REPEAT_TIMES, 0},
	{"<number> times per unit=u", REPEAT_TIMES, 0},
	{"<number> times repeat=u", REPEAT_TIMES, 0},
	{"repeat=u", REPEAT_TIMES, 0},
	{"[on] <days> parts=p", REPEAT_PART, 0},
	{"[on] parts=p", REPEAT_PART, 0},
	{"[on|at|from] <plural days>", REPEAT_DAYS, 1},
};

/* Behind a repetition that has no day yet. */
static struct rule more_days_rules[] = {
	{"[on] <plural days>", 0, 0},
	{"[on] [the] ordinal=k weekday=a", TIME_MONTH, 0},
	{"[on] [the] last weekday=a", TIME_MONTH, -1},
	{"on <days>", TIME_WEEK, 0},
};

static void set_unit(struct said *said, int unit, int every)
{
	said->unit = unit == TIME_FORTNIGHT ? TIME_WEEK
		     : unit == TIME_QUARTER ? TIME_MONTH
					    : (enum time_unit)unit;
	said->every = every * (unit == TIME_FORTNIGHT ? 2 : unit == TIME_QUARTER ? 3 : 1);
}

static void repeat_span(struct said *said, const struct span *span)
{
	int64_t seconds = span->seconds + (int64_t)span->days * 86400;

	if (span->months)
		set_unit(said, span->months % 12 ? TIME_MONTH : TIME_YEAR,
			span->months % 12 ? span->months : span->months / 12);
	else if (seconds % (7 * 86400) == 0)
		set_unit(said, TIME_WEEK, (int)(seconds / (7 * 86400)));
	else if (seconds % 86400 == 0)
		set_unit(said, TIME_DAY, (int)(seconds / 86400));
	else
		set_unit(said, TIME_SECOND, seconds > 86400 * 3650LL ? 1 : (int)seconds);
	if ((seconds < 60 && !span->months) || (seconds && span->months))
		said->cannot = "Once a minute is as often as I can.";
	if (seconds > (int64_t)3650 * 86400 || span->months > 120)
		said->cannot = "That is less than once in ten years.";
}

static void repeat_date(struct said *said, const struct rule *rule, const struct match *match)
{
	struct date date = match->date;

	if (rule->number == DATE_MONTH_END)
		date = (struct date){.kind = DATE_MONTH_END};
	else if (VALUE(match, 'h'))
		date = (struct date){.kind = DATE_FULL,
			.number = VALUE(match, 'h') % 100,
			.month = VALUE(match, 'h') / 100};
	else if (date.kind == DATE_NONE)
		date = (struct date){.kind = DATE_DAY, .number = VALUE(match, 'n')};
	set_unit(said, date.kind == DATE_FULL ? TIME_YEAR : TIME_MONTH, 1);
	add_date(said, &date);
}

static bool part_repeat(struct said_reader *r, struct said *said)
{
	struct said_reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;

	if (said->unit && !said->days && !said->date_count) {
		rule = match_table(&ahead, more_days_rules, ARRAY_SIZE(more_days_rules), &m);
		if (!rule || (rule->kind && rule->kind != (int)said->unit) ||
			said->unit > TIME_MONTH)
			return false;
		said->days = rule->kind == TIME_MONTH ? 1U << VALUE(&m, 'a') : m.days;
		said->nth = VALUE(&m, 'k') + rule->number;
		said->by_clock |= said->every > 1;
		*r = ahead;
		return true;
	}
	ahead.told = true;
	/* "of every month" behind a day of the month */
	if (!said->unit && said->dates[0].kind == DATE_DAY && is(&ahead, 0, CLASS_OF) &&
		is(&ahead, 1, CLASS_EVERY) &&
		here(&ahead, 2)->value[CLASS_UNIT] == TIME_MONTH) {
		set_unit(said, TIME_MONTH, 1);
		r->at += 3;
		return true;
	}
	if (said->unit)
		return false;
	rule = match_table(&ahead, repeat_rules, ARRAY_SIZE(repeat_rules), &m);
	if (!rule || (rule->kind == REPEAT_PART && said->part) ||
		(rule->kind == REPEAT_DATE && (said->date_count || m.date.year)) ||
		(rule->kind == REPEAT_UNIT && VALUE(&m, 'u') < TIME_HOUR))
		return false;
	switch ((enum repeat_kind)rule->kind) {
	case REPEAT_DAYS:
		set_unit(said, TIME_WEEK, rule->number);
		said->by_clock = rule->number > 1;
		said->days = m.days;
		/* "every second Tuesday" may be that of a month, "every other day" has no week.
		 */
		if (rule->flags & REPEAT_ASK_IF_ORDINAL && m.days == ALL_DAYS)
			set_unit(said, TIME_DAY, 2);
		else if (rule->flags & REPEAT_ASK_IF_ORDINAL &&
			 (token_is(&r->list[r->at + 1], CLASS_ORDINAL) ||
				 m.days == WORKING_DAYS))
			said->ask = "it could also be that of the month";
		break;
	case REPEAT_NTH:
		set_unit(said, TIME_MONTH, 1);
		said->days = m.days           ? m.days
			     : VALUE(&m, 'd') ? (unsigned)VALUE(&m, 'd')
					      : 1U << VALUE(&m, 'a');
		said->nth = VALUE(&m, 'k') + rule->number;
		if (said->days == ALL_DAYS && said->nth > 1) {
			set_unit(said, TIME_DAY, said->nth); /* "every third day" */
			said->by_clock = true;
			said->nth = 0;
		} else if (said->nth > 5 || !said->nth || said->days == ALL_DAYS ||
			   said->days == WORKING_DAYS || said->days == WEEKEND_DAYS) {
			said->cannot = "I can count the days of a week in a month, such as "
				       "'the first Monday', up to five.";
		} else if (rule->flags & REPEAT_ASK_IF_LATER && said->nth > 1) {
			said->ask = "I took those of a month";
		}
		break;
	case REPEAT_UNIT:
		set_unit(said, VALUE(&m, 'u'), VALUE(&m, 'n'));
		said->by_clock = VALUE(&m, 'u') > TIME_HOUR;
		break;
	case REPEAT_SPAN:
		repeat_span(said, &m.span);
		break;
	case REPEAT_DATE:
		repeat_date(said, rule, &m);
		break;
	case REPEAT_PART:
		set_unit(said, TIME_WEEK, 1);
		said->days = m.days ? m.days : ALL_DAYS;
		said->part = (enum day_part)(VALUE(&m, 'p') + rule->number);
		break;
	case REPEAT_NOON:
		set_unit(said, TIME_WEEK, 1);
		said->days = ALL_DAYS;
		said->clocks[said->clock_count++] = (struct clock){.minute = VALUE(&m, 'q')};
		break;
	case REPEAT_TIMES:
		set_unit(said, VALUE(&m, 'u'), 1);
		said->by_clock = said->every > 1;
		said->days = said->unit == TIME_DAY ? ALL_DAYS : 0;
		said->per = VALUE(&m, 'n') + rule->number;
		if (said->unit <= TIME_HOUR)
			repeat_span(said, &(struct span){said->unit == TIME_HOUR ? 3600 : 60});
		break;
	}
	ahead.told = r->told;
	*r = ahead;
	return true;
}

/* --- parts: the limits of a repetition --------------------------------------- */

enum limit_kind {
	LIMIT_EXCEPT,
	LIMIT_WINDOW,
	LIMIT_UNTIL,
	LIMIT_UNTIL_BEHIND_FROM,
	LIMIT_FROM,
	LIMIT_LASTING,
	LIMIT_COUNT,
};

static struct rule limit_rules[] = {
	{"except [on] [the] <days>", LIMIT_EXCEPT},
	{"between <clock> and <clock>", LIMIT_WINDOW},
	{"from <clock> range|until <clock>", LIMIT_WINDOW},
	{"range <moment>", LIMIT_UNTIL_BEHIND_FROM},
	{"until <moment>", LIMIT_UNTIL},
	{"starting|from <moment>", LIMIT_FROM},
	{"for [the] [next] <number> times", LIMIT_COUNT},
	{"for [the] [next] <length>", LIMIT_LASTING},
	{"<number> times", LIMIT_COUNT},
};

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

/* "every day until Friday at 9": the clock is that of every day. */
static bool take_clock_of_moment(struct said *said, const struct match *match)
{
	if (!match->clock_count || match->date.kind == DATE_NONE || said->clock_count ||
		said->unit <= TIME_HOUR)
		return false;
	said->clocks[said->clock_count++] = match->clocks[0];
	return true;
}

static bool apply_limit(struct said *said, const struct rule *rule, const struct match *m)
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
	case LIMIT_UNTIL_BEHIND_FROM:
		if (said->from.kind == DATE_NONE)
			return false;
		/* fall through */
	case LIMIT_UNTIL:
		if (ends)
			return false;
		said->has_until = true;
		said->until = m->date;
		said->has_until_clock = m->clock_count && !take_clock_of_moment(said, m);
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
			(m->clock_count && !take_clock_of_moment(said, m)))
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

static bool part_limit(struct said_reader *r, struct said *said)
{
	if (!said->unit && !repeats_later(r))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(limit_rules); i++) {
		struct said_reader ahead = *r;
		struct match m = {0};

		if (match_rule(&ahead, &limit_rules[i], &m) &&
			apply_limit(said, &limit_rules[i], &m)) {
			r->at = ahead.at;
			return true;
		}
	}
	return false;
}

/* --- parts: from now on, before and after ------------------------------------ */

enum span_kind {
	SPAN_FEW,
	SPAN_IN,
	SPAN_TIMER,
	SPAN_OFFSET,
	SPAN_FROM_DAY,
	SPAN_FROM_DAY_UNSURE,
};

static struct rule span_part_rules[] = {
	{"in [fuzz] few [unit]", SPAN_FEW},
	{"in [fuzz] <span> from|on <date>", SPAN_FROM_DAY_UNSURE},
	{"in [fuzz] <span> [clockword]", SPAN_IN},
	{"[fuzz] <span> now", SPAN_IN},
	{"<span> before", SPAN_OFFSET, -1},
	{"<span> after", SPAN_OFFSET, 1},
	{"the <length> before", SPAN_OFFSET, -1},
	{"the <length> after", SPAN_OFFSET, 1},
	{"<span> from|on <date>", SPAN_FROM_DAY},
	{"[for] [fuzz] <span>", SPAN_TIMER},
};

static bool part_span(struct said_reader *r, struct said *said)
{
	struct said_reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;

	ahead.told = true;
	if (said->has_span || said->unit)
		return false;
	rule = match_table(&ahead, span_part_rules, ARRAY_SIZE(span_part_rules), &m);
	if (!rule)
		return false;
	switch ((enum span_kind)rule->kind) {
	case SPAN_FEW:
		said->cannot = "I need a number, such as 'in 5 minutes'.";
		said->has_span = true;
		break;
	case SPAN_TIMER:
		if (r->wish != WISH_TIMER || !r->front)
			return false;
		/* fall through */
	case SPAN_IN:
		if (said->date_count == 1 && said->dates[0].kind == DATE_WEEKDAY &&
			!m.span.seconds && !m.span.months && m.span.days % 7 == 0) {
			said->dates[0].days = m.span.days;
			said->ask = "I counted the weeks from this one";
		} else if (said->date_count || said->offset_sign ||
			   ((said->clock_count || said->part) && m.span.seconds)) {
			return false;
		} else {
			said->has_span = true;
			said->span = m.span;
		}
		break;
	case SPAN_OFFSET:
		/* "tomorrow and the day after at 9" */
		if (said->offset_sign || said->has_span || is(&ahead, 0, CLASS_AT) ||
			is(&ahead, 0, CLASS_ON))
			return false;
		said->offset_sign = rule->number;
		said->offset = m.span;
		break;
	case SPAN_FROM_DAY_UNSURE:
	case SPAN_FROM_DAY:
		if (said->date_count || m.span.seconds || m.span.months)
			return false;
		m.date.days += m.span.days;
		add_date(said, &m.date);
		if (rule->kind == SPAN_FROM_DAY_UNSURE)
			said->ask = "I counted from that day";
		break;
	}
	r->at = ahead.at;
	return true;
}

/* --- parts: days and clocks -------------------------------------------------- */

static struct rule date_part_rules[] = {
	{"on|by <date>", 1},
	{"before|after <date>", 2},
	{"for <date>", 3},
	{"at|in holiday=h [<year>]", 4},
	{"at [the] monthend", 5},
	{"at|on [this|the] weekend", 6},
	{"at date", 7},
	{"in month=m [<year>]", 8},
	{"<date>", 0},
};

static bool part_date(struct said_reader *r, struct said *said)
{
	bool front = r->front || said->clock_count;
	bool told = said->unit || said->offset_sign || (front && said->clock_count);

	if (said->date_count || (said->unit && said->days) || said->has_span)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(date_part_rules); i++) {
		struct rule *rule = &date_part_rules[i];
		struct said_reader ahead = *r;
		struct match m = {0};

		ahead.told = told || rule->kind == 1 || (rule->kind && r->front);
		ahead.front = front;
		if ((rule->kind == 2 && !r->front) || !match_rule(&ahead, rule, &m))
			continue;
		if (rule->kind == 4)
			m.date = (struct date){.kind = DATE_FULL,
				.number = VALUE(&m, 'h') % 100,
				.month = VALUE(&m, 'h') / 100,
				.year = VALUE(&m, 'y')};
		else if (rule->kind == 5 || rule->kind == 6)
			m.date.kind = rule->kind == 5 ? DATE_MONTH_END : DATE_WEEKEND;
		else if (rule->kind == 8)
			m.date = (struct date){.kind = DATE_FULL,
				.number = 1,
				.month = VALUE(&m, 'm'),
				.year = VALUE(&m, 'y')};
		else if (rule->kind == 7) {
			if (is(r, 1, CLASS_DECIMAL))
				continue; /* "at 18.45" */
			ahead.at--;
			read_full_date(&ahead, &m);
		}
		if (rule->kind == 2)
			said->ask = "you did not say how long before or after";
		r->at = ahead.at;
		add_date(said, &m.date);
		return true;
	}
	return false;
}

/* ", Wednesday and Friday" behind the first day. */
static void more_dates(struct said_reader *r, struct said *said)
{
	enum date_kind first = said->dates[0].kind;

	while (said->date_count < SAID_MAX_TIMES) {
		struct said_reader ahead = *r;
		struct match m = {0};
		bool or = is(r, 0, CLASS_OR);

		ahead.at += or ? 1 : 0;
		if (! or &&!take_and(&ahead))
			return;
		ahead.at += is(&ahead, 0, CLASS_ON) ? 1 : 0;
		ahead.told = true;
		if (!read_date(&ahead, &m) || (m.date.kind == DATE_DAY && first != DATE_DAY))
			return;
		/* "Saturday, the 21st of November" is one day. */
		if (said->date_count == 1 && first == DATE_WEEKDAY &&
				m.date.kind == DATE_FULL && !is(r, 0, CLASS_AND) && ! or) {
			m.date.weekday = said->dates[0].number + 1;
			said->date_count = 0;
		}
		add_date(said, &m.date);
		if (or)
			said->ask = "you said 'or'";
		r->at = ahead.at;
	}
}

static struct rule day_part_rules[] = {
	{"tonight", 0, PART_TONIGHT},
	{"thispart=p", 0, 0},
	{"this part=p", 0, 0},
	{"partof=p", 1, 0},
	{"inthe|at part=p", 1, 0},
	{"part=p", 2, 0},
};

static bool part_of_day(struct said_reader *r, struct said *said)
{
	struct said_reader ahead = *r;
	struct match m = {0};
	const struct rule *rule =
		match_table(&ahead, day_part_rules, ARRAY_SIZE(day_part_rules), &m);
	bool alone = !said->date_count && !said->unit && !said->clock_count && !said->has_span;

	if (!rule || said->part || said->span.seconds ||
		(rule->kind == 0 && said->date_count) || (rule->kind == 2 && alone))
		return false;
	if (rule->kind == 0)
		add_date(said, &(struct date){.kind = DATE_IN_DAYS});
	said->part = (enum day_part)(VALUE(&m, 'p') + rule->number);
	r->at = ahead.at;
	return true;
}

enum clock_told {
	CLOCK_SAID, /* as it is: plain */
	CLOCK_TOLD, /* "at 5" */
	CLOCK_TOLD_IF_FRONT,
	CLOCK_TOLD_IF_BORDER, /* "about 5", but not "about 5 things" */
	CLOCK_UNSURE,
};

static struct rule clock_part_rules[] = {
	{"at|by [fuzz] <clock> [fuzz]", CLOCK_TOLD},
	{"fuzz <clock> [fuzz]", CLOCK_TOLD_IF_BORDER},
	{"before|after <clock>", CLOCK_UNSURE},
	{"for [fuzz] <clock> [fuzz]", CLOCK_TOLD_IF_FRONT},
	{"<clock> [fuzz]", CLOCK_SAID},
};

/* ", 12:00 and at 18" behind the first time. */
static void more_clocks(struct said_reader *r, struct said *said)
{
	while (said->clock_count < SAID_MAX_TIMES) {
		struct said_reader ahead = *r;
		struct match m = {0};
		bool or = is(r, 0, CLASS_OR);

		ahead.at += or ? 1 : 0;
		if (! or &&!take_and(&ahead))
			return;
		ahead.at += is(&ahead, 0, CLASS_AT) ? 1 : 0;
		if (!read_clock(&ahead, &m) || is(&ahead, 0, CLASS_UNIT) ||
			is(&ahead, 0, CLASS_TIMES) ||
			!(m.plain || at_border(&ahead) || is(&ahead, 0, CLASS_AND) ||
				is(&ahead, 0, CLASS_EVERY) || is(&ahead, 0, CLASS_REPEAT)))
			return;
		said->clocks[said->clock_count++] = m.clocks[0];
		if (or)
			said->ask = "you said 'or'";
		r->at = ahead.at;
	}
}

static bool part_clock(struct said_reader *r, struct said *said)
{
	if (said->clock_count || (said->has_span && said->span.seconds))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(clock_part_rules); i++) {
		struct rule *rule = &clock_part_rules[i];
		struct said_reader ahead = *r;
		struct match m = {0};
		bool told;
		bool unsure;

		if (!match_rule(&ahead, rule, &m))
			continue;
		told = rule->kind == CLOCK_TOLD ||
		       (rule->kind == CLOCK_TOLD_IF_FRONT && r->front) ||
		       (rule->kind == CLOCK_TOLD_IF_BORDER &&
			       (at_border(&ahead) || is(&ahead, 0, CLASS_DAY) ||
				       is(&ahead, 0, CLASS_ON) || is(&ahead, 0, CLASS_INTHE)));
		/* "tomorrow 7": a number where a time is missing. */
		unsure = rule->kind == CLOCK_UNSURE ||
			 (rule->kind == CLOCK_SAID && !m.plain && said->date_count &&
				 at_border(&ahead) && is(r, 0, CLASS_NUMBER));
		if ((!m.plain && !told && (!unsure || rule->kind == CLOCK_UNSURE)) ||
			(!m.plain && (is(&ahead, 0, CLASS_UNIT) || is(&ahead, 0, CLASS_TIMES))))
			continue;
		if (unsure)
			said->ask = rule->kind == CLOCK_UNSURE
					    ? "you did not say how long before or after"
					    : "you said no 'at'";
		said->clocks[said->clock_count++] = m.clocks[0];
		r->at = ahead.at;
		more_clocks(r, said);
		return true;
	}
	return false;
}

/* --- parts: where, and what is unclear --------------------------------------- */

/* A place with a zone of its own name, before the word "time": "Lisbon time". */
static bool take_city(struct said_reader *r, struct said *said)
{
	static char name[ZONE_NAME_MAX + 1];
	const struct token *token = here(r, 0);
	CLEANUP(freep) char *word = NULL;
	CLEANUP(freep) char *found = NULL;
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

static struct rule zone_rules[] = {
	{"zone=z clockword", 0},
	{"in zone=z clockword", 0},
	{"in zone=z", 1},
	{"zone=z", 2},
};

static bool part_zone(struct said_reader *r, struct said *said)
{
	struct said_reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;

	/* Right behind a time: "call Tokyo" is no zone. */
	if (said->zone || r->at == r->start || !(said->clock_count || said->unit))
		return false;
	if (take_city(r, said))
		return true;
	rule = match_table(&ahead, zone_rules, ARRAY_SIZE(zone_rules), &m);
	if (!rule)
		return false;
	said->zone = language_zone(r->language, VALUE(&m, 'z'));
	if (rule->kind == 1 || (rule->kind == 2 && here(r, 0)->weak))
		said->ask = "I took the place for the time zone";
	if (!*said->zone)
		said->cannot =
			"I do not know which time zone that is; please name a city, such "
			"as 'Chicago time'.";
	r->at = ahead.at;
	return true;
}

static struct rule unclear_rules[] = {
	{"[at|on|by] bad", 0},
	{"[at|on|in|by] vague", 1},
};

static bool part_unclear(struct said_reader *r, struct said *said)
{
	struct said_reader ahead = *r;
	struct match m = {0};
	const struct rule *rule =
		match_table(&ahead, unclear_rules, ARRAY_SIZE(unclear_rules), &m);

	if (!rule || (rule->kind && !r->front))
		return false;
	said->cannot = rule->kind ? "I need a time, such as 'in 5 minutes' or 'tomorrow at 9'."
				  : "There is no such time, or no such day in the calendar.";
	r->at = ahead.at;
	return true;
}

/* --- the whole --------------------------------------------------------------- */

/* Mistyped words, and dates whose month is open, among those that were read. */
static void check_tokens(const struct said_reader *r, size_t start, struct said *said)
{
	for (size_t i = start; i < r->at; i++) {
		if (!r->list[i].slip)
			continue;
		if (token_is(&r->list[i], CLASS_DATE))
			said->cannot = "I cannot tell which of the two numbers is the month; "
				       "please write it as a word, such as '3 April'.";
		else
			said->ask = "a word looks mistyped";
	}
}

bool said_part(struct said_reader *r, struct said *said)
{
	size_t start = r->at;
	bool dates = !said->date_count;

	if (!part_repeat(r, said) && !part_limit(r, said) && !part_span(r, said) &&
		!part_date(r, said) && !part_of_day(r, said) && !part_clock(r, said) &&
		!part_zone(r, said) && !part_unclear(r, said))
		return false;
	if (dates && said->date_count)
		more_dates(r, said);
	check_tokens(r, start, said);
	return true;
}

bool said_phrase(struct said_reader *r, struct said *said)
{
	r->start = r->at;
	while (r->at < r->end && said_part(r, said)) {
		struct said ahead = *said;
		struct said_reader further = *r;

		further.at++;
		if ((is(r, 0, CLASS_AND) || is(r, 0, CLASS_DASH)) && further.at < r->end &&
			said_part(&further, &ahead))
			r->at++;
	}
	return r->at > r->start;
}

bool said_ends(const struct said *said)
{
	return said->has_until || said->count || said->lasting.seconds || said->lasting.days ||
	       said->lasting.months;
}

bool said_is_empty(const struct said *said)
{
	return !said->clock_count && !said->part && !said->date_count && !said->has_span &&
	       !said->unit && !said->offset_sign && !said->cannot;
}
