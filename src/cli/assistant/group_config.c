#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "group/container.h"
#include "proc/log.h"

/* JSON, or else a text. */
static json_t *setting_value(const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *value = NULL;

	if (json_read(view_of(text), "value", CONTAINER_MAX_FILE, &value, &ignored) < 0)
		value = json_text(view_of(text));
	return value;
}

static json_t *config_request(const struct arguments *args, bool changes)
{
	const char *group = args->words[0];

	if (!changes)
		return json_build("op:s group:s", "get_group_config", group);
	return json_build("op:s group:s key:s value:o", "set_group_config", group,
		args->words[1], args->count == 3 ? setting_value(args->words[2]) : json_null());
}

static int run_group_config(struct cli *cli, const struct arguments *args, struct error *err)
{
	bool changes = args->count == 3 || arguments_flag(args, "unset");
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *config;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *copy = NULL;
	const json_t *warnings;
	bool unset = arguments_flag(args, "unset");

	if (unset && args->count != 2)
		return error_set(err, ERROR_INVALID,
			"'--unset' takes a group and a setting, but no value");
	if ((changes ? host_call : host_look)(config_request(args, changes), &reply, err) < 0)
		return args->count < 3 || strcmp(args->words[1], "model") || err->hint
			       ? -1
			       : error_hint(err, "'nanoclaw group config %s model.name %s'",
					 args->words[0], args->words[2]);
	config = json_object_get(reply, "config");
	warnings = json_object_get(reply, "warnings");
	for (size_t i = 0; i < json_array_size(warnings); i++)
		log_warning("%s", json_string_value(json_array_get(warnings, i)));
	if (cli->json) {
		output_success("folder:O config:O warnings:O", json_object_get(reply, "folder"),
			config, json_object_get(reply, "warnings"));
		return EXIT_DONE;
	}
	if (changes) {
		printf("'%s' of '%s' is %s\n", args->words[1], json_member(reply, "folder"),
			args->count == 3 ? "set" : "taken out");
		return EXIT_DONE;
	}
	if (args->count == 2) {
		struct view rest = view_of(args->words[1]);
		struct view first;
		CLEANUP(freep) char *name = NULL;

		/* A setting of the reply; "limits.seconds" is one in the other. */
		view_next(&rest, '.', &first);
		name = xmemdupz(first.data, first.len);
		config = json_object_get(config, name);
		config = rest.len ? json_object_get(config, rest.data) : config;
	}
	if (!config)
		return error_set(err, ERROR_FAILED, "'%s' is not set", args->words[1]);
	copy = json_deep_copy(config);
	json_write_npm(copy, &JSON_STYLE_DEFAULT, &text);
	fputs(text.data, stdout);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "unset", NULL, "remove the setting from the file"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw group config family agent claude", "let Claude Code answer there"},
	{"nanoclaw group config family model.name qwen3:8b", "another model for this group"},
	{"nanoclaw group config family skills '[\"welcome\"]'", "only this skill"},
	{"nanoclaw group config family limits.seconds 1800", "half an hour per turn"},
	{"nanoclaw group config family budget.dailyDollars 5", "at most this much per day"},
	{"nanoclaw group config family mcpServers.db '{\"command\": \"db-mcp\"}'",
		"add an MCP server"},
	{"nanoclaw group config family network.hosts '[\"example.com\", \"*.example.org\"]'",
		"allow these hosts"},
	{"nanoclaw group config family mounts --unset", "remove all extra folders"},
	{0},
};

static const char *const settings[] = {
	"agent",
	"budget.dailyDollars",
	"budget.dailyTokens",
	"budget.monthlyDollars",
	"limits.cpuPercent",
	"limits.diskMegabytes",
	"limits.memoryMegabytes",
	"limits.processes",
	"limits.seconds",
	"mcpServers.",
	"model.context",
	"model.maxOutput",
	"model.name",
	"model.provider",
	"model.url",
	"model.vision",
	"mounts",
	"network.hosts",
	"sandbox",
	"skills",
	NULL,
};

COMMAND(group_config) = {
	.name = "group config",
	.summary = "show or change the settings of a group's agent",
	.usage = "<group> [<setting> [<value>]]",
	.description =
		"The settings are agent, budget.NAME, limits.NAME, mcpServers.NAME, model.NAME,\n"
		"mounts, network.hosts, sandbox and skills. They are in\n"
		"'groups/FOLDER/container.json', which you can also edit; the command changes only\n"
		"the named setting. A value is JSON, or else plain text. An agent that is working\n"
		"ends after its turn.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 3,
	.completes = {COMPLETE_GROUPS, COMPLETE_WORDS, COMPLETE_TEXT},
	.words = settings,
	.run = run_group_config,
};
