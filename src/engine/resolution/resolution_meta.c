#include "engine/resolution/resolution_meta.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/package/semver.h"
#include "engine/state/layer.h"
#include "time/timestamp.h"

struct parsing {
	const struct relpath *only;
	struct resolution_meta *meta;
	struct faults *faults;
};

/* A member that exists and is not null. A missing one is a fault, unless it is optional. */
static const struct yaml_node *meta_member(
	const struct parsing *p, const char *key, enum fault_severity if_missing)
{
	const struct yaml_node *root = p->meta->doc->root;
	const struct yaml_node *node = yaml_get(root, key);

	if (node && !yaml_is_null(node))
		return node;
	if (if_missing != FAULT_NOTE)
		faults_add_at(p->faults, if_missing, p->meta->doc, node ? node->at : root->at,
			"'%s' is missing", key);
	return NULL;
}

/* --- the skills ---------------------------------------------------------- */

static void meta_read_skills(const struct parsing *p)
{
	const struct yaml_node *node = meta_member(p, "skills", FAULT_ERROR);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolution_skills *skills = &p->meta->skills;
	const char **texts;
	size_t count;

	if (!node)
		return;
	if (yaml_strings(node, "'skills'", &texts, &count, &err) < 0) {
		faults_add_error(p->faults, &err);
		return;
	}
	if (!count)
		faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->at,
			"'skills' names no skill");
	for (size_t i = 0; i < count; i++) {
		size_t before = skills->count;

		if (resolution_skills_parse(skills, view_of(texts[i]), &err) < 0) {
			faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->items[i]->at,
				"%s", err.message);
			error_clear(&err);
			continue;
		}
		for (size_t k = 0; k < before; k++)
			if (!strcmp(skills->list[k].name, skills->list[before].name))
				faults_add_at(p->faults, FAULT_ERROR, p->meta->doc,
					node->items[i]->at, "skill '%s' is named twice",
					skills->list[k].name);
	}
}

/* Put the skills into the order in which they were applied. */
static void meta_read_order(const struct parsing *p)
{
	const struct yaml_node *node = meta_member(p, "apply_order", FAULT_WARNING);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolution_skills *skills = &p->meta->skills;
	const char **names;
	size_t count;

	if (!node)
		return;
	if (yaml_strings(node, "'apply_order'", &names, &count, &err) < 0) {
		faults_add_error(p->faults, &err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *shown = quote(view_of(names[i]));
		size_t k = i;

		while (k < skills->count && strcmp(skills->list[k].name, names[i]) != 0)
			k++;
		if (k >= skills->count) {
			faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->items[i]->at,
				"'apply_order' has %s, which is not in 'skills', or has it twice",
				shown);
			return;
		}
		struct resolution_skill found = skills->list[k];

		skills->list[k] = skills->list[i];
		skills->list[i] = found;
	}
	if (count < skills->count)
		faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->at,
			"'apply_order' lacks skill '%s'", skills->list[count].name);
}

/* --- how it came about --------------------------------------------------- */

static void meta_read_text(const struct parsing *p, const char *key, char **ret_text)
{
	const struct yaml_node *node = meta_member(p, key, FAULT_WARNING);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	const char *text;

	if (!node)
		return;
	if (yaml_string(node, what, &text, &err) < 0)
		faults_add_error(p->faults, &err);
	else
		*ret_text = xstrdup(text);
}

static void meta_read_flag(const struct parsing *p, const char *key, bool *ret_flag)
{
	const struct yaml_node *node = meta_member(p, key, FAULT_WARNING);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *what = xasprintf("'%s'", key);

	if (node && yaml_bool(node, what, ret_flag, &err) < 0)
		faults_add_error(p->faults, &err);
}

bool resolution_is_source(const char *text)
{
	return !strcmp(text, "user") || !strcmp(text, "claude") || !strcmp(text, "maintainer");
}

static void meta_read_history(const struct parsing *p)
{
	const struct yaml_node *root = p->meta->doc->root;
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolution_meta *meta = p->meta;
	int64_t ms;

	meta_read_text(p, "core_version", &meta->core_version);
	meta_read_text(p, "resolved_at", &meta->resolved_at);
	meta_read_text(p, "resolution_source", &meta->source);
	/* Without `test_passed`, no test has failed. With it, a test was run. */
	meta->test_passed = true;
	meta->tested = yaml_get(root, "test_passed") != NULL;
	meta_read_flag(p, "tested", &meta->tested);
	meta_read_flag(p, "test_passed", &meta->test_passed);
	if (meta->core_version &&
		semver_parse(view_of(meta->core_version), &version, &err) < 0) {
		faults_add_at(p->faults, FAULT_WARNING, p->meta->doc,
			yaml_get(root, "core_version")->at, "'core_version': %s", err.message);
		error_clear(&err);
	}
	if (meta->resolved_at && timestamp_parse(view_of(meta->resolved_at), &ms, &err) < 0)
		faults_add_at(p->faults, FAULT_WARNING, p->meta->doc,
			yaml_get(root, "resolved_at")->at,
			"'resolved_at' is not a time such as 2026-02-15T10:00:00Z");
	if (meta->source && !resolution_is_source(meta->source))
		faults_add_at(p->faults, FAULT_WARNING, p->meta->doc,
			yaml_get(root, "resolution_source")->at,
			"'resolution_source' must be user, claude or maintainer");
}

/* --- hashes -------------------------------------------------------------- */

enum role {
	ROLE_BASE,
	ROLE_CURRENT,
	ROLE_SKILL,
	ROLE_OUTPUT,
	ROLE_COUNT,
};

static const char *const role_names[] = {"base", "current", "skill", "output"};

static enum role role_of(struct view key)
{
	if (view_equal_str(key, "base"))
		return ROLE_BASE;
	if (view_equal_str(key, "output") || view_equal_str(key, "output_hash"))
		return ROLE_OUTPUT;
	if (view_starts_with(key, "current_after_"))
		return ROLE_CURRENT;
	if (view_equal_str(key, "skill") || view_ends_with(key, "_modified"))
		return ROLE_SKILL;
	return view_starts_with(key, "current") ? ROLE_CURRENT : ROLE_COUNT;
}

/* The hashes of one file, while they are gathered. */
struct hashes {
	struct hash of[ROLE_COUNT];
	bool known[ROLE_COUNT];
	bool no_base; /* said to have none */
};

static void meta_read_hash(const struct parsing *p, const struct yaml_node *node,
	enum role role, struct hashes *hashes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (hashes->known[role]) {
		faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->at,
			"there is more than one hash for '%s'", role_names[role]);
		return;
	}
	hashes->known[role] = true;
	if (role == ROLE_BASE && yaml_is_null(node)) {
		hashes->no_base = true;
		return;
	}
	if (node->kind != YAML_SCALAR || hash_from_hex(node->text, &hashes->of[role], &err) < 0)
		faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->at,
			"'%s' is not a SHA-256 hash: 64 digits, 0-9 and a-f", role_names[role]);
}

/* `output` is what a member of its own has for the output. Both may be NULL. */
static void meta_read_hashes(const struct parsing *p, const struct yaml_node *node,
	const struct yaml_node *output, struct hashes *hashes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool usable =
		node && yaml_expect(node, YAML_MAPPING, "the hashes of a file", &err) == 0;

	if (node && !usable)
		faults_add_error(p->faults, &err);
	for (size_t i = 0; usable && i < node->count; i++) {
		const struct yaml_entry *entry = &node->entries[i];
		enum role role = role_of(entry->key);
		CLEANUP(freep) char *shown = NULL;

		if (role != ROLE_COUNT) {
			meta_read_hash(p, entry->value, role, hashes);
			continue;
		}
		shown = quote(entry->key);
		faults_add_at(p->faults, FAULT_WARNING, p->meta->doc, entry->key_at,
			"unknown hash %s", shown);
	}
	if (output && !hashes->known[ROLE_OUTPUT])
		meta_read_hash(p, output, ROLE_OUTPUT, hashes);
}

static void meta_add_file(const struct parsing *p, const struct relpath *path,
	struct yaml_place at, const struct hashes *hashes)
{
	struct resolution_meta *meta = p->meta;
	CLEANUP(freep) char *shown = relpath_quote(path);

	for (int role = 0; role < ROLE_COUNT; role++)
		if (!hashes->known[role])
			faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, at,
				"the hash '%s' of %s is missing", role_names[role], shown);
	GROW(meta->files, meta->count, meta->cap);
	meta->files[meta->count++] = (struct resolution_file){
		.path = relpath_copy(path),
		.inputs = {.has_base = !hashes->no_base,
			.base = hashes->of[ROLE_BASE],
			.current = hashes->of[ROLE_CURRENT],
			.skill = hashes->of[ROLE_SKILL]},
		.output = hashes->of[ROLE_OUTPUT],
		.at = at,
	};
}

/* --- which file the hashes belong to ------------------------------------- */

static void meta_read_by_path(const struct parsing *p, const struct yaml_node *node)
{
	/* The member that holds the outputs by path, in the older form. */
	const struct yaml_node *outputs = meta_member(p, "output_hashes", FAULT_NOTE);
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!outputs)
		outputs = meta_member(p, "output_hash", FAULT_NOTE);
	if (yaml_expect(node, YAML_MAPPING, "'file_hashes'", &err) < 0) {
		faults_add_error(p->faults, &err);
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		const struct yaml_entry *entry = &node->entries[i], *output = NULL;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(error_release) struct error wrong = ERROR_INIT;
		CLEANUP(freep) char *text = layer_path(entry->key);
		CLEANUP(freep) char *shown = NULL;
		struct hashes hashes = {0};

		if (relpath_parse(view_of(text), &path, &wrong) < 0) {
			faults_add_at(p->faults, FAULT_ERROR, node->doc, entry->key_at, "%s",
				wrong.message);
			continue;
		}
		if (relpath_protected(&path)) {
			shown = relpath_quote(&path);
			faults_add_at(p->faults, FAULT_ERROR, node->doc, entry->key_at,
				"skills may not change %s", shown);
			continue;
		}
		if (outputs && outputs->kind == YAML_MAPPING)
			output = yaml_find(outputs, entry->key);
		meta_read_hashes(p, entry->value, output ? output->value : NULL, &hashes);
		meta_add_file(p, &path, entry->key_at, &hashes);
	}
}

static void meta_read_single(const struct parsing *p, const struct yaml_node *node)
{
	const struct yaml_node *output = meta_member(p, "output_hash", FAULT_NOTE);
	struct hashes hashes = {0};

	if (!p->only) {
		faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, node->at,
			"'input_hashes' is for a single file, and there is not exactly one; "
			"'file_hashes' has them by path");
		return;
	}
	meta_read_hashes(p, node, output, &hashes);
	meta_add_file(p, p->only, node->at, &hashes);
}

static bool says_the_same(const struct resolution_file *file, const struct hashes *hashes)
{
	const struct hash *of[] = {
		&file->inputs.base, &file->inputs.current, &file->inputs.skill, &file->output};

	if (hashes->known[ROLE_BASE] && hashes->no_base == file->inputs.has_base)
		return false;
	for (int role = 0; role < ROLE_COUNT; role++) {
		bool compared =
			hashes->known[role] && (role != ROLE_BASE || file->inputs.has_base);

		if (compared && !hash_equal(&hashes->of[role], of[role]))
			return false;
	}
	return true;
}

/*
 * The older single-file keys must agree with `file_hashes`: a person who edits only one of the
 * two has not resolved the conflict again.
 */
static void meta_check_single(const struct parsing *p)
{
	const struct yaml_node *inputs = meta_member(p, "input_hashes", FAULT_NOTE);
	const struct yaml_node *output = meta_member(p, "output_hash", FAULT_NOTE);
	struct hashes hashes = {0};

	if (!inputs && !output)
		return;
	meta_read_hashes(p, inputs, output, &hashes);
	for (size_t i = 0; i < p->meta->count; i++)
		if (says_the_same(&p->meta->files[i], &hashes))
			return;
	faults_add_at(p->faults, FAULT_ERROR, p->meta->doc, inputs ? inputs->at : output->at,
		"'%s' and 'file_hashes' contradict each other",
		inputs ? "input_hashes" : "output_hash");
}

static void meta_read_files(const struct parsing *p)
{
	const struct yaml_node *by_path = meta_member(p, "file_hashes", FAULT_NOTE);
	const struct yaml_node *inputs;
	bool nested;

	if (by_path) {
		meta_read_by_path(p, by_path);
		meta_check_single(p);
		return;
	}
	inputs = meta_member(p, "input_hashes", FAULT_ERROR);
	if (!inputs)
		return;
	nested = inputs->kind == YAML_MAPPING && inputs->count &&
		 inputs->entries[0].value->kind == YAML_MAPPING;
	if (nested)
		meta_read_by_path(p, inputs);
	else
		meta_read_single(p, inputs);
}

/* --- the whole ----------------------------------------------------------- */

static int compare_files(const void *a, const void *b)
{
	const struct resolution_file *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

void resolution_meta_parse(struct view text, const char *name, const struct relpath *only,
	struct resolution_meta *ret_meta, struct faults *faults)
{
	struct yaml_limits limits = {.size = RESOLUTION_META_MAX};
	struct parsing p = {only, ret_meta, faults};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	*ret_meta = RESOLUTION_META_INIT;
	if (yaml_parse_limited(text, name, &limits, &ret_meta->doc, &err) < 0 ||
		yaml_expect(ret_meta->doc->root, YAML_MAPPING, "meta.yaml", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	meta_read_skills(&p);
	meta_read_order(&p);
	meta_read_history(&p);
	meta_read_files(&p);
	if (ret_meta->count)
		qsort(ret_meta->files, ret_meta->count, sizeof(*ret_meta->files),
			compare_files);
	for (size_t i = 1; i < ret_meta->count; i++) {
		const struct resolution_file *file = &ret_meta->files[i];
		CLEANUP(freep) char *shown = relpath_quote(&file->path);

		if (!compare_files(file - 1, file))
			faults_add_at(faults, FAULT_ERROR, ret_meta->doc, file->at,
				"%s appears twice", shown);
	}
}

static int compare_path(const void *key, const void *file)
{
	return relpath_compare(key, &((const struct resolution_file *)file)->path);
}

const struct resolution_file *resolution_meta_find(
	const struct resolution_meta *meta, const struct relpath *path)
{
	if (!meta->count)
		return NULL;
	return bsearch(path, meta->files, meta->count, sizeof(*meta->files), compare_path);
}

void resolution_meta_set(struct resolution_meta *meta, const struct relpath *path,
	const struct resolution_inputs *inputs, const struct hash *output)
{
	size_t i = 0;

	while (i < meta->count && relpath_compare(&meta->files[i].path, path) < 0)
		i++;
	if (i == meta->count || relpath_compare(&meta->files[i].path, path) != 0) {
		GROW(meta->files, meta->count, meta->cap);
		memmove(&meta->files[i + 1], &meta->files[i],
			(meta->count - i) * sizeof(*meta->files));
		meta->files[i] = (struct resolution_file){.path = relpath_copy(path)};
		meta->count++;
	}
	meta->files[i].inputs = *inputs;
	meta->files[i].output = *output;
}

bool resolution_meta_failed(const struct resolution_meta *meta)
{
	return meta->tested && !meta->test_passed;
}

bool resolution_inputs_match(
	const struct resolution_inputs *a, const struct resolution_inputs *b)
{
	if (a->has_base != b->has_base || (a->has_base && !hash_equal(&a->base, &b->base)))
		return false;
	return (hash_equal(&a->current, &b->current) && hash_equal(&a->skill, &b->skill)) ||
	       (hash_equal(&a->current, &b->skill) && hash_equal(&a->skill, &b->current));
}

void resolution_meta_release(struct resolution_meta *meta)
{
	yaml_doc_free(meta->doc);
	resolution_skills_release(&meta->skills);
	free(meta->core_version);
	free(meta->resolved_at);
	free(meta->source);
	for (size_t i = 0; i < meta->count; i++)
		relpath_release(&meta->files[i].path);
	free(meta->files);
}
