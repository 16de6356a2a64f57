/*
 * Recording applied skills and their files in the state.
 */
#include <stdint.h>
#include <string.h>

#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/state/state.h"

/* In the place of an earlier version of the skill, else as the last one. */
static void state_put(struct state *state, struct yaml_node *node, const struct manifest *m)
{
	struct yaml_node *skills = yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE);

	yaml_set_string(node, "name", m->skill);
	yaml_set_string(node, "version", m->version);
	for (size_t i = 0; i < state->skill_count; i++)
		if (!strcmp(state->skills[i].name, m->skill)) {
			skills->items[i] = node;
			state->skills[i] =
				(struct applied_skill){yaml_get(node, "name")->text.data,
					yaml_get(node, "version")->text.data, node};
			return;
		}
	state_append(state, node);
}

/*
 * Keep the records of files that an earlier version of the skill dropped: no package has them,
 * so only the entry does.
 */
static void state_keep_dropped(const struct yaml_node *old, struct yaml_node *entry)
{
	const struct layer before = {
		.kind = LAYER_SKILL, .node = (struct yaml_node *)(uintptr_t)old};
	const struct layer now = {.kind = LAYER_SKILL, .node = entry};
	const struct yaml_node *hashes = yaml_get_kind(old, "file_hashes", YAML_MAPPING);

	for (size_t i = 0; layer_is_complete(&before) && i < hashes->count; i++) {
		CLEANUP(freep) char *path = layer_path(hashes->entries[i].key);
		struct layer_file file, covered;

		if (!record_has_hashes(old, view_of(path)) &&
			!layer_get(&now, view_of(path), &covered) &&
			layer_get(&before, view_of(path), &file))
			layer_set(entry, view_of(path), &file);
	}
}

void state_record_declared(struct yaml_node *entry, const struct manifest *manifest)
{
	const struct yaml_node *structured = manifest->structured;
	struct yaml_node *declared = yaml_new_mapping(entry->doc);

	for (size_t i = 0; structured && i < structured->count; i++)
		yaml_set_view(declared, structured->entries[i].key,
			yaml_copy(entry->doc, structured->entries[i].value));
	if (manifest->test)
		yaml_set_string(declared, "test", manifest->test);
	yaml_remove(entry, "structured_outcomes");
	if (declared->count)
		yaml_set(entry, "structured_outcomes", declared);
}

void state_record(
	struct state *state, const struct manifest *manifest, const struct yaml_node *files)
{
	const struct applied_skill *old = state_find(state, manifest->skill);
	struct yaml_doc *doc = state->doc;
	struct yaml_node *node = old && old->node->kind == YAML_MAPPING
					 ? yaml_copy(doc, old->node)
					 : yaml_new_mapping(doc);

	yaml_remove(node, "skill");
	/* Its ancestors are then files of that version, and not of the core. */
	if (old && *old->version)
		yaml_set_string(node, "updated_from", old->version);
	record_take_files(node, files);
	if (old)
		state_keep_dropped(old->node, node);
	state_set_now(node, "applied_at");
	yaml_set_string(node, "core_version_at_apply", state->core_version);
	state_record_declared(node, manifest);
	state_put(state, node, manifest);
}

void state_record_file(
	struct state *state, struct yaml_node *files, const struct file_record *file)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(file->path));
	struct yaml_node *three = yaml_new_mapping(state->doc);

	record_list_add(
		files, file->added ? RECORD_ADDED : RECORD_MODIFIED, relpath_view(file->path));
	if (file->base)
		yaml_set_hash(three, "base", file->base);
	yaml_set_hash(three, "skill", &file->skill);
	yaml_set(yaml_need(files, "hashes", YAML_MAPPING), key, three);
	layer_set(files, relpath_view(file->path), &file->merged);
}

int state_record_resolved(struct state *state, const char *skill, const struct relpath *path,
	const struct layer_file *merged, struct error *err)
{
	const struct applied_skill *found = state_find(state, skill);

	if (found)
		layer_set(found->node, relpath_view(path), merged);
	return layers_note(state, skill, relpath_view(path), merged, err);
}
