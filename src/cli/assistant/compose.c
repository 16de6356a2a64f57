#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "proc/log.h"

static void composed_change_print(
	const char *action, const char *path, const char *why, bool only_check)
{
	static const struct {
		const char *action, *would, *done;
	} words[] = {
		{"make", "would create", "created"},
		{"change", "would change", "changed"},
		{"remove", "would remove", "removed"},
		{"move aside", "would move aside", "moved aside"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].action, action) != 0)
			continue;
		printf("%s %s", only_check ? words[i].would : words[i].done, path);
		if (strcmp(why, "missing") != 0)
			printf(": %s", why);
		printf("\n");
	}
}

static void composed_changes_print(const json_t *changes, bool only_check)
{
	size_t i;
	json_t *one;

	json_array_foreach(changes, i, one) {
		CLEANUP(freep) char *path = output_path(json_member(one, "path"));
		CLEANUP(freep) char *why = output_first_line(json_member(one, "reason"));

		composed_change_print(json_member(one, "action"), path, why, only_check);
	}
}

static void print_warnings(const json_t *warnings)
{
	size_t i;
	json_t *one;

	json_array_foreach(warnings, i, one)
		log_warning("%s", json_string_value(one));
}

static void compose_reply_print(const json_t *reply, bool only_check)
{
	const json_t *groups = json_object_get(reply, "groups");
	bool failed = false;
	size_t i;
	json_t *group;

	print_warnings(json_object_get(reply, "warnings"));
	composed_changes_print(json_object_get(reply, "shared"), only_check);
	json_array_foreach(groups, i, group) {
		print_warnings(json_object_get(group, "warnings"));
		composed_changes_print(json_object_get(group, "changes"), only_check);
		failed |= json_object_get(group, "error") != NULL;
	}
	if (!failed && !(json_number_value(json_object_get(reply, "changed")) > 0))
		printf("%zu group%s: nothing to change\n", json_array_size(groups),
			plural(json_array_size(groups)));
}

/* Of the first group that has one. */
static int find_error(const json_t *reply, struct error *err)
{
	size_t i;
	json_t *group;

	json_array_foreach(json_object_get(reply, "groups"), i, group)
		if (json_object_get(group, "error"))
			return error_set(err,
				strcmp(json_member(group, "kind"), "invalid") ? ERROR_FAILED
									      : ERROR_INVALID,
				"%s", json_member(group, "error"));
	return 0;
}

static int run_compose(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	bool only_check = arguments_flag(args, "check");
	json_t *request = host_request(args, "compose", "group", NULL);

	if ((only_check ? host_look : host_call)(request, &reply, err) < 0)
		return -1;
	if (!cli->json)
		compose_reply_print(reply, only_check);
	if (find_error(reply, err) < 0) {
		if (cli->json)
			cli->failure = json_build("groups:O", json_object_get(reply, "groups"));
		return -1;
	}
	if (cli->json)
		output_json(reply_json(reply));
	return only_check && json_number_value(json_object_get(reply, "changed")) > 0
		       ? EXIT_FAILED
		       : EXIT_DONE;
}

static const struct option options[] = {
	{0, "check", NULL, NULL},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw compose --check", "what would change in all groups"},
	{"nanoclaw compose family", "rebuild the CLAUDE.md of one group"},
	{0},
};

COMMAND(compose) = {
	.name = "compose",
	.summary = "rebuild the CLAUDE.md of groups",
	.usage = "[<group>]",
	.description =
		"An agent reads 'groups/FOLDER/CLAUDE.md'. It imports the shared files\n"
		"('container/CLAUDE.md' and the global memory in 'data/global.md'), the\n"
		"instructions of its skills, and those of the MCP servers in its 'container.json'.\n"
		"The host rebuilds it before each start of an agent; this command rebuilds it now.\n"
		"The group's own memory, 'CLAUDE.local.md', is not touched.\n"
		"\n"
		"The exit code of '--check' is 1 if something would change, and 2 if a group's\n"
		"'container.json' has a fault. 'nanoclaw group show' prints the text as the agent\n"
		"will see it.",
	.operation = "compose",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_compose,
};
