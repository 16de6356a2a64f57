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
	*ret_path = realpath(file, NULL);
	return *ret_path ? 0 : quote_errno_typed(err, "open", file);
}

const char *skill_library(const struct assistant *assistant)
{
	const char *setting = settings_get(&assistant->settings, LIBRARY_SETTING);

	return setting ? setting : LIBRARY_FOLDER;
}
