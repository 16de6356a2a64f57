/*
 * `structured`: whether its members have types that the operations can work with.
 * What they mean, and whether they agree with each other, is not known here.
 */
#include <string.h>

#include "engine/manifest_parts.h"

static bool is_empty(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR ? yaml_is_null(node) : !node->count;
}

static void check_string(const struct yaml_node *node, const char *what, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *text;

	if (yaml_string(node, what, &text, &err) < 0)
		faults_add_error(faults, &err);
}

static void check_strings(const struct yaml_node *node, const char *what, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, YAML_SEQUENCE, what, &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);

		check_string(node->items[i], item, faults);
	}
}

static void check_ranges(const struct yaml_node *mapping, struct faults *faults)
{
	for (size_t i = 0; i < mapping->count; i++)
		check_string(mapping->entries[i].value, "the range of a dependency", faults);
}

/* A mapping of names to ranges; in old packages also a list of names or of such mappings. */
static void check_npm(const struct yaml_node *node, const char *what, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (node->kind == YAML_MAPPING)
		check_ranges(node, faults);
	else if (node->kind == YAML_SCALAR) {
		yaml_expect(node, YAML_MAPPING, what, &err);
		faults_add_error(faults, &err);
	} else
		for (size_t i = 0; i < node->count; i++) {
			CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);

			if (node->items[i]->kind == YAML_MAPPING)
				check_ranges(node->items[i], faults);
			else
				check_string(node->items[i], item, faults);
		}
}

static void check_services(
	const struct yaml_node *node, const char *what, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, YAML_MAPPING, what, &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < node->count; i++)
		if (yaml_expect(node->entries[i].value, YAML_MAPPING, "a service", &err) < 0)
			faults_add_error(faults, &err);
}

static const struct member {
	const char *name;
	const char *what;
	void (*check)(const struct yaml_node *node, const char *what, struct faults *faults);
} members[] = {
	{"docker_compose_services", "'docker_compose_services'", check_services},
	{"env_additions", "'env_additions'", check_strings},
	{"npm_dependencies", "'npm_dependencies'", check_npm},
	{"system_packages", "'system_packages'", check_strings},
};

const struct yaml_node *manifest_read_structured(
	const struct yaml_node *node, struct faults *faults)
{
	const char *known[ARRAY_SIZE(members) + 1] = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool declares = false;

	if (is_empty(node) && node->kind != YAML_SEQUENCE)
		return NULL;
	if (yaml_expect(node, YAML_MAPPING, "'structured'", &err) < 0) {
		faults_add_error(faults, &err);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct yaml_node *member = yaml_get(node, members[i].name);

		known[i] = members[i].name;
		if (!member || is_empty(member))
			continue;
		members[i].check(member, members[i].what, faults);
		declares = true;
	}
	manifest_note_unknown(node, known, faults);
	return declares ? node : NULL;
}
