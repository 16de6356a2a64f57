#include "engine/package/manifest.h"

#include <string.h>

#include "base/quote.h"
#include "engine/package/internal.h"
#include "engine/package/semver.h"
#include "engine/package/structured_format.h"

#define MAX_FORMATS 16

/* The manifest being read, and the list for its faults. */
struct reader {
	const struct yaml_node *root;
	struct manifest *manifest;
	struct faults *faults;
};

/* Text of the manifest for a message, not longer than is good for one. */
static char *quote_cut(struct view text)
{
	return quote(view_slice(text, 0, text.len < 60 ? text.len : 60));
}

/* --- plain fields ------------------------------------------------------------ */

/* The value of a field; NULL if it is missing or null. */
static const struct yaml_node *reader_field(const struct reader *reader, const char *key)
{
	const struct yaml_node *node = yaml_get(reader->root, key);

	return node && !yaml_is_null(node) ? node : NULL;
}

/* The text of a field, or NULL. */
static char *read_text(const struct reader *reader, const char *key)
{
	const struct yaml_node *node = reader_field(reader, key);
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	const char *text;

	return node && faults_string(reader->faults, node, what, &text) ? xstrdup(text) : NULL;
}

static char *read_required(const struct reader *reader, const char *key)
{
	const struct yaml_node *node = yaml_get(reader->root, key);

	if (!node)
		faults_add(reader->faults, FAULT_ERROR, reader->root->doc->name,
			"'%s' is missing", key);
	else if (yaml_is_null(node))
		faults_add_at(reader->faults, FAULT_ERROR, node->doc, node->at,
			"'%s' has no value", key);
	return read_text(reader, key);
}

/* An invalid version is reported and dropped. */
static char *check_version(const struct reader *reader, const char *key, char *text)
{
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct yaml_node *node = reader_field(reader, key);

	if (!text || semver_parse(view_of(text), &version, &err) == 0)
		return text;
	faults_add_at(
		reader->faults, FAULT_ERROR, node->doc, node->at, "'%s': %s", key, err.message);
	free(text);
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

static char *check_name(const struct reader *reader, char *name)
{
	const char *wrong = name ? manifest_wrong_in_name(view_of(name)) : NULL;
	const struct yaml_node *node = reader_field(reader, "skill");
	CLEANUP(freep) char *shown = NULL;

	if (!wrong)
		return name;
	shown = quote_cut(view_of(name));
	faults_add_at(reader->faults, FAULT_ERROR, node->doc, node->at,
		"the skill's name %s %s", shown, wrong);
	free(name);
	return NULL;
}

static void read_post_apply(const struct reader *reader)
{
	const struct yaml_node *node = reader_field(reader, "post_apply");
	struct manifest *manifest = reader->manifest;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char **commands;
	size_t count;

	if (!node)
		return;
	if (yaml_strings(node, "'post_apply'", &commands, &count, &err) < 0) {
		faults_add_error(reader->faults, &err);
		return;
	}
	manifest->post_apply = xcalloc(count + 1, sizeof(*manifest->post_apply));
	for (size_t i = 0; i < count; i++)
		manifest->post_apply[manifest->post_apply_count++] = xstrdup(commands[i]);
}

/* --- references to other skills ---------------------------------------------- */

/* "telegram" or "telegram@1.0.0". */
static bool read_reference(const struct yaml_node *node, const char *what,
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
		shown = quote_cut(node->text);
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

static void read_references(const struct reader *reader, const char *key,
	struct manifest_references *ret_references)
{
	const struct yaml_node *node = reader_field(reader, key);
	CLEANUP(freep) char *what = xasprintf("'%s'", key);

	if (!node || !faults_expect(reader->faults, node, YAML_SEQUENCE, what))
		return;
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);
		struct manifest_reference reference;

		if (!read_reference(node->items[i], item, &reference, reader->faults))
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

static void check_relations(const struct reader *reader)
{
	const struct manifest *m = reader->manifest;
	const struct manifest_reference *self_depends =
		m->skill ? find_reference(&m->depends, m->skill) : NULL;
	const struct manifest_reference *self_conflicts =
		m->skill ? find_reference(&m->conflicts, m->skill) : NULL;

	if (self_depends)
		faults_add_at(reader->faults, FAULT_ERROR, m->doc, self_depends->at,
			"the skill depends on itself");
	if (self_conflicts)
		faults_add_at(reader->faults, FAULT_ERROR, m->doc, self_conflicts->at,
			"the skill conflicts with itself");
	for (size_t i = 0; i < m->conflicts.count; i++)
		if (find_reference(&m->depends, m->conflicts.list[i].skill))
			faults_add_at(reader->faults, FAULT_ERROR, m->doc,
				m->conflicts.list[i].at,
				"the skill both depends on '%s' and conflicts with it",
				m->conflicts.list[i].skill);
}

/* --- the whole --------------------------------------------------------------- */

static void read_fields(const struct reader *reader)
{
	struct manifest *m = reader->manifest;

	m->skill = check_name(reader, read_required(reader, "skill"));
	m->version = check_version(reader, "version", read_required(reader, "version"));
	m->core_version =
		check_version(reader, "core_version", read_required(reader, "core_version"));
	free(m->description);
	m->description = read_text(reader, "description");
	if (!m->description)
		m->description = xstrdup("");
	m->author = read_text(reader, "author");
	m->license = read_text(reader, "license");
	m->min_skills_system_version = check_version(reader, "min_skills_system_version",
		read_text(reader, "min_skills_system_version"));
	m->test = read_text(reader, "test");
	if (m->test && !view_trim(view_of(m->test)).len) {
		free(m->test); /* an empty command counts as missing */
		m->test = NULL;
	}
	read_post_apply(reader);
	read_references(reader, "depends", &m->depends);
	read_references(reader, "conflicts", &m->conflicts);
	read_references(reader, "tested_with", &m->tested_with);
	check_relations(reader);
}

static bool is_empty(const struct yaml_node *node)
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

	if ((is_empty(node) && node->kind != YAML_SEQUENCE) ||
		!faults_expect(faults, node, YAML_MAPPING, "'structured'"))
		return NULL;
	for (size_t i = 0; structured_formats[i]; i++) {
		const struct structured_format *format = structured_formats[i];
		const struct yaml_node *member = yaml_get(node, format->member);

		known[i] = format->member;
		if (!member || is_empty(member))
			continue;
		format->check(member, faults);
		declares = true;
	}
	faults_note_unknown(faults, node, known);
	return declares ? node : NULL;
}

static void read_files(const struct reader *reader)
{
	const struct yaml_node *adds = reader_field(reader, "adds");
	const struct yaml_node *modifies = reader_field(reader, "modifies");
	const struct yaml_node *file_ops = reader_field(reader, "file_ops");
	const struct yaml_node *base_hashes = reader_field(reader, "base_hashes");
	const struct yaml_node *structured = reader_field(reader, "structured");
	struct manifest *m = reader->manifest;

	if (adds)
		manifest_read_paths(adds, "'adds'", &m->adds, reader->faults);
	if (modifies)
		manifest_read_paths(modifies, "'modifies'", &m->modifies, reader->faults);
	manifest_check_collisions(m, reader->faults);
	if (file_ops)
		manifest_read_file_ops(file_ops, m, reader->faults);
	if (base_hashes)
		manifest_read_base_hashes(base_hashes, m, reader->faults);
	if (structured)
		m->structured = read_structured(structured, reader->faults);
}

void manifest_parse(struct view text, const char *name, struct manifest *ret_manifest,
	struct faults *faults)
{
	static const char *const known[] = {"adds", "author", "base_hashes", "conflicts",
		"core_version", "depends", "description", "file_ops", "license",
		"min_skills_system_version", "modifies", "post_apply", "skill", "structured",
		"test", "tested_with", "version", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct reader reader = {.manifest = ret_manifest, .faults = faults};

	*ret_manifest = (struct manifest){.description = xstrdup("")};
	if (yaml_parse(text, name, &ret_manifest->doc, &err) < 0 ||
		yaml_expect(ret_manifest->doc->root, YAML_MAPPING, "the manifest", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	reader.root = ret_manifest->doc->root;
	read_fields(&reader);
	read_files(&reader);
	faults_note_unknown(faults, reader.root, known);
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

static void release_paths(struct manifest_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		relpath_release(&paths->list[i].path);
	free(paths->list);
	free(paths->sorted);
}

static void release_references(struct manifest_references *references)
{
	for (size_t i = 0; i < references->count; i++) {
		free(references->list[i].skill);
		free(references->list[i].version);
	}
	free(references->list);
}

void manifest_release(struct manifest *manifest)
{
	for (size_t i = 0; i < manifest->post_apply_count; i++)
		free(manifest->post_apply[i]);
	free(manifest->post_apply);
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		relpath_release(&manifest->file_ops[i].from);
		relpath_release(&manifest->file_ops[i].to);
	}
	free(manifest->file_ops);
	for (size_t i = 0; i < manifest->base_hash_count; i++)
		relpath_release(&manifest->base_hashes[i].path);
	free(manifest->base_hashes);
	release_paths(&manifest->adds);
	release_paths(&manifest->modifies);
	release_references(&manifest->depends);
	release_references(&manifest->conflicts);
	release_references(&manifest->tested_with);
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
