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

const char *zone_words(const char *text)
{
	return text +
	       request_leading(text,
		       "in|i am in|i'm in|im in|i live in|we are in|we live in|it's|it is|"
		       "i'm from|i am from|in der nähe von|ich bin in|ich wohne in|"
		       "ich lebe in|wir sind in|en|estoy en|vivo en");
}

int zone_find(const char *text, struct zone **ret_zone, struct error *err)
{
	const char *known = when_zone(view_of(text));
	CLEANUP(freep) char *meant = known ? NULL : zone_meant(text);

	if (known && !*known)
		return error_set(err, ERROR_INVALID,
			"'%s' is the time of several places: name a city, such as 'Chicago'",
			text);
	return zone_open(known ? known : meant ? meant : text, ret_zone, err);
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
	if (zone_find(zone_words(name), &zone, err) < 0)
		return -1;
	if (memory_set_zone(turn->offline->folder, zone_name(zone), err) < 0)
		return -1;
	buf_append_str(turn->out, "From now on I use this time zone; the time there is ");
	say_time(turn, zone);
	buf_append_str(turn->out, " Existing reminders keep theirs.");
	return 0;
}
