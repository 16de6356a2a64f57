#include "cli/userskill/json.h"

#include "cli/userskill/request.h"
#include "format/json.h"

static json_t *text_json(const char *string)
{
	return string ? json_text(view_of(string)) : json_null();
}

static json_t *commands_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->command_count; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:o, s:o}", "name", text_json(skill->commands[i].name),
				"arguments", text_json(skill->commands[i].arguments), "help",
				text_json(skill->commands[i].help)));
	return list;
}

static json_t *schedules_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->schedule_count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o}", "type",
				      schedule_type_name(skill->schedules[i].type), "value",
				      text_json(skill->schedules[i].value), "text",
				      text_json(skill->schedules[i].text)));
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
		text_json(skill->id), "name", text_json(skill->name), "version",
		text_json(skill->version), "category", text_json(skill->category), "status",
		skill_status_name(found->status), "source", text_json(found->source),
		"generated", text_json(skill->generated), "origin",
		skill_origin_name(found->origin), "definition",
		skill_origin_name(found->definition), "path", text_json(path), "gone",
		found->gone, "assigned", found->assigned, "commands", commands_json(skill),
		"schedules", schedules_json(skill));
}

static json_t *items_json(const struct skill_items *items)
{
	json_t *list = json_array();

	for (size_t i = 0; i < items->count; i++)
		json_array_append_new(list, text_json(items->list[i].text));
	return list;
}

static json_t *context_json(const struct user_skill *skill)
{
	static const char *const kinds[] = {
		[CONTEXT_TEXT] = "text",
		[CONTEXT_INPUT] = "input",
		[CONTEXT_FILE] = "file",
		[CONTEXT_CONNECTOR] = "connector",
	};
	json_t *list = json_array();

	for (size_t i = 0; i < skill->context_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:b}", "kind",
						    kinds[skill->contexts[i].kind], "value",
						    text_json(skill->contexts[i].value), "text",
						    text_json(skill->contexts[i].text),
						    "optional", skill->contexts[i].optional));
	return list;
}

static json_t *connectors_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->connector_count; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:b}", "name", text_json(skill->connectors[i].name),
				"optional", skill->connectors[i].optional));
	return list;
}

void user_skill_json_needs(const struct user_skill *skill, json_t *json)
{
	json_t *dependencies = json_array();
	json_t *questions = json_array();
	json_t *formats = json_array();

	for (size_t i = 0; i < skill->dependency_count; i++)
		json_array_append_new(dependencies,
			text_json(skill->dependencies[i].skill ? skill->dependencies[i].skill
							       : skill->dependencies[i].text));
	for (size_t i = 0; i < skill->question_count; i++)
		json_array_append_new(questions, text_json(skill->questions[i].text));
	for (size_t i = 0; i < skill->format_count; i++)
		json_array_append_new(formats, text_json(skill->formats[i].channel));
	json_object_update_new(
		json, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "conditions",
			      items_json(&skill->conditions), "context", context_json(skill),
			      "connectors", connectors_json(skill), "dependencies",
			      dependencies, "formats", formats, "questions", questions));
}
