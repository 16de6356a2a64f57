#include <inttypes.h>
#include <stdio.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "compose/compose.h"
#include "format/json.h"
#include "group/container_file.h"
#include "host/ops/operation.h"
#include "ledger/groups.h"

/* Bytes that are shown. */
#define MAX_COMPOSED ((size_t)256 * 1024)

static void print_group(const struct cli *cli, const struct group *group,
	const struct agent_session *session, const char *senders)
{
	CLEANUP(freep) char *name = output_first_line(group->name);
	struct view rest = view_of(senders);
	char added[LOCAL_TIME_SIZE];
	struct view sender;

	printf("%s%s%s%s\n", output_color(cli, COLOR_BOLD), name,
		output_color(cli, COLOR_RESET), group->is_main ? "  (main)" : "");
	printf("folder   groups/%s\n", group->folder);
	printf("jid      %s\n", group->jid);
	printf("trigger  %s\n", group->is_main || !group->requires_trigger
					? "none: every message is answered"
					: group->trigger);
	local_time(group->added_at, added);
	printf("added    %.*s\n", LOCAL_SECONDS, added);
	if (group->agent)
		printf("agent    %s\n", group->agent);
	if (session->id)
		printf("session  %s, %d turn%s\n", session->id, session->turns,
			plural(session->turns));
	while (view_next(&rest, '\n', &sender))
		printf("allowed  %.*s\n", VIEW_ARGS(sender));
}

static void print_limit(const char *name, uint64_t number, const char *unit)
{
	if (number)
		printf("%-9s%" PRIu64 "%s at most\n", name, number, unit);
}

/* From its container.json; if that is faulty, the rest is still shown. */
static void print_settings(int root, const char *folder)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct container *c = &container;

	if (container_look(root, folder, &container, NULL, &err) < 0) {
		printf("settings %s\n", err.message);
		return;
	}
	if (c->agent)
		printf("agent    %s\n", c->agent);
	if (c->sandbox)
		printf("sandbox  %s\n", c->sandbox);
	if (!c->all_skills)
		printf("skills   %s\n", c->skills.count ? "" : "none");
	for (size_t i = 0; i < c->skills.count; i++)
		printf("         %s\n", c->skills.list[i]);
	for (size_t i = 0; i < c->server_count; i++)
		printf("server   %s: %s\n", c->servers[i].name, c->servers[i].command);
	for (size_t i = 0; i < c->mount_count; i++)
		printf("mount    %s as /workspace/extra/%s%s\n", c->mounts[i].path,
			c->mounts[i].name, c->mounts[i].read_only ? ", read-only" : "");
	for (size_t i = 0; i < c->hosts.count; i++) {
		CLEANUP(freep) char *host = host_pattern_text(&c->hosts.list[i]);

		printf("reaches  %s\n", host);
	}
	print_limit("memory", c->limits.memory_megabytes, " MB");
	print_limit("processes ", c->limits.processes, "");
	print_limit("cpu", c->limits.cpu_percent, " %");
	print_limit("disk", c->limits.disk_megabytes, " MB");
	print_limit("time", c->limits.seconds, " s");
	for (size_t i = 0; i < c->warnings.count; i++)
		printf("warning  %s\n", c->warnings.list[i]);
}

static json_t *settings_json(int root, const char *folder)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *json = NULL;

	if (container_look(root, folder, &container, &text, &err) < 0 ||
		json_read(view_of_buf(&text), folder, CONTAINER_MAX_FILE, &json, &err) < 0)
		return json_build("error:s", err.message);
	return json;
}

/* --- the agent's instructions ---------------------------------------------------- */

static int read_composed(
	int root, const char *folder, struct buf *ret_text, bool *ret_cut, struct error *err)
{
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;

	if (shared_read(root, &shared, err) < 0)
		return -1;
	return compose_text(root, folder, &shared, MAX_COMPOSED, ret_text, ret_cut, err);
}

static void print_composed(int root, const char *folder)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *shown = NULL;
	bool cut = false;

	if (read_composed(root, folder, &text, &cut, &err) < 0) {
		printf("\ncannot compose its agent's instructions: %s\n", err.message);
		return;
	}
	shown = output_text(text.data);
	printf("\nwhat its agent reads when it starts:\n\n%s", shown);
	if (cut)
		printf("\n(truncated)\n");
}

static json_t *composed_json(int root, const char *folder)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool cut = false;

	if (read_composed(root, folder, &text, &cut, &err) < 0)
		return json_build("error:s", err.message);
	return json_build("text:v cut:b", view_of_buf(&text), cut);
}

static int run_group_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(agent_session_release) struct agent_session session = {0};
	CLEANUP(buf_release) struct buf senders = BUF_INIT;
	json_t *json;
	json_t *senders_list;
	struct view rest;
	struct view sender;

	if (assistant_look(&assistant, err) < 0 ||
		assistant_group(&assistant, args->words[0], &group, err) < 0 ||
		store_session_get(assistant.store, group.folder, &session, err) < 0 ||
		store_sender_list(assistant.store, group.folder, &senders, err) < 0)
		return -1;
	if (!cli->json) {
		print_group(cli, &group, &session, senders.data);
		print_settings(assistant.project.root, group.folder);
		print_composed(assistant.project.root, group.folder);
		return EXIT_DONE;
	}
	json = group_json(&group);
	json_put(json, "success:b session:s", true, session.id);
	senders_list = json_array();
	rest = view_of(senders.data);
	while (view_next(&rest, '\n', &sender))
		json_array_append_new(senders_list, json_text(sender));
	json_put(json, "allowedSenders:o config:o composed:o", senders_list,
		settings_json(assistant.project.root, group.folder),
		composed_json(assistant.project.root, group.folder));
	output_json(json);
	return EXIT_DONE;
}

COMMAND(group_show) = {
	.name = "group show",
	.summary = "show a group, its session, and what its agent reads",
	.usage = "<group>",
	.description =
		"Ends with the text that the agent reads when it starts, as composed by 'nanoclaw\n"
		"compose': each file under its name, and the group's memory last. Imports in these\n"
		"files are not expanded.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_group_show,
};
