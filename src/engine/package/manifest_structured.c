/*
 * `structured`: each member is checked by its format (structured_format.h). Whether
 * skills agree with each other is not known here.
 */
#include "engine/package/manifest_parts.h"
#include "engine/package/structured_format.h"

#define MAX_FORMATS 16

static bool is_empty(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR ? yaml_is_null(node) : !node->count;
}

const struct yaml_node *manifest_read_structured(
	const struct yaml_node *node, struct faults *faults)
{
	const char *known[MAX_FORMATS] = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool declares = false;

	if (is_empty(node) && node->kind != YAML_SEQUENCE)
		return NULL;
	if (yaml_expect(node, YAML_MAPPING, "'structured'", &err) < 0) {
		faults_add_error(faults, &err);
		return NULL;
	}
	for (size_t i = 0; structured_formats[i]; i++) {
		const struct structured_format *format = structured_formats[i];
		const struct yaml_node *member = yaml_get(node, format->member);

		known[i] = format->member;
		if (!member || is_empty(member))
			continue;
		format->check(member, faults);
		declares = true;
	}
	manifest_note_unknown(node, known, faults);
	return declares ? node : NULL;
}
