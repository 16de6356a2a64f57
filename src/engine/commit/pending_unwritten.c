#include "engine/commit/pending_unwritten.h"

#include <string.h>

#include "engine/session/drift.h"
#include "engine/structured/structured_state.h"
#include "fs/beneath.h"

static bool has(const struct drift_list *drift, const char *path)
{
	for (size_t i = 0; i < drift->count; i++)
		if (!strcmp(drift->list[i].path, path))
			return true;
	return false;
}

/* As the pause has left it, without contributions? */
static bool is_as_left(
	const struct project *project, const char *name, const struct yaml_node *entry)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash left, now;

	if (!structured_get_hash(entry, "unfolded", &left) ||
		relpath_parse(view_of(name), &path, &ignored) < 0 ||
		beneath_read(project->root, &path, STRUCTURED_MAX_FILE, &text, &ignored) < 0)
		return false;
	now = hash_of(view_of_buf(&text));
	return hash_equal(&now, &left);
}

static void add_left(const struct project *project, const struct state *planned,
	struct string_array *ret_paths)
{
	const struct yaml_node *files = structured_files(planned);

	for (size_t i = 0; files && i < files->count; i++)
		if (is_as_left(project, files->entries[i].key.data, files->entries[i].value))
			string_array_add(ret_paths, files->entries[i].key.data);
}

int pending_unwritten(const struct project *project, const struct state *before,
	const struct pending *pending, struct string_array *ret_paths, struct error *err)
{
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
	const struct yaml_node *files = structured_files(before);

	add_left(project, &pending->state, ret_paths);
	if (!files)
		return 0;
	if (drift_find(project, before, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < files->count; i++)
		if (!has(&drift, files->entries[i].key.data))
			string_array_add(ret_paths, files->entries[i].key.data);
	return 0;
}
