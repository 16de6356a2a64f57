#include "cli/userskill/json.h"

#include "cli/userskill/request.h"
#include "format/json.h"

static json_t *commands_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->command_count; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o}", "name",
				      json_text_or_null(skill->commands[i].name), "arguments",
				      json_text_or_null(skill->commands[i].arguments), "help",
				      json_text_or_null(skill->commands[i].help)));
	return list;
}

static json_t *schedules_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->schedule_count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o}", "type",
				      schedule_type_name(skill->schedules[i].type), "value",
				      json_text_or_null(skill->schedules[i].value), "text",
				      json_text_or_null(skill->schedules[i].text)));
	return list;
}

json_t *user_skill_json(const struct assistant *assistant, const struct skill_found *found)
{
	const struct user_skill *skill = &found->skill;
	CLEANUP(freep)
	char *path =
		found->path ? xasprintf("%s/%s", skill_library(assistant), found->path) : NULL;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:s, s:o, s:b, s:b, s:o, s:o}", "id",
		json_text_or_null(skill->id), "name", json_text_or_null(skill->name), "version",
		json_text_or_null(skill->version), "category",
		json_text_or_null(skill->category), "status", skill_status_name(found->status),
		"source", json_text_or_null(found->source), "generated",
		json_text_or_null(skill->generated), "origin", skill_origin_name(found->origin),
		"definition", skill_origin_name(found->definition), "path",
		json_text_or_null(path), "gone", found->gone, "assigned", found->assigned,
		"commands", commands_json(skill), "schedules", schedules_json(skill));
}

static json_t *items_json(const struct skill_items *items)
{
	json_t *list = json_array();

	for (size_t i = 0; i < items->count; i++)
		json_array_append_new(list, json_text_or_null(items->list[i].text));
	return list;
}

static json_t *contexts_json(const struct user_skill *skill)
{
	static const char *const kinds[] = {
		[CONTEXT_TEXT] = "text",
		[CONTEXT_INPUT] = "input",
		[CONTEXT_FILE] = "file",
		[CONTEXT_CONNECTOR] = "connector",
	};
	json_t *list = json_array();

	for (size_t i = 0; i < skill->context_count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o, s:b}", "kind",
				      kinds[skill->contexts[i].kind], "value",
				      json_text_or_null(skill->contexts[i].value), "text",
				      json_text_or_null(skill->contexts[i].text), "optional",
				      skill->contexts[i].optional));
	return list;
}

static json_t *connectors_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->connector_count; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:b}", "name",
				      json_text_or_null(skill->connectors[i].name), "optional",
				      skill->connectors[i].optional));
	return list;
}

void user_skill_json_needs(const struct user_skill *skill, json_t *json)
{
	json_t *dependencies = json_array();
	json_t *questions = json_array();
	json_t *formats = json_array();

	for (size_t i = 0; i < skill->dependency_count; i++)
		json_array_append_new(
			dependencies, json_text_or_null(skill->dependencies[i].skill
								? skill->dependencies[i].skill
								: skill->dependencies[i].text));
	for (size_t i = 0; i < skill->question_count; i++)
		json_array_append_new(questions, json_text_or_null(skill->questions[i].text));
	for (size_t i = 0; i < skill->format_count; i++)
		json_array_append_new(formats, json_text_or_null(skill->formats[i].channel));
	json_object_update_new(
		json, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "conditions",
			      items_json(&skill->conditions), "context", contexts_json(skill),
			      "connectors", connectors_json(skill), "dependencies",
			      dependencies, "formats", formats, "questions", questions));
}
