#include "host/ops/operation_table.h"

#include "ledger/tasks.h"

#define MAX_MESSAGE 65536
#define MAX_PROMPT  (TASK_PROMPT_MAX / ARGUMENT_DIRECT_FACTOR)
#define MAX_MEMORY  65536
#define MAX_PATH    1024

static const char *const schedule_types[] = {"cron", "interval", "once", NULL};
static const char *const context_modes[] = {"group", "isolated", NULL};
static const char *const missed_modes[] = {"skip", "once", "all", NULL};

#define TASKS_ARE_SHOWN  "list_tasks shows the tasks and their ids"
#define GROUPS_ARE_SHOWN "list_groups shows the groups"

/* --- arguments of several operations ------------------------------------------ */

#define GROUP                                                                                  \
	{                                                                                      \
		.name = "group", .required = true,                                             \
		.description = "the group's folder, as list_groups shows it",                  \
	}

#define GROUP_OR_OWN                                                                           \
	{                                                                                      \
		.name = "group", .description = "the group's folder; your own if left out",    \
	}

#define GROUP_TO_SEND                                                                          \
	{                                                                                      \
		.name = "group", .right = RIGHT_SEND_ELSEWHERE,                                \
		.description = "another group's folder",                                       \
	}

#define GROUP_OF_TASKS                                                                         \
	{                                                                                      \
		.name = "group", .right = RIGHT_TASKS_ELSEWHERE,                               \
		.description = "another group's folder",                                       \
	}

#define KEY                                                                                    \
	{                                                                                      \
		.name = "key", .direct = true, .max = 16,                                      \
		.description = "the call is carried out once for each key",                    \
	}

#define TASK                                                                                   \
	{                                                                                      \
		.name = "task_id", .type = ARGUMENT_ID, .required = true, .max = 64,           \
		.description = "the task's id, as list_tasks shows it",                        \
	}

#define PROMPT(need)                                                                           \
	{                                                                                      \
		.name = "prompt", .required = (need), .max = MAX_PROMPT,                       \
		.description = "what to do then, as an instruction to yourself",               \
	}

#define SCHEDULE_TYPE(need)                                                                    \
	{                                                                                      \
		.name = "schedule_type", .required = (need), .words = schedule_types,          \
		.description = "'cron': at times on the clock",                                \
	}

#define SCHEDULE_VALUE(need)                                                                   \
	{                                                                                      \
		.name = "schedule_value", .required = (need),                                  \
		.description =                                                                 \
			"cron: '0 9 * * 1-5' (nine, Monday to Friday); interval: '30m', "      \
			"'2h', '1d'; once: '2035-01-31T09:00', 'tomorrow at 5pm'",             \
	}

#define ZONE                                                                                   \
	{                                                                                      \
		.name = "tz", .description = "such as 'Europe/Berlin'; default: the host's",   \
	}

#define CONTEXT                                                                                \
	{                                                                                      \
		.name = "context_mode", .words = context_modes,                                \
		.description = "'isolated': without this conversation",                        \
	}

#define MISSED                                                                                 \
	{                                                                                      \
		.name = "missed", .words = missed_modes,                                       \
		.description = "runs missed while the host was down; default 'once'",          \
	}

#define SKILL                                                                                  \
	{                                                                                      \
		.name = "skill", .required = true, .description = "the user skill's id",       \
	}

#define FILE_OF_SKILL                                                                          \
	{                                                                                      \
		.name = "file", .required = true, .max = MAX_PATH,                             \
		.description = "the absolute path of a user skill",                            \
	}

/* --- the table ---------------------------------------------------------------- */

const struct operation operation_table[] = {
	{
		.name = "assign_skill",
		.description = "Give a group a user skill.",
		.right = RIGHT_ASSIGN_SKILLS,
		.commit = "skills",
		.run = op_assign_skill,
		.arguments = {SKILL, GROUP},
	},
	{
		.name = "call_tool",
		.description = "Call a tool: the arguments must match its schema.",
		.arguments = {{.name = "tool",
				      .required = true,
				      .description = "the name of the tool"},
			{.name = "arguments", .type = ARGUMENT_ANY, .description = "an object"},
			KEY},
	},
	{
		.name = "cancel_task",
		.title = "Cancel a task",
		.description = "End a scheduled task for good. To stop it for a while, use "
			       "pause_task.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_CHANGES,
		.example = "{\"task_id\": \"3\"}",
		.see = TASKS_ARE_SHOWN,
		.run = op_cancel_task,
		.arguments = {TASK},
	},
	{
		.name = "compose",
		.description = "Rebuild the composed files of a group.",
		.right = RIGHT_COMPOSE,
		.run = op_compose,
		.arguments = {{.name = "group",
				      .description = "its folder; all groups if left out"},
			{.name = "check",
				.type = ARGUMENT_FLAG,
				.description = "only show what would change, and why"}},
	},
	{
		.name = "current_turn",
		.description =
			"Get the name of the current turn, such as t12. A repeated turn keeps "
			"its name.",
		.live = true,
		.run = op_current_turn,
	},
	{
		.name = "drop_skill_override",
		.description = "Remove a group's own version of a user skill.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_drop_skill_override,
		.arguments = {SKILL, GROUP},
	},
	{
		.name = "edit_message",
		.title = "Change your last message",
		.description =
			"Replace the text of the last message that you sent to this chat, "
			"where the chat app can do that.",
		.right = RIGHT_SEND,
		.elsewhere = RIGHT_SEND_ELSEWHERE,
		.effect = OPERATION_CHANGES,
		.live = true,
		.commit = "say",
		.example = "{\"text\": \"Done: 12 files.\"}",
		.done = "The change is on its way.",
		.run = op_edit_message,
		.arguments = {{.name = "text",
				      .required = true,
				      .max = MAX_MESSAGE,
				      .description = "the whole new text"},
			GROUP_TO_SEND, KEY},
	},
	{
		.name = "find_chats",
		.title = "Find chats",
		.description =
			"Find chats that the channels know, with their JIDs, whether or not "
			"they are registered as groups.",
		.right = RIGHT_FIND_CHATS,
		.effect = OPERATION_READS,
		.example = "{\"text\": \"family\"}",
		.run = op_find_chats,
		.arguments = {{.name = "text",
			.empty = true,
			.description = "part of the name; all chats if left out"}},
	},
	{
		.name = "get_group_config",
		.title = "Show the settings of a group",
		.description =
			"Show a group's container.json: skills, MCP servers, mounts, limits. The "
			"variables of another group's servers are hidden.",
		.right = RIGHT_CONFIGURE_GROUPS,
		.effect = OPERATION_READS,
		.example = "{\"group\": \"family\"}",
		.see = GROUPS_ARE_SHOWN,
		.run = op_get_group_config,
		.arguments = {GROUP_OR_OWN},
	},
	{
		.name = "get_rights",
		.description = "List the rights that the caller has.",
		.run = op_get_rights,
	},
	{
		.name = "get_task_runs",
		.title = "Show the runs of a task",
		.description = "Show the runs of a scheduled task, latest first.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_READS,
		.example = "{\"task_id\": \"3\", \"limit\": 10}",
		.see = TASKS_ARE_SHOWN,
		.run = op_get_task_runs,
		.arguments = {TASK, {.name = "limit",
					    .type = ARGUMENT_NUMBER,
					    .least = 1,
					    .most = 1000,
					    .description = "the maximum number of runs"}},
	},
	{
		.name = "host_status",
		.description = "Show the host's process, channels and agents.",
		.right = RIGHT_HOST_STATUS,
		.live = true,
		.run = op_host_status,
	},
	{
		.name = "import_skill",
		.description = "Import a user skill into the store.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_import_skill,
		.arguments = {FILE_OF_SKILL,
			{.name = "source", .description = "its source, such as marketplace"}},
	},
	{
		.name = "list_channels",
		.title = "List the channels",
		.description =
			"List the chat apps that the host is connected to, and their state.",
		.right = RIGHT_LIST_CHANNELS,
		.effect = OPERATION_READS,
		.live = true,
		.example = "{}",
		.run = op_list_channels,
	},
	{
		.name = "list_groups",
		.title = "List the groups",
		.description = "List the registered groups that this group may see.",
		.elsewhere = RIGHT_LIST_GROUPS,
		.effect = OPERATION_READS,
		.example = "{}",
		.run = op_list_groups,
	},
	{
		.name = "list_tasks",
		.title = "List the tasks",
		.description =
			"List scheduled tasks with their ids, schedules and next runs. Long prompts are cut.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_READS,
		.example = "{}",
		.see = GROUPS_ARE_SHOWN,
		.run = op_list_tasks,
		.arguments = {GROUP_OF_TASKS,
			{.name = "all",
				.type = ARGUMENT_FLAG,
				.description = "include completed and cancelled tasks"}},
	},
	{
		.name = "list_tools",
		.description =
			"List the MCP tools that the caller may use, with their schemas.",
		.run = op_list_tools,
	},
	{
		.name = "override_skill",
		.description = "Give a group its own version of a user skill.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_override_skill,
		.arguments = {GROUP, FILE_OF_SKILL,
			{.name = "skill",
				.description =
					"the user skill's id; default: the one in the file"}},
	},
	{
		.name = "pair_channel",
		.description =
			"Get a code. The chat on that channel where someone writes it becomes "
			"the group's chat.",
		.right = RIGHT_SET_BOUNDS,
		.effect = OPERATION_ADDS,
		.live = true,
		.run = op_pair_channel,
		.arguments = {{.name = "channel",
				      .required = true,
				      .description = "its name, as list_channels shows it"},
			{.name = "folder",
				.description = "the group's folder; a new one creates a group; "
					       "main's if left out"}},
	},
	{
		.name = "pause_task",
		.title = "Pause a task",
		.description = "Stop running a scheduled task until resume_task.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_CHANGES,
		.example = "{\"task_id\": \"3\"}",
		.see = TASKS_ARE_SHOWN,
		.run = op_pause_task,
		.arguments = {TASK},
	},
	{
		.name = "react",
		.title = "React to a message",
		.description =
			"React with an emoji to the message that you are answering, where "
			"the chat app can do that.",
		.right = RIGHT_SEND,
		.effect = OPERATION_ADDS,
		.live = true,
		.commit = "say",
		.example = "{\"emoji\": \"\U0001F44D\"}",
		.done = "The reaction is on its way.",
		.run = op_react,
		.arguments = {{.name = "emoji",
				      .required = true,
				      .max = 16,
				      .description = "one emoji"},
			KEY},
	},
	{
		.name = "register_group",
		.title = "Register a group",
		.description =
			"Answer in a chat from now on, with a folder and a memory of its own. "
			"find_chats gives its JID.",
		.right = RIGHT_REGISTER_GROUP,
		.effect = OPERATION_ADDS,
		.example = "{\"jid\": \"120363336345536173@g.us\", \"name\": \"Family\", "
			   "\"folder\": \"family\"}",
		.see = "find_chats shows chats and their JIDs; 'folder' can be given",
		.run = op_register_group,
		.arguments = {{.name = "jid",
				      .required = true,
				      .description = "the chat's JID, as find_chats shows it"},
			{.name = "name",
				.required = true,
				.max = 200,
				.description = "its name, for people"},
			{.name = "folder",
				.max = 64,
				.pattern = "^[a-z0-9][a-z0-9_-]*$",
				.description =
					"its folder below 'groups'; made from the name if left out"},
			{.name = "trigger",
				.description =
					"the word that a message must begin with; '@' and the "
					"assistant's name if left out"},
			{.name = "requires_trigger",
				.type = ARGUMENT_FLAG,
				.description = "false: answer every message"},
			{.name = "instructions",
				.max = MAX_MEMORY,
				.description = "the beginning of its memory"},
			{.name = "allow",
				.type = ARGUMENT_TEXTS,
				.description = "accept messages only from these senders"},
			{.name = "agent",
				.max = MAX_PATH,
				.right = RIGHT_CHOOSE_AGENT,
				.direct = true,
				.description =
					"its agent, if not NANOCLAW_AGENT: a program on this "
					"machine, mounted into the sandbox"}},
	},
	{
		.name = "remember_globally",
		.title = "Remember for all groups",
		.description = "Add an entry to the memory that every group reads. Keep what "
			       "concerns only this group in its own memory.",
		.right = RIGHT_WRITE_GLOBAL_MEMORY,
		.effect = OPERATION_ADDS,
		.example = "{\"text\": \"The office is closed on Fridays.\"}",
		.run = op_remember_globally,
		.arguments = {{.name = "text",
			.required = true,
			.max = MAX_MEMORY,
			.description = "the entry"}},
	},
	{
		.name = "remove_group",
		.title = "Remove a group",
		.description =
			"Remove a group with its folder, memory, tasks and history. A person "
			"can take it back for 30 days: ask first.",
		.right = RIGHT_REMOVE_GROUP,
		.effect = OPERATION_CHANGES,
		.example = "{\"group\": \"family\"}",
		.see = GROUPS_ARE_SHOWN,
		.run = op_remove_group,
		.arguments = {GROUP},
	},
	{
		.name = "remove_skill",
		.description = "Delete a user skill from the store.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_remove_skill,
		.arguments = {SKILL},
	},
	{
		.name = "resume_task",
		.title = "Resume a task",
		.description = "Run a paused task again.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_CHANGES,
		.example = "{\"task_id\": \"3\"}",
		.see = TASKS_ARE_SHOWN,
		.run = op_resume_task,
		.arguments = {TASK},
	},
	{
		.name = "schedule_backups",
		.description = "Let the host make backups by itself, the first one now.",
		.right = RIGHT_SCHEDULE_BACKUPS,
		.effect = OPERATION_CHANGES,
		.run = op_schedule_backups,
		.arguments =
			{{.name = "every",
				 .required = true,
				 .description =
					 "such as 'day', 'week' and '6h'; 'never' ends it"},
				{.name = "keep",
					.type = ARGUMENT_NUMBER,
					.least = 1,
					.most = 10000,
					.description = "how many are kept; default 7"},
				{.name = "folder",
					.max = MAX_PATH,
					.description =
						"an absolute path; default 'store/backups'"},
				{.name = "secrets",
					.type = ARGUMENT_FLAG,
					.description = "with all of '.env'"}},
	},
	{
		.name = "schedule_task",
		.title = "Schedule a task",
		.description =
			"Do something later, once or repeatedly: you get the prompt then, and "
			"your answer is sent to the chat.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_ADDS,
		.example = "{\"prompt\": \"Send the weather of Berlin\", \"schedule_type\": "
			   "\"cron\", \"schedule_value\": \"0 9 * * 1-5\"}",
		.see = "list_tasks shows the tasks that there are, cancel_task ends one",
		.run = op_schedule_task,
		.arguments = {PROMPT(true), SCHEDULE_TYPE(true), SCHEDULE_VALUE(true), ZONE,
			CONTEXT, MISSED, GROUP_OF_TASKS, KEY},
	},
	{
		.name = "send_file",
		.title = "Send a file",
		.description =
			"Send a file from your folder to the chat, where the chat app can "
			"do that.",
		.right = RIGHT_SEND,
		.elsewhere = RIGHT_SEND_ELSEWHERE,
		.effect = OPERATION_ADDS,
		.live = true,
		.commit = "say",
		.example = "{\"path\": \"report.pdf\", \"text\": \"The report\"}",
		.see = GROUPS_ARE_SHOWN,
		.done = "The file is on its way.",
		.run = op_send_file,
		.arguments = {{.name = "path",
				      .required = true,
				      .max = MAX_PATH,
				      .description = "the file, in /workspace/agent"},
			{.name = "text",
				.max = MAX_MESSAGE,
				.description = "a text to go with it"},
			GROUP_TO_SEND, KEY},
	},
	{
		.name = "send_message",
		.title = "Send a message",
		.description =
			"Send a message now, before your answer, which is sent without this.",
		.right = RIGHT_SEND,
		.elsewhere = RIGHT_SEND_ELSEWHERE,
		.effect = OPERATION_ADDS,
		.live = true,
		.commit = "say",
		.example = "{\"text\": \"I am looking it up.\"}",
		.see = GROUPS_ARE_SHOWN,
		.done = "The message is on its way.",
		.run = op_send_message,
		.arguments = {{.name = "text",
				      .required = true,
				      .max = MAX_MESSAGE,
				      .description = "the message"},
			GROUP_TO_SEND, KEY},
	},
	{
		.name = "set_group",
		.title = "Change a group",
		.description =
			"Change the name, chat, trigger or allowed senders of a group. Its folder "
			"and memory stay. An empty list of senders allows everybody. An agent can "
			"only shorten a list of senders, begin one, and set requires_trigger.",
		.right = RIGHT_CONFIGURE_GROUPS,
		.effect = OPERATION_CHANGES,
		.example = "{\"group\": \"family\", \"requires_trigger\": true}",
		.see = GROUPS_ARE_SHOWN,
		.run = op_set_group,
		.arguments = {GROUP,
			{.name = "name",
				.max = 200,
				.right = RIGHT_SET_BOUNDS,
				.description = "its name, for people"},
			{.name = "jid",
				.right = RIGHT_SET_BOUNDS,
				.description = "the JID of the chat that it belongs to"},
			{.name = "trigger",
				.right = RIGHT_SET_BOUNDS,
				.description = "the word that a message must begin with"},
			{.name = "requires_trigger",
				.type = ARGUMENT_FLAG,
				.description = "false: answer every message"},
			{.name = "allow",
				.type = ARGUMENT_TEXTS,
				.description = "accept messages only from these senders"}},
	},
	{
		.name = "set_group_config",
		.title = "Change a setting of a group",
		.description =
			"Change one key of a group's container.json. Its agent restarts with "
			"it.",
		.right = RIGHT_CONFIGURE_GROUPS,
		.effect = OPERATION_CHANGES,
		.example = "{\"group\": \"family\", \"key\": \"skills\", \"value\": "
			   "[\"welcome\"]}",
		.see = GROUPS_ARE_SHOWN,
		.run = op_set_group_config,
		.arguments = {GROUP_OR_OWN,
			{.name = "key",
				.required = true,
				.description = "'skills', 'mcpServers' or "
					       "'mcpServers.NAME'; only a person changes "
					       "the others"},
			{.name = "value",
				.type = ARGUMENT_ANY,
				.required = true,
				.secret = true,
				.description = "its new value; null removes the key"}},
	},
	{
		.name = "set_skill_status",
		.description = "Change the status of a user skill.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_set_skill_status,
		.arguments = {SKILL,
			{.name = "status",
				.required = true,
				.description =
					"observed, proposed, approved, active, refined or "
					"retired"}},
	},
	{
		.name = "set_state",
		.title = "Change the state of an issue",
		.description =
			"Put the issue that this conversation is about into another state of "
			"its workflow, where the chat app has issues.",
		.right = RIGHT_SEND,
		.effect = OPERATION_CHANGES,
		.live = true,
		.commit = "say",
		.example = "{\"state\": \"In Progress\"}",
		.done = "The change is on its way.",
		.run = op_set_state,
		.arguments = {{.name = "state",
				      .required = true,
				      .max = 100,
				      .description = "the name of the new state"},
			KEY},
	},
	{
		.name = "stop_turn",
		.description =
			"End a turn that an agent is working on, with an error as its answer.",
		.right = RIGHT_STOP_TURNS,
		.effect = OPERATION_CHANGES,
		.live = true,
		.run = op_stop_turn,
		.arguments = {{.name = "turn",
			.required = true,
			.max = 32,
			.description = "the turn, such as t12"}},
	},
	{
		.name = "sync_skills",
		.description = "Read the files of user skills again.",
		.right = RIGHT_MANAGE_SKILLS,
		.commit = "skills",
		.run = op_sync_skills,
	},
	{
		.name = "unassign_skill",
		.description = "Take a user skill from a group.",
		.right = RIGHT_ASSIGN_SKILLS,
		.commit = "skills",
		.run = op_unassign_skill,
		.arguments = {SKILL, GROUP},
	},
	{
		.name = "update_task",
		.title = "Change a task",
		.description =
			"Change a scheduled task. Arguments that are left out stay as they "
			"are.",
		.right = RIGHT_TASKS,
		.elsewhere = RIGHT_TASKS_ELSEWHERE,
		.effect = OPERATION_CHANGES,
		.example = "{\"task_id\": \"3\", \"schedule_type\": \"cron\", "
			   "\"schedule_value\": \"30 8 * * *\"}",
		.see = TASKS_ARE_SHOWN,
		.run = op_update_task,
		.arguments = {TASK, PROMPT(false), SCHEDULE_TYPE(false), SCHEDULE_VALUE(false),
			ZONE, CONTEXT, MISSED},
	},
	{
		.name = "write_audit",
		.description = "Write buffered audit entries to the store.",
		.right = RIGHT_WRITE_AUDIT,
		.live = true,
		.run = op_write_audit,
	},
	{
		.name = "write_global_memory",
		.description =
			"Replace the memory that every group reads, data/global.md. What "
			"an agent writes is added to it.",
		.right = RIGHT_WRITE_GLOBAL_MEMORY,
		.run = op_write_global_memory,
		.arguments = {{.name = "text",
			.required = true,
			.max = MAX_MEMORY,
			.empty = true,
			.description = "its new content"}},
	},
	{.name = NULL},
};
