/*
 * Who builds on a skill.
 */
#include <stdint.h>
#include <string.h>

#include "engine/operation/internal.h"
#include "engine/session/origin.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

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

static struct names names_of(const struct yaml_node *entry)
{
	const struct layer layer = {.node = (struct yaml_node *)(uintptr_t)entry};
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(&layer);
	struct names names = {
		record_listed(entry, RECORD_ADDED), record_listed(entry, RECORD_DELETED)};

	for (size_t i = 0; i < renames.to.count; i++)
		string_array_add(&names.given, renames.to.list[i]);
	return names;
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

static int find_those_of(struct session *s, const struct applied_skill *skill,
	struct string_array *names, struct error *err)
{
	CLEANUP(names_release) struct names its = names_of(skill->node);

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
			own = names_of(s->state.skills[i].node);
		/* An updated one keeps its place, but may have got files on top of later ones. */
		if (builds_on(&m, skill->name, &its, &own,
			    later || record_was_updated(s->state.skills[i].node)))
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
