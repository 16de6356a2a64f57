#include "userskill/schedule_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/buf.h"

#define MAX_TEXT  200
#define MAX_WORDS 24
#define WORD_SIZE 16

#define USUAL_HOUR 9
#define ALL_DAYS   0x7f
#define WORKDAYS   0x3e
#define WEEKEND    0x41

struct words {
	char list[MAX_WORDS][WORD_SIZE];
	size_t count;
	size_t at;
};

struct plan {
	unsigned days; /* of the week, bit 0 is Sunday; 0: not said */
	int month_day; /* 0: not said */
	bool has_time;
	int hour;
	int minute;
	bool hourly;
	int every;        /* 0: not said */
	const char *unit; /* of `every`: "m", "h", "d", "w" */
};

/* --- words ------------------------------------------------------------------- */

static bool is_between(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == '.' || c == '(' || c == ')' ||
	       c == ';';
}

/* In lower case; what is too long or too much is no schedule. */
static bool split(struct view text, struct words *ret_words)
{
	size_t i = 0;

	*ret_words = (struct words){0};
	if (text.len > MAX_TEXT)
		return false;
	while (i < text.len) {
		size_t len = 0;

		if (is_between(text.data[i])) {
			i++;
			continue;
		}
		if (ret_words->count == MAX_WORDS)
			return false;
		for (; i < text.len && !is_between(text.data[i]); i++) {
			if (len + 1 == WORD_SIZE || (unsigned char)text.data[i] >= 0x80)
				return false;
			ret_words->list[ret_words->count][len++] =
				(char)tolower((unsigned char)text.data[i]);
		}
		ret_words->count++;
	}
	return ret_words->count > 0;
}

static const char *peek(const struct words *words)
{
	return words->at < words->count ? words->list[words->at] : "";
}

static bool take(struct words *words, const char *word)
{
	if (strcmp(peek(words), word) != 0)
		return false;
	words->at++;
	return true;
}

static bool take_any(struct words *words, const char *const *list)
{
	for (; *list; list++)
		if (take(words, *list))
			return true;
	return false;
}

/* --- days -------------------------------------------------------------------- */

/* "mon", "monday", "mondays": its number, or -1. */
static int weekday_of(const char *word)
{
	static const char *const names[] = {
		"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
	size_t len = strlen(word);

	if (len > 4 && word[len - 1] == 's')
		len--;
	for (int i = 0; i < 7; i++)
		if (len >= 3 && len <= strlen(names[i]) && !strncmp(word, names[i], len) &&
			(len <= 4 || len == strlen(names[i])))
			return i;
	return -1;
}

static unsigned days_from_to(int from, int to)
{
	unsigned days = 0;

	for (int day = from; day != to; day = (day + 1) % 7)
		days |= 1u << day;
	return days | 1u << to;
}

/* "mon-fri" */
static unsigned range_of(const char *word)
{
	const char *dash = strchr(word, '-');
	char from[WORD_SIZE];
	int first, last;

	if (!dash)
		return 0;
	snprintf(from, sizeof(from), "%.*s", (int)(dash - word), word);
	first = weekday_of(from);
	last = weekday_of(dash + 1);
	return first < 0 || last < 0 ? 0 : days_from_to(first, last);
}

static bool take_weekday(struct words *words, unsigned *days)
{
	static const char *const until[] = {"to", "through", "until", "-", NULL};
	int first = weekday_of(peek(words));
	unsigned range = range_of(peek(words));
	size_t back;
	int last;

	if (first < 0 && !range)
		return false;
	words->at++;
	*days |= range ? range : 1u << first;
	back = words->at;
	if (range || !take_any(words, until))
		return true;
	last = weekday_of(peek(words));
	if (last < 0) {
		words->at = back;
		return true;
	}
	words->at++;
	*days |= days_from_to(first, last);
	return true;
}

static bool take_weekdays(struct words *words, struct plan *plan)
{
	static const char *const joins[] = {"and", "&", "or", NULL};

	if (!take_weekday(words, &plan->days))
		return false;
	for (;;) {
		size_t back = words->at;

		take_any(words, joins);
		if (!take_weekday(words, &plan->days)) {
			words->at = back;
			return true;
		}
	}
}

/* "1st", "15th", "3" */
static bool take_month_day(struct words *words, struct plan *plan)
{
	static const char *const endings[] = {"", "st", "nd", "rd", "th"};
	const char *word = peek(words);
	char *end;
	long day;

	if (take(words, "first")) {
		plan->month_day = 1;
		return true;
	}
	if (!isdigit((unsigned char)*word))
		return false;
	day = strtol(word, &end, 10);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (!strcmp(end, endings[i]) && day >= 1 && day <= 31) {
			plan->month_day = (int)day;
			words->at++;
			return true;
		}
	return false;
}

/* --- times of day ------------------------------------------------------------ */

static bool set_time(struct plan *plan, long hour, long minute)
{
	if (plan->has_time || hour < 0 || hour > 23 || minute < 0 || minute > 59)
		return false;
	plan->has_time = true;
	plan->hour = (int)hour;
	plan->minute = (int)minute;
	return true;
}

static bool take_part_of_day(struct words *words, struct plan *plan)
{
	static const struct {
		const char *word;
		int hour;
	} parts[] = {
		{"afternoon", 15},
		{"afternoons", 15},
		{"evening", 18},
		{"evenings", 18},
		{"midnight", 0},
		{"morning", 8},
		{"mornings", 8},
		{"night", 21},
		{"nights", 21},
		{"noon", 12},
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (take(words, parts[i].word)) {
			/* "every morning at 7:30": the time says it better. */
			if (!plan->has_time && !strcmp(peek(words), "at"))
				return true;
			return plan->has_time || set_time(plan, parts[i].hour, 0);
		}
	return false;
}

/* "8", "08:00", "8am", "7:30 pm", "18h" */
static bool take_clock(struct words *words, struct plan *plan)
{
	const char *word = peek(words);
	size_t back = words->at;
	long hour, minute = 0;
	bool pm, am, taken;
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	hour = strtol(word, &end, 10);
	if (*end == ':') {
		if (!isdigit((unsigned char)end[1]) || !isdigit((unsigned char)end[2]))
			return false;
		minute = strtol(end + 1, &end, 10);
	}
	words->at++;
	if (!*end && (!strcmp(peek(words), "am") || !strcmp(peek(words), "pm")))
		end = words->list[words->at++];
	am = !strcmp(end, "am");
	pm = !strcmp(end, "pm");
	taken = !*end || am || pm || !strcmp(end, "h");
	if (am || pm) {
		taken = hour >= 1 && hour <= 12;
		hour = hour % 12 + (pm ? 12 : 0);
	}
	taken = taken && set_time(plan, hour, minute);
	if (!taken)
		words->at = back;
	return taken;
}

/* --- the whole --------------------------------------------------------------- */

/* "every 30 minutes": behind "every". */
static bool take_interval(struct words *words, struct plan *plan)
{
	static const struct {
		const char *word;
		const char *unit;
	} units[] = {
		{"minute", "m"},
		{"min", "m"},
		{"hour", "h"},
		{"day", "d"},
		{"week", "w"},
	};
	const char *word = peek(words);
	size_t back = words->at;
	char *end;
	long count = strtol(word, &end, 10);

	if (!isdigit((unsigned char)*word) || *end || count < 1 || count > 1000)
		return false;
	words->at++;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t len = strlen(units[i].word);

		if (!strncmp(peek(words), units[i].word, len) &&
			(!peek(words)[len] || !strcmp(peek(words) + len, "s"))) {
			words->at++;
			plan->every = (int)count;
			plan->unit = units[i].unit;
			return true;
		}
	}
	words->at = back;
	return false;
}

static bool take_days(struct words *words, struct plan *plan)
{
	static const char *const all[] = {"day", "daily", "days", NULL};
	static const char *const work[] = {
		"weekday", "weekdays", "workday", "workdays", "workingday", NULL};
	static const char *const weekends[] = {"weekend", "weekends", NULL};
	static const char *const weeks[] = {"week", "weekly", NULL};
	static const char *const months[] = {"month", "monthly", NULL};
	static const char *const hours[] = {"hour", "hourly", NULL};

	if (take(words, "working") && !strncmp(peek(words), "day", 3)) {
		words->at++;
		plan->days |= WORKDAYS;
	} else if (take_any(words, all)) {
		plan->days |= ALL_DAYS;
	} else if (take_any(words, work)) {
		plan->days |= WORKDAYS;
	} else if (take_any(words, weekends)) {
		plan->days |= WEEKEND;
	} else if (take_any(words, hours)) {
		plan->hourly = true;
	} else if (take_any(words, weeks)) {
		take(words, "on");
		return take_weekdays(words, plan);
	} else if (take_any(words, months)) {
		take(words, "on");
		take(words, "the");
		return take_month_day(words, plan);
	} else {
		return take_weekdays(words, plan);
	}
	return true;
}

/* "the 1st of every month" */
static bool take_day_of_month(struct words *words, struct plan *plan)
{
	static const char *const of[] = {"of", "in", NULL};
	static const char *const every[] = {"every", "each", "the", NULL};
	size_t back = words->at;

	take(words, "on");
	take(words, "the");
	if (take_month_day(words, plan)) {
		take(words, "day");
		if (take_any(words, of) && take_any(words, every) && take(words, "month"))
			return true;
	}
	plan->month_day = 0;
	words->at = back;
	return false;
}

static bool read_plan(struct words *words, struct plan *plan)
{
	static const char *const every[] = {"every", "each", "on", NULL};
	static const char *const at[] = {"at", "@", "in", "the", NULL};

	if (!take_day_of_month(words, plan)) {
		bool said = take_any(words, every);

		if (said && take_interval(words, plan))
			return words->at == words->count;
		if (!(said && take_part_of_day(words, plan)) && !take_days(words, plan))
			return false;
		if (!plan->days && !plan->month_day && !plan->hourly)
			plan->days = ALL_DAYS;
	}
	take_part_of_day(words, plan);
	while (take_any(words, at))
		;
	if (!take_part_of_day(words, plan))
		take_clock(words, plan);
	return words->at == words->count;
}

static void append_weekdays(struct buf *out, unsigned days)
{
	bool first = true;

	if (days == ALL_DAYS) {
		buf_append_char(out, '*');
	} else if (days == WORKDAYS) {
		buf_append_str(out, "1-5");
	} else {
		for (int i = 0; i < 7; i++)
			if (days & 1u << i) {
				buf_appendf(out, "%s%d", first ? "" : ",", i);
				first = false;
			}
	}
}

static char *cron_of(const struct plan *plan)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (plan->hourly)
		return plan->has_time ? NULL : xstrdup("0 * * * *");
	buf_appendf(&out, "%d %d ", plan->has_time ? plan->minute : 0,
		plan->has_time ? plan->hour : USUAL_HOUR);
	if (plan->month_day)
		buf_appendf(&out, "%d * *", plan->month_day);
	else
		buf_append_str(&out, "* * ");
	if (!plan->month_day)
		append_weekdays(&out, plan->days);
	return buf_take(&out);
}

/* A cron expression alone, or in `code` somewhere in the text. */
static bool find_cron(struct view text, char **ret_value)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *open = memchr(text.data, '`', text.len);
	struct cron cron;

	if (open) {
		size_t start = (size_t)(open - text.data) + 1;
		const char *close = memchr(open + 1, '`', text.len - start);

		if (!close)
			return false;
		text = view_slice(text, start, (size_t)(close - text.data));
	}
	text = view_trim(text);
	if (text.len > CRON_MAX || cron_parse(text, &cron, &ignored) < 0)
		return false;
	*ret_value = xmemdupz(text.data, text.len);
	return true;
}

bool schedule_text_parse(struct view text, enum schedule_type *ret_type, char **ret_value)
{
	struct plan plan = {0};
	struct words words;
	char *value;

	if (find_cron(text, &value)) {
		*ret_type = SCHEDULE_CRON;
		*ret_value = value;
		return true;
	}
	if (!split(text, &words) || !read_plan(&words, &plan))
		return false;
	value = plan.every ? xasprintf("%d%s", plan.every, plan.unit) : cron_of(&plan);
	if (!value)
		return false;
	*ret_type = plan.every ? SCHEDULE_INTERVAL : SCHEDULE_CRON;
	*ret_value = value;
	return true;
}
