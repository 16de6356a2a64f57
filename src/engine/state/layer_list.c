#include "engine/state/layer_list.h"

#include <string.h>

#include "engine/state/record.h"

static const char *const patch_lists[] = {"custom_modifications", LAYER_BAKED_KEY};

/* `skill` NULL: after none. */
static void patch_set_after(struct yaml_node *entry, const char *skill)
{
	yaml_set(entry, "after",
		skill ? yaml_new_string(entry->doc, skill) : yaml_new_null(entry->doc));
}

void layers_add_patch(struct state *state, struct yaml_node *entry, bool baked)
{
	size_t count = state->skill_count;

	patch_set_after(entry, count ? state->skills[count - 1].name : NULL);
	yaml_append(yaml_need(state->doc->root, patch_lists[baked], YAML_SEQUENCE), entry);
}

/* `custom_patch` names the last patch, for programs that support only one. */
void layers_tie_patch(struct state *state, const char *skill, struct yaml_node *entry)
{
	struct yaml_node *node = state_find(state, skill)->node;
	struct yaml_node *list = yaml_need(node, "custom_patches", YAML_SEQUENCE);
	struct yaml_node *first = list->count ? NULL : record_first_patch(node);

	if (first)
		yaml_append(list, first);
	yaml_append(list, entry);
	yaml_set_string(node, "custom_patch", record_patch_file(entry));
	yaml_set_string(node, "custom_patch_description", yaml_get_text(entry, "description"));
}

void layers_add_again(struct state *state, const struct layer *old, struct yaml_node *entry)
{
	const struct applied_skill *skill = old->skill ? state_find(state, old->skill) : NULL;

	if (!old->skill)
		yaml_append(yaml_need(state->doc->root, patch_lists[old->baked], YAML_SEQUENCE),
			entry);
	/* The one patch of v0.1 is in keys of the skill. */
	else if (skill && yaml_get(skill->node, "custom_patches"))
		yaml_append(yaml_need(skill->node, "custom_patches", YAML_SEQUENCE), entry);
}

struct yaml_node *layers_copy_skill(struct yaml_doc *doc, const struct layer *skill)
{
	struct yaml_node *entry = skill->node->kind == YAML_MAPPING
					  ? yaml_copy(doc, skill->node)
					  : yaml_new_mapping(doc);

	yaml_set_string(entry, "name", skill->name);
	yaml_remove(entry, "skill");
	if (yaml_get(entry, "custom_patches"))
		yaml_set(entry, "custom_patches", yaml_new_sequence(doc));
	return entry;
}

void layers_move_patches(struct state *state, const char *from, const char *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(patch_lists); i++) {
		const struct yaml_node *list =
			yaml_get_kind(state->doc->root, patch_lists[i], YAML_SEQUENCE);

		for (size_t j = 0; j < list->count; j++) {
			const struct yaml_node *after = yaml_get(list->items[j], "after");

			if (after && (from ? view_equal_str(after->text, from)
					   : yaml_is_null(after)))
				patch_set_after(list->items[j], to);
		}
	}
}

void layers_move_skill(struct state *state, size_t from, size_t to)
{
	struct yaml_node *list = yaml_get(state->doc->root, "applied_skills");
	struct yaml_node *node = list->items[from];
	struct applied_skill skill = state->skills[from];

	memmove(&list->items[to + 1], &list->items[to], (from - to) * sizeof(*list->items));
	memmove(&state->skills[to + 1], &state->skills[to],
		(from - to) * sizeof(*state->skills));
	list->items[to] = node;
	state->skills[to] = skill;
}

/* Patches that came after a dropped skill come after the one before it. */
void layers_drop_skills(struct state *state, const struct string_array *skills)
{
	struct yaml_node *list = yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE);
	size_t kept = 0;

	for (size_t i = 0; i < state->skill_count; i++) {
		const char *name = state->skills[i].name;

		if (string_array_has(skills, name)) {
			layers_move_patches(
				state, name, kept ? state->skills[kept - 1].name : NULL);
			continue;
		}
		list->items[kept] = list->items[i];
		state->skills[kept++] = state->skills[i];
	}
	list->count = state->skill_count = kept;
}

static void list_drop_entry(struct yaml_node *list, const struct yaml_node *entry)
{
	size_t kept = 0;

	if (!list || list->kind != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] != entry)
			list->items[kept++] = list->items[i];
	list->count = kept;
}

void layers_drop_patch(struct state *state, const struct yaml_node *entry)
{
	list_drop_entry(yaml_get(state->doc->root, "custom_modifications"), entry);
	for (size_t i = 0; i < state->skill_count; i++)
		list_drop_entry(yaml_get(state->skills[i].node, "custom_patches"), entry);
}

void layers_drop_patches(struct state *state)
{
	static const char *const tied[] = {
		"custom_patch", "custom_patch_description", "custom_patches"};

	yaml_set(state->doc->root, "custom_modifications", yaml_new_sequence(state->doc));
	yaml_remove(state->doc->root, LAYER_BAKED_KEY);
	for (size_t i = 0; i < state->skill_count; i++)
		for (size_t j = 0; j < ARRAY_SIZE(tied); j++)
			yaml_remove(state->skills[i].node, tied[j]);
}

void layers_drop_all(struct state *state)
{
	yaml_set(state->doc->root, "applied_skills", yaml_new_sequence(state->doc));
	state->skill_count = 0;
	layers_drop_patches(state);
}
