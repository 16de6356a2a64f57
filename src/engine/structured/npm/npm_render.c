#include <string.h>

#include "engine/structured/npm/npm.h"

/* A section with more names than these loses an order that is not npm's. */
#define MAX_ORDER 1000

/* --- one dependency ---------------------------------------------------------------------- */

static void record_dependency(struct yaml_node *record, json_t *own, const char *name,
	const struct npm_verdict *verdict)
{
	struct yaml_node *entry = yaml_new_mapping(record->doc);

	if (verdict->unwanted) {
		yaml_append(yaml_need(record, "unwanted", YAML_SEQUENCE),
			yaml_new_string(record->doc, name));
		return;
	}
	yaml_set(yaml_need(record, "entries", YAML_MAPPING), name, entry);
	if (verdict->spec)
		yaml_set_string(entry, "written", verdict->spec);
	for (int section = 0; section < NPM_PEER; section++) {
		const char *spec = npm_spec_of(own, (enum npm_section)section, name);

		if (spec)
			yaml_set_string(yaml_need(entry, "own", YAML_MAPPING),
				npm_section_names[section], spec);
	}
}

static struct yaml_node *make_outcome(
	struct yaml_doc *doc, const struct npm_wish *wish, const struct npm_verdict *verdict)
{
	struct yaml_node *outcome = yaml_new_mapping(doc);
	struct yaml_node *skills = yaml_new_sequence(doc);

	for (size_t i = 0; i < wish->count; i++)
		yaml_append(skills, yaml_new_string(doc, wish->claims[i].skill));
	yaml_set(outcome, "range",
		verdict->spec ? yaml_new_string(doc, verdict->spec) : yaml_new_null(doc));
	yaml_set(outcome, "skills", skills);
	if (verdict->own)
		yaml_set_string(outcome, "own", verdict->own);
	if (verdict->pinned_by)
		yaml_set_string(outcome, "pinned_by", verdict->pinned_by);
	return outcome;
}

static int add_dependency(const struct structured_input *input, const struct npm_wish *wish,
	json_t *own, json_t *package, struct structured_output *output, struct error *err)
{
	CLEANUP(npm_verdict_release) struct npm_verdict verdict = NPM_VERDICT_INIT;

	if (npm_verdict(input, own, wish, output, &verdict, err) < 0)
		return -1;
	if (verdict.unwanted) {
		/* "'x' was taken out … but skills 'a', 'b' and 'c' want it" */
		CLEANUP(buf_release) struct buf skills = BUF_INIT;

		for (size_t i = 0; i < wish->count; i++)
			buf_appendf(&skills, "%s '%s'",
				!i                     ? ""
				: i + 1 == wish->count ? " and"
						       : ",",
				wish->claims[i].skill);
		structured_warn(output,
			"'%s' was removed from '%s' and stays out, but skill%s%s want%s it; to have it again, add it to '%s'",
			wish->name, input->name, wish->count > 1 ? "s" : "", skills.data,
			wish->count > 1 ? "" : "s", input->name);
	} else {
		npm_remove_spec(package, NPM_OPTIONAL, wish->name);
		npm_remove_spec(package, NPM_DEV, wish->name);
		if (verdict.spec)
			npm_set_spec(package, NPM_DEPENDENCIES, wish->name, verdict.spec);
		else
			npm_remove_spec(package, NPM_DEPENDENCIES, wish->name);
	}
	record_dependency(output->record, own, wish->name, &verdict);
	yaml_set(output->outcome, wish->name,
		make_outcome(output->outcome->doc, wish, &verdict));
	return 0;
}

/* --- as npm saves it --------------------------------------------------------------------- */

static void sort_sections(json_t *package)
{
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(package, (enum npm_section)i);
		CLEANUP(json_decrefp) json_t *sorted = section ? npm_sorted(section) : NULL;

		if (json_object_size(section))
			npm_set_member(package, npm_section_names[i], sorted);
		else if (section)
			json_object_del(package, npm_section_names[i]);
	}
}

static bool is_section(const char *key)
{
	for (int section = 0; section < NPM_SECTION_COUNT; section++)
		if (!strcmp(key, npm_section_names[section]))
			return true;
	return false;
}

/* Sections that were added or are gone, and an order that is not npm's. */
static void record_sections(struct yaml_node *record, json_t *own, json_t *package)
{
	struct yaml_doc *doc = record->doc;
	const char *key, *after = "";
	json_t *value;

	if (!npm_section(own, NPM_DEPENDENCIES) && npm_section(package, NPM_DEPENDENCIES))
		yaml_set(record, "made", yaml_new_bool(doc, true));
	json_object_foreach(own, key, value) {
		if (is_section(key) && !json_object_get(package, key)) {
			struct yaml_node *gone = yaml_new_mapping(doc);

			yaml_set_string(gone, "name", key);
			yaml_set_string(gone, "after", after);
			yaml_set(gone, "empty", yaml_new_bool(doc, !json_object_size(value)));
			yaml_append(yaml_need(record, "sections", YAML_SEQUENCE), gone);
		}
		after = key;
	}
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(own, (enum npm_section)i);
		struct yaml_node *names;

		if (!section || npm_is_sorted(section) || json_object_size(section) > MAX_ORDER)
			continue;
		names = yaml_need(yaml_need(record, "order", YAML_MAPPING),
			npm_section_names[i], YAML_SEQUENCE);
		json_object_foreach(section, key, value)
			yaml_append(names, yaml_new_string(doc, key));
	}
}

static int npm_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
	CLEANUP(npm_package_release) struct npm_package own = NPM_PACKAGE_INIT;
	CLEANUP(json_decrefp) json_t *package = NULL;
	struct yaml_node *record = yaml_new_mapping(doc);
	struct npm_wish wish = {0};
	struct json_style shown;
	json_t *optional;
	const char *name;
	json_t *value;

	ret_output->record = record;
	ret_output->outcome = yaml_new_mapping(doc);
	npm_claims_read(input->contributions, input->contribution_count, &claims);
	if (!claims.count) {
		buf_append(&ret_output->text, input->own.data, input->own.len);
		return 0;
	}
	if (npm_package_parse(input->name, input->own, &own, err) < 0)
		return -1;
	package = json_deep_copy(own.json);
	if (!package)
		out_of_memory();
	while (npm_claims_next(&claims, &wish))
		if (add_dependency(input, &wish, own.json, package, ret_output, err) < 0)
			return -1;
	if (json_equal(own.json, package)) {
		buf_append(&ret_output->text, input->own.data, input->own.len);
		return 0;
	}
	/* npm removes an optional dependency from `dependencies`. */
	optional = npm_section(package, NPM_OPTIONAL);
	json_object_foreach(optional, name, value) {
		const char *spec = npm_spec_of(package, NPM_DEPENDENCIES, name);

		if (!spec)
			continue;
		yaml_set_string(yaml_need(record, "repeated", YAML_MAPPING), name, spec);
		npm_remove_spec(package, NPM_DEPENDENCIES, name);
	}
	sort_sections(package);
	record_sections(record, own.json, package);
	if (!input->own.len)
		yaml_set(record, "created", yaml_new_bool(doc, true));
	json_write_npm(package, &own.style, &ret_output->text);
	shown = json_style_detect(view_of_buf(&ret_output->text));
	if (!npm_same_style(&shown, &own.style)) {
		struct yaml_node *style = yaml_need(record, "style", YAML_MAPPING);

		yaml_set(style, "indent", yaml_new_string_view(doc, own.style.indent));
		yaml_set(style, "newline", yaml_new_string_view(doc, own.style.newline));
	}
	return 0;
}

/* --- the format -------------------------------------------------------------------------- */

static int npm_resolved(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(npm_package_release) struct npm_package package = NPM_PACKAGE_INIT;
	const char *spec;

	if (npm_package_parse(name, text, &package, err) < 0)
		return -1;
	spec = npm_installed_spec(package.json, clash->key);
	*ret_value = spec ? yaml_new_string(doc, spec) : NULL;
	return 0;
}

static const char *const npm_names[] = {"package.json", NULL};

const struct structured_format structured_npm = {
	.member = "npm_dependencies",
	.names = npm_names,
	.check = npm_check,
	.render = npm_render,
	.strip = npm_strip,
	.resolved = npm_resolved,
	.find_problems = npm_find_problems,
};
