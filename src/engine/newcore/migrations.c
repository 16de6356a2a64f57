#include "engine/newcore/migrations.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/package/manifest.h"
#include "engine/package/semver.h"

/* --- one entry ------------------------------------------------------------------- */

/* The text of a key, or NULL; a fault if it is required and missing. */
static const char *read_migration_text(
	const struct yaml_node *entry, const char *key, bool required, struct faults *faults)
{
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct yaml_node *node = yaml_get(entry, key);
	const char *text = NULL;

	if (!node || yaml_is_null(node)) {
		if (required)
			faults_add_at(faults, FAULT_ERROR, entry->doc, entry->at,
				"the migration has no '%s'", key);
		return NULL;
	}
	if (yaml_string(node, what, &text, &err) < 0)
		faults_add_error(faults, &err);
	return text;
}

static bool check_migration_version(
	const struct yaml_node *entry, const char *key, struct view text, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct yaml_node *node = yaml_get(entry, key);
	struct semver version;

	if (semver_parse(text, &version, &err) == 0) {
		semver_release(&version);
		return true;
	}
	faults_add_at(faults, FAULT_ERROR, node->doc, node->at, "'%s': %s", key, err.message);
	return false;
}

/* "apple-containers@1.0.0", or without a version. */
static bool read_migration_skill(const struct yaml_node *entry, const char *text,
	struct core_migration *ret_migration, struct faults *faults)
{
	const struct yaml_node *node = yaml_get(entry, "skill");
	const char *at = strchr(text, '@');
	size_t len = at ? (size_t)(at - text) : strlen(text);
	CLEANUP(freep) char *shown = quote(view_slice(view_of(text), 0, strnlen(text, 60)));

	if (!len || len > SKILL_NAME_MAX || memchr(text, '/', len) || *text == '.') {
		faults_add_at(faults, FAULT_ERROR, node->doc, node->at,
			"%s is not the name of a skill", shown);
		return false;
	}
	if (at && !check_migration_version(entry, "skill", view_of(at + 1), faults))
		return false;
	ret_migration->skill = xmemdupz(text, len);
	ret_migration->version = at ? xstrdup(at + 1) : NULL;
	return true;
}

static bool read_migration(const struct yaml_node *node, struct core_migration *ret_migration,
	struct faults *faults)
{
	static const char *const keys[] = {"description", "since", "skill", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *since, *skill, *description;
	size_t errors = faults->errors;

	if (yaml_expect(node, YAML_MAPPING, "a migration", &err) < 0) {
		faults_add_error(faults, &err);
		return false;
	}
	faults_note_unknown(faults, node, keys);
	since = read_migration_text(node, "since", true, faults);
	skill = read_migration_text(node, "skill", true, faults);
	description = read_migration_text(node, "description", false, faults);
	if (since)
		check_migration_version(node, "since", view_of(since), faults);
	if (faults->errors > errors || !since || !skill ||
		!read_migration_skill(node, skill, ret_migration, faults))
		return false;
	ret_migration->since = xstrdup(since);
	ret_migration->description = xstrdup(description ? description : "");
	ret_migration->at = node->at;
	return true;
}

/* --- the file -------------------------------------------------------------------- */

void migrations_parse(
	struct view text, const char *name, struct migrations *ret_list, struct faults *faults)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_parse(text, name, &doc, &err) < 0 ||
		(!yaml_is_null(doc->root) && yaml_expect(doc->root, YAML_SEQUENCE,
						     "the list of migrations", &err) < 0)) {
		faults_add_error(faults, &err);
		return;
	}
	if (yaml_is_null(doc->root))
		return;
	if (doc->root->count > MIGRATIONS_MAX) {
		faults_add_at(faults, FAULT_ERROR, doc, doc->root->at,
			"there are more than %d migrations", MIGRATIONS_MAX);
		return;
	}
	for (size_t i = 0; i < doc->root->count; i++) {
		struct core_migration migration = {0};

		if (!read_migration(doc->root->items[i], &migration, faults))
			continue;
		GROW(ret_list->list, ret_list->count, ret_list->cap);
		ret_list->list[ret_list->count++] = migration;
	}
}

/* --- append-only ----------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_migration(const struct core_migration *a, const struct core_migration *b)
{
	return same_text(a->since, b->since) && same_text(a->skill, b->skill) &&
	       same_text(a->version, b->version) && same_text(a->description, b->description);
}

static int refuse_changed(const struct migrations *new, const struct core_migration *lost,
	const char *name, struct error *err)
{
	const struct core_migration *now = NULL;
	CLEANUP(freep) char *shown = quote(view_of(lost->skill));

	for (size_t i = 0; i < new->count && !now; i++)
		if (same_text(new->list[i].skill, lost->skill))
			now = &new->list[i];
	if (!now)
		error_set(err, ERROR_INVALID,
			"%s: the migration %s since %s is missing, and the current core has it",
			name, shown, lost->since);
	else
		error_set(err, ERROR_INVALID,
			"%s:%zu:%zu: the migration %s since %s was changed or moved", name,
			now->at.line, now->at.column, shown, lost->since);
	return error_hint(err, "entries are only ever added to %s", MIGRATIONS_NAME);
}

int migrations_check_appended(const struct migrations *old, const struct migrations *new,
	const char *name, struct error *err)
{
	size_t at = 0;

	for (size_t i = 0; i < old->count; i++, at++) {
		while (at < new->count && !same_migration(&old->list[i], &new->list[at]))
			at++;
		if (at == new->count)
			return refuse_changed(new, &old->list[i], name, err);
	}
	return 0;
}

void migrations_release(struct migrations *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->list[i].since);
		free(list->list[i].skill);
		free(list->list[i].version);
		free(list->list[i].description);
	}
	free(list->list);
}
