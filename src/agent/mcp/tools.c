#include "agent/mcp/tools.h"

#include <string.h>

#include "util/alloc.h"
#include "util/json.h"
#include "util/utf8.h"

/* In characters; the host counts bytes, and takes four times as many. */
#define MAX_MESSAGE 65536
#define MAX_PROMPT  16384
#define MAX_MEMORY  8192

/* What is told of arguments that are not known. */
#define MAX_NAMED 5

static const char *const schedule_types[] = {"cron", "interval", "once", NULL};
static const char *const context_modes[] = {"group", "isolated", NULL};
static const char *const missed_modes[] = {"skip", "once", "all", NULL};

#define TASKS_ARE_SHOWN  "list_tasks shows the tasks and their ids"
#define GROUPS_ARE_SHOWN "list_groups shows the groups"

/* --- arguments of several tools ---------------------------------------------- */

#define GROUP_TO_SEND                                                                          \
	{                                                                                      \
		.name = "group", .right = "send_elsewhere",                                    \
		.description = "the folder of another group to send to; left out, it is the "  \
			       "chat of this conversation",                                    \
	}

#define GROUP_OF_TASKS                                                                         \
	{                                                                                      \
		.name = "group", .right = "tasks_elsewhere",                                   \
		.description = "the folder of another group whose task it is",                 \
	}

#define TASK                                                                                   \
	{                                                                                      \
		.name = "task_id", .type = ARGUMENT_ID, .required = true,                      \
		.description = "its id, as list_tasks shows it", .max = 64,                    \
	}

#define PROMPT(need)                                                                           \
	{                                                                                      \
		.name = "prompt", .required = (need), .max = MAX_PROMPT,                       \
		.description = "what is to be done then, as you would tell it to yourself: "   \
			       "it comes without this conversation if context_mode is "        \
			       "'isolated'",                                                   \
	}

#define SCHEDULE_TYPE(need)                                                                    \
	{                                                                                      \
		.name = "schedule_type", .required = (need), .words = schedule_types,          \
		.description = "'cron': again and again at times on the clock; 'interval': "   \
			       "again and again after some time; 'once': a single time",       \
	}

#define SCHEDULE_VALUE(need)                                                                   \
	{                                                                                      \
		.name = "schedule_value", .required = (need),                                  \
		.description = "of cron five fields ('0 9 * * 1-5': at nine from Monday to "   \
			       "Friday); of interval a duration ('30m', '2h', '1d'); of once " \
			       "a time on the clock there ('2026-11-17T09:00')",               \
	}

#define ZONE                                                                                   \
	{                                                                                      \
		.name = "tz",                                                                  \
		.description = "its time zone, such as 'Europe/Berlin'; left out, it is that " \
			       "of the host",                                                  \
	}

#define CONTEXT                                                                                \
	{                                                                                      \
		.name = "context_mode", .words = context_modes,                                \
		.description = "'group' (usual): the run goes on with the conversation of "    \
			       "the group; 'isolated': it begins without one",                 \
	}

#define MISSED                                                                                 \
	{                                                                                      \
		.name = "missed", .words = missed_modes,                                       \
		.description =                                                                 \
			"runs that were missed while nothing ran: 'once' (usual) makes "       \
			"up for them with one, 'skip' with none, 'all' with each",             \
	}

/* --- the tools, by their names ----------------------------------------------- */

static const struct tool tools[] = {
	{
		.name = "cancel_task",
		.title = "Cancel a task",
		.description = "End a scheduled task for good. To end it for a while, use "
			       "pause_task.",
		.effect = TOOL_CHANGES,
		.right = "tasks",
		.see = TASKS_ARE_SHOWN,
		.example = "{\"task_id\": \"3\"}",
		.arguments = {TASK},
	},
	{
		.name = "find_chats",
		.title = "Find chats",
		.description = "Chats that the channels know of, with their JIDs, whether they "
			       "are registered as groups or not.",
		.effect = TOOL_READS,
		.right = "find_chats",
		.example = "{\"text\": \"family\"}",
		.arguments = {{.name = "text",
			.description = "a part of the name; left out, all chats are listed"}},
	},
	{
		.name = "get_group_config",
		.title = "Show the settings of a group",
		.description = "The container.json of a group: skills, MCP servers, mounts, "
			       "limits.",
		.effect = TOOL_READS,
		.right = "configure_groups",
		.see = GROUPS_ARE_SHOWN,
		.example = "{\"group\": \"family\"}",
		.arguments = {{.name = "group", .description = "the folder of the group"}},
	},
	{
		.name = "get_task_runs",
		.title = "Show the runs of a task",
		.description = "What became of the runs of a scheduled task, the latest first.",
		.effect = TOOL_READS,
		.right = "tasks",
		.see = TASKS_ARE_SHOWN,
		.example = "{\"task_id\": \"3\", \"limit\": 10}",
		.arguments = {TASK, {.name = "limit",
					    .type = ARGUMENT_NUMBER,
					    .least = 1,
					    .most = 1000,
					    .description = "at most so many"}},
	},
	{
		.name = "list_channels",
		.title = "List the channels",
		.description =
			"The chat apps that the host is connected with, and their state.",
		.effect = TOOL_READS,
		.right = "list_channels",
		.example = "{}",
	},
	{
		.name = "list_groups",
		.title = "List the groups",
		.description = "The groups that are registered, as far as this group may see "
			       "them.",
		.effect = TOOL_READS,
		.example = "{}",
	},
	{
		.name = "list_tasks",
		.title = "List the tasks",
		.description = "Scheduled tasks with their ids, schedules and next runs.",
		.effect = TOOL_READS,
		.right = "tasks",
		.see = GROUPS_ARE_SHOWN,
		.example = "{}",
		.arguments = {GROUP_OF_TASKS,
			{.name = "all",
				.type = ARGUMENT_FLAG,
				.description = "also those that have ended"}},
	},
	{
		.name = "pause_task",
		.title = "Pause a task",
		.description = "A scheduled task does not run until resume_task.",
		.effect = TOOL_CHANGES,
		.right = "tasks",
		.see = TASKS_ARE_SHOWN,
		.example = "{\"task_id\": \"3\"}",
		.arguments = {TASK},
	},
	{
		.name = "register_group",
		.title = "Register a group",
		.description =
			"From now on, answer in a chat, with a folder and a memory of its "
			"own. find_chats gives its JID.",
		.effect = TOOL_ADDS,
		.right = "register_group",
		.see = "find_chats shows chats and their JIDs; 'folder' can be given",
		.example = "{\"jid\": \"120363336345536173@g.us\", \"name\": \"Family\", "
			   "\"folder\": \"family\"}",
		.arguments = {{.name = "jid",
				      .required = true,
				      .description = "of the chat, as find_chats shows it"},
			{.name = "name",
				.required = true,
				.max = 200,
				.description = "for people"},
			{.name = "folder",
				.max = 64,
				.pattern = "^[a-z0-9][a-z0-9_-]*$",
				.description =
					"its folder; left out, it is made from the name"},
			{.name = "trigger",
				.description =
					"what a message begins with to be answered; left "
					"out, '@' and your name"},
			{.name = "requires_trigger",
				.type = ARGUMENT_FLAG,
				.description = "false: every message is answered"},
			{.name = "instructions",
				.max = MAX_MEMORY,
				.description = "the beginning of its memory"},
			{.name = "allow",
				.type = ARGUMENT_TEXTS,
				.description = "listen to these senders only"}},
	},
	{
		.name = "remember_globally",
		.title = "Remember for all groups",
		.description =
			"Add one entry to the memory that every group reads. What is only "
			"for this group belongs into its own memory.",
		.effect = TOOL_ADDS,
		.right = "write_global_memory",
		.example = "{\"text\": \"The office is closed on Fridays.\"}",
		.arguments = {{.name = "text",
			.required = true,
			.max = MAX_MEMORY,
			.description = "the entry"}},
	},
	{
		.name = "remove_group",
		.title = "Remove a group",
		.description =
			"Delete a group with its folder, memory, tasks and history. This "
			"cannot be taken back: ask the person first.",
		.effect = TOOL_CHANGES,
		.right = "remove_group",
		.see = GROUPS_ARE_SHOWN,
		.example = "{\"group\": \"family\"}",
		.arguments = {{.name = "group",
			.required = true,
			.description = "its folder, as list_groups shows it"}},
	},
	{
		.name = "resume_task",
		.title = "Resume a task",
		.description = "A scheduled task that was paused runs again.",
		.effect = TOOL_CHANGES,
		.right = "tasks",
		.see = TASKS_ARE_SHOWN,
		.example = "{\"task_id\": \"3\"}",
		.arguments = {TASK},
	},
	{
		.name = "schedule_task",
		.title = "Schedule a task",
		.description = "Do something later, once or again and again: a reminder, a "
			       "report. At that time you get the prompt, and your answer is "
			       "sent to the chat.",
		.effect = TOOL_ADDS,
		.right = "tasks",
		.see = "list_tasks shows the tasks that there are, cancel_task ends one",
		.example = "{\"prompt\": \"Send the weather of Berlin\", \"schedule_type\": "
			   "\"cron\", \"schedule_value\": \"0 9 * * 1-5\"}",
		.arguments = {PROMPT(true), SCHEDULE_TYPE(true), SCHEDULE_VALUE(true), ZONE,
			CONTEXT, MISSED, GROUP_OF_TASKS},
	},
	{
		.name = "send_message",
		.title = "Send a message",
		.description =
			"Send a message to the chat now, before your answer: while "
			"something takes long, or as an extra message. Your answer itself "
			"is sent without this.",
		.effect = TOOL_ADDS,
		.right = "send",
		.see = GROUPS_ARE_SHOWN,
		.example = "{\"text\": \"I am looking it up.\"}",
		.done = "The message is on its way.",
		.arguments = {{.name = "text",
				      .required = true,
				      .max = MAX_MESSAGE,
				      .description = "the message"},
			GROUP_TO_SEND},
	},
	{
		.name = "set_group_config",
		.title = "Change a setting of a group",
		.description = "Change one key of the container.json of a group; its agent "
			       "begins afresh with it.",
		.effect = TOOL_CHANGES,
		.right = "configure_groups",
		.see = GROUPS_ARE_SHOWN,
		.example = "{\"group\": \"family\", \"key\": \"skills\", \"value\": "
			   "[\"welcome\"]}",
		.arguments = {{.name = "group", .description = "the folder of the group"},
			{.name = "key",
				.required = true,
				.description = "such as 'skills', 'mcpServers', 'mounts', "
					       "'limits'"},
			{.name = "value",
				.type = ARGUMENT_ANY,
				.required = true,
				.description = "its new value; null takes the key out"}},
	},
	{
		.name = "update_task",
		.title = "Change a task",
		.description = "Change a scheduled task; what is left out stays as it is.",
		.effect = TOOL_CHANGES,
		.right = "tasks",
		.see = TASKS_ARE_SHOWN,
		.example = "{\"task_id\": \"3\", \"schedule_type\": \"cron\", "
			   "\"schedule_value\": \"30 8 * * *\"}",
		.arguments = {TASK, PROMPT(false), SCHEDULE_TYPE(false), SCHEDULE_VALUE(false),
			ZONE, CONTEXT, MISSED},
	},
};

const struct tool *tool_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (!strcmp(tools[i].name, name))
			return &tools[i];
	return NULL;
}

/* --- what is published ------------------------------------------------------- */

static bool has(const json_t *rights, const char *right)
{
	if (!right)
		return true;
	for (size_t i = 0; i < json_array_size(rights); i++) {
		const char *name = json_string_value(json_array_get(rights, i));

		if (name && !strcmp(name, right))
			return true;
	}
	return false;
}

static json_t *input_schema(const struct tool *tool, const json_t *rights)
{
	json_t *properties = json_object();
	json_t *required = json_array();
	json_t *schema = json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties",
		0, "properties", properties);

	for (const struct argument *a = tool->arguments; a->name; a++) {
		if (!has(rights, a->right))
			continue;
		json_object_set_new(properties, a->name, argument_schema(a));
		if (a->required)
			json_array_append_new(required, json_string(a->name));
	}
	/* An empty list is not allowed by older drafts of JSON Schema. */
	if (json_array_size(required))
		json_object_set(schema, "required", required);
	json_decref(required);
	return schema;
}

static json_t *tool_json(const struct tool *tool, const json_t *rights)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:{s:s, s:b, s:b, s:b, s:b}}", "name",
		tool->name, "title", tool->title, "description", tool->description,
		"inputSchema", input_schema(tool, rights), "annotations", "title", tool->title,
		"readOnlyHint", tool->effect == TOOL_READS, "destructiveHint",
		tool->effect == TOOL_CHANGES, "idempotentHint", tool->effect != TOOL_ADDS,
		"openWorldHint", 0);
}

json_t *tools_list(const json_t *rights)
{
	json_t *list = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (has(rights, tools[i].right))
			json_array_append_new(list, tool_json(&tools[i], rights));
	return list;
}

/* --- what is called ---------------------------------------------------------- */

static const struct argument *find_argument(const struct tool *tool, const char *name)
{
	for (const struct argument *a = tool->arguments; a->name; a++)
		if (!strcmp(a->name, name))
			return a;
	return NULL;
}

static void append_known(const struct tool *tool, struct buf *out)
{
	if (!tool->arguments[0].name)
		buf_append_str(out, " (it has none)");
	for (const struct argument *a = tool->arguments; a->name; a++)
		buf_appendf(out, "%s'%s'%s", a == tool->arguments ? " (it has " : ", ", a->name,
			a[1].name ? "" : ")");
}

static void check_unknown(const struct tool *tool, const json_t *arguments, struct buf *faults)
{
	const char *name;
	json_t *value;
	int count = 0;

	json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
	{
		CLEANUP(freep) char *shown = NULL;

		if (find_argument(tool, name) || ++count > MAX_NAMED)
			continue;
		shown = utf8_excerpt(view_of(name));
		buf_appendf(
			faults, "%sthere is no argument '%s'", faults->len ? "; " : "", shown);
	}
	if (count)
		append_known(tool, faults);
}

bool tool_check(const struct tool *tool, const json_t *arguments, struct buf *faults)
{
	size_t before = faults->len;

	for (const struct argument *a = tool->arguments; a->name; a++) {
		const json_t *value = json_object_get(arguments, a->name);

		if (value)
			argument_check(a, value, faults);
		else if (a->required)
			buf_appendf(faults, "%s'%s' is missing (%s)", faults->len ? "; " : "",
				a->name, a->description);
	}
	check_unknown(tool, arguments, faults);
	return faults->len == before;
}

json_t *tool_request(const struct tool *tool, const json_t *arguments)
{
	json_t *request = json_object();

	for (const struct argument *a = tool->arguments; a->name; a++)
		if (json_object_get(arguments, a->name))
			json_object_set(request, a->name, json_object_get(arguments, a->name));
	json_object_set_new(request, "op", json_string(tool->name));
	return request;
}
