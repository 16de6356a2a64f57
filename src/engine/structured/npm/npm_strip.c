#include <string.h>

#include "engine/structured/npm/npm.h"

/* --- entries ----------------------------------------------------------------------------- */

/* Among the others of its section, unless a person has put something there. */
static void put_back_spec(
	json_t *package, enum npm_section section, const char *name, const char *spec)
{
	const char *key = npm_section_names[section];
	json_t *object = npm_section(package, section);
	CLEANUP(json_decrefp) json_t *value = json_string_nocheck(spec);
	CLEANUP(json_decrefp) json_t *inserted = npm_inserted(object, name, value);

	if (!json_object_get(package, key))
		npm_set_spec(package, section, name, spec);
	else if (object && !json_object_get(object, name))
		npm_set_member(package, key, inserted);
}

static void add_unwanted(struct yaml_node **unwanted, struct yaml_doc *doc, const char *name)
{
	if (!*unwanted)
		*unwanted = yaml_new_sequence(doc);
	yaml_append(*unwanted, yaml_new_string(doc, name));
}

static void strip_entry(json_t *package, const char *name, const struct yaml_node *entry,
	struct yaml_doc *doc, struct yaml_node **unwanted)
{
	const struct yaml_node *own = yaml_get_kind(entry, "own", YAML_MAPPING);
	const char *had = yaml_get_text(own, npm_section_names[NPM_DEPENDENCIES]);
	const char *written = yaml_get_text(entry, "written");
	const char *now = npm_spec_of(package, NPM_DEPENDENCIES, name);
	bool as_written = written && now && !strcmp(written, now);

	if (!as_written && npm_installs(package, name))
		return; /* a person has written or moved it: theirs */
	if (written && !as_written) {
		add_unwanted(unwanted, doc, name);
		return;
	}
	if (as_written && had) /* in place, so that it stays where it is */
		npm_set_spec(package, NPM_DEPENDENCIES, name, had);
	else if (as_written)
		npm_remove_spec(package, NPM_DEPENDENCIES, name);
	for (int section = 0; section < NPM_PEER; section++) {
		const char *spec = yaml_get_text(own, npm_section_names[section]);

		if (spec)
			put_back_spec(package, (enum npm_section)section, name, spec);
	}
}

static void strip_entries(json_t *package, const struct yaml_node *record, struct yaml_doc *doc,
	struct yaml_node **unwanted)
{
	const struct yaml_node *entries = yaml_get_kind(record, "entries", YAML_MAPPING);
	const struct yaml_node *before = yaml_get_kind(record, "unwanted", YAML_SEQUENCE);
	const struct yaml_node *repeated = yaml_get_kind(record, "repeated", YAML_MAPPING);

	for (size_t i = 0; i < entries->count; i++)
		strip_entry(package, entries->entries[i].key.data, entries->entries[i].value,
			doc, unwanted);
	for (size_t i = 0; i < before->count; i++)
		if (before->items[i]->kind == YAML_SCALAR &&
			!npm_installs(package, before->items[i]->text.data))
			add_unwanted(unwanted, doc, before->items[i]->text.data);
	for (size_t i = 0; i < repeated->count; i++) {
		const char *name = repeated->entries[i].key.data;
		const char *spec = yaml_get_text(repeated, name);

		if (spec && npm_spec_of(package, NPM_OPTIONAL, name))
			put_back_spec(package, NPM_DEPENDENCIES, name, spec);
	}
}

/* --- sections ---------------------------------------------------------------------------- */

/*
 * Add an empty section after the member `after`: "" means the front; an unknown name means the
 * end.
 */
static void make_section(json_t **package, const char *after, const char *name)
{
	CLEANUP(json_decrefp) json_t *empty = json_object();
	json_t *result = json_object();
	const char *key;
	json_t *value;

	if (!*after)
		npm_set_member(result, name, empty);
	json_object_foreach(*package, key, value) {
		npm_set_member(result, key, value);
		if (!strcmp(key, after))
			npm_set_member(result, name, empty);
	}
	npm_set_member(result, name, empty);
	json_decref(*package);
	*package = result;
}

static void drop_if_empty(json_t *package, const char *name)
{
	json_t *section = json_object_get(package, name);

	if (json_is_object(section) && !json_object_size(section))
		json_object_del(package, name);
}

/* If the order was not changed since: the recorded names first, then the others. */
static void restore_order(json_t *package, const struct yaml_node *order)
{
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(package, (enum npm_section)i);
		const struct yaml_node *names =
			yaml_get_kind(order, npm_section_names[i], YAML_SEQUENCE);
		CLEANUP(json_decrefp) json_t *ordered = json_object();

		if (!section || !names->count || !npm_is_sorted(section))
			continue;
		for (size_t k = 0; k < names->count; k++) {
			const char *name = names->items[k]->text.data;
			json_t *value = name ? json_object_get(section, name) : NULL;

			if (value)
				npm_set_member(ordered, name, value);
		}
		if (json_object_update(ordered, section) < 0)
			out_of_memory();
		npm_set_member(package, npm_section_names[i], ordered);
	}
}

static void strip_recorded(json_t **package, const struct yaml_node *record,
	struct yaml_doc *doc, struct yaml_node **unwanted)
{
	const struct yaml_node *gone = yaml_get_kind(record, "sections", YAML_SEQUENCE);

	/* Sections that are gone, for entries that may come back. */
	for (size_t i = 0; i < gone->count; i++) {
		const char *name = yaml_get_text(gone->items[i], "name");
		const char *after = yaml_get_text(gone->items[i], "after");

		if (name && after && !json_object_get(*package, name))
			make_section(package, after, name);
	}
	strip_entries(*package, record, doc, unwanted);
	for (size_t i = 0; i < gone->count; i++) {
		const char *name = yaml_get_text(gone->items[i], "name");

		if (name && !yaml_get_bool(gone->items[i], "empty"))
			drop_if_empty(*package, name);
	}
	if (yaml_get_bool(record, "made"))
		drop_if_empty(*package, npm_section_names[NPM_DEPENDENCIES]);
	restore_order(*package, yaml_get(record, "order"));
}

/* Without a record: an entry exactly as one skill declares it, or as all of them together. */
static void strip_declared(
	json_t *package, const struct contribution *contributions, size_t count)
{
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
	struct npm_wish wish = {0};
	bool any = false;

	npm_claims_read(contributions, count, &claims);
	while (npm_claims_next(&claims, &wish)) {
		const char *spec = npm_spec_of(package, NPM_DEPENDENCIES, wish.name);
		CLEANUP(buf_release) struct buf combined = BUF_INIT;
		bool declared = false;

		if (!spec)
			continue;
		for (size_t i = 0; i < wish.count; i++)
			declared = declared || !strcmp(wish.claims[i].spec, spec);
		if (!declared && (!npm_wish_combine(&wish, NULL, &combined) ||
					 strcmp(combined.data, spec) != 0))
			continue;
		npm_remove_spec(package, NPM_DEPENDENCIES, wish.name);
		any = true;
	}
	if (any)
		drop_if_empty(package, npm_section_names[NPM_DEPENDENCIES]);
}

/* --- text -------------------------------------------------------------------------------- */

/* Is the text what npm writes for this package in this style? */
static bool is_written_as(json_t *package, const struct json_style *style, struct view text)
{
	CLEANUP(buf_release) struct buf written = BUF_INIT;

	json_write_npm(package, style, &written);
	return view_equal(view_of_buf(&written), text);
}

static void write_own(json_t *own, const struct npm_package *file, struct view text,
	const struct yaml_node *record, struct buf *ret_own)
{
	const struct yaml_node *recorded = yaml_get(record, "style");
	const char *indent = yaml_get_text(recorded, "indent");
	const char *newline = yaml_get_text(recorded, "newline");
	struct json_style style = file->style;
	CLEANUP(buf_release) struct buf before = BUF_INIT;

	json_write_npm(file->json, &JSON_STYLE_DEFAULT, &before);
	if (is_written_as(own, &JSON_STYLE_DEFAULT, view_of_buf(&before))) {
		buf_append(ret_own, text.data, text.len);
		return;
	}
	if (!json_object_size(own) && yaml_get_bool(record, "created"))
		return;
	/* The recorded style, if the file still is as that would write it. */
	if (indent && newline) {
		struct json_style as_recorded = {view_of(indent), view_of(newline)};

		if (is_written_as(file->json, &as_recorded, text))
			style = as_recorded;
	}
	npm_package_write(own, &style, ret_own);
}

int npm_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(npm_package_release) struct npm_package file = NPM_PACKAGE_INIT;
	CLEANUP(json_decrefp) json_t *own = NULL;
	struct yaml_node *unwanted = NULL;

	if (record && !record->count) { /* no skill contributed: any content is fine */
		buf_append(ret_own, text.data, text.len);
		*ret_unwanted = NULL;
		return 0;
	}
	if (npm_package_parse(name, text, &file, err) < 0)
		return -1;
	own = json_deep_copy(file.json);
	if (!own)
		out_of_memory();
	if (record)
		strip_recorded(&own, record, doc, &unwanted);
	else
		strip_declared(own, contributions, count);
	write_own(own, &file, text, record, ret_own);
	*ret_unwanted = unwanted;
	return 0;
}
