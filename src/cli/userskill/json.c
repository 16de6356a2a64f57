#include "cli/userskill/json.h"

#include "cli/userskill/request.h"
#include "format/json.h"

json_t *user_skill_json(const struct assistant *assistant, const struct skill_found *found)
{
	const struct user_skill *skill = &found->skill;
	CLEANUP(freep)
	char *path =
		found->path ? xasprintf("%s/%s", skill_library(assistant), found->path) : NULL;
	json_t *commands = json_array();
	json_t *schedules;

	for (size_t i = 0; i < skill->command_count; i++)
		json_array_append_new(commands,
			json_pack("{s:o, s:o, s:o}", "name",
				json_text_or_null(skill->commands[i].name), "arguments",
				json_text_or_null(skill->commands[i].arguments), "help",
				json_text_or_null(skill->commands[i].help)));
	schedules = json_array();
	for (size_t i = 0; i < skill->schedule_count; i++)
		json_array_append_new(schedules,
			json_pack("{s:s, s:o, s:o}", "type",
				schedule_type_name(skill->schedules[i].type), "value",
				json_text_or_null(skill->schedules[i].value), "text",
				json_text_or_null(skill->schedules[i].text)));
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:s, s:o, s:b, s:b, s:o, s:o}", "id",
		json_text_or_null(skill->id), "name", json_text_or_null(skill->name), "version",
		json_text_or_null(skill->version), "category",
		json_text_or_null(skill->category), "status", skill_status_name(found->status),
		"source", json_text_or_null(found->source), "generated",
		json_text_or_null(skill->generated), "origin", skill_origin_name(found->origin),
		"definition", skill_origin_name(found->definition), "path",
		json_text_or_null(path), "gone", found->gone, "assigned", found->assigned,
		"commands", commands, "schedules", schedules);
}

void user_skill_json_needs(const struct user_skill *skill, json_t *json)
{
	json_t *dependencies = json_array();
	json_t *questions = json_array();
	json_t *formats = json_array();
	json_t *items_list;
	static const char *const kinds[] = {
		[CONTEXT_TEXT] = "text",
		[CONTEXT_INPUT] = "input",
		[CONTEXT_FILE] = "file",
		[CONTEXT_CONNECTOR] = "connector",
	};
	json_t *contexts;
	json_t *connectors;

	for (size_t i = 0; i < skill->dependency_count; i++)
		json_array_append_new(
			dependencies, json_text_or_null(skill->dependencies[i].skill
								? skill->dependencies[i].skill
								: skill->dependencies[i].text));
	for (size_t i = 0; i < skill->question_count; i++)
		json_array_append_new(questions, json_text_or_null(skill->questions[i].text));
	for (size_t i = 0; i < skill->format_count; i++)
		json_array_append_new(formats, json_text_or_null(skill->formats[i].channel));
	items_list = json_array();
	for (size_t i = 0; i < skill->conditions.count; i++)
		json_array_append_new(
			items_list, json_text_or_null(skill->conditions.list[i].text));
	contexts = json_array();
	for (size_t i = 0; i < skill->context_count; i++)
		json_array_append_new(
			contexts, json_pack("{s:s, s:o, s:o, s:b}", "kind",
					  kinds[skill->contexts[i].kind], "value",
					  json_text_or_null(skill->contexts[i].value), "text",
					  json_text_or_null(skill->contexts[i].text),
					  "optional", skill->contexts[i].optional));
	connectors = json_array();
	for (size_t i = 0; i < skill->connector_count; i++)
		json_array_append_new(
			connectors, json_pack("{s:o, s:b}", "name",
					    json_text_or_null(skill->connectors[i].name),
					    "optional", skill->connectors[i].optional));
	json_object_update_new(
		json, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "conditions", items_list,
			      "context", contexts, "connectors", connectors, "dependencies",
			      dependencies, "formats", formats, "questions", questions));
}
