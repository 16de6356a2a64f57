#include "engine/look/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/look/internal.h"
#include "engine/session/origin.h"
#include "engine/structured/structured_state.h"
#include "fs/beneath.h"

const char *const verify_layer_names[] = {
	[VERIFY_CORE] = "core",
	[VERIFY_SKILL] = "skill",
	[VERIFY_PATCH] = "patch",
};

/* --- differences ------------------------------------------------------------------- */

/* The result owns the texts of the difference. */
static void verify_add(struct verify_result *result, struct verify_difference difference)
{
	GROW(result->list, result->count, result->cap);
	result->list[result->count++] = difference;
	result->damages += difference.damage;
}

char *verify_hex(const struct hash *hash)
{
	char hex[HASH_HEX_SIZE];

	if (!hash)
		return NULL;
	hash_to_hex(hash, hex);
	return xstrdup(hex);
}

static enum verify_layer verify_layer_of(const struct layer *layer)
{
	if (!layer)
		return VERIFY_CORE;
	return layer->kind == LAYER_SKILL ? VERIFY_SKILL : VERIFY_PATCH;
}

void verify_add_damage(struct verify_result *result, const struct layer *layer,
	const char *path, const char *change, const struct hash *expected,
	const struct hash *found, const char *note)
{
	verify_add(result, (struct verify_difference){
				   .path = xstrdup(path),
				   .change = change,
				   .layer = verify_layer_of(layer),
				   .name = layer ? xstrdup(layer->name) : NULL,
				   .damage = true,
				   .expected = verify_hex(expected),
				   .found = verify_hex(found),
				   .note = xstrdup(note),
			   });
}

void verify_difference_release(struct verify_difference *difference)
{
	free(difference->path);
	free(difference->name);
	free(difference->expected);
	free(difference->found);
	free(difference->note);
}

void verify_result_release(struct verify_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		verify_difference_release(&result->list[i]);
	free(result->list);
	string_array_release(&result->problems);
	string_array_release(&result->changed_packages);
}

/* --- the tree ---------------------------------------------------------------------- */

/* A file that differs from its record, with the versions to compare. */
struct compared {
	struct relpath path;
	const struct layer *layer; /* that recorded it; NULL: the core */
	struct layer_file want;
	struct layer_file core;
	struct layer_file now;
	const char *now_is; /* what kind of thing it is if it is not a file, or NULL */
};

static void compared_release(struct compared *c)
{
	relpath_release(&c->path);
}

static int compare_file(
	struct verifying *v, const char *path, struct compared *ret_compared, struct error *err)
{
	const struct recorded_file *file = recorded_find(v->recorded, view_of(path));
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	struct compared *c = ret_compared;

	if (relpath_parse(view_of(path), &c->path, err) < 0 ||
		verify_base_file(v, &c->path, &c->core, err) < 0)
		return -1;
	c->want = file ? file->file : c->core;
	c->layer = file ? &v->recorded->layers.list[file->layer] : NULL;
	c->now = (struct layer_file){.kind = TX_OTHER};
	if (transaction_read(v->session->tx, &c->path, &now, &local) < 0) {
		c->now_is = local.errnum == EACCES ? "unreadable" : "elsewhere";
		return local.kind == ERROR_INVALID || local.errnum == EACCES
			       ? 0
			       : error_move(err, &local);
	}
	c->now = layer_file_of(&now);
	if (now.kind == TX_FOLDER)
		c->now_is = "folder";
	else if (now.kind == TX_SYMLINK && c->want.kind != TX_SYMLINK)
		c->now_is = "link";
	else if (now.kind == TX_OTHER)
		c->now_is = "no file";
	return 0;
}

/* The layers from `from` on that have the path: the file lacks their changes. */
static void append_gone(
	struct verifying *v, const struct relpath *path, size_t from, struct buf *out)
{
	const struct layers *layers = &v->recorded->layers;
	struct layer_file ignored;
	size_t count = 0;

	for (size_t i = from; i < layers->count; i++)
		if (layer_get(&layers->list[i], relpath_view(path), &ignored))
			buf_appendf(out, "%s%s %s", count++ ? ", " : "the changes of ",
				verify_layer_names[verify_layer_of(&layers->list[i])],
				layers->list[i].name);
	buf_append_str(out, " are gone");
}

/* Is the file as in the core, or as a lower layer left it? */
static char *explain_difference(struct verifying *v, const struct compared *c)
{
	const struct layers *layers = &v->recorded->layers;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct layer_file file;

	if (c->now_is || !c->layer)
		return NULL;
	for (size_t i = layers->count; i > 0; i--) {
		const struct layer *layer = &layers->list[i - 1];

		if (layer == c->layer || !layer_get(layer, relpath_view(&c->path), &file) ||
			!layer_file_equal(&file, &c->now))
			continue;
		buf_appendf(&text, "as in %s %s: ", verify_layer_names[verify_layer_of(layer)],
			layer->name);
		append_gone(v, &c->path, i, &text);
		return buf_take(&text);
	}
	if (!layer_file_equal(&c->core, &c->now))
		return NULL;
	buf_append_str(&text, c->core.kind == TX_ABSENT ? "as before: " : "as in the core: ");
	append_gone(v, &c->path, 0, &text);
	return buf_take(&text);
}

static char *describe_side(const struct layer_file *file, enum drift_change change)
{
	if (file->kind == TX_ABSENT)
		return NULL;
	if (change == DRIFT_MODE)
		return xstrdup(file->executable ? "100755" : "100644");
	return verify_hex(&file->hash);
}

/* How a file of the core differs from the core's original. */
static enum drift_change change_of(const struct layer_file *want, const struct layer_file *now)
{
	if (now->kind == TX_ABSENT)
		return DRIFT_DELETED;
	if (want->kind == TX_ABSENT)
		return DRIFT_APPEARED;
	if (want->kind != now->kind)
		return DRIFT_TYPE;
	if (hash_equal(&want->hash, &now->hash))
		return DRIFT_MODE;
	return want->kind == TX_SYMLINK ? DRIFT_TYPE : DRIFT_EDITED;
}

static int add_drift(struct verifying *v, const struct drift *found, struct error *err)
{
	CLEANUP(compared_release) struct compared c = {0};
	const struct drift *drift = found;
	struct drift from_core;

	if (compare_file(v, found->path, &c, err) < 0)
		return -1;
	/* The base itself may be the damaged side of the comparison. */
	if (v->has_sums && !c.layer && !c.now_is) {
		if (layer_file_equal(&c.want, &c.now))
			return 0;
		from_core = (struct drift){found->path, change_of(&c.want, &c.now)};
		drift = &from_core;
	}
	verify_add(v->result, (struct verify_difference){
				      .path = xstrdup(drift->path),
				      .change = drift_change_names[drift->change],
				      .layer = verify_layer_of(c.layer),
				      .name = c.layer ? xstrdup(c.layer->name) : NULL,
				      .expected = describe_side(&c.want, drift->change),
				      .found = c.now_is ? xstrdup(c.now_is)
							: describe_side(&c.now, drift->change),
				      .note = explain_difference(v, &c),
			      });
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct drift *)a)->path, ((const struct drift *)b)->path);
}

static int verify_tree(struct verifying *v, struct error *err)
{
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;

	if (drift_find_reading(
		    v->session->project, v->state, &drift, &v->result->checked, err) < 0)
		return -1;
	verify_base_doubtful(v, &drift);
	if (drift.count)
		qsort(drift.list, drift.count, sizeof(*drift.list), compare_paths);
	for (size_t i = 0; i < drift.count; i++) {
		bool again = i && !compare_paths(&drift.list[i - 1], &drift.list[i]);

		if (!again && add_drift(v, &drift.list[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Structured files by their meaning. A file that cannot be read is a difference already. */
static int verify_meaning(struct verifying *v, struct error *err)
{
	for (size_t i = 0; structured_formats[i]; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		const char *name;

		if (!structured_entry(v->state, structured_formats[i], &name))
			continue;
		if (relpath_parse(view_of(name), &path, err) < 0)
			return -1;
		if (transaction_read(v->session->tx, &path, &file, &ignored) == 0 &&
			file.kind == TX_FILE)
			structured_find_problems(v->state, name, view_of_buf(&file.content),
				&v->result->problems);
	}
	return 0;
}

/* --- all --------------------------------------------------------------------------- */

static void verifying_release(struct verifying *v)
{
	base_sums_release(&v->sums);
	base_sums_release(&v->base);
}

int verify(const struct project *project, const struct state *state,
	struct verify_result *ret_result, struct error *err)
{
	/* In a dry session nothing can be changed. */
	const struct operation_options options = {.dry_run = true};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(session_release) struct session session = {0};
	CLEANUP(verifying_release)
	struct verifying v = {.session = &session,
		.state = state,
		.recorded = &recorded,
		.result = ret_result};

	if (session_open(&session, project, "verify", NULL, &options, &unused, err) < 0 ||
		recorded_collect(state, &recorded, err) < 0)
		return -1;
	if (session_open_base(&session, err) < 0) {
		if (err->errnum != ENOENT && err->errnum != ENOTDIR && err->errnum != ELOOP)
			return -1;
		error_clear(err);
		verify_add_damage(ret_result, NULL, ".nanoclaw/base", "missing", NULL, NULL,
			"restore it from a copy; without it nothing can be checked or merged");
		return 0;
	}
	/* Is the package of a skill still the one that was applied? A newer version may differ. */
	for (size_t i = 0; i < state->skill_count; i++) {
		const struct applied_skill *skill = &state->skills[i];
		CLEANUP(freep) char *version = NULL;
		struct hash was, now;

		if (state_content_of(skill, &was) &&
			origin_package_hash(project, skill, &version, &now) &&
			!strcmp(version, skill->version) && !hash_equal(&was, &now))
			string_array_addf(&ret_result->changed_packages,
				"the files in '%s' have changed since %s %s was applied from it",
				state_source_of(skill), skill->name, skill->version);
	}
	if (verify_base_open(&v, err) < 0 || verify_tree(&v, err) < 0 ||
		verify_meaning(&v, err) < 0 || verify_base(&v, err) < 0)
		return -1;
	return verify_kept(&v, err);
}
