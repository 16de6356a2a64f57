/*
 * Layers of v0.1: a skill without the hashes of its files, or a patch without any. Their files
 * are listed in their package or patch.
 */
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/patch/patch.h"
#include "engine/replay/internal.h"
#include "engine/session/origin.h"
#include "engine/state/record.h"

/* Reading the state did not check such a path. */
static int add_path(struct replaying *r, const struct relpath *path, struct error *err)
{
	if (relpath_protected(path) || !layer_may_record(path))
		return error_set(
			err, ERROR_INVALID, "'%s' is not a path that is recorded", path->text);
	string_array_add(&r->restage.paths, path->text);
	return 0;
}

static int add_skill(struct replaying *r, const struct layer *layer, struct error *err)
{
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct manifest_paths *both[] = {&m.adds, &m.modifies};

	if (origin_load_pack(r->session, layer->name, &pack, err) < 0 ||
		pack_read_manifest(&pack, &m, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++)
			if (add_path(r, &both[i]->list[j].path, err) < 0)
				return -1;
	for (size_t i = 0; i < m.file_op_count; i++)
		if (add_path(r, &m.file_ops[i].from, err) < 0 ||
			(m.file_ops[i].type == FILE_OP_RENAME &&
				add_path(r, &m.file_ops[i].to, err) < 0))
			return -1;
	return 0;
}

static int add_patch(struct replaying *r, const struct layer *layer, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	const char *file = record_patch_file(layer->node);

	if (!file || relpath_parse(view_of(file), &path, err) < 0 ||
		transaction_read(r->session->tx, &path, &text, err) < 0 ||
		patch_parse(view_of_buf(&text.content), path.text, &patch, err) < 0)
		return -1;
	for (size_t i = 0; i < patch.count; i++) {
		const struct patch_change *change = &patch.changes[i];

		if ((change->old.kind != PATCH_ABSENT &&
			    add_path(r, &change->old.path, err) < 0) ||
			(change->new.kind !=
				PATCH_ABSENT &&add_path(r, &change->new.path, err) < 0))
			return -1;
	}
	return 0;
}

/* Files that skills contribute to, under each name that they may have. */
static int add_structured(struct replaying *r, struct error *err)
{
	for (size_t i = 0; structured_formats[i]; i++)
		for (size_t j = 0; structured_formats[i]->names[j]; j++) {
			CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

			if (relpath_parse(
				    view_of(structured_formats[i]->names[j]), &path, err) < 0 ||
				add_path(r, &path, err) < 0)
				return -1;
		}
	return 0;
}

int replay_check_complete(struct replaying *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&r->session->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		r->incomplete |= !layer_is_complete(&layers.list[i]);
	return 0;
}

int replay_add_scope(struct replaying *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&r->session->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if (!layer_is_complete(layer) &&
			(layer->kind == LAYER_SKILL ? add_skill(r, layer, err)
						    : add_patch(r, layer, err)) < 0)
			return -1;
	}
	return r->incomplete ? add_structured(r, err) : 0;
}
