#include "engine/stack/drop.h"

#include <stdlib.h>
#include <string.h>

#include "engine/custom/custom.h"
#include "engine/session/origin.h"
#include "engine/state/layer_list.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "time/timestamp.h"

bool stack_drop_has(const struct stack_drop *drop, const struct layer *layer)
{
	const char *skill = layer->kind == LAYER_SKILL ? layer->name : layer->skill;

	if (drop->all_patches)
		return layer->kind == LAYER_PATCH;
	if (drop->one_patch)
		return layer->kind == LAYER_PATCH && !strcmp(layer->name, drop->one_patch);
	return skill && string_array_has(&drop->skills, skill);
}

const char *stack_drop_subject(const struct stack_drop *drop)
{
	return drop->one_patch ? drop->one_patch : drop->skills.list[0];
}

/* Does the layer use the name that the rename gave to the file? */
static bool is_above(
	const struct stack_drop *drop, const struct dropped_rename *rename, size_t layer)
{
	if (layer < rename->layer)
		return layer_has_later_names(&drop->layers.list[layer]);
	return layer < rename->heir && layer <= rename->last;
}

struct relpath stack_drop_name_now(
	const struct stack_drop *drop, size_t layer, const struct relpath *then)
{
	const struct relpath *name = then;

	for (size_t i = drop->rename_count; i > 0; i--) {
		const struct dropped_rename *rename = &drop->renames[i - 1];

		if (!is_above(drop, rename, layer) || relpath_compare(&rename->to, name) != 0)
			continue;
		name = &rename->from;
		layer = layer < rename->layer ? layer : rename->layer;
	}
	return relpath_copy(name);
}

/* --- renames ---------------------------------------------------------------------------- */

/*
 * Does the package of a skill request the same rename? It had no effect, since this layer had
 * already renamed the file.
 */
static int asks_for_it(struct session *s, const struct layer *layer,
	const struct dropped_rename *rename, bool *ret_asks, struct error *err)
{
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	const struct session_pack *pack = origin_pack(s, layer->name, err);

	*ret_asks = false;
	if (!pack)
		return -1;
	if (!pack->pack.count)
		return 0; /* of v0.1 */
	if (pack_read_manifest(&pack->pack, &manifest, err) < 0)
		return -1;
	for (size_t i = 0; i < manifest.file_op_count; i++) {
		const struct file_op *op = &manifest.file_ops[i];

		*ret_asks |= op->type == FILE_OP_RENAME &&
			     relpath_compare(&op->from, &rename->from) == 0 &&
			     relpath_compare(&op->to, &rename->to) == 0;
	}
	return 0;
}

static int find_layers_above(struct session *s, const struct stack_drop *drop,
	struct dropped_rename *rename, struct error *err)
{
	rename->heir = rename->last = SIZE_MAX;
	for (size_t i = rename->layer + 1; i < drop->layers.count; i++) {
		const struct layer *layer = &drop->layers.list[i];
		bool asks = false;

		if (layer_renames_away(layer, &rename->to)) {
			rename->last = i;
			return 0;
		}
		if (stack_drop_has(drop, layer))
			continue;
		if (layer->kind == LAYER_SKILL && asks_for_it(s, layer, rename, &asks, err) < 0)
			return -1;
		if (!asks)
			continue;
		rename->heir = i;
		return 0;
	}
	return 0;
}

static int note_renames(struct session *s, struct stack_drop *drop, struct error *err)
{
	for (size_t i = 0; i < drop->layers.count; i++) {
		CLEANUP(layer_renames_release) struct layer_renames renames = {0};

		if (!stack_drop_has(drop, &drop->layers.list[i]))
			continue;
		renames = layer_renames(&drop->layers.list[i]);
		for (size_t j = 0; j < renames.to.count; j++) {
			struct dropped_rename *rename;

			GROW(drop->renames, drop->rename_count, drop->rename_cap);
			rename = &drop->renames[drop->rename_count++];
			*rename = (struct dropped_rename){
				.from = relpath_of(renames.from.list[j]),
				.to = relpath_of(renames.to.list[j]),
				.layer = i,
			};
			if (find_layers_above(s, drop, rename, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* The rename is the heir's from now on. */
static void hand_over(const struct stack_drop *drop, const struct dropped_rename *rename,
	const struct layer *heir)
{
	const struct layer_file nothing = {.kind = TX_ABSENT};
	struct layer_file file;

	record_add_op(heir->node, &rename->from, &rename->to);
	layer_set(heir->node, relpath_view(&rename->from), &nothing);
	for (size_t i = rename->heir + 1; i > rename->layer; i--)
		if (layer_get(&drop->layers.list[i - 1], relpath_view(&rename->to), &file)) {
			layer_set(heir->node, relpath_view(&rename->to), &file);
			return;
		}
}

/*
 * Layers above a rename use the file's new name; so do lower layers that were recorded later.
 */
static int undo_rename(struct session *s, const struct stack_drop *drop,
	const struct dropped_rename *rename, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;

	if (layers_read(&s->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < drop->layers.count; i++) {
		struct layer *layer;

		if (stack_drop_has(drop, &drop->layers.list[i]))
			continue;
		layer = &now.list[drop->index[i]];
		if (i == rename->heir)
			hand_over(drop, rename, layer);
		if (is_above(drop, rename, i))
			layer_rename_file(layer, &rename->to, &rename->from, true);
	}
	return 0;
}

int stack_drop(struct session *s, struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers then = LAYERS_INIT;
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	size_t next = 0;

	if (state_from_node(s->state.doc->root, &drop->before, err) < 0 ||
		layers_read(&drop->before, &drop->layers, err) < 0 ||
		layers_read(&s->state, &then, err) < 0 || note_renames(s, drop, err) < 0)
		return -1;
	if (drop->all_patches)
		layers_drop_patches(&s->state);
	else if (!drop->one_patch)
		layers_drop_skills(&s->state, &drop->skills);
	for (size_t i = 0; drop->one_patch && i < then.count; i++)
		if (stack_drop_has(drop, &then.list[i]))
			layers_drop_patch(&s->state, then.list[i].node);
	/*
	 * The present position of each layer. A patch of v0.1 has no entry of its own to
	 * compare.
	 */
	if (layers_read(&s->state, &now, err) < 0)
		return -1;
	drop->index = xcalloc(then.count + 1, sizeof(*drop->index));
	for (size_t i = 0; i < then.count; i++) {
		drop->index[i] = next;
		for (size_t j = 0; j < now.count; j++)
			if (now.list[j].node == then.list[i].node)
				drop->index[i] = j;
		next += !stack_drop_has(drop, &then.list[i]);
	}
	for (size_t i = drop->rename_count; i > 0; i--)
		if (undo_rename(s, drop, &drop->renames[i - 1], err) < 0)
			return -1;
	return drop->rename_count ? remap_rebuild(&s->state, &drop->layers, err) : 0;
}

/* --- the files of dropped patches ---------------------------------------------------------- */

#define DISCARDED_WORDS "Discarded "
#define TIED_WORDS      "It belongs to the skill `"

int stack_drop_note_discarded(
	struct session *s, const struct stack_drop *drop, struct error *err)
{
	for (size_t i = 0; i < drop->layers.count; i++) {
		const struct layer *patch = &drop->layers.list[i];
		CLEANUP(freep) char *name = NULL;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file note = TX_FILE_INIT;
		char now[TIMESTAMP_SIZE];

		if (patch->kind != LAYER_PATCH || patch->baked || !stack_drop_has(drop, patch))
			continue;
		name = xasprintf(CUSTOM_FOLDER "/%s.md", patch->name);
		if (relpath_parse(view_of(name), &path, err) < 0 ||
			transaction_read(s->tx, &path, &note, err) < 0)
			return -1;
		if (note.kind != TX_FILE && note.kind != TX_ABSENT)
			continue;
		timestamp_format(timestamp_now(), now);
		if (note.content.len)
			buf_append_char(&note.content, '\n');
		buf_appendf(&note.content, DISCARDED_WORDS "%s", now);
		if (!drop->one_patch)
			buf_appendf(&note.content, ", with the skill `%s`", patch->skill);
		buf_append_str(&note.content, ".\n");
		if (transaction_put(s->tx, &path, view_of_buf(&note.content), 0644, err) < 0)
			return -1;
	}
	return 0;
}

bool custom_is_discarded(struct view note, const struct state *state)
{
	struct view rest = note, line, skill;

	while (view_next(&rest, '\n', &line)) {
		bool known = false;

		if (view_starts_with(line, DISCARDED_WORDS))
			return true;
		if (!state || !view_starts_with(line, TIED_WORDS))
			continue;
		line = view_slice(line, strlen(TIED_WORDS), line.len);
		if (!view_next(&line, '`', &skill))
			continue;
		for (size_t i = 0; i < state->skill_count; i++)
			known |= view_equal_str(skill, state->skills[i].name);
		if (!known)
			return true;
	}
	return false;
}

void stack_drop_release(struct stack_drop *drop)
{
	string_array_release(&drop->skills);
	free(drop->one_patch);
	layers_release(&drop->layers);
	state_release(&drop->before);
	free(drop->index);
	for (size_t i = 0; i < drop->rename_count; i++) {
		relpath_release(&drop->renames[i].from);
		relpath_release(&drop->renames[i].to);
	}
	free(drop->renames);
}
