#include "host/request_text.h"

#include <string.h>

int request_text(const json_t *request, const char *name, bool needed, const char **ret_text,
	struct error *err)
{
	const json_t *value = json_object_get(request, name);
	const char *text = json_string_value(value);

	*ret_text = NULL;
	if (!needed && (!value || json_is_null(value)))
		return 0;
	if (!text || !*text || strlen(text) != json_string_length(value))
		return error_set(err, ERROR_INVALID, "'%s' must be a text", name);
	*ret_text = text;
	return 0;
}
