#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "engine/package/intent.h"
#include "engine/state/skillset.h"
#include "format/json.h"

/* The skill to show, and the skills it is compared with. */
struct view_of_skill {
	struct package package;
	struct skillset skills;
	struct hash content;
};

static void view_release(struct view_of_skill *view)
{
	package_release(&view->package);
	skillset_release(&view->skills);
}

static bool skill_touches(const struct view_of_skill *view, const struct applied_skill *applied,
	const struct relpath *path)
{
	const struct package *package =
		package_list_find(&view->skills.packages, applied->name);
	const struct yaml_node *files = state_files_of(applied);

	if (files && yaml_find(files, relpath_view(path)))
		return true;
	return package && (manifest_adds(&package->manifest, path) ||
				  manifest_modifies(&package->manifest, path));
}

/* The next of the other applied skills, from `*at` on, that touches the path; or NULL. */
static const char *next_overlap(
	const struct view_of_skill *view, const struct relpath *path, size_t *at)
{
	while (*at < view->skills.state.skill_count) {
		const struct applied_skill *applied = &view->skills.state.skills[(*at)++];

		if (strcmp(applied->name, view->package.manifest.skill) != 0 &&
			skill_touches(view, applied, path))
			return applied->name;
	}
	return NULL;
}

/* The first section of the intent file, or NULL. */
static char *intent_summary(const struct package *package, const struct relpath *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view section;
	bool found;

	if (intent_read(package, path, &text, &err) < 0)
		return NULL;
	intent_remove_comments(&text);
	section = intent_section(view_of_buf(&text), INTENT_WHAT, &found);
	section = view_trim(section);
	return section.len ? xmemdupz(section.data, section.len) : NULL;
}

/* --- for programs ------------------------------------------------------------ */

static json_t *yaml_as_json(const struct yaml_node *node)
{
	json_t *json;

	if (node->kind == YAML_SCALAR && yaml_is_null(node))
		return json_null();
	if (node->kind == YAML_SCALAR && yaml_type_of(node) == YAML_BOOL)
		return json_boolean(node->text.data[0] == 't' || node->text.data[0] == 'T');
	if (node->kind == YAML_SCALAR)
		return json_stringn(node->text.data, node->text.len);
	json = node->kind == YAML_SEQUENCE ? json_array() : json_object();
	for (size_t i = 0; i < node->count; i++)
		if (node->kind == YAML_SEQUENCE)
			json_array_append_new(json, yaml_as_json(node->items[i]));
		else
			json_object_set_new(json, node->entries[i].key.data,
				yaml_as_json(node->entries[i].value));
	return json;
}

static json_t *paths_as_json(const struct manifest_paths *paths)
{
	json_t *list = json_array();

	for (size_t i = 0; i < paths->count; i++)
		json_add_text(list, paths->list[i].path.text);
	return list;
}

static json_t *references_as_json(const struct manifest_references *references)
{
	json_t *list = json_array();

	for (size_t i = 0; i < references->count; i++) {
		const struct manifest_reference *reference = &references->list[i];

		json_array_append_new(list,
			json_sprintf("%s%s%s", reference->skill, reference->version ? "@" : "",
				reference->version ? reference->version : ""));
	}
	return list;
}

static void add_overlaps(
	json_t *json, const struct view_of_skill *view, const struct manifest_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		json_t *names = json_array();
		const char *skill;
		size_t at = 0;

		while ((skill = next_overlap(view, &paths->list[i].path, &at)))
			json_add_text(names, skill);
		if (json_array_size(names))
			json_object_set_new(json, paths->list[i].path.text, names);
		else
			json_decref(names);
	}
}

static json_t *skill_view_json(const struct view_of_skill *view)
{
	const struct manifest *m = &view->package.manifest;
	const struct applied_skill *applied = state_find(&view->skills.state, m->skill);
	struct hash was;
	json_t *json = json_build("success:b skill:s version:s description:s coreVersion:s "
				  "folder:s applied:b appliedVersion:s",
		true, m->skill, m->version, m->description, m->core_version,
		view->package.folder, applied != NULL,
		applied && applied->version[0] ? applied->version : NULL);
	json_t *overlaps = json_object();
	json_t *file_ops = json_array();
	char hex[HASH_HEX_SIZE];
	const struct manifest_paths *modifies = &view->package.manifest.modifies;
	json_t *intents;

	hash_to_hex(&view->content, hex);
	json_put(json, "sha256:s", hex);
	if (applied && state_source_of(applied)) {
		json_put(json, "appliedFrom:s appliedAsIs:o", state_source_of(applied),
			json_boolean(state_content_of(applied, &was) &&
				     hash_equal(&was, &view->content)));
	}

	add_overlaps(overlaps, view, &m->adds);
	add_overlaps(overlaps, view, &m->modifies);
	json_put(json,
		"author:s license:s minSkillsSystemVersion:s test:s postApply:o "
		"overlaps:o",
		m->author, m->license, m->min_skills_system_version, m->test,
		json_strings(&m->post_apply), overlaps);
	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct file_op *op = &m->file_ops[i];

		json_array_append_new(
			file_ops, op->type == FILE_OP_DELETE
					  ? json_build("type:s path:s", "delete", op->from.text)
					  : json_build("type:s from:s to:s", "rename",
						    op->from.text, op->to.text));
	}
	intents = json_object();
	for (size_t i = 0; i < modifies->count; i++) {
		CLEANUP(freep)
		char *summary = intent_summary(&view->package, &modifies->list[i].path);
		json_t *text = summary ? json_string(summary) : NULL;

		if (text)
			json_object_set_new(intents, modifies->list[i].path.text, text);
	}
	json_put(json,
		"adds:o modifies:o fileOps:o depends:o conflicts:o testedWith:o "
		"intents:o structured:o",
		paths_as_json(&m->adds), paths_as_json(&m->modifies), file_ops,
		references_as_json(&m->depends), references_as_json(&m->conflicts),
		references_as_json(&m->tested_with), intents,
		m->structured ? yaml_as_json(m->structured) : json_object());
	return json;
}

/* --- for people -------------------------------------------------------------- */

#define LABEL_WIDTH 14

/* "  label         text"; nothing if there is no text. */
static void print_field(const struct cli *cli, const char *label, const char *text)
{
	CLEANUP(freep) char *line = output_first_line(text ? text : "");

	if (*line)
		printf("  %s%-*s%s%s\n", output_color(cli, COLOR_CYAN), LABEL_WIDTH, label,
			output_color(cli, COLOR_RESET), line);
}

static void print_references(
	const struct cli *cli, const char *label, const struct manifest_references *references)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < references->count; i++) {
		const struct manifest_reference *reference = &references->list[i];

		buf_appendf(&text, "%s%s", i ? ", " : "", reference->skill);
		if (reference->version)
			buf_appendf(&text, "@%s", reference->version);
	}
	print_field(cli, label, text.data);
}

static void print_paths(const struct cli *cli, const char *label,
	const struct view_of_skill *view, const struct manifest_paths *paths, bool have_intents)
{
	for (size_t i = 0; i < paths->count; i++) {
		const struct relpath *path = &paths->list[i].path;
		CLEANUP(freep)
		char *summary = have_intents ? intent_summary(&view->package, path) : NULL;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		const char *skill;
		size_t at = 0;

		quote_append(&text, relpath_view(path));
		while ((skill = next_overlap(view, path, &at)))
			buf_appendf(&text, ", also touched by %s", skill);
		print_field(cli, i ? "" : label, text.data);
		if (summary) {
			CLEANUP(freep) char *line = output_first_line(summary);

			printf("%*s%s%s%s\n", LABEL_WIDTH + 4, "", output_color(cli, COLOR_DIM),
				line, output_color(cli, COLOR_RESET));
		}
	}
}

/*
 * The names in a member: keys of a mapping with their texts, or items of a list. An item may be a
 * mapping with a name.
 */
static void print_member(const struct cli *cli, const char *label, struct view name,
	const struct yaml_node *member)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (member->kind == YAML_SCALAR || !member->count)
		return;
	buf_appendf(&text, "%.*s:", VIEW_ARGS(name));
	for (size_t i = 0; i < member->count; i++) {
		bool keyed = member->kind == YAML_MAPPING;
		const struct yaml_node *value =
			keyed ? member->entries[i].value : member->items[i];
		const struct yaml_node *named = keyed ? NULL : yaml_get(value, "name");

		buf_append_str(&text, i ? ", " : " ");
		if (keyed)
			buf_appendf(&text, "%.*s%s", VIEW_ARGS(member->entries[i].key),
				value->kind == YAML_SCALAR ? " " : "");
		value = named ? named : value;
		if (value->kind == YAML_SCALAR)
			buf_append(&text, value->text.data, value->text.len);
	}
	print_field(cli, label, text.data);
}

static void print_skill_view(const struct cli *cli, const struct view_of_skill *view)
{
	const struct manifest *m = &view->package.manifest;
	const struct applied_skill *applied = state_find(&view->skills.state, m->skill);
	CLEANUP(freep) char *description = output_first_line(m->description);
	CLEANUP(freep) char *core = xasprintf("core %s", m->core_version);
	struct hash was;
	char hex[HASH_HEX_SIZE];

	printf("%s%s %s%s\n", output_color(cli, COLOR_BOLD), m->skill, m->version,
		output_color(cli, COLOR_RESET));
	if (*description)
		printf("%s\n", description);
	printf("\n");
	print_field(cli, "folder", view->package.folder);
	print_field(cli, "applied",
		!applied ? "no" : (applied->version[0] ? applied->version : "yes"));
	/* Where the applied one came from, and whether this is the same. */
	if (applied && state_content_of(applied, &was)) {
		hash_to_hex(&was, hex);
		print_field(cli, "from", state_source_of(applied));
		print_field(cli, "sha256", hex);
		if (!hash_equal(&was, &view->content))
			print_field(cli, "",
				"the files of this package have changed since it was applied");
	}
	print_field(cli, "written for", core);
	print_field(cli, "needs system", m->min_skills_system_version);
	print_field(cli, "author", m->author);
	print_field(cli, "license", m->license);
	print_references(cli, "depends on", &m->depends);
	print_references(cli, "conflicts", &m->conflicts);
	print_references(cli, "tested with", &m->tested_with);
	print_paths(cli, "adds", view, &m->adds, false);
	print_paths(cli, "modifies", view, &m->modifies, true);
	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct file_op *op = &m->file_ops[i];
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		quote_append(&text, relpath_view(&op->from));
		if (op->type == FILE_OP_RENAME) {
			buf_append_str(&text, " to ");
			quote_append(&text, relpath_view(&op->to));
		}
		print_field(cli, op->type == FILE_OP_RENAME ? "renames" : "deletes", text.data);
	}
	for (size_t i = 0; m->structured && i < m->structured->count; i++)
		print_member(cli, i ? "" : "structured", m->structured->entries[i].key,
			m->structured->entries[i].value);
	for (size_t i = 0; i < m->post_apply.count; i++)
		print_field(cli, i ? "" : "then runs", m->post_apply.list[i]);
	print_field(cli, "test", m->test);
}

static int run_skill_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(view_release)
	struct view_of_skill view = {.package = PACKAGE_INIT, .skills = SKILLSET_INIT};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;

	if (project_open_reading(&project, &running, err) < 0 ||
		skillset_open(&project, &view.skills, err) < 0 ||
		package_find(project.root, args->words[0], &view.package, err) < 0 ||
		package_hash(&view.package, project.root, &view.content, err) < 0)
		return -1;
	if (cli->json)
		output_json(skill_view_json(&view));
	else
		print_skill_view(cli, &view);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw skill show telegram", "by its name, or the name of its folder"},
	{"nanoclaw skill show ./new-skill", "by its path"},
	{0},
};

COMMAND(skill_show) = {
	.name = "skill show",
	.summary = "show what a skill package would do",
	.usage = "<skill>",
	.description =
		"<skill> is the path to a package, the name in its manifest, or the name of its\n"
		"folder, in that order. Shows its versions, the files that it adds and modifies and\n"
		"why, the applied skills that also touch them, and the commands that it runs.",
	.section = SECTION_SKILLS,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_SKILLS},
	.run = run_skill_show,
};
