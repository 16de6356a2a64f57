/* What a person has made of a clash, as it is in the file. */
#include <string.h>

#include "engine/structured/compose/compose_file.h"
#include "engine/structured/compose/compose_parts.h"
#include "engine/structured/compose/compose_plan.h"
#include "engine/structured/compose/compose_ports.h"
#include "util/yaml_write.h"

static int settled_service(const struct yaml_node *service, struct yaml_doc *doc,
	struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!service || service->kind != YAML_MAPPING) {
		*ret_value = NULL;
		return 0;
	}
	if (yaml_write(service, &text, err) < 0)
		return -1;
	*ret_value = yaml_new_string(doc, text.data);
	return 0;
}

static bool same_range(struct port_range a, struct port_range b)
{
	return a.first == b.first && a.last == b.last;
}

/* How well a port of the service fits the one that was declared; 0: not at all. */
static int fit(const struct compose_port *port, const struct compose_port *declared)
{
	if (!port->known || strcmp(port->protocol, declared->protocol) ||
		!same_range(port->target, declared->target))
		return 0;
	if (strcmp(port->address, declared->address))
		return 1;
	return same_range(port->host, declared->host) ? 3 : 2;
}

static void settled_port(const struct yaml_node *service, const struct compose_port *declared,
	struct yaml_doc *doc, struct yaml_node **ret_value)
{
	const struct yaml_node *ports = service ? yaml_get(service, "ports") : NULL;
	struct compose_port best = {0};
	int best_fit = 0;

	for (size_t i = 0; ports && ports->kind == YAML_SEQUENCE && i < ports->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		struct compose_port port;

		if (compose_port_read(ports->items[i], &port, &ignored) < 0 ||
			fit(&port, declared) <= best_fit)
			continue;
		best = port;
		best_fit = fit(&port, declared);
	}
	*ret_value = NULL;
	if (best_fit) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		port_range_append(&text, best.host);
		*ret_value = yaml_new_string(doc, text.data);
	}
}

int compose_settled(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	const struct yaml_node *services;
	struct view key = view_of(clash->key);
	struct compose_port declared;
	struct yaml_entry *entry;
	struct view service;

	if (compose_file_read(text, name, &file, err) < 0)
		return -1;
	services = file.sections[COMPOSE_SERVICES].value;
	if (view_starts_with(key, COMPOSE_SERVICE_KEY)) {
		key = view_slice(key, strlen(COMPOSE_SERVICE_KEY), key.len);
		entry = services ? yaml_find(services, key) : NULL;
		return settled_service(entry ? entry->value : NULL, doc, ret_value, err);
	}
	if (!view_next(&key, ':', &service) || !compose_port_parse(key, &declared))
		return error_set(err, ERROR_INVALID, "%s: '%s' is no clash of a compose file",
			name, clash->key);
	entry = services ? yaml_find(services, service) : NULL;
	settled_port(entry ? entry->value : NULL, &declared, doc, ret_value);
	return 0;
}
