#include "cli/userskill/request.h"

#include <limits.h>
#include <stdlib.h>

#include "base/quote.h"
#include "format/json.h"
#include "userskill/library.h"

int skill_look(struct place *ret_place, struct error *err)
{
	if (place_look(ret_place, err) < 0)
		return -1;
	if (ret_place->store)
		return 0;
	error_set(err, ERROR_INVALID, "there are no user skills yet");
	return error_hint(err, "'nanoclaw user-skill sync' loads those in '%s/'",
		skill_library(ret_place));
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
