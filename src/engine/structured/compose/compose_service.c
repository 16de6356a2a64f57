#include <string.h>

#include "base/utf8.h"
#include "engine/structured/compose/compose.h"
#include "engine/structured/compose/compose_ports.h"

/* Names of services, volumes and networks are of letters, digits, '.', '_' and '-'. */
static bool is_compose_name(struct view name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'))
			return false;
	}
	return name.len > 0;
}

/* --- the check --------------------------------------------------------------------------- */

/* Where a service may come from, if it has no image of its own. */
static const char *const sources[] = {"build", "extends", "image", "provider"};

static void check_service(const struct yaml_entry *entry, struct faults *faults)
{
	const struct yaml_node *service = entry->value;
	const struct yaml_entry *merge = yaml_find(service, view_of("<<"));
	const struct yaml_node *ports = yaml_get(service, "ports");
	CLEANUP(freep) char *name = utf8_excerpt(entry->key);
	bool has_source = false;

	if (!is_compose_name(entry->key))
		faults_add_at(faults, FAULT_ERROR, service->doc, entry->key_at,
			"'%s' cannot be the name of a service: letters, digits, '.', '_' and '-'",
			name);
	if (!faults_expect(faults, service, YAML_MAPPING, "a service"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		has_source = has_source || yaml_get(service, sources[i]);
	if (!has_source)
		faults_add_at(faults, FAULT_ERROR, service->doc, entry->key_at,
			"service '%s' has neither an 'image' nor a 'build'", name);
	if (merge)
		faults_add_at(faults, FAULT_ERROR, service->doc, merge->key_at,
			"'<<' is not expanded: list the keys themselves");
	if (!ports || !faults_expect(faults, ports, YAML_SEQUENCE, "'ports'"))
		return;
	for (size_t i = 0; i < ports->count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct compose_port ignored;

		if (compose_port_item_parse(ports->items[i], &ignored, &err) < 0)
			faults_add_error(faults, &err);
	}
}

void compose_check(const struct yaml_node *declared, struct faults *faults)
{
	if (yaml_is_null(declared) ||
		!faults_expect(faults, declared, YAML_MAPPING, "'docker_compose_services'"))
		return;
	for (size_t i = 0; i < declared->count; i++)
		check_service(&declared->entries[i], faults);
}

/* --- volumes and networks ---------------------------------------------------------------- */

/* The `data` of `data:/var/lib/data:ro`. A path is not a name, nor is a lone container path. */
static bool short_volume(struct view text, struct view *ret_name)
{
	const char *colon = memchr(text.data, ':', text.len);
	struct view name;

	if (!colon)
		return false;
	name = view_slice(text, 0, (size_t)(colon - text.data));
	if (!is_compose_name(name) || name.data[0] == '.')
		return false;
	if (name.len == 1 &&
		(text.data[2] == '\\' || (text.data[2] == '/' && text.len > 2 &&
						 memchr(text.data + 2, ':', text.len - 2))))
		return false; /* C:\folder and C:/folder:/target */
	*ret_name = name;
	return true;
}

static void add_need(struct yaml_node *needs, enum compose_kind kind, struct view name)
{
	yaml_set_view(yaml_need(needs, compose_kind_names[kind], YAML_MAPPING), name,
		yaml_new_null(needs->doc));
}

void compose_add_needs(const struct yaml_node *service, struct yaml_node *needs)
{
	const struct yaml_node *volumes = yaml_get_kind(service, "volumes", YAML_SEQUENCE);
	const struct yaml_node *networks = yaml_get(service, "networks");

	for (size_t i = 0; i < volumes->count; i++) {
		const struct yaml_node *item = volumes->items[i];
		const char *type = yaml_get_text(item, "type");
		const struct yaml_node *source = yaml_get(item, "source");
		struct view name;

		if (item->kind == YAML_SCALAR && short_volume(item->text, &name))
			add_need(needs, COMPOSE_VOLUMES, name);
		else if (type && !strcmp(type, "volume") && source &&
			 is_compose_name(source->text))
			add_need(needs, COMPOSE_VOLUMES, source->text);
	}
	for (size_t i = 0; networks && i < networks->count; i++) {
		struct view name = networks->kind == YAML_MAPPING ? networks->entries[i].key
								  : networks->items[i]->text;

		if (is_compose_name(name) && !view_equal_str(name, "default"))
			add_need(needs, COMPOSE_NETWORKS, name);
	}
}

bool compose_has_need(const struct yaml_node *needs, enum compose_kind kind, struct view name)
{
	return yaml_find(yaml_get(needs, compose_kind_names[kind]), name);
}
