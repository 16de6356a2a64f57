#include "engine/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/record.h"
#include "time/timestamp.h"

const struct applied_skill *state_find(const struct state *state, const char *name)
{
	for (size_t i = 0; i < state->skill_count; i++)
		if (!strcmp(state->skills[i].name, name))
			return &state->skills[i];
	return NULL;
}

const char *state_flattened_at(const struct applied_skill *skill)
{
	return yaml_get_text(skill->node, "rebased_at");
}

const char *state_rebased_at(const struct state *state)
{
	return yaml_get_text(state->doc->root, "rebased_at");
}

bool state_has_test(const struct applied_skill *skill)
{
	return yaml_get(yaml_get(skill->node, "structured_outcomes"), "test");
}

const struct yaml_node *state_files_of(const struct applied_skill *skill)
{
	const struct yaml_node *files = yaml_get(skill->node, "file_hashes");

	return files && files->kind == YAML_MAPPING ? files : NULL;
}

const struct applied_skill *state_adder_of(
	const struct state *state, const struct relpath *path)
{
	for (size_t i = state->skill_count; i > 0; i--)
		if (record_lists(state->skills[i - 1].node, RECORD_ADDED, relpath_view(path)))
			return &state->skills[i - 1];
	return NULL;
}

/* --- writing ------------------------------------------------------------------- */

void state_set_now(struct yaml_node *mapping, const char *key)
{
	char text[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), text);
	yaml_set_string(mapping, key, text);
}

void state_init(struct state *ret_state, const char *core_version)
{
	struct yaml_doc *doc = yaml_doc_new(STATE_PATH);

	doc->root = yaml_new_mapping(doc);
	yaml_set_string(doc->root, "skills_system_version", SKILLS_SYSTEM_VERSION);
	yaml_set_string(doc->root, "core_version", core_version);
	state_set_now(doc->root, "installed_at");
	yaml_set(doc->root, "applied_skills", yaml_new_sequence(doc));
	yaml_set(doc->root, "custom_modifications", yaml_new_sequence(doc));
	*ret_state = (struct state){
		.doc = doc, .core_version = yaml_get(doc->root, "core_version")->text.data};
}

void state_append(struct state *state, struct yaml_node *entry)
{
	const struct yaml_node *name = yaml_get(entry, "name");
	const struct yaml_node *version = yaml_get(entry, "version");

	yaml_append(yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE), entry);
	GROW(state->skills, state->skill_count, state->skill_cap);
	state->skills[state->skill_count++] = (struct applied_skill){
		name ? name->text.data : "", version ? version->text.data : "", entry};
}

static void set_source(
	struct yaml_node *mapping, const char *source, const struct hash *content)
{
	if (source) {
		yaml_set_string(mapping, "source", source);
		yaml_set_hash(mapping, "source_sha256", content);
	} else {
		yaml_remove(mapping, "source");
		yaml_remove(mapping, "source_sha256");
	}
}

void state_set_source(
	struct state *state, const char *skill, const char *source, const struct hash *content)
{
	set_source(state_find(state, skill)->node, source, content);
}

void state_set_core_source(struct state *state, const char *source, const struct hash *content)
{
	set_source(yaml_need(state->doc->root, "core_source", YAML_MAPPING), source, content);
}

void state_set_resolution_source(
	struct state *state, const char *key, const char *source, const struct hash *content)
{
	struct yaml_node *imported =
		yaml_need(state->doc->root, "imported_resolutions", YAML_MAPPING);

	set_source(yaml_need(imported, key, YAML_MAPPING), source, content);
}

static struct state_source read_source(
	const struct yaml_node *node, const char *kind, const char *name, const char *version)
{
	return (struct state_source){kind, name, version, yaml_get_text(node, "source"),
		yaml_get_text(node, "source_sha256")};
}

struct state_source *state_sources(const struct state *state, size_t *ret_count)
{
	const struct yaml_node *root = state->doc->root;
	const struct yaml_node *imported =
		yaml_get_kind(root, "imported_resolutions", YAML_MAPPING);
	struct state_source *list = xcalloc(
		1 + state->skill_count + (imported ? imported->count : 0), sizeof(*list));
	size_t count = 0;

	list[count++] = read_source(yaml_get_kind(root, "core_source", YAML_MAPPING), "core",
		"core", state->core_version);
	for (size_t i = 0; i < state->skill_count; i++)
		list[count++] = read_source(state->skills[i].node, "skill",
			state->skills[i].name, state->skills[i].version);
	for (size_t i = 0; imported && i < imported->count; i++)
		list[count++] = read_source(imported->entries[i].value, "resolution",
			imported->entries[i].key.data, NULL);
	*ret_count = count;
	return list;
}

const char *state_source_of(const struct applied_skill *skill)
{
	return yaml_get_text(skill->node, "source");
}

bool state_content_of(const struct applied_skill *skill, struct hash *ret_content)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = yaml_get_text(skill->node, "source_sha256");

	return text && hash_from_hex(view_of(text), ret_content, &ignored) == 0;
}

void state_set_rebased(struct state *state, const char *now)
{
	yaml_set_string(state->doc->root, "rebased_at", now);
	for (size_t i = 0; i < state->skill_count; i++)
		yaml_set_string(state->skills[i].node, "rebased_at", now);
}

void state_copy_file_facts(struct state *state, const struct state *from)
{
	static const char *const keys[] = {"path_remap", "structured_decisions",
		"structured_files", "structured_outcomes"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct yaml_node *was = yaml_get(from->doc->root, keys[i]);

		yaml_remove(state->doc->root, keys[i]);
		if (was)
			yaml_set(state->doc->root, keys[i], yaml_copy(state->doc, was));
	}
}

void state_copy_rest(struct state *state, const struct state *from)
{
	static const char *const ours[] = {"applied_skills", LAYER_BAKED_KEY, "core_version",
		"custom_modifications", "skills_system_version", "structured_files",
		"structured_outcomes"};
	const struct yaml_node *root = from->doc->root;

	for (size_t i = 0; i < root->count; i++) {
		bool copied = true;

		for (size_t j = 0; j < ARRAY_SIZE(ours); j++)
			copied &= !view_equal_str(root->entries[i].key, ours[j]);
		if (copied)
			yaml_set_view(state->doc->root, root->entries[i].key,
				yaml_copy(state->doc, root->entries[i].value));
	}
}

int state_write(struct state *state, struct buf *out, struct error *err)
{
	struct yaml_node *skills = yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE);

	/* Plain strings and `skill:` become `name:`. */
	for (size_t i = 0; i < state->skill_count; i++) {
		struct yaml_node *node = state->skills[i].node;

		if (node->kind == YAML_SCALAR)
			node = yaml_new_mapping(state->doc);
		yaml_set_string(node, "name", state->skills[i].name);
		yaml_remove(node, "skill");
		skills->items[i] = node;
	}
	yaml_set_string(state->doc->root, "skills_system_version", SKILLS_SYSTEM_VERSION);
	state_set_now(state->doc->root, "last_updated");
	return yaml_write(state->doc->root, out, err);
}

void state_release(struct state *state)
{
	yaml_doc_free(state->doc);
	free(state->skills);
}
