#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channels/bridge/config.h"
#include "cli/channel/templates.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "engine/disk/project.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/tree.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "proc/process.h"

static const struct language {
	const char *name;
	const char *program;
	const char *bridge;
	const char *runner; /* of its test */
	const char *test;
} languages[] = {
	{"python", "python3", "bridge.py", "python3", "test.py"},
	{"node", "node", "bridge.mjs", "node --test", "test.mjs"},
	{"sh", "sh", "bridge.sh", "sh", "test.sh"},
};

static int language_find(const struct cli *cli, const char *name,
	const struct language **ret_language, struct error *err)
{
	static const char *const choices[] = {"Python", "JavaScript (Node.js)", "shell script"};
	struct ask ask = prompt_for(cli);
	int choice;

	for (size_t i = 0; name && i < ARRAY_SIZE(languages); i++)
		if (!strcmp(languages[i].name, name)) {
			*ret_language = &languages[i];
			return 0;
		}
	if (name) {
		error_set(err, ERROR_INVALID, "there is no template in '%s'", name);
		return error_hint(err, "'--language' takes python, node or sh; "
				       "docs/bridge-protocol.md explains the protocol");
	}
	if (!cli->interactive && !cli->yes) {
		error_set(err, ERROR_INVALID, "the language of the bridge is missing");
		return error_hint(err, "add '--language python', 'node' or 'sh'");
	}
	choice = ask.choose(ask.data, "Which language?", choices, ARRAY_SIZE(choices), 0, err);
	if (choice < 0)
		return -1;
	*ret_language = &languages[choice];
	return 0;
}

static int bridge_name_check(int root, const char *name, struct error *err)
{
	CLEANUP(freep) char *json = xasprintf(BRIDGE_FOLDER "/%s.json", name);
	CLEANUP(freep) char *folder = xasprintf(BRIDGE_FOLDER "/%s", name);
	const char *taken = NULL;

	if (group_check_folder(name, err) < 0 || !strcmp(name, "local")) {
		error_clear(err);
		error_set(err, ERROR_INVALID, "'%s' cannot be the name of a bridge", name);
		return error_hint(err,
			"use up to 64 letters, digits, '-' and '_', and neither 'local' nor 'global'");
	}
	if (faccessat(root, json, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		taken = json;
	if (faccessat(root, folder, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		taken = folder;
	if (!taken)
		return 0;
	error_set(err, ERROR_INVALID, "'%s' exists already", taken);
	return error_hint(err, "choose another name; nothing is overwritten");
}

static int project_file_write(
	int root, const char *name, struct view content, mode_t mode, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE | BENEATH_SYNC, &parent, err) <
			0)
		return -1;
	return replace_file(parent, relpath_base(&path), content, mode, NULL, REPLACE_NEW, err);
}

/* The template with the bridge's name in it. */
static void template_fill(
	const struct bridge_template *template, const char *name, struct buf *ret_text)
{
	struct view rest = {(const char *)template->content, template->len};
	const char *mark;

	while ((mark = memmem(rest.data, rest.len, "@NAME@", 6))) {
		size_t len = (size_t)(mark - rest.data);

		buf_append(ret_text, rest.data, len);
		buf_append_str(ret_text, name);
		rest = view_slice(rest, len + 6, rest.len);
	}
	buf_append(ret_text, rest.data, rest.len);
}

/* bridges/NAME.json comes last: with it the host starts the bridge. */
static int bridge_write(int root, const char *name, const struct language *language,
	json_t *files, struct error *err)
{
	CLEANUP(freep)
	char *program = xasprintf(BRIDGE_FOLDER "/%s/%s", name, language->bridge);
	CLEANUP(freep) char *config = xasprintf(BRIDGE_FOLDER "/%s.json", name);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp)
	json_t *json = json_pack("{s:[s, s], s:[], s:[o]}", "command", language->program,
		program, "env", "jids", json_sprintf("%s:*", name));

	for (const struct bridge_template *t = bridge_templates; t->path; t++) {
		size_t len = strlen(language->name);
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		CLEANUP(freep) char *path = NULL;

		if (strncmp(t->path, language->name, len) != 0 || t->path[len] != '/')
			continue;
		path = xasprintf(BRIDGE_FOLDER "/%s%s", name, t->path + len);
		template_fill(t, name, &content);
		if (project_file_write(root, path, view_of_buf(&content), t->mode, err) < 0)
			return -1;
		json_array_append_new(files, json_string(path));
	}
	json_write_npm(json, &JSON_STYLE_DEFAULT, &text);
	if (project_file_write(root, config, view_of_buf(&text), 0644, err) < 0)
		return -1;
	json_array_append_new(files, json_string(config));
	return 0;
}

static void bridge_unwrite(int root, const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *folder = xasprintf(BRIDGE_FOLDER "/%s", name);

	tree_remove(root, folder, &ignored);
	tree_remove_empty(root, BRIDGE_FOLDER, &ignored);
}

static void print_created(
	const char *name, const struct language *language, const json_t *files)
{
	json_t *file;
	size_t i;

	json_array_foreach(files, i, file)
		printf("created %s\n", json_string_value(file));
	printf("\nIt works as it is: its platform is the folder 'data/bridges/%s', until you\n"
	       "replace the part of '%s' that says so.\n\nNext:\n",
		name, language->bridge);
	printf("  %s bridges/%s/%s\n", language->runner, name, language->test);
	printf("  nanoclaw channel check %s --chat %s:1\n", name, name);
	printf("  nanoclaw group add %s:1 %s\n", name, name);
	printf("  nanoclaw start             (or 'nanoclaw restart', if it runs)\n");
	printf("  echo 'alice: hello' >>data/bridges/%s/inbox\n", name);
	printf("  cat data/bridges/%s/outbox\n", name);
}

static int run_channel_new(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(json_decrefp) json_t *files = json_array();
	CLEANUP(freep) char *found = NULL;
	const struct language *language = NULL;
	const char *name = args->words[0];

	if (project_open(&project, err) < 0 || bridge_name_check(project.root, name, err) < 0 ||
		language_find(cli, arguments_value(args, "language"), &language, err) < 0)
		return -1;
	if (bridge_write(project.root, name, language, files, err) < 0) {
		bridge_unwrite(project.root, name);
		return error_prefix(err, "cannot create the bridge");
	}
	found = process_find(language->program);
	if (!found)
		log_warning("'%s' is not installed here", language->program);
	if (cli->json)
		output_json(json_pack("{s:b, s:s, s:s, s:O}", "success", true, "name", name,
			"language", language->name, "files", files));
	else if (!cli->quiet)
		print_created(name, language, files);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "language", "python|node|sh", "its language; asked for on a terminal"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw channel new matrix --language python",
		"bridges/matrix.json, and bridges/matrix/ with the program and its tests"},
	{0},
};

COMMAND(channel_new) = {
	.name = "channel new",
	.summary = "create a bridge to a chat app, with tests",
	.usage = "<name>",
	.description =
		"A bridge is a program that connects the host to a chat platform\n"
		"(docs/bridge-protocol.md). The new one works at once: its platform is a folder with\n"
		"the files 'inbox' and 'outbox'. Replace that part with calls to your platform; the\n"
		"rest is the protocol. Existing files are never overwritten.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run_channel_new,
};
