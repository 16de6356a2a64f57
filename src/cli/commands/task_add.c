#include "cli/command.h"

static const struct option options[] = {
	{0, "cron", "EXPRESSION",
		"minute, hour, day, month, weekday: '0 9 * * MON-FRI', @daily"},
	{0, "every", "DURATION", "after each 30s, 15m, 2h, 1d, 1w or 1h30m"},
	{0, "at", "TIME", "once: 2026-11-17T09:00, or with an offset: 2026-11-17T09:00+01:00"},
	{0, "tz", "ZONE", "its time zone, such as 'Europe/Berlin' (that of this machine)"},
	{0, "missed", "POLICY", "runs that nobody was there for: skip, once (default) or all"},
	{0, "context", "CONTEXT",
		"group (default): in its conversation; isolated: in one of its own"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw task add main --cron '0 9 * * MON-FRI' 'what is on my list today?'",
		"at nine on working days"},
	{"nanoclaw task add main --at 2026-11-17T18:30 --tz Europe/Berlin 'call Ann'",
		"once, on the clock in Berlin"},
	{"nanoclaw task add news --every 6h --context isolated 'any news? else be silent'",
		"every six hours, in a conversation of its own"},
	{0},
};

COMMAND(task_add) = {
	.name = "task add",
	.summary = "have a group's agent do something at a time, or again and again",
	.usage = "<group> (--cron <expression> | --every <duration> | --at <time>) <prompt>",
	.description =
		"When its time has come, the agent of the group gets the prompt, and what it answers\n"
		"goes to the group's chat; an empty answer sends nothing.\n"
		"\n"
		"Where clocks change, a time that they jump over happens right after the jump, one\n"
		"that they show twice happens once, and an interval is elapsed time. A run that was\n"
		"missed, because the host was not running, is made up for once unless '--missed' says\n"
		"otherwise.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
};
