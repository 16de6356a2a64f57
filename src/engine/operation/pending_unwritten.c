#include "engine/operation/pending_unwritten.h"

#include <string.h>

#include "engine/stack/drift.h"

static bool has(const struct drift_list *drift, const char *path)
{
	for (size_t i = 0; i < drift->count; i++)
		if (!strcmp(drift->list[i].path, path))
			return true;
	return false;
}

int pending_unwritten(const struct project *project, const struct state *before,
	struct string_array *ret_paths, struct error *err)
{
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
	const struct yaml_node *files = yaml_get(before->doc->root, "structured_files");

	if (!files || files->kind != YAML_MAPPING)
		return 0;
	if (drift_find(project, before, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < files->count; i++)
		if (!has(&drift, files->entries[i].key.data))
			string_array_add(ret_paths, files->entries[i].key.data);
	return 0;
}
