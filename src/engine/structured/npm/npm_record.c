#include "engine/structured/npm/npm_record.h"

#include <string.h>

#include "engine/structured/npm/npm_order.h"
#include "engine/structured/npm/npm_package.h"

void npm_record_entry(struct yaml_node *record, json_t *own, const char *name,
	const struct npm_verdict *verdict)
{
	struct yaml_node *entry;

	if (verdict->kind == NPM_UNWANTED) {
		yaml_append(yaml_need(record, "unwanted", YAML_SEQUENCE),
			yaml_new_string(record->doc, name));
		return;
	}
	entry = yaml_new_mapping(record->doc);
	yaml_set(yaml_need(record, "entries", YAML_MAPPING), name, entry);
	if (verdict->kind == NPM_WRITE)
		yaml_set_string(entry, "written", verdict->spec);
	for (int section = 0; section < NPM_PEER; section++) {
		const char *spec = npm_spec_of(own, (enum npm_section)section, name);

		if (spec)
			yaml_set_string(yaml_need(entry, "own", YAML_MAPPING),
				npm_section_names[section], spec);
	}
}

void npm_record_repeated(struct yaml_node *record, const char *name, const char *spec)
{
	yaml_set_string(yaml_need(record, "repeated", YAML_MAPPING), name, spec);
}

static bool is_section(const char *key)
{
	for (int section = 0; section < NPM_SECTION_COUNT; section++)
		if (!strcmp(key, npm_section_names[section]))
			return true;
	return false;
}

static void record_gone(struct yaml_node *record, json_t *own, json_t *package)
{
	const char *after = "";
	const char *key;
	json_t *value;

	json_object_foreach(own, key, value)
	{
		if (is_section(key) && !json_object_get(package, key)) {
			struct yaml_node *gone = yaml_new_mapping(record->doc);

			yaml_set_string(gone, "name", key);
			yaml_set_string(gone, "after", after);
			yaml_set(gone, "empty",
				yaml_new_bool(record->doc, !json_object_size(value)));
			yaml_append(yaml_need(record, "sections", YAML_SEQUENCE), gone);
		}
		after = key;
	}
}

static void record_order(struct yaml_node *record, json_t *own, enum npm_section section)
{
	json_t *object = npm_section(own, section);
	struct yaml_node *names;
	const char *key;
	json_t *value;

	if (!object || npm_is_sorted(object) || json_object_size(object) > NPM_RECORD_MAX_ORDER)
		return;
	names = yaml_need(yaml_need(record, "order", YAML_MAPPING), npm_section_names[section],
		YAML_SEQUENCE);
	json_object_foreach(object, key, value)
		yaml_append(names, yaml_new_string(record->doc, key));
}

void npm_record_sections(struct yaml_node *record, json_t *own, json_t *package)
{
	if (!npm_section(own, NPM_DEPENDENCIES) && npm_section(package, NPM_DEPENDENCIES))
		yaml_set(record, "made", yaml_new_bool(record->doc, true));
	record_gone(record, own, package);
	for (int section = 0; section < NPM_SECTION_COUNT; section++)
		record_order(record, own, (enum npm_section)section);
}

void npm_record_style(struct yaml_node *record, const struct json_style *style)
{
	struct yaml_node *node = yaml_need(record, "style", YAML_MAPPING);

	yaml_set(node, "indent", yaml_new_string_view(record->doc, style->indent));
	yaml_set(node, "newline", yaml_new_string_view(record->doc, style->newline));
}
