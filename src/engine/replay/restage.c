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

/* What any layer touched; the core may have renamed it since. */
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

/* The state without its layers. The session's becomes the old one. */
static int begin_state(
	struct session *s, struct restage *r, struct layers *ret_layers, struct error *err)
{
	r->old = s->state;
	s->state = STATE_INIT;
	if (layers_read(&r->old, ret_layers, err) < 0 ||
		state_from_node(r->old.doc->root, &s->state, err) < 0)
		return -1;
	find_paths(r, ret_layers);
	layers_drop_all(&s->state);
	remap_reset(&s->state, ret_layers);
	return 0;
}

/* The files as they are in the core. */
static int reset_files(struct session *s, const struct restage *r, struct error *err)
{
	for (size_t i = 0; i < r->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = relpath_of(r->paths.list[i]);
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (session_read_base(s, &path, &base, err) < 0 ||
			tx_file_stage(s->tx, &path, &base, err) < 0)
			return -1;
		if (structured_format_of(path.text))
			yaml_remove(structured_files(&s->state), path.text);
	}
	return 0;
}

/* --- layers ---------------------------------------------------------------------------- */

/* Skills that know a renamed file by its old name are to find it. */
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

static int add_skill(struct session *s, const struct layer *layer, struct error *err)
{
	struct yaml_node *entry = layers_copy_skill(s->state.doc, layer);

	if (restage_skill(s, layer, entry, err) < 0)
		return -1;
	state_append(&s->state, entry);
	return 0;
}

struct noting {
	struct session *session;
	const struct layer *layer;
	struct yaml_node *entry;
	struct error *err;
	bool failed;
};

/* What the patch made of the file this time. */
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

/* A patch of v0.1 does not say what it made: what was reported about it does. */
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

/* The person saw the contributions in the file that they changed. */
static int fold(struct session *s, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};

	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&skills, s->state.skills[i].name);
	return structured_stage(s, &skills, err);
}

static int stage_patch(struct session *s, const struct restage *r, const struct layer *layer,
	struct yaml_node *entry, struct error *err)
{
	struct noting n = {s, layer, entry, err, false};
	size_t reported = s->result->file_count;
	int failed;

	if (touches_structured(r, layer) && fold(s, err) < 0)
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
	return n.failed ? -1 : 0;
}

static int add_patch(struct session *s, const struct restage *r, const struct layer *layer,
	struct error *err)
{
	struct yaml_node *entry = yaml_copy(s->state.doc, layer->node);

	if (stage_patch(s, r, layer, entry, err) < 0)
		return -1;
	follow_renames(s, layer);
	layers_add_again(&s->state, layer, entry);
	return 0;
}

/* --- all of it --------------------------------------------------------------------------- */

/* What was reported about a file on the way is not what becomes of it. */
static void forget_notes(struct operation_result *result, size_t files, size_t warnings)
{
	while (result->file_count > files) {
		struct file_result *file = &result->files[--result->file_count];

		free(file->path);
		free(file->from);
		free(file->skill);
	}
	while (result->warning_count > warnings)
		free(result->warnings[--result->warning_count]);
}

/* Merges that are not known from before. */
static void take_conflicts(struct operation_result *result, size_t first, struct restage *r)
{
	for (size_t i = first; i < result->conflict_count; i++) {
		struct conflict *conflict = &result->conflicts[i];

		GROW(r->conflicts, r->conflict_count, r->conflict_cap);
		r->conflicts[r->conflict_count++] = (struct restage_conflict){
			xstrdup(conflict->path.text), xstrdup(conflict->skill)};
		conflict_release(conflict);
	}
	result->conflict_count = first;
}

static int stage(struct session *s, struct restage *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (begin_state(s, r, &layers, err) < 0 || reset_files(s, r, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if ((layer->kind == LAYER_SKILL ? add_skill(s, layer, err)
						: add_patch(s, r, layer, err)) < 0)
			return -1;
	}
	return fold(s, err);
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
	failed = stage(s, r, err);
	s->tx = tree;
	s->restaged = NULL;
	s->drift_left = drift_left;
	s->options = options;
	forget_notes(result, files, warnings);
	take_conflicts(result, conflicts, r);
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
