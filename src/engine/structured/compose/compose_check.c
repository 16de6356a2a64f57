/* What a skill declares for the compose file: whether it can be written there. */
#include "engine/structured/compose/compose_needs.h"
#include "engine/structured/compose/compose_parts.h"
#include "engine/structured/compose/compose_plan.h"
#include "engine/structured/compose/compose_ports.h"
#include "util/utf8.h"

/* Where a service may come from, if it has no image of its own. */
static const char *const sources[] = {"build", "extends", "image", "provider"};

static void check_ports(const struct yaml_node *service, struct faults *faults)
{
	const struct yaml_node *ports = yaml_get(service, "ports");
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!ports)
		return;
	if (yaml_expect(ports, YAML_SEQUENCE, "'ports'", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < ports->count; i++) {
		struct compose_port ignored;

		if (compose_port_read(ports->items[i], &ignored, &err) < 0)
			faults_add_error(faults, &err);
	}
}

static void check_keys(const struct yaml_node *service, struct faults *faults)
{
	for (size_t i = 0; i < service->count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (!view_equal_str(service->entries[i].key, "<<"))
			continue;
		yaml_error_at(service->doc, service->entries[i].key_at, &err,
			"'<<' would be written as it is: write the keys out");
		faults_add_error(faults, &err);
	}
}

static bool has_source(const struct yaml_node *service)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (yaml_get(service, sources[i]))
			return true;
	return false;
}

static void check_service(
	const struct yaml_node *declared, const struct yaml_entry *entry, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *name = utf8_excerpt(entry->key);

	if (!compose_name_valid(entry->key)) {
		yaml_error_at(declared->doc, entry->key_at, &err,
			"'%s' cannot be the name of a service: letters, digits, '.', '_' and '-'",
			name);
		faults_add_error(faults, &err);
	}
	if (yaml_expect(entry->value, YAML_MAPPING, "a service", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	if (!has_source(entry->value)) {
		yaml_error_at(declared->doc, entry->key_at, &err,
			"service '%s' has neither an 'image' nor a 'build'", name);
		faults_add_error(faults, &err);
	}
	check_keys(entry->value, faults);
	check_ports(entry->value, faults);
}

void compose_check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (declared->kind == YAML_SCALAR && yaml_is_null(declared))
		return;
	if (yaml_expect(declared, YAML_MAPPING, "'docker_compose_services'", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < declared->count; i++)
		check_service(declared, &declared->entries[i], faults);
}
