#include "engine/package/manifest.h"

#include <string.h>

#include "base/quote.h"
#include "engine/package/semver.h"
#include "engine/package/structured_format.h"

#define MAX_FORMATS 16

/* The manifest being read, and the list for its faults. */
struct reader {
	const struct yaml_node *root;
	struct manifest *manifest;
	struct faults *faults;
};

/* --- plain fields ------------------------------------------------------------ */

/* The value of a field; NULL if it is missing or null. */
static const struct yaml_node *reader_field(const struct reader *reader, const char *key)
{
	const struct yaml_node *node = yaml_get(reader->root, key);

	return node && !yaml_is_null(node) ? node : NULL;
}

/* The text of a field, or NULL; a required one must not be missing. */
static char *reader_text(const struct reader *reader, const char *key, bool required)
{
	const struct yaml_node *node = yaml_get(reader->root, key);
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	const char *text;

	if (!node && required)
		faults_add(reader->faults, FAULT_ERROR, reader->root->doc->name,
			"'%s' is missing", key);
	else if (node && required && yaml_is_null(node))
		faults_add_at(reader->faults, FAULT_ERROR, node->doc, node->at,
			"'%s' has no value", key);
	if (!node || yaml_is_null(node) || !faults_string(reader->faults, node, what, &text))
		return NULL;
	return xstrdup(text);
}

/* An invalid version is reported and dropped. */
static char *reader_version(const struct reader *reader, const char *key, bool required)
{
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct yaml_node *node = reader_field(reader, key);
	CLEANUP(freep) char *text = reader_text(reader, key, required);

	if (!text || semver_parse(view_of(text), &version, &err) == 0)
		return TAKE(text);
	faults_add_at(
		reader->faults, FAULT_ERROR, node->doc, node->at, "'%s': %s", key, err.message);
	return NULL;
}

const char *manifest_wrong_in_name(struct view name)
{
	static const char allowed[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-.";

	if (!name.len)
		return "is empty";
	if (name.len > SKILL_NAME_MAX)
		return "is longer than 100 characters";
	for (size_t i = 0; i < name.len; i++)
		if (!name.data[i] || !strchr(allowed, name.data[i]))
			return "may have letters, digits and '._-' only";
	if (strchr("-.", name.data[0]))
		return "must begin with a letter or a digit";
	return NULL;
}

static char *reader_skill_name(const struct reader *reader)
{
	const struct yaml_node *node = reader_field(reader, "skill");
	CLEANUP(freep) char *name = reader_text(reader, "skill", true);
	const char *wrong = name ? manifest_wrong_in_name(view_of(name)) : NULL;
	CLEANUP(freep) char *shown = NULL;

	if (!wrong)
		return TAKE(name);
	shown = quote_start(view_of(name));
	faults_add_at(reader->faults, FAULT_ERROR, node->doc, node->at,
		"the skill's name %s %s", shown, wrong);
	return NULL;
}

static void reader_post_apply(const struct reader *reader)
{
	const struct yaml_node *node = reader_field(reader, "post_apply");
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char **commands;
	size_t count;

	if (!node)
		return;
	if (yaml_strings(node, "'post_apply'", &commands, &count, &err) < 0) {
		faults_add_error(reader->faults, &err);
		return;
	}
	for (size_t i = 0; i < count; i++)
		string_array_add(&reader->manifest->post_apply, commands[i]);
}

/* --- references to other skills ---------------------------------------------- */

/* "telegram" or "telegram@1.0.0". */
static bool reference_parse(const struct yaml_node *node, const char *what,
	struct manifest_reference *ret_reference, struct faults *faults)
{
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = NULL;
	struct view name = node->text;
	const char *text, *at, *wrong;

	if (!faults_string(faults, node, what, &text))
		return false;
	at = strchr(text, '@');
	if (at)
		name.len = (size_t)(at - text);
	wrong = manifest_wrong_in_name(name);
	if (wrong) {
		shown = quote_start(node->text);
		faults_add_at(faults, FAULT_ERROR, node->doc, node->at,
			"%s: the skill's name %s %s", what, shown, wrong);
		return false;
	}
	if (at && semver_parse(view_of(at + 1), &version, &err) < 0) {
		faults_add_at(
			faults, FAULT_ERROR, node->doc, node->at, "%s: %s", what, err.message);
		return false;
	}
	*ret_reference = (struct manifest_reference){
		.skill = xmemdupz(name.data, name.len),
		.version = at ? xstrdup(at + 1) : NULL,
		.at = node->at,
	};
	return true;
}

static void reader_references(const struct reader *reader, const char *key,
	struct manifest_references *ret_references)
{
	const struct yaml_node *node = reader_field(reader, key);
	CLEANUP(freep) char *what = xasprintf("'%s'", key);

	if (!node || !faults_expect(reader->faults, node, YAML_SEQUENCE, what))
		return;
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);
		struct manifest_reference reference;

		if (!reference_parse(node->items[i], item, &reference, reader->faults))
			continue;
		GROW(ret_references->list, ret_references->count, ret_references->cap);
		ret_references->list[ret_references->count++] = reference;
	}
}

static const struct manifest_reference *find_reference(
	const struct manifest_references *references, const char *skill)
{
	for (size_t i = 0; i < references->count; i++)
		if (!strcmp(references->list[i].skill, skill))
			return &references->list[i];
	return NULL;
}

static void check_relations(const struct manifest *m, struct faults *faults)
{
	const struct manifest_reference *self_depends =
		m->skill ? find_reference(&m->depends, m->skill) : NULL;
	const struct manifest_reference *self_conflicts =
		m->skill ? find_reference(&m->conflicts, m->skill) : NULL;

	if (self_depends)
		faults_add_at(faults, FAULT_ERROR, m->doc, self_depends->at,
			"the skill depends on itself");
	if (self_conflicts)
		faults_add_at(faults, FAULT_ERROR, m->doc, self_conflicts->at,
			"the skill conflicts with itself");
	for (size_t i = 0; i < m->conflicts.count; i++)
		if (find_reference(&m->depends, m->conflicts.list[i].skill))
			faults_add_at(faults, FAULT_ERROR, m->doc, m->conflicts.list[i].at,
				"the skill both depends on '%s' and conflicts with it",
				m->conflicts.list[i].skill);
}

/* --- the whole --------------------------------------------------------------- */

static bool node_is_empty(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR ? yaml_is_null(node) : !node->count;
}

/*
 * Each member is checked by its format; whether skills agree with each other is not known
 * here. NULL if nothing is declared.
 */
static const struct yaml_node *read_structured(
	const struct yaml_node *node, struct faults *faults)
{
	const char *known[MAX_FORMATS] = {0};
	bool declares = false;

	if (!node || (node_is_empty(node) && node->kind != YAML_SEQUENCE) ||
		!faults_expect(faults, node, YAML_MAPPING, "'structured'"))
		return NULL;
	for (size_t i = 0; structured_formats[i]; i++) {
		const struct structured_format *format = structured_formats[i];
		const struct yaml_node *member = yaml_get(node, format->member);

		known[i] = format->member;
		if (!member || node_is_empty(member))
			continue;
		format->check(member, faults);
		declares = true;
	}
	faults_note_unknown(faults, node, known);
	return declares ? node : NULL;
}

void manifest_parse(struct view text, const char *name, struct manifest *ret_manifest,
	struct faults *faults)
{
	static const char *const known[] = {"adds", "author", "base_hashes", "conflicts",
		"core_version", "depends", "description", "file_ops", "license",
		"min_skills_system_version", "modifies", "post_apply", "skill", "structured",
		"test", "tested_with", "version", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct manifest *m = ret_manifest;
	struct reader r = {.manifest = m, .faults = faults};

	*ret_manifest = (struct manifest){.description = xstrdup("")};
	if (yaml_parse(text, name, &ret_manifest->doc, &err) < 0 ||
		yaml_expect(ret_manifest->doc->root, YAML_MAPPING, "the manifest", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	r.root = m->doc->root;
	m->skill = reader_skill_name(&r);
	m->version = reader_version(&r, "version", true);
	m->core_version = reader_version(&r, "core_version", true);
	free(m->description);
	m->description = reader_text(&r, "description", false);
	if (!m->description)
		m->description = xstrdup("");
	m->author = reader_text(&r, "author", false);
	m->license = reader_text(&r, "license", false);
	m->min_skills_system_version = reader_version(&r, "min_skills_system_version", false);
	m->test = reader_text(&r, "test", false);
	if (m->test && !view_trim(view_of(m->test)).len) {
		free(m->test); /* an empty command counts as missing */
		m->test = NULL;
	}
	reader_post_apply(&r);
	reader_references(&r, "depends", &m->depends);
	reader_references(&r, "conflicts", &m->conflicts);
	reader_references(&r, "tested_with", &m->tested_with);
	check_relations(m, faults);
	manifest_read_paths(reader_field(&r, "adds"), "'adds'", &m->adds, faults);
	manifest_read_paths(reader_field(&r, "modifies"), "'modifies'", &m->modifies, faults);
	manifest_check_collisions(m, faults);
	manifest_read_file_ops(reader_field(&r, "file_ops"), m, faults);
	manifest_read_base_hashes(reader_field(&r, "base_hashes"), m, faults);
	m->structured = read_structured(reader_field(&r, "structured"), faults);
	faults_note_unknown(faults, r.root, known);
}

/* --- questions --------------------------------------------------------------- */

bool manifest_adds(const struct manifest *manifest, const struct relpath *path)
{
	return manifest_paths_find(&manifest->adds, path) != NULL;
}

bool manifest_modifies(const struct manifest *manifest, const struct relpath *path)
{
	return manifest_paths_find(&manifest->modifies, path) != NULL;
}

bool manifest_depends_on(const struct manifest *manifest, const char *skill)
{
	return find_reference(&manifest->depends, skill) != NULL;
}

bool manifest_conflicts_with(const struct manifest *manifest, const char *skill)
{
	return find_reference(&manifest->conflicts, skill) != NULL;
}

int manifest_require_system(const struct manifest *manifest, struct error *err)
{
	const char *wanted = manifest->min_skills_system_version;

	if (!wanted || semver_compare_text(wanted, SKILLS_SYSTEM_VERSION) <= 0)
		return 0;
	error_set(err, ERROR_INVALID, "skill '%s' needs skills system %s, and this is %s",
		manifest->skill, wanted, SKILLS_SYSTEM_VERSION);
	return error_hint(err, "update NanoClaw first");
}

const struct hash *manifest_base_hash(
	const struct manifest *manifest, const struct relpath *path)
{
	for (size_t i = 0; i < manifest->base_hash_count; i++)
		if (!relpath_compare(&manifest->base_hashes[i].path, path))
			return &manifest->base_hashes[i].hash;
	return NULL;
}

static void manifest_paths_release(struct manifest_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		relpath_release(&paths->list[i].path);
	free(paths->list);
	free(paths->sorted);
}

static void manifest_references_release(struct manifest_references *references)
{
	for (size_t i = 0; i < references->count; i++) {
		free(references->list[i].skill);
		free(references->list[i].version);
	}
	free(references->list);
}

void manifest_release(struct manifest *manifest)
{
	string_array_release(&manifest->post_apply);
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		relpath_release(&manifest->file_ops[i].from);
		relpath_release(&manifest->file_ops[i].to);
	}
	free(manifest->file_ops);
	for (size_t i = 0; i < manifest->base_hash_count; i++)
		relpath_release(&manifest->base_hashes[i].path);
	free(manifest->base_hashes);
	manifest_paths_release(&manifest->adds);
	manifest_paths_release(&manifest->modifies);
	manifest_references_release(&manifest->depends);
	manifest_references_release(&manifest->conflicts);
	manifest_references_release(&manifest->tested_with);
	free(manifest->skill);
	free(manifest->version);
	free(manifest->description);
	free(manifest->core_version);
	free(manifest->author);
	free(manifest->license);
	free(manifest->min_skills_system_version);
	free(manifest->test);
	yaml_doc_free(manifest->doc);
}
