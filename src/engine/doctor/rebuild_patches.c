/* Restores custom patches from the former state, or from their notes. */
#include <stdlib.h>
#include <string.h>

#include "engine/custom/custom.h"
#include "engine/doctor/internal.h"
#include "engine/stack/drop.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"

void rebuild_patch_release(struct rebuild_patch *patch)
{
	free(patch->name);
	free(patch->description);
	free(patch->skill);
	free(patch->after);
	free(patch->left_out);
	free(patch->fault);
	patch_release(&patch->parsed);
	buf_release(&patch->text);
	buf_release(&patch->note);
}

/* --- notes ------------------------------------------------------------------------------ */

#define TIED_WORDS     "It belongs to the skill `"
#define RECORDED_WORDS "Recorded "
#define WITH_WORDS     ", with "

static char *text_before(struct view text, char end)
{
	const char *stop = memchr(text.data, end, text.len);

	return xmemdupz(text.data, stop ? (size_t)(stop - text.data) : text.len);
}

/* "…, with telegram 1.0.0, voice 2.1.0.": in the order in which they were applied. */
static void read_skills(struct rebuild *r, struct rebuild_patch *patch, struct view line)
{
	const char *with = memmem(line.data, line.len, WITH_WORDS, strlen(WITH_WORDS));
	struct view rest, item;

	if (!with)
		return;
	rest = view_slice(line, (size_t)(with - line.data) + strlen(WITH_WORDS), line.len);
	for (size_t rank = 0; view_next(&rest, ',', &item); rank++) {
		CLEANUP(freep) char *name = text_before(view_trim(item), ' ');

		for (size_t i = 0; i < r->skill_count; i++) {
			if (strcmp(r->skills[i].manifest.skill, name))
				continue;
			if (r->skills[i].rank > rank)
				r->skills[i].rank = rank;
			free(patch->after);
			patch->after = xstrdup(name);
		}
	}
}

static void read_note(struct rebuild *r, struct rebuild_patch *patch)
{
	struct view rest = view_of_buf(&patch->note), line;

	while (view_next(&rest, '\n', &line)) {
		if (!patch->description && view_starts_with(line, "# "))
			patch->description = xmemdupz(line.data + 2, line.len - 2);
		else if (view_starts_with(line, RECORDED_WORDS) && !patch->after)
			read_skills(r, patch, line);
		else if (view_starts_with(line, TIED_WORDS) && !patch->skill)
			patch->skill = text_before(
				view_slice(line, strlen(TIED_WORDS), line.len), '`');
	}
}

/* --- patches ------------------------------------------------------------------------- */

static void read_files(struct rebuild *r, struct rebuild_patch *patch)
{
	CLEANUP(freep) char *text = xasprintf(CUSTOM_FOLDER "/%s.patch", patch->name);
	CLEANUP(freep) char *note = xasprintf(CUSTOM_FOLDER "/%s.md", patch->name);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;

	rebuild_read(r, text, &file);
	rebuild_read(r, note, &beside);
	buf_append(
		&patch->text, file.content.data, file.kind == TX_FILE ? file.content.len : 0);
	buf_append(&patch->note, beside.content.data,
		beside.kind == TX_FILE ? beside.content.len : 0);
}

/* Another copy of a patch whose file is not as recorded. */
static void find_text(struct rebuild *r, struct rebuild_patch *patch)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions versions = {0};
	CLEANUP(freep) char *path = xasprintf(CUSTOM_FOLDER "/%s.patch", patch->name);
	CLEANUP(buf_release) struct buf found = BUF_INIT;
	struct hash is = hash_of(view_of_buf(&patch->text)), was;

	if (!record_patch_hash(patch->old, &was) || hash_equal(&is, &was))
		return;
	if (!rebuild_contents_find(r, &was, &found))
		rebuild_git_versions(r, path, &versions);
	for (size_t i = 0; i < versions.count && !found.len; i++) {
		is = hash_of(view_of_buf(&versions.list[i]));
		if (hash_equal(&is, &was))
			buf_append(&found, versions.list[i].data, versions.list[i].len);
	}
	if (!found.len)
		return;
	buf_clear(&patch->text);
	buf_append(&patch->text, found.data, found.len);
	rebuild_note(r, REBUILD_SURE, "patch '%s' was found again by its hash", patch->name);
}

/* The patch in an older state, if it is the same. */
static const struct layer *find_older(
	const struct layers *layers, const struct rebuild_patch *patch)
{
	struct hash is = hash_of(view_of_buf(&patch->text)), was;

	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];

		if (layer->kind == LAYER_PATCH && !strcmp(layer->name, patch->name) &&
			record_patch_hash(layer->node, &was) && hash_equal(&is, &was))
			return layer;
	}
	return NULL;
}

static struct rebuild_patch *add_patch(struct rebuild *r, const char *name)
{
	GROW(r->patches, r->patch_count, r->patch_cap);
	r->patches[r->patch_count] = (struct rebuild_patch){.name = xstrdup(name),
		.text = BUF_INIT,
		.parsed = PATCH_INIT,
		.note = BUF_INIT};
	return &r->patches[r->patch_count++];
}

static void read_entry(struct rebuild_patch *patch, const struct layer *layer)
{
	const char *description = yaml_get_text(layer->node, "description");
	const char *after = yaml_get_text(layer->node, "after");

	patch->old = layer->node;
	patch->description = description ? xstrdup(description) : NULL;
	patch->skill = layer->skill ? xstrdup(layer->skill) : NULL;
	patch->after = after ? xstrdup(after) : NULL;
}

static void take_unrecorded_patch(
	struct rebuild *r, const char *name, const struct layers *older)
{
	struct rebuild_patch *patch = add_patch(r, name);
	const struct layer *layer;

	read_files(r, patch);
	if (custom_is_discarded(view_of_buf(&patch->note), r->has_state ? &r->state : NULL)) {
		string_array_addf(&r->discarded, CUSTOM_FOLDER "/%s.patch", name);
		string_array_addf(&r->discarded, CUSTOM_FOLDER "/%s.md", name);
		rebuild_patch_release(patch);
		r->patch_count--;
		return;
	}
	layer = find_older(older, patch);
	if (layer) {
		read_entry(patch, layer);
		rebuild_note(r, REBUILD_SURE,
			"patch '%s': its description and place are in the older state", name);
		return;
	}
	read_note(r, patch);
	rebuild_note(r, patch->note.len ? REBUILD_SURE : REBUILD_GUESS,
		"patch '%s': its description and place %s", name,
		patch->note.len ? "are in its note" : "are unknown: it comes last");
	/* Without a note it comes after everything: no skill has this name. */
	if (!patch->note.len)
		patch->after = xstrdup("");
}

static int take_unrecorded(struct rebuild *r, struct error *err)
{
	CLEANUP(string_array_release) struct string_array files = {0};
	CLEANUP(layers_release) struct layers older = LAYERS_INIT;
	size_t recorded = r->patch_count;

	if (r->has_older && layers_read(&r->older, &older, err) < 0)
		return -1;
	rebuild_list(r, CUSTOM_FOLDER, &files);
	for (size_t i = 0; i < files.count; i++) {
		struct view file = view_of(files.list[i]);
		CLEANUP(freep) char *name = NULL;
		bool known = false;

		if (!view_ends_with(file, ".patch"))
			continue;
		name = xmemdupz(file.data, file.len - strlen(".patch"));
		for (size_t j = 0; j < recorded && !known; j++)
			known = !strcmp(r->patches[j].name, name);
		if (!known)
			take_unrecorded_patch(r, name, &older);
	}
	return 0;
}

int rebuild_find_patches(struct rebuild *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (r->has_state && layers_read(&r->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		struct rebuild_patch *patch;

		if (layers.list[i].kind != LAYER_PATCH)
			continue;
		patch = add_patch(r, layers.list[i].name);
		read_files(r, patch);
		read_entry(patch, &layers.list[i]);
		find_text(r, patch);
	}
	if (take_unrecorded(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->patch_count; i++) {
		struct rebuild_patch *patch = &r->patches[i];
		CLEANUP(error_release) struct error unfit = ERROR_INIT;

		if (!patch->text.len)
			patch->fault = xstrdup("its file is lost");
		else if (patch_parse(view_of_buf(&patch->text), patch->name, &patch->parsed,
				 &unfit) < 0)
			patch->fault = xstrdup(unfit.message);
		rebuild_judge(r, &unfit);
		/* A damaged note may have a description that cannot be recorded. */
		if (!patch->description ||
			custom_check_description(patch->description, &unfit) < 0) {
			rebuild_judge(r, &unfit);
			free(patch->description);
			patch->description = xstrdup(patch->name);
		}
		/* A patch that was tied to a lost skill becomes independent. */
		if (patch->skill && !rebuild_skill_find(r, patch->skill))
			free(TAKE(patch->skill));
	}
	return 0;
}
