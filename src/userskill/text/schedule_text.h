/*
 * Parses a schedule as people write it in a skill, for time/schedule.h: a cron expression,
 * alone or in `code`, or words that time/phrase/when.h understands unambiguously:
 *
 *	`0 8 * * 1-5`, @daily			cron, unchanged
 *	every weekday at 08:00			0 8 * * 1-5
 *	monthly on the 1st at 9:00		0 9 1 * *
 *	on the last Friday of every month	0 9 * * 5#L
 *	every 30 minutes			an interval: 30m
 *
 * A skill has no start date: a schedule that counts from one ("every other day") is not accepted
 * here, and neither is an ambiguous hour ("at 5").
 */
#ifndef USERSKILL_TEXT_SCHEDULE_TEXT_H
#define USERSKILL_TEXT_SCHEDULE_TEXT_H

#include <stdbool.h>

#include "base/view.h"
#include "time/schedule.h"

/* False if it is not a schedule. `*ret_value` is to be freed. */
bool schedule_text_parse(struct view text, enum schedule_type *ret_type, char **ret_value);

#endif
