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

/* Can `name` ("europe/berlin", "berlin") mean `zone`? */
static bool is_short_for(const char *name, const char *zone)
{
	size_t len = strlen(name);
	size_t whole = strlen(zone);

	return whole >= len && !strcasecmp(zone + whole - len, name) &&
	       (whole == len || zone[whole - len - 1] == '/');
}

static int find_zone(const char *text, struct zone **ret_zone, struct error *err)
{
	CLEANUP(freep) char *name = xstrdup(text);
	CLEANUP(freep) char *found = NULL;

	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '_'; /* "New York" */
	found = zone_suggest(name);
	return zone_open(found && is_short_for(name, found) ? found : name, ret_zone, err);
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
	if (find_zone(name, &zone, err) < 0)
		return -1;
	if (memory_set_zone(turn->offline->folder, zone_name(zone), err) < 0)
		return -1;
	buf_append_str(
		turn->out, "From now on your times are those of this zone; there it is ");
	say_time(turn, zone);
	buf_append_str(turn->out, " Reminders that are set already keep theirs.");
	return 0;
}
