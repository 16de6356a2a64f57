#include "engine/stack/replay.h"

#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/operation/custom_apply.h"
#include "engine/package/structured_format.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"
#include "engine/stack/remap.h"
#include "engine/stack/replay_parts.h"
#include "engine/structured/structured.h"

/* --- the beginning ------------------------------------------------------------------- */

/* The state without its layers. The session's becomes the old one. */
static int begin_state(
	struct session *s, struct replay *replay, struct layers *ret_layers, struct error *err)
{
	replay->old = s->state;
	s->state = STATE_INIT;
	if (layers_read(&replay->old, ret_layers, err) < 0 ||
		replay_find_scope(replay, ret_layers, err) < 0 ||
		state_from_node(replay->old.doc->root, &s->state, err) < 0)
		return -1;
	yaml_set(s->state.doc->root, "applied_skills", yaml_new_sequence(s->state.doc));
	yaml_set(s->state.doc->root, "custom_modifications", yaml_new_sequence(s->state.doc));
	yaml_remove(s->state.doc->root, LAYER_BAKED_KEY);
	s->state.skill_count = 0;
	replay_reset_remap(replay, ret_layers, &s->state);
	return 0;
}

/* The files as they are in the core. */
static int reset_files(struct session *s, const struct replay *replay, struct error *err)
{
	for (size_t i = 0; i < replay->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (relpath_parse(view_of(replay->paths.list[i]), &path, err) < 0 ||
			session_read_base(s, &path, &base, err) < 0 ||
			tx_file_stage(s->tx, &path, &base, err) < 0)
			return -1;
	}
	return 0;
}

/* A file that skills contribute to, and that is made again as text. */
static void reset_structured(struct session *s, const struct replay *replay)
{
	struct yaml_node *files = yaml_get(s->state.doc->root, "structured_files");

	for (size_t i = 0; i < replay->paths.count; i++)
		if (files && structured_format_of(replay->paths.list[i]))
			yaml_remove(files, replay->paths.list[i]);
}

/* --- layers ---------------------------------------------------------------------------- */

static int follow_renames(struct session *s, const struct layer *layer, struct error *err)
{
	const struct yaml_node *renames = yaml_get(layer->node, "renames");

	for (size_t i = 0; renames && renames->kind == YAML_MAPPING && i < renames->count;
		i++) {
		CLEANUP(freep) char *from = layer_path(renames->entries[i].key);
		CLEANUP(freep) char *to = layer_path(renames->entries[i].value->text);
		CLEANUP(relpath_release) struct relpath old = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath new = RELPATH_INIT;

		if (relpath_parse(view_of(from), &old, err) < 0 ||
			relpath_parse(view_of(to), &new, err) < 0)
			return -1;
		if (!remap_is_ambiguous(&s->state, &old, &new))
			remap_add(&s->state, &old, &new);
	}
	return 0;
}

/* Patches that are tied to a skill, also as the first engine had it. */
static void drop_patches(struct yaml_node *entry)
{
	static const char *const keys[] = {
		"custom_patch", "custom_patch_description", "custom_patches"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		yaml_remove(entry, keys[i]);
}

static int add_skill(
	struct session *s, struct replay *replay, const struct layer *layer, struct error *err)
{
	struct yaml_doc *doc = s->state.doc;
	struct yaml_node *entry = layer->node->kind == YAML_MAPPING
					  ? yaml_copy(doc, layer->node)
					  : yaml_new_mapping(doc);

	yaml_set_string(entry, "name", layer->name);
	yaml_remove(entry, "skill");
	/* They come one by one. */
	if (yaml_get(entry, "custom_patches"))
		yaml_set(entry, "custom_patches", yaml_new_sequence(doc));
	if (replay->flatten)
		drop_patches(entry);
	if (replay->all || replay_concerns(replay, layer)) {
		if (replay_skill(s, replay, layer, entry, err) < 0)
			return -1;
	} else if (follow_renames(s, layer, err) < 0) {
		return -1;
	}
	state_append(&s->state, entry);
	return 0;
}

struct noting {
	struct session *session;
	const struct replay *replay;
	const struct layer *layer;
	struct yaml_node *entry;
	struct error *err;
	bool failed;
};

static int note_patched(struct noting *n, struct view text)
{
	CLEANUP(relpath_release) struct relpath then = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath now = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath here = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(freep) char *key = layer_key(text);
	struct layer_file is;

	if (relpath_parse(text, &then, n->err) < 0)
		return -1;
	now = replay_name_now(n->replay, &then);
	here = replay_name_at(n->replay, n->layer, &now);
	if (transaction_read(n->session->tx, &here, &file, n->err) < 0)
		return -1;
	is = layer_file_of(&file);
	if (relpath_compare(&now, &then) != 0) {
		CLEANUP(freep) char *new_key = layer_key(relpath_view(&now));

		yaml_remove(yaml_need(n->entry, "file_hashes", YAML_MAPPING), key);
		yaml_remove(yaml_need(n->entry, "modes", YAML_MAPPING), key);
		if (yaml_get(n->entry, "patch_file"))
			yaml_set_string(
				yaml_need(n->entry, "moved", YAML_MAPPING), key, new_key);
		else
			regenerate_rename(n->entry, &then, &now);
	}
	layer_set(n->entry, relpath_view(&now), &is);
	if (file.kind == TX_ABSENT)
		return 0;
	return recorded_keep(n->session, view_of_buf(&file.content), n->err);
}

/* What the patch made of the file this time. */
static void note_if_made(struct view path, const struct layer_file *file, void *data)
{
	struct noting *n = data;

	(void)file;
	if (!n->failed && replay_has(n->replay, path))
		n->failed = note_patched(n, path) < 0;
}

/* A patch of the first engine does not say what it made: what was told about it does. */
static void note_told(struct noting *n, size_t first)
{
	const struct apply_result *result = n->session->result;

	for (size_t i = first; i < result->file_count && !n->failed; i++) {
		const struct file_result *file = &result->files[i];

		n->failed = note_patched(n, view_of(file->path)) < 0 ||
			    (file->from && note_patched(n, view_of(file->from)) < 0);
	}
}

static bool touches_structured(const struct replay *replay, const struct layer *layer)
{
	struct layer_file file;

	for (size_t i = 0; i < replay->paths.count; i++)
		if (structured_format_of(replay->paths.list[i]) &&
			layer_get(layer, view_of(replay->paths.list[i]), &file))
			return true;
	return false;
}

/* The person saw the contributions in the file that they changed. */
static int fold(struct session *s, const struct replay *replay, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};

	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&skills, s->state.skills[i].name);
	for (size_t i = 0; i < replay->left_out.count; i++)
		string_array_add(&skills, replay->left_out.list[i]);
	return structured_stage(s, &skills, err);
}

static int stage_patch(struct session *s, const struct replay *replay,
	const struct layer *layer, struct yaml_node *entry, struct error *err)
{
	struct noting n = {s, replay, layer, entry, err, false};
	size_t told = s->result->file_count;
	int failed;

	if (touches_structured(replay, layer) && fold(s, replay, err) < 0)
		return -1;
	s->layer = entry;
	failed = custom_apply(s, layer, err);
	s->layer = NULL;
	if (failed)
		return error_prefix(err, "patch '%s'", layer->name);
	if (yaml_get(layer->node, "file_hashes"))
		layer_each(layer, note_if_made, &n);
	else
		note_told(&n, told);
	return n.failed ? -1 : 0;
}

/* Patches that came after a skill that is left out come after the one before it. */
static void set_after(struct session *s, const struct replay *replay, struct yaml_node *entry)
{
	const struct yaml_node *after = yaml_get(entry, "after");
	size_t count = s->state.skill_count;

	if (!after || after->kind != YAML_SCALAR ||
		!string_array_has(&replay->left_out, after->text.data))
		return;
	yaml_set(entry, "after",
		count ? yaml_new_string(entry->doc, s->state.skills[count - 1].name)
		      : yaml_new_null(entry->doc));
}

static int add_patch(
	struct session *s, struct replay *replay, const struct layer *layer, struct error *err)
{
	struct yaml_node *entry = yaml_copy(s->state.doc, layer->node);
	struct yaml_node *root = s->state.doc->root;
	const struct applied_skill *skill =
		layer->skill ? state_find(&s->state, layer->skill) : NULL;

	if ((replay->all || replay_concerns(replay, layer)) &&
		stage_patch(s, replay, layer, entry, err) < 0)
		return -1;
	if (follow_renames(s, layer, err) < 0)
		return -1;
	if (!layer->skill) {
		set_after(s, replay, entry);
		yaml_append(
			yaml_need(root, layer->baked ? LAYER_BAKED_KEY : "custom_modifications",
				YAML_SEQUENCE),
			entry);
	} else if (skill && yaml_get(skill->node, "custom_patches")) {
		yaml_append(yaml_need(skill->node, "custom_patches", YAML_SEQUENCE), entry);
	}
	return 0;
}

static int stage_layers(struct session *s, struct replay *replay, const struct layers *layers,
	struct error *err)
{
	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];

		if (replay_leaves_out(replay, layer) ||
			(replay->flatten && layer->kind == LAYER_PATCH))
			continue;
		if ((layer->kind == LAYER_SKILL ? add_skill(s, replay, layer, err)
						: add_patch(s, replay, layer, err)) < 0)
			return -1;
	}
	return 0;
}

/* --- all of it --------------------------------------------------------------------------- */

/* What was told about a file on the way is not what becomes of it. */
static void forget_notes(struct apply_result *result, size_t files, size_t warnings)
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

/* A merge that is not known from before: these files have to be made in another way. */
static void note_conflicts(struct apply_result *result, size_t first, struct replay *replay)
{
	size_t kept = first;

	for (size_t i = first; i < result->conflict_count; i++) {
		struct conflict *conflict = &result->conflicts[i];

		if (conflict->kind == CONFLICT_DELETE) {
			result->conflicts[kept++] = *conflict;
			continue;
		}
		if (!string_array_has(&replay->hard, conflict->path.text))
			string_array_add(&replay->hard, conflict->path.text);
		GROW(replay->conflicts, replay->conflict_count, replay->conflict_cap);
		replay->conflicts[replay->conflict_count++] = (struct replay_conflict){
			xstrdup(conflict->path.text), xstrdup(conflict->skill)};
		conflict_release(conflict);
	}
	result->conflict_count = kept;
}

static int run(struct session *s, struct replay *replay, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (begin_state(s, replay, &layers, err) < 0 || reset_files(s, replay, err) < 0)
		return -1;
	reset_structured(s, replay);
	if (stage_layers(s, replay, &layers, err) < 0)
		return -1;
	return replay->all ? fold(s, replay, err) : 0;
}

int replay_run(struct session *s, struct replay *replay, struct error *err)
{
	const struct apply_options *options = s->options;
	struct apply_options silent = *options;
	struct transaction *tree = s->tx;
	struct apply_result *result = s->result;
	size_t files = result->file_count, warnings = result->warning_count;
	size_t conflicts = result->conflict_count;
	bool drift_left = s->drift_left;
	int failed;

	silent.ancestor_is_base = true; /* it was accepted then */
	silent.resolver = NULL;
	s->options = &silent;
	s->drift_left = false;
	s->replay = replay;
	s->tx = replay->result = transaction_new_over(tree);
	failed = run(s, replay, err);
	s->tx = tree;
	s->replay = NULL;
	s->drift_left = drift_left;
	s->options = options;
	forget_notes(result, files, warnings);
	note_conflicts(result, conflicts, replay);
	return failed;
}

void replay_release(struct replay *replay)
{
	string_array_release(&replay->left_out);
	string_array_release(&replay->only);
	string_array_release(&replay->paths);
	string_array_release(&replay->hard);
	for (size_t i = 0; i < replay->rename_count; i++) {
		free(replay->renames[i].from);
		free(replay->renames[i].to);
	}
	free(replay->renames);
	for (size_t i = 0; i < replay->conflict_count; i++) {
		free(replay->conflicts[i].path);
		free(replay->conflicts[i].layer);
	}
	free(replay->conflicts);
	if (replay->result)
		transaction_free(replay->result);
	state_release(&replay->old);
}
