#include <math.h>
#include <string.h>

#include "group/container_parts.h"

#define MOST_TOKENS  1e15
#define LEAST_CENTS  0.01
#define MOST_DOLLARS 1e6

/* What may be used up: whole tokens, or dollars that are kept in millionths. */
static uint64_t read_amount(
	struct container_reading *reading, const struct container_value *value, bool dollars)
{
	double least = dollars ? LEAST_CENTS : 1;
	double most = dollars ? MOST_DOLLARS : MOST_TOKENS;
	double number = json_number_value(value->json);

	if (json_is_string(value->json) && !strcmp(json_string_value(value->json), "none"))
		return CONTAINER_NO_LIMIT;
	if (json_is_number(value->json) && number >= least && number <= most &&
		(dollars || floor(number) == number))
		return dollars ? (uint64_t)(number * 1e6 + 0.5) : (uint64_t)number;
	if (dollars)
		container_fault(reading, value->span,
			"'%s' must be dollars from 0.01 to 1000000, or \"none\"", value->what);
	else
		container_fault(reading, value->span,
			"'%s' must be a whole number from 1 to 10^15, or \"none\"",
			value->what);
	return 0;
}

static void read_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_budget *budget = &reading->container->budget;

	(void)data;
	if (!strcmp(key, "dailyDollars"))
		budget->daily_dollars = read_amount(reading, value, true);
	else if (!strcmp(key, "dailyTokens"))
		budget->daily_tokens = read_amount(reading, value, false);
	else if (!strcmp(key, "monthlyDollars"))
		budget->monthly_dollars = read_amount(reading, value, true);
	else if (!strcmp(key, "warnPercent"))
		budget->warn_percent = container_number(reading, value, 1, 100);
	else
		container_unknown(reading, item, value);
}

void container_read_budget(
	struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_part, NULL);
}
