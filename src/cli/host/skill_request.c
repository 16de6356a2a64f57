#include "cli/host/skill_request.h"

#include <limits.h>
#include <stdlib.h>

#include "host/skill_operations.h"
#include "util/json.h"
#include "util/quote.h"

int skill_change(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;
	CLEANUP(json_decrefp) json_t *reply = json_object();
	struct registry registry;

	if (place_change(&place, err) < 0)
		return -1;
	if (place.running)
		return client_request(&place.client, TAKE(wish), ret_reply, err);
	registry = place_registry(&place);
	if (skill_operations_run(&(struct skill_desk){&registry,
					 settings_get(&place.settings, LIBRARY_SETTING),
					 {settings_get(&place.settings, "TZ"), NULL}},
		    &(struct actor){.kind = ACTOR_PERSON}, wish, reply, err) < 0)
		return -1;
	*ret_reply = TAKE(reply);
	return 0;
}

int skill_look(struct place *ret_place, struct error *err)
{
	if (place_look(ret_place, err) < 0)
		return -1;
	if (ret_place->store)
		return 0;
	error_set(err, ERROR_INVALID, "there are no user skills yet");
	return error_hint(err, "'nanoclaw user-skill sync' reads those in '%s/'",
		skill_library(ret_place));
}

int skill_group(
	const struct place *place, const char *word, struct group *ret_group, struct error *err)
{
	struct registry registry = place_registry(place);

	if (!word)
		return 0;
	if (store_group_find(place->store, word, ret_group, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(&registry, word, err);
}

int skill_file_path(const char *file, char **ret_path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(file));
	char *path = realpath(file, NULL);

	if (!path) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	*ret_path = path;
	return 0;
}

const char *skill_library(const struct place *place)
{
	const char *setting = settings_get(&place->settings, LIBRARY_SETTING);

	return setting ? setting : LIBRARY_FOLDER;
}
