#include <string.h>
#include <strings.h>

#include "agent/offline/calendar.h"
#include "agent/offline/memory.h"
#include "agent/offline/offline.h"
#include "time/timestamp.h"

static void say_time(const struct turn_request *turn, const struct zone *zone)
{
	struct civil now = zone_local(zone, timestamp_clock() / 1000, NULL);

	calendar_describe(&now, turn->out);
	buf_appendf(turn->out, " (%s).", zone_name(zone));
}

int answer_time(const struct turn_request *turn, struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = NULL;

	if (calendar_zone(turn->offline->folder, &zone, err) < 0)
		return -1;
	buf_append_str(turn->out, "It is ");
	say_time(turn, zone);
	return 0;
}

int zone_find(const char *text, struct zone **ret_zone, struct error *err)
{
	CLEANUP(freep) char *name = xstrdup(text + (strncasecmp(text, "in ", 3) ? 0 : 3));
	CLEANUP(freep) char *found = NULL;
	size_t len = strlen(name);
	size_t whole;

	for (char *c = name; *c; c++)
		*c = *c == ' ' ? '_' : *c;
	found = zone_suggest(name);
	whole = found ? strlen(found) : 0;
	if (found && whole >= len && !strcasecmp(found + whole - len, name) &&
		(whole == len || found[whole - len - 1] == '/'))
		return zone_open(found, ret_zone, err);
	return zone_open(name, ret_zone, err);
}

int answer_zone(const struct turn_request *turn, struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = NULL;
	const char *name = turn->request->what;

	if (!*name) {
		if (calendar_zone(turn->offline->folder, &zone, err) < 0)
			return -1;
		buf_append_str(turn->out, "It is ");
		say_time(turn, zone);
		buf_append_str(turn->out, " To change that, say for example "
					  "'time zone Europe/Berlin'.");
		return 0;
	}
	if (zone_find(name, &zone, err) < 0)
		return -1;
	if (memory_set_zone(turn->offline->folder, zone_name(zone), err) < 0)
		return -1;
	buf_append_str(turn->out, "From now on I use this time zone; the time there is ");
	say_time(turn, zone);
	buf_append_str(turn->out, " Existing reminders keep theirs.");
	return 0;
}
