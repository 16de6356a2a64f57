#include "cli/report/source_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"
#include "format/json.h"

void source_output(const struct state *state)
{
	size_t count;
	CLEANUP(freep) struct state_source *list = state_sources(state, &count);
	bool titled = false;

	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *source = NULL;

		if (!list[i].source)
			continue;
		if (!titled)
			printf("\nwhere it came from:\n");
		titled = true;
		source = output_path(list[i].source);
		printf("  %s%s%s: %s, sha256 %s\n", list[i].name, list[i].version ? " " : "",
			list[i].version ? list[i].version : "", source,
			list[i].sha256 ? list[i].sha256 : "not known");
	}
}

json_t *source_output_json(const struct state *state)
{
	size_t count;
	CLEANUP(freep) struct state_source *list = state_sources(state, &count);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		if (list[i].source)
			json_add(array, "kind:s name:s version:s source:s sha256:s",
				list[i].kind, list[i].name, list[i].version, list[i].source,
				list[i].sha256);
	return array;
}
