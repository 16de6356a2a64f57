#include "cli/userskill/request.h"

#include <stdlib.h>

#include "base/quote.h"
#include "userskill/library.h"

int skill_look(struct assistant *ret_assistant, struct error *err)
{
	if (assistant_look(ret_assistant, err) < 0)
		return -1;
	if (ret_assistant->store)
		return 0;
	error_set(err, ERROR_INVALID, "there are no user skills yet");
	return error_hint(err, "'nanoclaw user-skill sync' loads the ones in '%s/'",
		skill_library(ret_assistant));
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

const char *skill_library(const struct assistant *assistant)
{
	const char *setting = settings_get(&assistant->settings, LIBRARY_SETTING);

	return setting ? setting : LIBRARY_FOLDER;
}
