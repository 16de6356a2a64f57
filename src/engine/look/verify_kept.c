
#include <errno.h>
#include <string.h>

#include "base/quote.h"
#include "engine/look/internal.h"
#include "engine/look/verify.h"
#include "engine/package/pack.h"
#include "engine/patch/patch.h"
#include "engine/state/record.h"
#include "fs/beneath.h"

/* Read a file of the engine; a missing file counts as damage. */
static int read_kept(struct verifying *v, const struct layer *layer, const char *text,
	const struct hash *expected, struct tx_file *ret_file, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	v->result->checked++;
	if (relpath_parse(view_of(text), &path, err) < 0 ||
		transaction_read(v->session->tx, &path, ret_file, err) < 0)
		return -1;
	if (ret_file->kind != TX_FILE)
		verify_add_damage(
			v->result, layer, text, "missing", expected, NULL, FROM_A_COPY);
	return 0;
}

/* --- packs ------------------------------------------------------------------------- */

/* The hash that the pack states, and its real hash. False if it states none. */
static bool pack_hashes(struct view text, struct hash *ret_said, struct hash *ret_real)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view line;

	if (!view_next(&text, '\n', &line) || line.len < HASH_HEX_SIZE - 1)
		return false;
	*ret_real = hash_of(text);
	return hash_from_hex(view_slice(line, line.len - (HASH_HEX_SIZE - 1), line.len),
		       ret_said, &ignored) == 0;
}

static int check_pack(struct verifying *v, const struct layer *layer, struct error *err)
{
	CLEANUP(freep) char *where = xasprintf(".nanoclaw/applied/%s", layer->name);
	CLEANUP(error_release) struct error damage = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	struct hash said, real;

	/* v0.1 kept none. */
	if (!layer_is_complete(layer))
		return 0;
	if (read_kept(v, layer, where, NULL, &file, err) < 0)
		return -1;
	if (file.kind != TX_FILE)
		return 0;
	if (pack_parse(view_of_buf(&file.content), &pack, &damage) < 0) {
		bool says = pack_hashes(view_of_buf(&file.content), &said, &real);

		verify_add_damage(v->result, layer, where, "damaged", says ? &said : NULL,
			says ? &real : NULL, FROM_A_COPY);
		return 0;
	}
	/* Does the pack hold the files that were applied? */
	for (size_t i = 0; i < pack.count; i++) {
		const struct pack_entry *entry = &pack.entries[i];
		struct hash found = hash_of(pack_content(&pack, entry));
		struct record_hashes expected;

		if (entry->part == PACK_MANIFEST ||
			!record_hashes(layer->node, relpath_view(&entry->path), &expected) ||
			!expected.has_skill || hash_equal(&found, &expected.skill))
			continue;
		verify_add_damage(v->result, layer, where, "damaged", &expected.skill, &found,
			"it is not the file that was applied; " FROM_A_COPY);
	}
	return 0;
}

/* --- patches ----------------------------------------------------------------------- */

static void add_patch_damage(
	struct verifying *v, const struct layer *layer, const char *where, const char *why)
{
	CLEANUP(freep) char *note = xasprintf("it cannot be applied: %s; " FROM_A_COPY, why);

	verify_add_damage(v->result, layer, where, "damaged", NULL, NULL, note);
}

/* Does the state have a hash for this side of a file? v0.1 never did. */
static bool knows_side(const struct layer *layer, const struct patch_end *end, bool old)
{
	struct record_part part;

	if (end->kind == PATCH_ABSENT || !record_part_count(layer->node))
		return true;
	record_part(layer->node, relpath_view(&end->path), &part);
	return (old ? part.before : part.after).kind != TX_ABSENT;
}

/* The patch is the one that was recorded; can it be understood, and applied? */
static void check_patch(
	struct verifying *v, const struct layer *layer, const char *where, struct view text)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	if (patch_parse(text, where, &patch, &fault) < 0) {
		add_patch_damage(v, layer, where, fault.message);
		return;
	}
	for (size_t i = 0; i < patch.count; i++) {
		const struct patch_change *change = &patch.changes[i];
		bool old = knows_side(layer, &change->old, true);
		const struct patch_end *end = old ? &change->new : &change->old;
		CLEANUP(freep) char *shown = NULL;
		CLEANUP(freep) char *why = NULL;

		if (old && knows_side(layer, &change->new, false))
			continue;
		shown = quote(relpath_view(&end->path));
		why = xasprintf("'" STATE_PATH "' has no record of %s %s it", shown,
			old ? "after" : "before");
		add_patch_damage(v, layer, where, why);
	}
}

static int check_patch_file(struct verifying *v, const struct layer *layer, struct error *err)
{
	const char *where = record_patch_file(layer->node);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct hash expected, found;
	bool hashed = record_patch_hash(layer->node, &expected);

	if (!where) {
		add_patch_damage(v, layer, STATE_PATH, "its entry has no 'patch_file'");
		return 0;
	}
	if (read_kept(v, layer, where, hashed ? &expected : NULL, &file, err) < 0)
		return -1;
	if (file.kind != TX_FILE)
		return 0;
	found = hash_of(view_of_buf(&file.content));
	/* Without a hash it is from v0.1. */
	if (hashed && !hash_equal(&found, &expected))
		verify_add_damage(
			v->result, layer, where, "damaged", &expected, &found, FROM_A_COPY);
	else
		check_patch(v, layer, where, view_of_buf(&file.content));
	return 0;
}

static int check_object(struct verifying *v, const struct layer *layer, const struct hash *hash,
	struct error *err)
{
	CLEANUP(error_release) struct error damage = ERROR_INIT;
	CLEANUP(freep) char *hex = verify_hex(hash);
	CLEANUP(freep) char *where = xasprintf(".nanoclaw/objects/%.2s/%s", hex, hex + 2);
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	v->result->checked++;
	if (recorded_fetch(v->session, hash, &content, &damage) == 0)
		return 0;
	if (damage.errnum != ENOENT)
		return error_move(err, &damage);
	verify_add_damage(v->result, layer, where,
		strstr(damage.message, "missing") ? "missing" : "damaged", hash, NULL,
		"files made from it cannot be merged without it; " FROM_A_COPY);
	return 0;
}

static int check_contents(struct verifying *v, const struct layer *layer, struct error *err)
{
	CLEANUP(string_array_release)
	struct string_array paths = record_part_paths(layer->node);

	for (size_t i = 0; i < paths.count; i++) {
		struct record_part part;

		record_part(layer->node, view_of(paths.list[i]), &part);
		if ((part.before.kind != TX_ABSENT &&
			    check_object(v, layer, &part.before.hash, err) < 0) ||
			(part.after.kind != TX_ABSENT &&
				check_object(v, layer, &part.after.hash, err) < 0))
			return -1;
	}
	return 0;
}

/* --- recorded files ------------------------------------------------------------------ */

/* Can the file be made again as it was recorded? */
static int check_recorded(
	struct verifying *v, const struct recorded_file *file, struct error *err)
{
	const struct layer *layer = &v->recorded->layers.list[file->layer];
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;
	CLEANUP(error_release) struct error damage = ERROR_INIT;

	/* Earlier engines did not keep contents. */
	if (!file->file.mode_known)
		return 0;
	if (relpath_parse(view_of(file->path), &path, err) < 0)
		return -1;
	if (recorded_read(v->session, v->recorded, &path, &content, &damage) == 0)
		return 0;
	if (damage.errnum != ENOENT && damage.kind != ERROR_INVALID)
		return error_move(err, &damage);
	verify_add_damage(v->result, layer, file->path, "lost", &file->file.hash, NULL,
		"'.nanoclaw' has no copy of it as it was recorded; " FROM_A_COPY);
	return 0;
}

int verify_kept(struct verifying *v, struct error *err)
{
	const struct layers *layers = &v->recorded->layers;

	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];
		bool skill = layer->kind == LAYER_SKILL;

		if (skill && check_pack(v, layer, err) < 0)
			return -1;
		if (!skill && !layer->baked && check_patch_file(v, layer, err) < 0)
			return -1;
		if (check_contents(v, layer, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < v->recorded->count; i++)
		if (check_recorded(v, &v->recorded->files[i], err) < 0)
			return -1;
	return 0;
}
