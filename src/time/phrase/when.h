/*
 * Times as people write them: "remind me to call mum tomorrow at 5pm", "every weekday at 8".
 *
 *	CLEANUP(when_release) struct when when = {0};
 *
 *	when_read(view_of(text), &(struct when_context){.now = &now}, &when);
 *	if (when.kind == WHEN_ONCE && !when.ask) …
 *
 * The time may be before "remind me", right after it, or at the end; `what` is the rest. The
 * result depends only on the text and on `now`, the local time of the person.
 *
 * A wrong time is worse than a question. Every word that could be about time has to be
 * used: if one is left over (a second time, "until …", a mistyped weekday, a number beside
 * the time), `ask` says why, and the caller shows what was understood and asks. When the
 * answer is "no, at 5am" or "tomorrow", when_correct() applies it to what was said before.
 *
 * Where a phrase is ambiguous, but people nearly always mean the same, that is chosen, and
 * `taken` says so:
 *	- an hour without am or pm: 1 to 6 are in the afternoon, 12 is noon; 7 to 11 are
 *	  in the morning, or in the evening if the morning of today is over; for an alarm
 *	  all are in the morning;
 *	- a day without a time: 09:00; morning 09:00, afternoon 15:00, evening 18:00,
 *	  tonight 20:00, night 21:00;
 *	- "on Friday" is the next one, never today unless a later time of today is said;
 *	  "next Friday" is that of the next week, which begins on Monday;
 *	- midnight is the end of a day.
 */
#ifndef TIME_PHRASE_WHEN_H
#define TIME_PHRASE_WHEN_H

#include "base/view.h"
#include "time/civil.h"
#include "time/phrase/said.h"
#include "time/schedule.h"

enum when_kind {
	WHEN_NONE,   /* no time was found */
	WHEN_ONCE,   /* at the local times `at`, mostly one */
	WHEN_IN,     /* once, `seconds` from now */
	WHEN_REPEAT, /* `type` and `value` for schedule.h */
	WHEN_PAST,   /* `at` is over; `proposal` is a time that is not */
	WHEN_CANNOT, /* understood, but impossible: `why` */
};

#define WHEN_MAX_TIMES 12

struct when {
	enum when_kind kind;
	enum wish wish;
	struct civil at[WHEN_MAX_TIMES];
	size_t count;
	struct civil proposal;
	int64_t seconds;
	enum schedule_type type;
	char *value;
	char zone[ZONE_NAME_MAX + 1]; /* "": the person's zone */
	const char *why;              /* a sentence */
	const char *taken;            /* how something ambiguous was read, or NULL */
	const char *ask;              /* why it may mean something else, or NULL */
	char *unused;                 /* the words about time that were not used, or NULL */
	char *what;                   /* "" if nothing was said */
	struct said said;
	struct said heard; /* the same before what was left open in it was chosen */
};

struct when_context {
	const struct civil *now; /* NULL: the text is in a file, for any time */
	bool whole;              /* the text is a time and nothing else */
	enum wish wish;          /* of a whole; a timer needs no "in" */
};

void when_read(struct view text, const struct when_context *context, struct when *ret_when);
void when_release(struct when *when);

/* `text` corrects `before`; false if it is not a time and nothing else. */
bool when_correct(const struct when *before, struct view text, const struct civil *now,
	struct when *ret_when);

/*
 * A single time in words that can mean only one thing ("tomorrow at 5pm", "in 2 hours"), written as
 * point.h reads it; NULL for anything else. `now` is in milliseconds. To be freed.
 */
char *when_point(struct view text, const struct zone *zone, int64_t now);

/* The zone of these words in the tables of the languages: "PST", "munich"; NULL if none is. */
const char *when_zone(struct view text);

/* Is it a wish to be reminded: "remind me", "set a reminder", "wake me"? */
bool when_is_wish(struct view text);

/* Fill in what `said` means now: all members but `what` and `unused`. */
void when_resolve(struct when *when, const struct civil *now);
/* The same on another clock. */
void when_resolve_again(struct when *when, const struct civil *now);

/* 0: Sunday. */
int when_weekday(const struct civil *civil);
void when_add_days(struct civil *civil, int days);
/* Below 0, 0 or above, as strcmp(). */
int when_compare(const struct civil *a, const struct civil *b);

#endif
