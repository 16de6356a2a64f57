/*
 * The place of migration skills among the layers.
 *
 * They are applied last, as any skill. But what they bring back was below everything else
 * before: a feature that skills and patches have been made for. So their entries go to the
 * bottom, and a replay comes to the same files in that order. Where it does not, and where a
 * migration renames or deletes files itself, they stay on top.
 */
#include <string.h>

#include "engine/package/pack.h"
#include "engine/state/layer_list.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/structured/structured_state.h"
#include "engine/update/internal.h"

static const struct yaml_node *migrations_of(const struct session *s)
{
	const struct yaml_node *list = s->notes ? yaml_get(s->notes->root, "migrations") : NULL;

	return list && list->kind == YAML_SEQUENCE ? list : NULL;
}

/* --- the order -------------------------------------------------------------------- */

static size_t index_of(const struct state *state, const char *skill)
{
	size_t i = 0;

	while (i < state->skill_count && strcmp(state->skills[i].name, skill) != 0)
		i++;
	return i;
}

/* Behind everything that it builds on, and behind the migrations before it. */
static int find_place(struct session *s, const struct applied_skill *skill, size_t first,
	size_t *ret_place, struct error *err)
{
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	size_t place = first;

	if (pack_path(skill->name, &path, err) < 0 ||
		transaction_read(s->tx, &path, &text, err) < 0 ||
		pack_parse(view_of_buf(&text.content), &pack, err) < 0 ||
		pack_read_manifest(&pack, &m, err) < 0)
		return -1;
	for (size_t i = 0; i < m.depends.count; i++) {
		size_t at = index_of(&s->state, m.depends.list[i].skill);

		if (at < s->state.skill_count && at >= place)
			place = at + 1;
	}
	for (size_t i = 0; i < m.modifies.count; i++) {
		const struct applied_skill *adder =
			remap_adder(&s->state, NULL, &m.modifies.list[i].path);
		size_t at = adder ? index_of(&s->state, adder->name) : 0;

		if (adder && at >= place)
			place = at + 1;
	}
	*ret_place = place;
	return 0;
}

/* --- what it touches -------------------------------------------------------------- */

struct collecting {
	const struct state *state;
	struct string_array *paths;
};

static void collect_path(struct view path, const struct layer_file *file, void *data)
{
	struct collecting *c = data;
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);

	(void)file;
	if (!yaml_get(structured_files(c->state), text))
		string_array_add(c->paths, text);
}

/* One migration: try the state with another order. */
static int place_one(struct session *s, const char *name, size_t *first, struct error *err)
{
	CLEANUP(state_release) struct state reordered = STATE_INIT;
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(record_ops_release) struct record_ops ops = {0};
	struct collecting c = {&s->state, &paths};
	size_t from = index_of(&s->state, name), to;
	struct layer layer;
	bool taken = false;

	if (from == s->state.skill_count)
		return 0;
	ops = record_ops(s->state.skills[from].node);
	if (ops.count)
		return 0;
	if (find_place(s, &s->state.skills[from], *first, &to, err) < 0)
		return -1;
	if (to > from)
		return 0;
	layer = (struct layer){.kind = LAYER_SKILL, .node = s->state.skills[from].node};
	layer_each(&layer, collect_path, &c);
	if (state_from_node(s->state.doc->root, &reordered, err) < 0)
		return -1;
	/* Patches that came after the skill before it come after it. */
	layers_move_patches(&reordered, to ? reordered.skills[to - 1].name : NULL, name);
	layers_move_skill(&reordered, from, to);
	if (core_update_try_order(s, &reordered, &paths, &taken, err) < 0)
		return -1;
	if (taken)
		*first = to + 1;
	return 0;
}

int core_update_place_migrations(struct session *s, struct error *err)
{
	const struct yaml_node *list = migrations_of(s);
	const struct yaml_node *placed = s->notes ? yaml_get(s->notes->root, "placed") : NULL;
	size_t first = 0;

	if (!list || placed)
		return 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct yaml_node *name = yaml_get(list->items[i], "skill");

		if (name && (core_update_keep_choices(s, name->text.data, err) < 0 ||
				    place_one(s, name->text.data, &first, err) < 0))
			return -1;
	}
	yaml_set(s->notes->root, "placed", yaml_new_bool(s->notes, true));
	return 0;
}
