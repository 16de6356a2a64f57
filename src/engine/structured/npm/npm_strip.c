#include "engine/structured/npm/npm_strip.h"

#include <string.h>

#include "engine/structured/npm/npm_declared.h"
#include "engine/structured/npm/npm_order.h"
#include "engine/structured/npm/npm_package.h"
#include "engine/structured/npm/npm_spec.h"

/* --- the record ----------------------------------------------------------------- */

/* The text of a scalar of the record, or NULL. */
static const char *text_of(const struct yaml_node *mapping, const char *key)
{
	const struct yaml_node *node = mapping ? yaml_get(mapping, key) : NULL;

	return node && node->kind == YAML_SCALAR && !yaml_is_null(node) ? node->text.data
									: NULL;
}

static bool is_true(const struct yaml_node *mapping, const char *key)
{
	const char *text = text_of(mapping, key);

	return text && !strcmp(text, "true");
}

/* A member of the record, if it is of this kind; else one without anything in it. */
static const struct yaml_node *member(
	const struct yaml_node *record, const char *key, enum yaml_kind kind)
{
	static const struct yaml_node nothing;
	const struct yaml_node *node = record ? yaml_get(record, key) : NULL;

	return node && node->kind == kind ? node : &nothing;
}

/* --- entries -------------------------------------------------------------------- */

/* Among the others of its section, unless a person has put something there. */
static void put_back(
	json_t *package, enum npm_section section, const char *name, const char *spec)
{
	const char *key = npm_section_names[section];
	CLEANUP(json_decrefp) json_t *value = json_string_nocheck(spec);
	json_t *object = npm_section(package, section);

	if (!json_object_get(package, key))
		npm_set_spec(package, section, name, spec);
	else if (object && !json_object_get(object, name) &&
		 json_object_set_new(package, key, npm_inserted(object, name, value)) < 0)
		out_of_memory();
}

static void put_back_own(json_t *package, const char *name, const struct yaml_node *entry)
{
	const struct yaml_node *own = member(entry, "own", YAML_MAPPING);

	for (int section = 0; section < NPM_PEER; section++) {
		const char *spec = text_of(own, npm_section_names[section]);

		if (spec)
			put_back(package, (enum npm_section)section, name, spec);
	}
}

static void add_unwanted(struct yaml_node **unwanted, struct yaml_doc *doc, const char *name)
{
	if (!*unwanted)
		*unwanted = yaml_new_sequence(doc);
	yaml_append(*unwanted, yaml_new_string(doc, name));
}

static void take_out(json_t *package, const char *name, const struct yaml_node *entry)
{
	const char *had = text_of(member(entry, "own", YAML_MAPPING), "dependencies");

	/* In place, so that it stays where it is. */
	if (had)
		npm_set_spec(package, NPM_DEPENDENCIES, name, had);
	else
		npm_remove_spec(package, NPM_DEPENDENCIES, name);
	put_back_own(package, name, entry);
}

static void strip_entry(json_t *package, const char *name, const struct yaml_node *entry,
	struct yaml_doc *doc, struct yaml_node **unwanted)
{
	const char *written = text_of(entry, "written");
	const char *now = npm_spec_of(package, NPM_DEPENDENCIES, name);

	if (written && now && !strcmp(written, now))
		take_out(package, name, entry);
	else if (npm_installs(package, name))
		return; /* a person has written or moved it: theirs */
	else if (written)
		add_unwanted(unwanted, doc, name);
	else
		put_back_own(package, name, entry);
}

static void strip_entries(json_t *package, const struct yaml_node *record, struct yaml_doc *doc,
	struct yaml_node **unwanted)
{
	const struct yaml_node *entries = member(record, "entries", YAML_MAPPING);
	const struct yaml_node *before = member(record, "unwanted", YAML_SEQUENCE);
	const struct yaml_node *repeated = member(record, "repeated", YAML_MAPPING);

	for (size_t i = 0; i < entries->count; i++)
		strip_entry(package, entries->entries[i].key.data, entries->entries[i].value,
			doc, unwanted);
	for (size_t i = 0; i < before->count; i++)
		if (before->items[i]->kind == YAML_SCALAR &&
			!npm_installs(package, before->items[i]->text.data))
			add_unwanted(unwanted, doc, before->items[i]->text.data);
	for (size_t i = 0; i < repeated->count; i++) {
		const char *name = repeated->entries[i].key.data;
		const char *spec = text_of(repeated, name);

		if (spec && npm_spec_of(package, NPM_OPTIONAL, name))
			put_back(package, NPM_DEPENDENCIES, name, spec);
	}
}

/* --- sections ------------------------------------------------------------------- */

/* Make those that are gone, at their old places, for entries that may come back. */
static void make_sections(json_t **package, const struct yaml_node *gone)
{
	for (size_t i = 0; i < gone->count; i++) {
		const char *name = text_of(gone->items[i], "name");
		const char *after = text_of(gone->items[i], "after");
		CLEANUP(json_decrefp) json_t *empty = json_object();

		if (!empty)
			out_of_memory();
		if (name && after && !json_object_get(*package, name))
			npm_insert_after(package, after, name, empty);
	}
}

static void drop_if_empty(json_t *package, const char *name)
{
	json_t *section = json_object_get(package, name);

	if (json_is_object(section) && !json_object_size(section))
		json_object_del(package, name);
}

static void drop_empty_sections(json_t *package, const struct yaml_node *record)
{
	const struct yaml_node *gone = member(record, "sections", YAML_SEQUENCE);

	for (size_t i = 0; i < gone->count; i++) {
		const char *name = text_of(gone->items[i], "name");

		if (name && !is_true(gone->items[i], "empty"))
			drop_if_empty(package, name);
	}
	if (is_true(record, "made"))
		drop_if_empty(package, npm_section_names[NPM_DEPENDENCIES]);
}

/* The recorded names first, then what has come since. */
static const char **keys_in_order(json_t *section, const struct yaml_node *names)
{
	CLEANUP(json_decrefp) json_t *rest = json_copy(section);
	const char **keys = xcalloc(json_object_size(section) + 1, sizeof(*keys));
	size_t count = 0;
	const char *key;
	json_t *value;

	for (size_t i = 0; i < names->count; i++)
		if (names->items[i]->kind == YAML_SCALAR &&
			json_object_del(rest, names->items[i]->text.data) == 0)
			keys[count++] = names->items[i]->text.data;
	/* The keys of the section itself: they outlive `rest`. */
	json_object_foreach(section, key, value) if (json_object_get(rest, key)) keys[count++] =
		key;
	return keys;
}

/* Only where nobody has made another order of it since. */
static void restore_order(json_t *package, const struct yaml_node *order)
{
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(package, (enum npm_section)i);
		const struct yaml_node *names =
			member(order, npm_section_names[i], YAML_SEQUENCE);
		CLEANUP(freep) const char **keys = NULL;

		if (!section || !names->count || !npm_is_sorted(section))
			continue;
		keys = keys_in_order(section, names);
		if (json_object_set_new(
			    package, npm_section_names[i], npm_reordered(section, keys)) < 0)
			out_of_memory();
	}
}

static void strip_recorded(json_t **package, const struct yaml_node *record,
	struct yaml_doc *doc, struct yaml_node **unwanted)
{
	make_sections(package, member(record, "sections", YAML_SEQUENCE));
	strip_entries(*package, record, doc, unwanted);
	drop_empty_sections(*package, record);
	restore_order(*package, member(record, "order", YAML_MAPPING));
}

/* --- without a record ----------------------------------------------------------- */

/* Exactly as one skill declares it, or as all of them together. */
static bool is_declared(
	const char *spec, const struct npm_claim *claims, const struct npm_claim *end)
{
	CLEANUP(freep) const char **specs = xcalloc((size_t)(end - claims), sizeof(*specs));
	CLEANUP(buf_release) struct buf combined = BUF_INIT;

	for (const struct npm_claim *claim = claims; claim < end; claim++) {
		if (!strcmp(claim->spec, spec))
			return true;
		specs[claim - claims] = claim->spec;
	}
	return npm_specs_combine(specs, (size_t)(end - claims), &combined) &&
	       !strcmp(combined.data, spec);
}

static void strip_declared(
	json_t *package, const struct contribution *contributions, size_t count)
{
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
	bool any = false;

	npm_claims_read(contributions, count, &claims);
	for (size_t i = 0, next; i < claims.count; i = next) {
		const char *name = claims.list[i].name;
		const char *spec = npm_spec_of(package, NPM_DEPENDENCIES, name);

		next = npm_claims_end(&claims, i);
		if (spec && is_declared(spec, &claims.list[i], claims.list + next)) {
			npm_remove_spec(package, NPM_DEPENDENCIES, name);
			any = true;
		}
	}
	if (any)
		drop_if_empty(package, npm_section_names[NPM_DEPENDENCIES]);
}

/* --- text ----------------------------------------------------------------------- */

static bool is_written_as(json_t *package, const struct json_style *style, struct view text)
{
	CLEANUP(buf_release) struct buf written = BUF_INIT;

	json_write_npm(package, style, &written);
	return view_equal(view_of_buf(&written), text);
}

/* The recorded style, if the file still is as that would write it. */
static struct json_style style_of(
	const struct npm_package *package, const struct yaml_node *record, struct view text)
{
	const struct yaml_node *node = member(record, "style", YAML_MAPPING);
	const char *indent = text_of(node, "indent");
	const char *newline = text_of(node, "newline");
	struct json_style style;

	if (!indent || !newline)
		return package->style;
	style = (struct json_style){view_of(indent), view_of(newline)};
	return is_written_as(package->json, &style, text) ? style : package->style;
}

static bool is_same_text(json_t *a, json_t *b)
{
	CLEANUP(buf_release) struct buf x = BUF_INIT;
	CLEANUP(buf_release) struct buf y = BUF_INIT;

	json_write_npm(a, &JSON_STYLE_DEFAULT, &x);
	json_write_npm(b, &JSON_STYLE_DEFAULT, &y);
	return view_equal(view_of_buf(&x), view_of_buf(&y));
}

static void write_own(json_t *own, const struct npm_package *file, struct view text,
	const struct yaml_node *record, struct buf *ret_own)
{
	struct json_style style;

	if (is_same_text(own, file->json)) {
		buf_append(ret_own, text.data, text.len);
		return;
	}
	if (!json_object_size(own) && is_true(record, "created"))
		return;
	style = style_of(file, record, text);
	npm_package_write(own, &style, ret_own);
}

int npm_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(npm_package_release) struct npm_package file = NPM_PACKAGE_INIT;
	CLEANUP(json_decrefp) json_t *own = NULL;
	struct yaml_node *unwanted = NULL;

	if (record && !record->count) { /* nobody contributed: it may be anything */
		buf_append(ret_own, text.data, text.len);
		*ret_unwanted = NULL;
		return 0;
	}
	if (npm_package_read(name, text, &file, err) < 0)
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
