#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/slack/slack.h"
#include "time/timestamp.h"

/* Above this, the one that was asked for first is forgotten. */
#define MOST_NAMES 1000
#define MOST_CALLS 20
#define FRESH_MS   ((int64_t)60 * 60 * 1000)
#define AGAIN_MS   60000 /* after no answer */

struct slack_name {
	struct slack_name *next; /* asked for earlier */
	struct slack *slack;
	char *id;
	char *name;              /* NULL: it has none, or it is not known yet */
	struct slack_call *call; /* NULL: it is known */
	int64_t asked_at;
};

static struct slack_name **name_find(struct slack *slack, const char *id)
{
	struct slack_name **at = &slack->names;

	while (*at && strcmp((*at)->id, id) != 0)
		at = &(*at)->next;
	return at;
}

static void name_remove(struct slack_name **at)
{
	struct slack_name *name = *at;

	*at = name->next;
	name->slack->name_count--;
	if (name->call)
		slack_call_cancel(name->call);
	free(name->id);
	free(name->name);
	free(name);
}

void slack_names_end(struct slack *slack)
{
	while (slack->names)
		name_remove(&slack->names);
}

/* --- asking ------------------------------------------------------------------ */

static bool is_person(const char *id)
{
	return *id == 'U' || *id == 'W';
}

/* The name that a person chose, else the one in the directory; or the name of a channel. */
static const char *name_in(const json_t *document)
{
	const json_t *user = json_object_get(document, "user");
	const json_t *profile = json_object_get(user, "profile");
	const char *candidates[] = {
		slack_text(profile, "display_name"),
		slack_text(profile, "real_name"),
		slack_text(user, "real_name"),
		slack_text(user, "name"),
		slack_text(json_object_get(document, "channel"), "name"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++)
		if (candidates[i] && *candidates[i])
			return candidates[i];
	return NULL;
}

/* Names are what anybody chose: one line, without controls. */
static void take_name(void *data, const struct slack_reply *reply)
{
	struct slack_name *name = data;
	const char *text = name_in(reply->document);

	name->call = NULL;
	if (text)
		name->name = utf8_excerpt(view_of(text));
	else if (reply->outcome != SLACK_DONE && reply->outcome != SLACK_REFUSED)
		name->asked_at -= FRESH_MS - AGAIN_MS;
	slack_events_go_on(name->slack);
}

static bool name_ask(struct slack *slack, const char *id)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct slack_name *name = xcalloc(1, sizeof(*name));

	name->slack = slack;
	name->id = xstrdup(id);
	name->asked_at = timestamp_clock();
	name->next = slack->names;
	slack->names = name;
	slack->name_count++;
	if (slack_call(&slack->api, SLACK_BOT,
		    is_person(id) ? "users.info" : "conversations.info",
		    json_pack("{s:s}", is_person(id) ? "user" : "channel", id), take_name, name,
		    &name->call, &ignored) < 0)
		name->call = NULL;
	return !name->call;
}

bool slack_name_known(struct slack *slack, const char *id)
{
	struct slack_name **at = name_find(slack, id);
	struct slack_name **last = &slack->names;
	unsigned calls = 0;

	if (*at && ((*at)->call || timestamp_clock() - (*at)->asked_at < FRESH_MS))
		return !(*at)->call;
	if (*at)
		name_remove(at);
	for (struct slack_name *name = slack->names; name; name = name->next)
		calls += name->call != NULL;
	if (calls >= MOST_CALLS)
		return false;
	if (slack->name_count >= MOST_NAMES) {
		while ((*last)->next)
			last = &(*last)->next;
		name_remove(last);
	}
	return name_ask(slack, id);
}

const char *slack_name_get(const struct slack *slack, const char *id)
{
	for (const struct slack_name *name = slack->names; name; name = name->next)
		if (!strcmp(name->id, id))
			return name->name;
	return NULL;
}
