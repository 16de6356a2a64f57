/*
 * Times as people write them: "remind me to call mum tomorrow at 5pm".
 *
 *	CLEANUP(phrase_release) struct phrase phrase = {0};
 *
 *	phrase_read(view_of(text), &now, &phrase);
 *	switch (phrase.kind) …
 *
 * The time may stand before "remind me", right behind it, or at the end; what is left
 * is what to remind of. Nothing is asked of the world: the same text and the same `now`,
 * which is the local time of the person, give the same result.
 *
 * Where English leaves something open, a choice is made and said in `taken`:
 *	- an hour without am or pm: 1 to 6 are in the afternoon, 12 is noon; 7 to 11 are
 *	  in the morning, or in the evening if the morning of today is over;
 *	- a day without a time: 09:00; morning 09:00, afternoon 15:00, evening 18:00,
 *	  tonight 20:00, night 21:00;
 *	- "on Friday" is the next one, never today unless a later time of today is said;
 *	  "next Friday" is that of the next week, which begins on Monday;
 *	- midnight is the end of a day.
 * What could mean two different days (3/4) is not guessed.
 */
#ifndef AGENT_OFFLINE_PHRASES_H
#define AGENT_OFFLINE_PHRASES_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/offline/moment.h"
#include "util/view.h"

enum phrase_kind {
	PHRASE_NONE,     /* no time was found */
	PHRASE_AT,       /* once, at the local time `at` */
	PHRASE_IN,       /* once, `seconds` from now */
	PHRASE_CRON,     /* again and again: `cron` */
	PHRASE_INTERVAL, /* every `seconds` */
	PHRASE_PAST,     /* `at` is over; `proposal` is a time that is not */
	PHRASE_CANNOT,   /* understood so far that it is not possible: `why` */
};

#define PHRASE_CRON_SIZE 64

struct phrase {
	enum phrase_kind kind;
	struct civil at;
	struct civil proposal;
	int64_t seconds;
	char cron[PHRASE_CRON_SIZE];
	const char *why;   /* a sentence */
	const char *taken; /* how something open was taken, or NULL */
	char *what;        /* to remind of; "" if nothing was said */
};

void phrase_read(struct view text, const struct civil *now, struct phrase *ret_phrase);
void phrase_release(struct phrase *phrase);

/* Is it a wish to be reminded: "remind me", "set a reminder", "wake me"? */
bool phrase_is_wish(struct view text);

#endif
