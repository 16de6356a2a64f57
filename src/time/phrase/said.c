#include "time/phrase/said.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "time/zone.h"

void said_add_date(struct said *said, const struct date *date)
{
	said->dates[said->date_count++] = *date;
	if (!date_is_possible(date))
		said->cannot = "That day does not exist.";
	if (date->kind == DATE_NTH && !date->month)
		said->ask = "I assumed once; say 'of every month' if it repeats";
}

/* --- spans: from now on, before and after ------------------------------------ */

enum span_kind {
	SPAN_FEW,
	SPAN_NO_UNIT,
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
	{"in [fuzz] <number>", SPAN_NO_UNIT},
	{"[for] <number>", SPAN_NO_UNIT, WISH_TIMER},
};

static bool part_span(struct reader *r, struct said *said)
{
	struct reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;

	ahead.told = true;
	if (said->has_span || said->unit)
		return false;
	rule = rule_match_any(&ahead, span_part_rules, ARRAY_SIZE(span_part_rules), &m);
	if (!rule)
		return false;
	switch ((enum span_kind)rule->kind) {
	case SPAN_FEW:
		said->cannot = "I need a number, such as 'in 5 minutes'.";
		said->has_span = true;
		break;
	case SPAN_NO_UNIT:
		/* "in 2027" and "in 5 boxes" are no times. */
		if (!reader_at_border(&ahead) || reader_is(&ahead, 1, CLASS_NUMBER) ||
			VALUE(&m, 'n') > 300 || said->date_count || said->clock_count ||
			(rule->number && (rule->number != (int)r->wish || !r->front)))
			return false;
		said->has_span = true;
		said->span.seconds = VALUE(&m, 'n') * INT64_C(60);
		said->no_unit = true;
		said->ask = "you did not say minutes or hours";
		break;
	case SPAN_TIMER:
		if (r->wish != WISH_TIMER || !r->front)
			return false;
		__attribute__((fallthrough));
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
		if (said->offset_sign || said->has_span || reader_is(&ahead, 0, CLASS_AT) ||
			reader_is(&ahead, 0, CLASS_ON))
			return false;
		said->offset_sign = rule->number;
		said->offset = m.span;
		break;
	case SPAN_FROM_DAY_UNSURE:
	case SPAN_FROM_DAY:
		if (said->date_count || m.span.seconds || m.span.months)
			return false;
		m.date.days += m.span.days;
		said_add_date(said, &m.date);
		if (rule->kind == SPAN_FROM_DAY_UNSURE)
			said->ask = "I counted from that day";
		break;
	}
	r->at = ahead.at;
	return true;
}

/* --- days and clocks --------------------------------------------------------- */

enum date_lead {
	LEAD_NONE,
	LEAD_ON,
	LEAD_FOR,
	LEAD_BEFORE,
	LEAD_AT, /* "at Christmas", "at 2026-12-25T18:00", but not "at 18.45" */
};

static struct rule date_part_rules[] = {
	{"on|by <date>", LEAD_ON},
	{"before|after <date>", LEAD_BEFORE},
	{"for <date>", LEAD_FOR},
	{"at|in <date>", LEAD_AT},
	{"<date>", LEAD_NONE},
};

static bool part_date(struct reader *r, struct said *said)
{
	bool front = r->front || said->clock_count;
	bool told = said->unit || said->offset_sign || (front && said->clock_count);

	if (said->date_count || (said->unit && said->days) || said->has_span)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(date_part_rules); i++) {
		struct rule *rule = &date_part_rules[i];
		struct reader ahead = *r;
		struct match m = {0};

		ahead.told = told || rule->kind == LEAD_ON || (rule->kind && r->front);
		ahead.front = front;
		ahead.lead = rule->kind == LEAD_AT
				     ? reader_is(r, 0, CLASS_AT) ? CLASS_AT : CLASS_IN
				     : CLASS_ON;
		if ((rule->kind == LEAD_BEFORE && !r->front) || !rule_match(&ahead, rule, &m))
			continue;
		if (rule->kind == LEAD_BEFORE)
			said->ask = "you did not say how long before or after";
		r->at = ahead.at;
		said_add_date(said, &m.date);
		return true;
	}
	return false;
}

/* ", Wednesday and Friday" after the first day. */
static void more_dates(struct reader *r, struct said *said)
{
	enum date_kind first = said->dates[0].kind;

	while (said->date_count < SAID_MAX_TIMES) {
		struct reader ahead = *r;
		struct match m = {0};
		bool either = reader_is(r, 0, CLASS_OR);

		ahead.at += either ? 1 : 0;
		if (!either && !reader_take_and(&ahead))
			return;
		ahead.at += reader_is(&ahead, 0, CLASS_ON) ? 1 : 0;
		ahead.told = true;
		if (!piece_date(&ahead, &m) || (m.date.kind == DATE_DAY && first != DATE_DAY))
			return;
		/* "Saturday, the 21st of November" is one day. */
		if (said->date_count == 1 && first == DATE_WEEKDAY &&
			m.date.kind == DATE_FULL && !reader_is(r, 0, CLASS_AND) && !either) {
			m.date.weekday = said->dates[0].number + 1;
			said->date_count = 0;
		}
		said_add_date(said, &m.date);
		if (either)
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

static bool part_of_day(struct reader *r, struct said *said)
{
	struct reader ahead = *r;
	struct match m = {0};
	const struct rule *rule =
		rule_match_any(&ahead, day_part_rules, ARRAY_SIZE(day_part_rules), &m);
	bool alone = !said->date_count && !said->unit && !said->clock_count && !said->has_span;

	if (!rule || said->part || said->span.seconds ||
		(rule->kind == 0 && said->date_count) || (rule->kind == 2 && alone))
		return false;
	if (rule->kind == 0)
		said_add_date(said, &(struct date){.kind = DATE_IN_DAYS});
	said->part = (enum day_part)(VALUE(&m, 'p') + rule->number);
	r->at = ahead.at;
	return true;
}

enum clock_told {
	CLOCK_SAID, /* without a preposition */
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

/* ", 12:00 and at 18" after the first time. */
static void more_clocks(struct reader *r, struct said *said)
{
	while (said->clock_count < SAID_MAX_TIMES) {
		struct reader ahead = *r;
		struct match m = {0};
		bool either = reader_is(r, 0, CLASS_OR);

		ahead.at += either ? 1 : 0;
		if (!either && !reader_take_and(&ahead))
			return;
		ahead.at += reader_is(&ahead, 0, CLASS_AT) ? 1 : 0;
		if (!piece_clock(&ahead, &m) || reader_is(&ahead, 0, CLASS_UNIT) ||
			reader_is(&ahead, 0, CLASS_TIMES) ||
			!(m.plain || reader_at_border(&ahead) ||
				reader_is(&ahead, 0, CLASS_AND) ||
				reader_is(&ahead, 0, CLASS_EVERY) ||
				reader_is(&ahead, 0, CLASS_REPEAT)))
			return;
		said->clocks[said->clock_count++] = m.clocks[0];
		if (either)
			said->ask = "you said 'or'";
		r->at = ahead.at;
	}
}

static bool part_clock(struct reader *r, struct said *said)
{
	if (said->clock_count || (said->has_span && said->span.seconds))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(clock_part_rules); i++) {
		struct rule *rule = &clock_part_rules[i];
		struct reader ahead = *r;
		struct match m = {0};
		bool told;
		bool unsure;

		if (!rule_match(&ahead, rule, &m))
			continue;
		told = rule->kind == CLOCK_TOLD ||
		       (rule->kind == CLOCK_TOLD_IF_FRONT && r->front) ||
		       (rule->kind == CLOCK_TOLD_IF_BORDER &&
			       (reader_at_border(&ahead) || reader_is(&ahead, 0, CLASS_DAY) ||
				       reader_is(&ahead, 0, CLASS_ON) ||
				       reader_is(&ahead, 0, CLASS_INTHE)));
		/* "tomorrow 7": a number where a time is missing. */
		unsure = rule->kind == CLOCK_UNSURE ||
			 (rule->kind == CLOCK_SAID && !m.plain && said->date_count &&
				 reader_at_border(&ahead) && reader_is(r, 0, CLASS_NUMBER));
		if ((!m.plain && !told && (!unsure || rule->kind == CLOCK_UNSURE)) ||
			(!m.plain && (reader_is(&ahead, 0, CLASS_UNIT) ||
					     reader_is(&ahead, 0, CLASS_TIMES))))
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

/* --- time zones, and words that are unclear ---------------------------------- */

/* A city before the word "time": "Lisbon time". */
static bool part_city(struct reader *r, struct said *said)
{
	static char name[ZONE_NAME_MAX + 1];
	const struct token *token = reader_token(r, 0);
	CLEANUP(freep) char *word = NULL;
	CLEANUP(freep) char *found = NULL;

	if (token->classes[0] || token->classes[1] || r->at >= r->end ||
		!reader_is(r, 1, CLASS_CLOCKWORD))
		return false;
	word = xmemdupz(r->text.data + token->start, token->end - token->start);
	found = zone_meant(word);
	if (!found || strlen(found) > ZONE_NAME_MAX)
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

static bool part_zone(struct reader *r, struct said *said)
{
	struct reader ahead = *r;
	struct match m = {0};
	const struct rule *rule;

	/* Only right after a time: "call Tokyo" names no zone. */
	if (said->zone || r->at == r->start || !(said->clock_count || said->unit))
		return false;
	if (part_city(r, said))
		return true;
	rule = rule_match_any(&ahead, zone_rules, ARRAY_SIZE(zone_rules), &m);
	if (!rule)
		return false;
	said->zone = language_zone(r->language, VALUE(&m, 'z'));
	if (rule->kind == 1 || (rule->kind == 2 && reader_token(r, 0)->weak))
		said->ask = "I read the place as the time zone";
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

static bool part_unclear(struct reader *r, struct said *said)
{
	struct reader ahead = *r;
	struct match m = {0};
	const struct rule *rule =
		rule_match_any(&ahead, unclear_rules, ARRAY_SIZE(unclear_rules), &m);

	if (!rule || (rule->kind && !r->front))
		return false;
	said->cannot = rule->kind ? "I need a time, such as 'in 5 minutes' or 'tomorrow at 9'."
				  : "That time or day does not exist.";
	r->at = ahead.at;
	return true;
}

/* --- phrases ----------------------------------------------------------------- */

/* Mistyped words, and dates whose month is ambiguous, among the tokens that were read. */
static void said_check_tokens(const struct reader *r, size_t start, struct said *said)
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

bool said_part(struct reader *r, struct said *said)
{
	size_t start = r->at;
	bool dates = !said->date_count;

	if (!said_repeat(r, said) && !said_limit(r, said) && !part_span(r, said) &&
		!part_date(r, said) && !part_of_day(r, said) && !part_clock(r, said) &&
		!part_zone(r, said) && !part_unclear(r, said))
		return false;
	if (dates && said->date_count)
		more_dates(r, said);
	said_check_tokens(r, start, said);
	return true;
}

bool said_phrase(struct reader *r, struct said *said)
{
	r->start = r->at;
	while (r->at < r->end && said_part(r, said)) {
		struct said ahead = *said;
		struct reader further = *r;

		further.at++;
		if ((reader_is(r, 0, CLASS_AND) || reader_is(r, 0, CLASS_DASH)) &&
			further.at < r->end && said_part(&further, &ahead))
			r->at++;
	}
	return r->at > r->start;
}

/* Words about time anywhere in a text. */
static struct rule about_time_rules[] = {
	{"number|article|fraction|decimal|next|this|every|other|few unit|weekend|times"},
	{"on|by|until|next|this|every|from|starting|before|after|at|in|last|number|ordinal "
	 "weekday|month|holiday|clocktime|date"},
	{"weekday|month|holiday number|ordinal"},
	{"every|other|last dayset"},
	{"at number"},
	{"number oclock|am|pm"},
	{"on the ordinal"},
	{"zone clockword"},
	{"bad|day|daysets|everymonthend|monthend|noon|odd|part|partof|parts|repeat|span|"
	 "thispart|tonight|weekdays"},
	{"clocktime!|date!|holiday!|month!|weekday!|zone!"},
};

size_t said_about_time(const struct reader *r)
{
	struct reader ahead = *r;
	struct match m = {0};

	return rule_match_any(&ahead, about_time_rules, ARRAY_SIZE(about_time_rules), &m)
		       ? ahead.at - r->at
		       : 0;
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
