#include "cli/host/task_request.h"

#include <string.h>

#include "cli/host/place.h"
#include "cli/output.h"
#include "host/task_operations.h"
#include "time/zone.h"
#include "util/json.h"

static int in_store(
	struct place *place, const json_t *request, json_t *reply, struct error *err)
{
	struct registry registry = place_registry(place);
	struct task_desk desk = {
		.store = place->store,
		.registry = &registry,
		.tz = settings_get(&place->settings, "TZ"),
	};

	return task_operations_run(
		&desk, &(struct actor){.kind = ACTOR_PERSON}, request, reply, err);
}

/* The zone is that of the person who types, and not that of the host. */
static void add_zone(const struct place *place, json_t *request)
{
	CLEANUP(freep) char *zone = NULL;

	if (json_object_get(request, "tz") || !json_object_get(request, "schedule_type"))
		return;
	zone = zone_default_name(settings_get(&place->settings, "TZ"));
	json_object_set_new(request, "tz", json_text(view_of(zone)));
}

int task_change(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;
	CLEANUP(json_decrefp) json_t *reply = json_object();

	if (place_change(&place, err) < 0)
		return -1;
	add_zone(&place, wish);
	if (place.running)
		return client_request(&place.client, TAKE(wish), ret_reply, err);
	if (in_store(&place, wish, reply, err) < 0)
		return -1;
	*ret_reply = TAKE(reply);
	return 0;
}

int task_look(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;
	CLEANUP(json_decrefp) json_t *reply = json_object();

	if (place_look(&place, err) < 0)
		return -1;
	if (!place.store && !json_object_get(wish, "group") &&
		!json_object_get(wish, "task_id")) {
		*ret_reply = json_pack("{s:[]}", "tasks");
		return 0;
	}
	if (!place.store) {
		error_set(err, ERROR_INVALID, "there are no groups and no tasks yet");
		return error_hint(err, "'nanoclaw run' makes the main group");
	}
	if (in_store(&place, wish, reply, err) < 0)
		return -1;
	*ret_reply = TAKE(reply);
	return 0;
}

char *task_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return output_first_line(text ? text : "");
}

char *task_next_run(const json_t *task)
{
	CLEANUP(freep) char *local = task_text(task, "nextRunLocal");
	CLEANUP(freep) char *zone = task_text(task, "tz");

	if (strlen(local) < strlen("2026-11-17T09:00:00"))
		return xstrdup("-");
	local[10] = ' ';
	/* Seconds are shown only where there are some. */
	local[!strncmp(local + 16, ":00", 3) ? 16 : 19] = '\0';
	return xasprintf("%s %s", local, zone);
}
