/*
 * Who builds on a skill.
 */
#include <string.h>

#include "engine/operation/internal.h"
#include "engine/session/origin.h"

/* Names that are there only because of the skill, or free only because of it. */
struct names {
	struct string_array given; /* added, or renamed to */
	struct string_array freed; /* renamed from, or deleted */
};

static void names_release(struct names *names)
{
	string_array_release(&names->given);
	string_array_release(&names->freed);
}

static void add_items(const struct yaml_node *list, struct string_array *names)
{
	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++) {
		CLEANUP(freep) char *path = layer_path(list->items[i]->text);

		string_array_add(names, path);
	}
}

static void collect_names(const struct yaml_node *entry, struct names *ret_names)
{
	const struct yaml_node *renames = yaml_get(entry, "renames");

	add_items(yaml_get(entry, "files_added"), &ret_names->given);
	add_items(yaml_get(entry, "files_deleted"), &ret_names->freed);
	for (size_t i = 0; renames && renames->kind == YAML_MAPPING && i < renames->count;
		i++) {
		CLEANUP(freep) char *to = layer_path(renames->entries[i].value->text);

		string_array_add(&ret_names->given, to);
	}
}

static bool any_is_in(const struct manifest_paths *paths, const struct string_array *names)
{
	for (size_t i = 0; i < paths->count; i++)
		if (string_array_has(names, paths->list[i].path.text))
			return true;
	return false;
}

/*
 * Names count for one that came `later` only: the others had their files before. `own` are the
 * names of the one that may build on it: one that it gave, and that was freed then, is its own.
 */
static bool builds_on(const struct manifest *m, const char *skill, const struct names *names,
	const struct names *own, bool later)
{
	if (manifest_depends_on(m, skill))
		return true;
	if (!later)
		return false;
	if (any_is_in(&m->modifies, &names->given) || any_is_in(&m->adds, &names->freed))
		return true;
	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct file_op *op = &m->file_ops[i];

		if (string_array_has(&names->given, op->from.text) ||
			(op->to.text && string_array_has(&names->freed, op->to.text) &&
				!string_array_has(&own->given, op->to.text)))
			return true;
	}
	return false;
}

/* It keeps its place, but may have got files on top of later ones. */
static bool is_updated(const struct applied_skill *skill)
{
	return skill->node->kind == YAML_MAPPING && yaml_get(skill->node, "updated_from");
}

static int find_those_of(struct session *s, const struct applied_skill *skill,
	struct string_array *names, struct error *err)
{
	CLEANUP(names_release) struct names its = {0};

	collect_names(skill->node, &its);
	for (size_t i = 0; i < s->state.skill_count; i++) {
		const char *other = s->state.skills[i].name;
		CLEANUP(pack_release) struct pack pack = PACK_INIT;
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
		CLEANUP(names_release) struct names own = {0};
		bool later = &s->state.skills[i] > skill;

		if (string_array_has(names, other))
			continue;
		if (origin_load_pack(s, other, &pack, err) < 0 ||
			pack_read_manifest(&pack, &m, err) < 0)
			return -1;
		if (!later)
			collect_names(s->state.skills[i].node, &own);
		if (builds_on(&m, skill->name, &its, &own,
			    later || is_updated(&s->state.skills[i])))
			string_array_add(names, other);
	}
	return 0;
}

int remove_find_dependents(struct session *s, struct string_array *names, struct error *err)
{
	/* The list grows on the way. */
	for (size_t i = 0; i < names->count; i++)
		if (find_those_of(s, state_find(&s->state, names->list[i]), names, err) < 0)
			return -1;
	return 0;
}
