#include <errno.h>
#include <stdio.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "db/snapshot.h"
#include "format/json.h"
#include "fs/scratch.h"
#include "fs/sys.h"
#include "host/import/import.h"

static json_t *import_json(const struct import_result *result, bool dry_run)
{
	const struct v1_report *report = &result->report;
	json_t *omissions = json_array();

	for (size_t i = 0; i < report->omission_count; i++)
		json_add(omissions, "what:s reason:s", report->omissions[i].what,
			report->omissions[i].reason);
	return json_build("success:b dryRun:b groups:i chats:i messages:i tasks:i runs:i "
			  "files:i settings:i missingSettings:o leftOut:o",
		true, dry_run, (int)report->groups, (int)report->chats, (int)report->messages,
		(int)report->tasks, (int)report->runs, (int)report->files,
		(int)report->settings, json_strings(&result->missing), omissions);
}

static void print_import(const struct import_result *result, bool dry_run)
{
	const struct v1_report *report = &result->report;

	printf("%s: groups %zu, chats %zu, messages %zu, tasks %zu, runs %zu, files %zu, "
	       "settings %zu\n",
		dry_run ? "would be imported" : "taken", report->groups, report->chats,
		report->messages, report->tasks, report->runs, report->files, report->settings);
	for (size_t i = 0; i < report->omission_count; i++) {
		CLEANUP(freep) char *what = output_first_line(report->omissions[i].what);
		CLEANUP(freep) char *reason = output_first_line(report->omissions[i].reason);

		printf("left out: %s: %s\n", what, reason);
	}
	for (size_t i = 0; i < result->missing.count && !report->settings; i++)
		printf("not set here: %s\n", result->missing.list[i]);
}

static int import_and_print(
	const struct cli *cli, const struct import_request *request, struct error *err)
{
	CLEANUP(import_result_clear) struct import_result result = IMPORT_RESULT_EMPTY;

	if (import_v1(request, &result, err) < 0)
		return -1;
	if (cli->json)
		output_json(import_json(&result, request->dry_run));
	else
		print_import(&result, request->dry_run);
	return EXIT_DONE;
}

/* --- dry run --------------------------------------------------------------- */

/* A copy of the store here, or a new one, in a temporary folder. */
static int open_trial(const struct assistant *assistant, const struct scratch *scratch,
	struct store **ret_store, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(freep)
	char *path = xasprintf("%s/%s/%s", scratch->path, STORE_FOLDER, STORE_FILE);
	struct registry registry = {
		.root = scratch->fd, .assistant = settings_assistant(&assistant->settings)};
	int version;

	if (sys.mkdir(scratch->fd, STORE_FOLDER, 0700) < 0)
		return error_errno(err, "cannot make '%s/%s'", scratch->path, STORE_FOLDER);
	if (store_snapshot(assistant->project.path, path, &version, &missing) < 0 &&
		missing.errnum != ENOENT) {
		return error_move(err, &missing);
	}
	if (store_open(scratch->path, STORE_WRITE, ret_store, err) < 0)
		return -1;
	registry.store = *ret_store;
	return registry_ensure_main(&registry, err);
}

static int import_dry_run(const struct cli *cli, struct assistant *assistant,
	struct import_request *request, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct store *store = NULL;
	struct scratch scratch;
	int result;

	if (scratch_make("nanoclaw-import-", &scratch, err) < 0)
		return -1;
	result = open_trial(assistant, &scratch, &store, err);
	request->store = store;
	if (result == 0)
		result = import_and_print(cli, request, err);
	store_free(store);
	scratch_remove(&scratch, &ignored);
	return result;
}

/* --- import ---------------------------------------------------------------- */

static int import_into_store(const struct cli *cli, struct assistant *assistant,
	struct import_request *request, struct error *err)
{
	struct registry registry;

	if (assistant_take_alone(assistant, "an import", err) < 0 ||
		store_open(assistant->project.path, STORE_WRITE, &assistant->store, err) < 0)
		return -1;
	registry = assistant_registry(assistant);
	if (registry_finish_removals(&registry, err) < 0 ||
		registry_ensure_main(&registry, err) < 0)
		return -1;
	request->store = assistant->store;
	return import_and_print(cli, request, err);
}

static int run_import(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct import_request request = {
		.from = args->words[0],
		.with_secrets = arguments_flag(args, "with-secrets"),
		.dry_run = arguments_flag(args, "dry-run"),
	};

	if (assistant_find(&assistant, err) < 0 || import_check_source(request.from, err) < 0)
		return -1;
	request.root = assistant.project.root;
	request.settings = &assistant.settings;
	return request.dry_run ? import_dry_run(cli, &assistant, &request, err)
			       : import_into_store(cli, &assistant, &request, err);
}

static const struct option options[] = {
	{0, "dry-run", NULL, "only show what would be imported"},
	{0, "with-secrets", NULL, "also add values from its '.env' that are not set here"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw import ~/old-nanoclaw --dry-run", "show what would be imported"},
	{"nanoclaw import ~/old-nanoclaw", "import it; the old folder is not changed"},
	{0},
};

COMMAND(import) = {
	.name = "import",
	.summary = "import a TypeScript NanoClaw v1",
	.usage = "<folder>",
	.description =
		"Imports groups, chats, messages and tasks from its database, the groups' folders\n"
		"with their memory, and Claude's own memory. Lists what it imported and what it\n"
		"left out, with the reason. The old folder is not changed. Imported messages are\n"
		"not answered. Repeating the import adds only what is new.\n"
		"\n"
		"The host must not be running (exit code 4). If a group here has the same folder\n"
		"and another chat, the exit code is 2 and nothing is imported. See docs/backup.md.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_import,
};
