#include "engine/replay/restage.h"

#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/operation/custom_apply.h"
#include "engine/package/structured_format.h"
#include "engine/replay/internal.h"
#include "engine/session/recorded.h"
#include "engine/state/layer_list.h"
#include "engine/state/remap.h"
#include "engine/structured/structured.h"
#include "engine/structured/structured_state.h"

/* --- the beginning ------------------------------------------------------------------- */

static void add_path(struct view path, const struct layer_file *file, void *data)
{
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);

	(void)file;
	string_array_add(data, text);
}

/* All files that any layer touched; the core may have renamed them since. */
static void find_paths(struct restage *r, const struct layers *layers)
{
	CLEANUP(layer_renames_release) struct layer_renames pairs = remap_pairs(&r->old);

	for (size_t i = 0; i < layers->count; i++)
		layer_each(&layers->list[i], add_path, &r->paths);
	string_array_sort_once(&r->paths);
	for (size_t i = 0; i < pairs.from.count; i++) {
		const char *from = pairs.from.list[i], *to = pairs.to.list[i];

		if (string_array_has(&r->paths, from) != string_array_has(&r->paths, to)) {
			string_array_add(&r->paths, from);
			string_array_add(&r->paths, to);
		}
	}
	string_array_sort_once(&r->paths);
}

/* --- layers ---------------------------------------------------------------------------- */

/* So that skills find a renamed file by its old name. */
static void follow_renames(struct session *s, const struct layer *layer)
{
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(layer);

	for (size_t i = 0; i < renames.from.count; i++) {
		CLEANUP(relpath_release)
		struct relpath old = relpath_of(renames.from.list[i]);
		CLEANUP(relpath_release)
		struct relpath new = relpath_of(renames.to.list[i]);

		if (!remap_is_ambiguous(&s->state, &old, &new))
			remap_add(&s->state, &old, &new);
	}
}

struct noting {
	struct session *session;
	const struct layer *layer;
	struct yaml_node *entry;
	struct error *err;
	bool failed;
};

/* Record the file as the patch left it this time. */
static int note_patched(struct noting *n, struct view text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath here = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file is;

	if (relpath_parse(text, &path, n->err) < 0)
		return -1;
	here = layer_name_at(n->session->restaged, n->layer, &path);
	if (transaction_read(n->session->tx, &here, &file, n->err) < 0)
		return -1;
	is = layer_file_of(&file);
	layer_set(n->entry, text, &is);
	if (file.kind == TX_ABSENT)
		return 0;
	return recorded_keep(n->session, view_of_buf(&file.content), n->err);
}

static void note_recorded(struct view path, const struct layer_file *file, void *data)
{
	struct noting *n = data;

	(void)file;
	if (!n->failed)
		n->failed = note_patched(n, path) < 0;
}

/* A patch of v0.1 does not record its files: the report has them. */
static void note_reported(struct noting *n, size_t first)
{
	const struct operation_result *result = n->session->result;

	for (size_t i = first; i < result->file_count && !n->failed; i++) {
		const struct file_result *file = &result->files[i];

		n->failed = note_patched(n, view_of(file->path)) < 0 ||
			    (file->from && note_patched(n, view_of(file->from)) < 0);
	}
}

static bool touches_structured(const struct restage *r, const struct layer *layer)
{
	struct layer_file file;

	for (size_t i = 0; i < r->paths.count; i++)
		if (structured_format_of(r->paths.list[i]) &&
			layer_get(layer, view_of(r->paths.list[i]), &file))
			return true;
	return false;
}

static int fold_structured(struct session *s, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};

	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&skills, s->state.skills[i].name);
	return structured_stage(s, &skills, err);
}

static int add_patch(struct session *s, const struct restage *r, const struct layer *layer,
	struct error *err)
{
	struct yaml_node *entry = yaml_copy(s->state.doc, layer->node);
	struct noting n = {s, layer, entry, err, false};
	size_t reported = s->result->file_count;
	int failed;

	/* The person saw the entries of skills in the structured file that they changed. */
	if (touches_structured(r, layer) && fold_structured(s, err) < 0)
		return -1;
	s->layer = entry;
	failed = custom_apply(s, layer, err);
	s->layer = NULL;
	if (failed)
		return error_prefix(err, "patch '%s'", layer->name);
	if (layer_is_complete(layer))
		layer_each(layer, note_recorded, &n);
	else
		note_reported(&n, reported);
	if (n.failed)
		return -1;
	follow_renames(s, layer);
	layers_add_again(&s->state, layer, entry);
	return 0;
}

/* --- the whole stack -------------------------------------------------------------------- */

/* Begin with a state without layers and files as in the core; then apply layer by layer. */
static int stage_layers(struct session *s, struct restage *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	r->old = s->state;
	s->state = STATE_INIT;
	if (layers_read(&r->old, &layers, err) < 0 ||
		state_from_node(r->old.doc->root, &s->state, err) < 0)
		return -1;
	find_paths(r, &layers);
	layers_drop_all(&s->state);
	remap_reset(&s->state, &layers);
	for (size_t i = 0; i < r->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = relpath_of(r->paths.list[i]);
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (session_read_base(s, &path, &base, err) < 0 ||
			tx_file_stage(s->tx, &path, &base, err) < 0)
			return -1;
		if (structured_format_of(path.text))
			yaml_remove(structured_files(&s->state), path.text);
	}
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];
		struct yaml_node *entry;

		if (layer->kind == LAYER_PATCH) {
			if (add_patch(s, r, layer, err) < 0)
				return -1;
			continue;
		}
		entry = layers_copy_skill(s->state.doc, layer);
		if (restage_skill(s, layer, entry, err) < 0)
			return -1;
		state_append(&s->state, entry);
	}
	return fold_structured(s, err);
}

/* Discard the reports of the restage; unresolved conflicts go to `r`. */
static void reset_result(struct operation_result *result, size_t files, size_t warnings,
	size_t conflicts, struct restage *r)
{
	while (result->file_count > files) {
		struct file_result *file = &result->files[--result->file_count];

		free(file->path);
		free(file->from);
		free(file->skill);
	}
	while (result->warning_count > warnings)
		free(result->warnings[--result->warning_count]);
	for (size_t i = conflicts; i < result->conflict_count; i++) {
		struct conflict *conflict = &result->conflicts[i];

		GROW(r->conflicts, r->conflict_count, r->conflict_cap);
		r->conflicts[r->conflict_count++] = (struct restage_conflict){
			xstrdup(conflict->path.text), xstrdup(conflict->skill)};
		conflict_release(conflict);
	}
	result->conflict_count = conflicts;
}

int restage_run(struct session *s, struct restage *r, struct error *err)
{
	const struct operation_options *options = s->options;
	struct operation_options silent = *options;
	struct transaction *tree = s->tx;
	struct operation_result *result = s->result;
	size_t files = result->file_count, warnings = result->warning_count;
	size_t conflicts = result->conflict_count;
	bool drift_left = s->drift_left;
	int failed;

	silent.ancestor_is_base = true; /* it was accepted then */
	silent.resolver = NULL;
	s->options = &silent;
	s->drift_left = false;
	s->restaged = &r->old;
	s->tx = r->result = transaction_new_over(tree);
	failed = stage_layers(s, r, err);
	s->tx = tree;
	s->restaged = NULL;
	s->drift_left = drift_left;
	s->options = options;
	reset_result(result, files, warnings, conflicts, r);
	return failed;
}

void restage_release(struct restage *r)
{
	string_array_release(&r->paths);
	for (size_t i = 0; i < r->conflict_count; i++) {
		free(r->conflicts[i].path);
		free(r->conflicts[i].layer);
	}
	free(r->conflicts);
	if (r->result)
		transaction_free(r->result);
	state_release(&r->old);
}
