
#include <string.h>

#include "engine/core/objects.h"
#include "engine/look/internal.h"
#include "engine/look/verify.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"

/* --- the list and the folder --------------------------------------------------------- */

int verify_base_open(struct verifying *v, struct error *err)
{
	enum base_sums_found found;

	if (base_sums_load(v->session->tx, v->state->core_version, &v->sums, &found, err) < 0)
		return -1;
	v->bad_sums = found == BASE_SUMS_DAMAGED;
	v->has_sums = found == BASE_SUMS_FOUND;
	return v->has_sums ? base_sums_collect(v->session->base, &v->base, err) : 0;
}

int verify_base_file(struct verifying *v, const struct relpath *path,
	struct layer_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (v->has_sums) {
		const struct layer_file *was = base_sums_find(&v->sums, path->text);

		*ret_file = was ? *was : (struct layer_file){.kind = TX_ABSENT};
		return 0;
	}
	if (session_read_base(v->session, path, &file, err) < 0)
		return -1;
	*ret_file = layer_file_of(&file);
	return 0;
}

void verify_base_doubtful(const struct verifying *v, struct drift_list *list)
{
	for (size_t i = 0; i < v->sums.count && v->has_sums; i++) {
		const struct base_sum *was = &v->sums.list[i];
		const struct layer_file *is = base_sums_find(&v->base, was->path);

		if ((is && layer_file_equal(is, &was->file)) ||
			recorded_find(v->recorded, view_of(was->path)))
			continue;
		GROW(list->list, list->count, list->cap);
		list->list[list->count++] = (struct drift){xstrdup(was->path), DRIFT_TYPE};
	}
}

/* --- with the list ------------------------------------------------------------------- */

static void add_base_damage(struct verifying *v, const char *path, const char *change,
	const struct layer_file *was, const struct layer_file *is, const char *note)
{
	CLEANUP(freep) char *where = xasprintf(".nanoclaw/base/%s", path);

	verify_add_damage(v->result, NULL, where, change, was ? &was->hash : NULL,
		is ? &is->hash : NULL, note);
}

/* --- without it: by what skills have noted ------------------------------------------- */

static void compare_with_sums(struct verifying *v)
{
	for (size_t i = 0; i < v->sums.count; i++) {
		const struct base_sum *was = &v->sums.list[i];
		const struct layer_file *is = base_sums_find(&v->base, was->path);

		v->result->checked++;
		if (!is)
			add_base_damage(v, was->path, "missing", &was->file, NULL, FROM_A_COPY);
		else if (!hash_equal(&is->hash, &was->file.hash))
			add_base_damage(v, was->path, "damaged", &was->file, is,
				"the core had a different file; " FROM_A_COPY);
		else if (!layer_file_equal(is, &was->file))
			add_base_damage(v, was->path, "damaged", &was->file, is,
				"the content is right, but not its kind or execute bit; " FROM_A_COPY);
	}
	for (size_t i = 0; i < v->base.count; i++)
		if (!base_sums_find(&v->sums, v->base.list[i].path))
			add_base_damage(v, v->base.list[i].path, "damaged", NULL,
				&v->base.list[i].file,
				"the core does not have this file; remove it");
}

/* Without the list: by what skills have noted. */

static int check_noted(struct verifying *v, int nanoclaw, const struct layer *layer,
	const char *text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	struct record_hashes noted;
	struct layer_file is;

	if (!record_hashes(layer->node, view_of(text), &noted) || !noted.has_base)
		return 0;
	v->result->checked++;
	if (relpath_parse(view_of(text), &path, err) < 0 ||
		verify_base_file(v, &path, &is, err) < 0)
		return -1;
	remap_origins(v->state, &path, &origins);
	/* A skill added it, it had another name in the core, or it is kept of an earlier core. */
	if (origins.count || state_adder_of(v->state, &path) ||
		objects_has(nanoclaw, &noted.base) ||
		(is.kind == TX_FILE && hash_equal(&is.hash, &noted.base)))
		return 0;
	add_base_damage(v, text, is.kind == TX_ABSENT ? "missing" : "damaged",
		&(struct layer_file){.hash = noted.base}, is.kind == TX_ABSENT ? NULL : &is,
		"the core differs from the one that a skill was merged with; " FROM_A_COPY);
	return 0;
}

int verify_base(struct verifying *v, struct error *err)
{
	const struct layers *layers = &v->recorded->layers;
	CLEANUP(closep) int nanoclaw = -1;

	if (v->has_sums) {
		compare_with_sums(v);
		return 0;
	}
	if (v->bad_sums)
		verify_add_damage(v->result, NULL, BASE_SUMS_PATH, "damaged", NULL, NULL,
			"without it, damage to '.nanoclaw/base' looks like an edit of yours; " FROM_A_COPY);
	if (project_open_nanoclaw(v->session->project, &nanoclaw, err) < 0)
		return -1;
	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];
		const char *core = yaml_get_text(layer->node, "core_version_at_apply");
		CLEANUP(string_array_release) struct string_array paths = {0};

		/*
		 * Was the skill merged with files of the present base? Not if the core has
		 * changed since, and not if the skill was updated: then it was merged with its
		 * own earlier version.
		 */
		if (layer->kind != LAYER_SKILL || !core ||
			strcmp(core, v->state->core_version) != 0 ||
			record_was_updated(layer->node))
			continue;
		paths = record_hashed_paths(layer->node);
		for (size_t j = 0; j < paths.count; j++)
			if (check_noted(v, nanoclaw, layer, paths.list[j], err) < 0)
				return -1;
	}
	return 0;
}
