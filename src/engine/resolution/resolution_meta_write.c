/*
 * meta.yaml of a recorded resolution as text.
 */
#include <string.h>

#include "engine/resolution/resolution_meta.h"
#include "engine/state/layer.h"
#include "format/yaml_write.h"

static void hashes_set_base(
	struct yaml_doc *doc, struct yaml_node *node, const struct resolution_inputs *inputs)
{
	if (inputs->has_base)
		yaml_set_hash(node, "base", &inputs->base);
	else
		yaml_set(node, "base", yaml_new_null(doc));
}

static void meta_set_files(struct yaml_doc *doc, const struct resolution_meta *meta)
{
	struct yaml_node *files = yaml_new_mapping(doc);

	for (size_t i = 0; i < meta->count; i++) {
		const struct resolution_file *file = &meta->files[i];
		CLEANUP(freep) char *key = layer_key(relpath_view(&file->path));
		struct yaml_node *hashes = yaml_new_mapping(doc);

		hashes_set_base(doc, hashes, &file->inputs);
		yaml_set_hash(hashes, "current", &file->inputs.current);
		yaml_set_hash(hashes, "skill", &file->inputs.skill);
		yaml_set_hash(hashes, "output", &file->output);
		yaml_set(files, key, hashes);
	}
	yaml_set(doc->root, "file_hashes", files);
}

/* The older form, for a single file. */
static void meta_set_single(struct yaml_doc *doc, const struct resolution_meta *meta)
{
	const struct resolution_skills *skills = &meta->skills;
	const struct resolution_file *file = &meta->files[0];
	struct yaml_node *inputs = yaml_new_mapping(doc);
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) char *skill = NULL;

	current = skills->count > 1
			  ? xasprintf("current_after_%s", skills->list[skills->count - 2].name)
			  : xstrdup("current");
	skill = skills->count ? xasprintf("%s_modified", skills->list[skills->count - 1].name)
			      : xstrdup("skill");
	hashes_set_base(doc, inputs, &file->inputs);
	yaml_set_hash(inputs, current, &file->inputs.current);
	yaml_set_hash(inputs, skill, &file->inputs.skill);
	yaml_set(doc->root, "input_hashes", inputs);
	yaml_set_hash(doc->root, "output_hash", &file->output);
}

static void meta_set_text(struct yaml_doc *doc, const char *key, const char *text)
{
	if (text)
		yaml_set(doc->root, key, yaml_new_string(doc, text));
}

int resolution_meta_write(
	const struct resolution_meta *meta, struct buf *out, struct error *err)
{
	static const char *const hashes[] = {
		"input_hashes",
		"output_hash",
		"output_hashes",
	};
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("meta.yaml");
	struct yaml_node *skills = yaml_new_sequence(doc), *order = yaml_new_sequence(doc);

	doc->root = meta->doc && meta->doc->root->kind == YAML_MAPPING
			    ? yaml_copy(doc, meta->doc->root)
			    : yaml_new_mapping(doc);
	for (size_t i = 0; i < ARRAY_SIZE(hashes); i++)
		yaml_remove(doc->root, hashes[i]);
	for (size_t i = 0; i < meta->skills.count; i++) {
		CLEANUP(freep) char *text = resolution_skill_text(&meta->skills.list[i]);

		yaml_append(skills, yaml_new_string(doc, text));
		yaml_append(order, yaml_new_string(doc, meta->skills.list[i].name));
	}
	yaml_set(doc->root, "skills", skills);
	yaml_set(doc->root, "apply_order", order);
	meta_set_text(doc, "core_version", meta->core_version);
	meta_set_text(doc, "resolved_at", meta->resolved_at);
	meta_set_text(doc, "resolution_source", meta->source);
	yaml_set(doc->root, "tested", yaml_new_bool(doc, meta->tested));
	yaml_set(doc->root, "test_passed", yaml_new_bool(doc, meta->test_passed));
	meta_set_files(doc, meta);
	if (meta->count == 1)
		meta_set_single(doc, meta);
	return yaml_write(doc->root, out, err);
}
