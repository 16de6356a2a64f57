#include "engine/structured/npm/npm_render.h"

#include "engine/structured/npm/npm_order.h"
#include "engine/structured/npm/npm_package.h"
#include "engine/structured/npm/npm_record.h"

/* --- one dependency ------------------------------------------------------------- */

static void apply(json_t *package, const char *name, const struct npm_verdict *verdict)
{
	if (verdict->kind == NPM_UNWANTED)
		return;
	npm_remove_spec(package, NPM_OPTIONAL, name);
	npm_remove_spec(package, NPM_DEV, name);
	if (verdict->kind == NPM_WRITE)
		npm_set_spec(package, NPM_DEPENDENCIES, name, verdict->spec);
	else
		npm_remove_spec(package, NPM_DEPENDENCIES, name);
}

static void add_outcome(struct structured_output *output, const struct npm_claim *claims,
	const struct npm_claim *end, const struct npm_verdict *verdict)
{
	struct yaml_doc *doc = output->outcome->doc;
	struct yaml_node *outcome = yaml_new_mapping(doc);
	struct yaml_node *skills = yaml_new_sequence(doc);

	for (const struct npm_claim *claim = claims; claim < end; claim++)
		yaml_append(skills, yaml_new_string(doc, claim->skill));
	yaml_set(outcome, "range",
		verdict->kind == NPM_WRITE ? yaml_new_string(doc, verdict->spec)
					   : yaml_new_null(doc));
	yaml_set(outcome, "skills", skills);
	if (verdict->own)
		yaml_set_string(outcome, "own", verdict->own);
	if (verdict->pinned_by)
		yaml_set_string(outcome, "pinned_by", verdict->pinned_by);
	yaml_set(output->outcome, claims->name, outcome);
}

/* "skill 'a'", "skills 'a', 'b' and 'c'" */
static void append_skills(
	struct buf *out, const struct npm_claim *claims, const struct npm_claim *end)
{
	buf_append_str(out, end - claims > 1 ? "skills" : "skill");
	for (const struct npm_claim *claim = claims; claim < end; claim++) {
		if (claim > claims)
			buf_append_str(out, claim + 1 == end ? " and" : ",");
		buf_appendf(out, " '%s'", claim->skill);
	}
}

static void warn_unwanted(struct structured_output *output, const char *file,
	const struct npm_claim *claims, const struct npm_claim *end)
{
	CLEANUP(buf_release) struct buf skills = BUF_INIT;

	append_skills(&skills, claims, end);
	structured_warn(output,
		"'%s' was taken out of '%s' and stays out, but %s %s it; to have it again, "
		"add it to '%s'",
		claims->name, file, skills.data, end - claims > 1 ? "want" : "wants", file);
}

static int add_dependencies(const struct structured_input *input,
	const struct npm_claims *claims, json_t *own, json_t *package,
	struct structured_output *output, struct error *err)
{
	for (size_t i = 0, next; i < claims->count; i = next) {
		CLEANUP(npm_verdict_release) struct npm_verdict verdict = NPM_VERDICT_INIT;
		const struct npm_claim *first = &claims->list[i];
		const struct npm_claim *end;

		next = npm_claims_end(claims, i);
		end = claims->list + next;
		if (npm_verdict(input, own, first, end, output, &verdict, err) < 0)
			return -1;
		if (verdict.kind == NPM_UNWANTED)
			warn_unwanted(output, input->name, first, end);
		apply(package, first->name, &verdict);
		npm_record_entry(output->record, own, first->name, &verdict);
		add_outcome(output, first, end, &verdict);
	}
	return 0;
}

/* --- as npm saves it ------------------------------------------------------------ */

/* What is optional need not be in `dependencies` as well: npm takes it out there. */
static void drop_repeated(json_t *package, struct yaml_node *record)
{
	json_t *optional = npm_section(package, NPM_OPTIONAL);
	const char *name;
	json_t *value;

	json_object_foreach(optional, name, value)
	{
		const char *spec = npm_spec_of(package, NPM_DEPENDENCIES, name);

		if (!spec)
			continue;
		npm_record_repeated(record, name, spec);
		npm_remove_spec(package, NPM_DEPENDENCIES, name);
	}
}

static void sort_sections(json_t *package)
{
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(package, (enum npm_section)i);
		CLEANUP(freep) const char **keys = NULL;

		if (!section)
			continue;
		if (!json_object_size(section)) {
			json_object_del(package, npm_section_names[i]);
			continue;
		}
		keys = npm_sorted_keys(section);
		if (json_object_set_new(
			    package, npm_section_names[i], npm_reordered(section, keys)) < 0)
			out_of_memory();
	}
}

static void write_package(
	json_t *package, const struct json_style *style, struct structured_output *output)
{
	struct json_style shown;

	json_write_npm(package, style, &output->text);
	shown = json_style_detect(view_of_buf(&output->text));
	if (!npm_same_style(&shown, style))
		npm_record_style(output->record, style);
}

static int render_package(const struct structured_input *input, const struct npm_claims *claims,
	struct structured_output *output, struct error *err)
{
	CLEANUP(npm_package_release) struct npm_package own = NPM_PACKAGE_INIT;
	CLEANUP(json_decrefp) json_t *package = NULL;

	if (npm_package_read(input->name, input->own, &own, err) < 0)
		return -1;
	package = json_deep_copy(own.json);
	if (!package)
		out_of_memory();
	if (add_dependencies(input, claims, own.json, package, output, err) < 0)
		return -1;
	if (json_equal(own.json, package)) {
		buf_append(&output->text, input->own.data, input->own.len);
		return 0;
	}
	drop_repeated(package, output->record);
	sort_sections(package);
	npm_record_sections(output->record, own.json, package);
	if (!input->own.len)
		yaml_set(output->record, "created", yaml_new_bool(output->record->doc, true));
	write_package(package, &own.style, output);
	return 0;
}

int npm_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;

	output.record = yaml_new_mapping(doc);
	output.outcome = yaml_new_mapping(doc);
	npm_claims_read(input->contributions, input->contribution_count, &claims);
	if (!claims.count)
		buf_append(&output.text, input->own.data, input->own.len);
	else if (render_package(input, &claims, &output, err) < 0)
		return -1;
	*ret_output = output;
	output = STRUCTURED_OUTPUT_INIT;
	return 0;
}
