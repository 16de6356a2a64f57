#include "cli/host/task_request.h"
#include "cli/host/place.h"

#include <string.h>

#include "cli/output.h"
#include "util/json.h"

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
