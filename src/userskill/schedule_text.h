/*
 * A schedule as people write it in a skill, made into one that util/schedule.h takes:
 *
 *	`0 8 * * 1-5`, @daily			cron, as it is
 *	every weekday at 08:00			0 8 * * 1-5
 *	daily at 7:30 pm			30 19 * * *
 *	every Monday and Thursday at 9		0 9 * * 1,4
 *	every Monday to Friday at noon		0 12 * * 1-5
 *	monthly on the 1st at 9:00		0 9 1 * *
 *	every hour, hourly			0 * * * *
 *	every 30 minutes			an interval: 30m
 *
 * A part of the day stands for an hour: morning 8, noon 12, afternoon 15, evening 18,
 * night 21. A schedule without a time of day is at 9:00.
 */
#ifndef USERSKILL_SCHEDULE_TEXT_H
#define USERSKILL_SCHEDULE_TEXT_H

#include <stdbool.h>

#include "util/schedule.h"
#include "util/view.h"

/* False if it is none. `*ret_value` is to be freed. */
bool schedule_text_parse(struct view text, enum schedule_type *ret_type, char **ret_value);

#endif
