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
		json_add(commands, "name:s arguments:s help:s", skill->commands[i].name,
			skill->commands[i].arguments, skill->commands[i].help);
	schedules = json_array();
	for (size_t i = 0; i < skill->schedule_count; i++)
		json_add(schedules, "type:s value:s text:s",
			schedule_type_name(skill->schedules[i].type), skill->schedules[i].value,
			skill->schedules[i].text);
	return json_build("id:s name:s version:s category:s status:s source:s generated:s "
			  "origin:s definition:s path:s gone:b assigned:b commands:o "
			  "schedules:o",
		skill->id, skill->name, skill->version, skill->category,
		skill_status_name(found->status), found->source, skill->generated,
		skill_origin_name(found->origin), skill_origin_name(found->definition), path,
		found->gone, found->assigned, commands, schedules);
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
		json_add_text(dependencies, skill->dependencies[i].skill
						    ? skill->dependencies[i].skill
						    : skill->dependencies[i].text);
	for (size_t i = 0; i < skill->question_count; i++)
		json_add_text(questions, skill->questions[i].text);
	for (size_t i = 0; i < skill->format_count; i++)
		json_add_text(formats, skill->formats[i].channel);
	items_list = json_array();
	for (size_t i = 0; i < skill->conditions.count; i++)
		json_add_text(items_list, skill->conditions.list[i].text);
	contexts = json_array();
	for (size_t i = 0; i < skill->context_count; i++)
		json_add(contexts, "kind:s value:s text:s optional:b",
			kinds[skill->contexts[i].kind], skill->contexts[i].value,
			skill->contexts[i].text, skill->contexts[i].optional);
	connectors = json_array();
	for (size_t i = 0; i < skill->connector_count; i++)
		json_add(connectors, "name:s optional:b", skill->connectors[i].name,
			skill->connectors[i].optional);
	json_put(json,
		"conditions:o context:o connectors:o dependencies:o formats:o "
		"questions:o",
		items_list, contexts, connectors, dependencies, formats, questions);
}
