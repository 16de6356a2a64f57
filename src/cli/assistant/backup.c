#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "format/json.h"
#include "host/backup/backup.h"
#include "host/backup/backups.h"
#include "host/backup/kept.h"
#include "proc/log.h"

static int may_replace(const struct cli *cli, const char *file, struct error *err)
{
	CLEANUP(freep) char *path = output_path(file);
	CLEANUP(freep) char *question = xasprintf("'%s' already exists.", path);

	if (!cli->interactive && !cli->yes) {
		error_set(err, ERROR_INVALID, "'%s' already exists", path);
		return error_hint(err, "choose another name, or replace it with '--force'");
	}
	return prompt_loss(cli, question, "replace it", path, "", err);
}

static size_t count_kind(const struct backup_manifest *manifest, enum tar_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < manifest->count; i++)
		count += manifest->entries[i].kind == kind;
	return count;
}

static json_t *backup_json(
	const char *file, const struct backup_result *result, bool with_secrets)
{
	const struct backup_manifest *manifest = &result->manifest;
	json_t *omissions = json_array();

	for (size_t i = 0; i < result->omission_count; i++)
		json_add(omissions, "path:s reason:s", result->omissions[i].path,
			result->omissions[i].reason);
	return json_build("success:b file:s version:s created:s schema:i files:i links:i "
			  "bytes:f size:f secrets:b settings:o leftOut:o fault:S",
		true, file, manifest->version, manifest->created, manifest->schema,
		(int)count_kind(manifest, TAR_FILE), (int)count_kind(manifest, TAR_LINK),
		(double)backup_manifest_bytes(manifest), (double)result->size, with_secrets,
		json_strings(&manifest->settings), omissions, result->fault);
}

/* --- backups that the host makes --------------------------------------------- */

static int print_plan(const struct cli *cli, const struct project *project, struct error *err)
{
	CLEANUP(json_decrefp) json_t *plan = NULL;
	char next[LOCAL_TIME_SIZE], last[LOCAL_TIME_SIZE];
	json_t *file;
	size_t i;

	if (backups_read(project->root, &plan, err) < 0)
		return -1;
	local_time(json_member(plan, "next"), next);
	local_time(json_member(plan, "last"), last);
	if (cli->json) {
		output_success("plan:o", plan ? json_incref(plan) : json_null());
	} else if (!plan) {
		printf("no backups are planned; 'nanoclaw backup --every day' plans them\n");
	} else {
		CLEANUP(freep) char *folder = output_path(json_member(plan, "folder"));

		printf("every %s into '%s'; %d are kept\nlast, and proved: %.*s\nnext: %.*s\n",
			json_member(plan, "every"), folder,
			(int)json_number_value(json_object_get(plan, "keep")), LOCAL_SECONDS,
			*last ? last : "none", LOCAL_SECONDS, next);
		if (*json_member(plan, "error"))
			printf("failed: %s\n", json_member(plan, "error"));
		if (*json_member(plan, "leftOut"))
			printf("lacks: %s\n", json_member(plan, "leftOut"));
		json_array_foreach(json_object_get(plan, "files"), i, file)
			if (json_object_get(file, "size"))
				printf("  %s\n", json_member(file, "name"));
	}
	return EXIT_DONE;
}

static int run_plan(const struct cli *cli, const struct arguments *args,
	const struct project *project, struct error *err)
{
	CLEANUP(json_decrefp) json_t *request = host_request(args, "schedule_backups", NULL);
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *path = args->count ? realpath(args->words[0], NULL) : NULL;
	CLEANUP(freep) char *file = xasprintf("%s/" BACKUPS_FOLDER "/", project->path);
	int64_t keep = BACKUPS_KEEP;
	struct stat st;

	if (args->count && (!path || stat(path, &st) < 0))
		return quote_errno_typed(err, "open", args->words[0]);
	if (path && !S_ISDIR(st.st_mode))
		return error_set(err, ERROR_INVALID, "'%s' is not a folder", path);
	if (!strcmp(arguments_value(args, "every"), "never")) {
		if (backups_set(project->root, "never", keep, "", false, 0, err) < 0)
			return -1;
		if (!cli->json) {
			printf("no more backups are made; those that there are stay\n");
			return EXIT_DONE;
		}
		return print_plan(cli, project, err);
	}
	if (path) {
		free(file);
		file = xasprintf("%s/", path);
		json_put(request, "folder:s", path);
	}
	if (arguments_number(args, "keep", 1, 10000, &keep, err) < 0)
		return -1;
	json_put(request, "keep:I", keep);
	if (kept_check_place(project->root, project->path, file, err) < 0 ||
		host_call(TAKE(request), &reply, err) < 0)
		return -1;
	return print_plan(cli, project, err);
}

/* In the child of a host. */
static int run_planned(const struct project *project, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;

	if (backups_make(project->root, project->path, &reply, err) < 0)
		return -1;
	output_json(TAKE(reply));
	return EXIT_DONE;
}

/* --- a backup ---------------------------------------------------------------- */

static const struct option options[] = {
	{0, "with-secrets", NULL, "include all of '.env', not only what is no secret",
		.of = "secrets"},
	{0, "force", NULL, "replace an existing file"},
	{0, "prove", NULL, "restore it on trial before it gets its name"},
	{0, "every", "TIME", "let the host make them: day, week, 6h; 'never' ends it"},
	{0, "keep", "NUMBER", "how many of these are kept (7)"},
	{0, "planned", NULL, "make the one that is planned now; for the host"},
	{0, "list", NULL, "show when the host makes them, and those that it keeps"},
	{0},
};

/* What is ignored would be missed on the day of the restore. */
static int check_options(const struct arguments *args, struct error *err)
{
	static const struct {
		const char *mode, *takes;
		size_t words;
	} modes[] = {{"every", "keep with-secrets", 1}, {"list", "", 0}, {"planned", "", 0},
		{"", "with-secrets force prove", 1}};
	size_t mode = 0;

	while (*modes[mode].mode && !arguments_value(args, modes[mode].mode) &&
		!arguments_flag(args, modes[mode].mode))
		mode++;
	for (const struct option *o = options; o->name; o++)
		if (arguments_find(args, o) && strcmp(o->name, modes[mode].mode) != 0 &&
			!strstr(modes[mode].takes, o->name))
			return error_set(err, ERROR_INVALID,
				*modes[mode].mode ? "'--%s' does not go with '--%s'"
						  : "'--%s' needs '--every'",
				o->name, modes[mode].mode);
	if (args->count > modes[mode].words)
		return error_set(err, ERROR_INVALID, "'--%s' takes no file", modes[mode].mode);
	return 0;
}

/* 'backup' has none, and would write a file of that name. */
static int refuse_subcommand(const char *word, struct error *err)
{
	static const char *const words[] = {
		"add", "create", "help", "list", "make", "new", "now", "run", "save"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i])) {
			error_set(err, ERROR_INVALID,
				"'backup' takes the name of a file, not '%s'", word);
			return error_hint(err,
				"such as 'nanoclaw backup %s.tar.gz'; '--list' lists those that "
				"the host makes",
				word);
		}
	return 0;
}

static int run_backup(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct backup_request request = {
		.file = args->count ? args->words[0] : "",
		.with_secrets = arguments_flag(args, "with-secrets"),
		.replace = arguments_flag(args, "force"),
		.prove = arguments_flag(args, "prove"),
	};
	CLEANUP(freep) char *shown = output_path(request.file);
	CLEANUP(error_release) struct error first = ERROR_INIT;

	if (check_options(args, err) < 0 || assistant_find(&assistant, err) < 0)
		return -1;
	request.root = assistant.project.root;
	request.root_path = assistant.project.path;
	if (arguments_value(args, "every"))
		return run_plan(cli, args, &assistant.project, err);
	if (arguments_flag(args, "planned"))
		return run_planned(&assistant.project, err);
	if (arguments_flag(args, "list"))
		return print_plan(cli, &assistant.project, err);
	if (!args->count) {
		error_set(err, ERROR_INVALID, "'backup' needs <file>, or '--every'");
		return error_hint(err, "see 'nanoclaw backup --help'");
	}
	if (refuse_subcommand(request.file, err) < 0 ||
		kept_check_place(request.root, request.root_path, request.file, err) < 0)
		return -1;
	if (backup_make(&request, &result, &first) < 0) {
		if (first.errnum != EEXIST)
			return error_move(err, &first);
		error_clear(&first);
		if (may_replace(cli, request.file, err) < 0)
			return -1;
		request.replace = true;
		if (backup_make(&request, &result, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < result.omission_count; i++) {
		CLEANUP(freep) char *path = output_path(result.omissions[i].path);

		log_note("left out '%s': %s", path, result.omissions[i].reason);
	}
	if (result.fault)
		log_warning("'nanoclaw restore' refuses it as it is: %s", result.fault);
	if (kept_note(request.root, request.file, result.fault != NULL, &first) < 0)
		log_warning("'nanoclaw doctor' will not name it: %s", first.message);
	if (cli->json) {
		output_json(backup_json(request.file, &result, request.with_secrets));
		return EXIT_DONE;
	}
	printf("'%s' holds %zu files, %" PRIu64 " KiB in %" PRIu64 " KiB\n", shown,
		count_kind(&result.manifest, TAR_FILE),
		(backup_manifest_bytes(&result.manifest) + 1023) / 1024,
		(result.size + 1023) / 1024);
	if (result.withheld)
		printf("settings that may be secrets are in it by name only; "
		       "'--with-secrets' includes them\n");
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw backup ~/nanoclaw-monday.tar.gz", "works while the host runs"},
	{"nanoclaw backup --every day --keep 7 /mnt/disk/nanoclaw",
		"the host makes and proves one each day"},
	{0},
};

COMMAND(backup) = {
	.name = "backup",
	.summary = "save the whole assistant in one file",
	.usage = "(<file> | --every <time> [<folder>] | --list)",
	.description =
		"The file is a tar archive that only you can read. It contains the store, the\n"
		"groups' folders and the agents' data, and begins with a list of checksums. The\n"
		"host can keep running: the store is copied as of one moment. Of the settings in\n"
		"'.env', those that may be secrets are in the archive by name only, unless you use\n"
		"'--with-secrets'. Logs are left out.\n"
		"\n"
		"With '--every', the host makes one now, and then regularly, also in place of one\n"
		"that was missed. Each is restored on trial before it counts and the oldest goes.\n"
		"They are in FOLDER, best on another disk, or else in 'store/backups'.\n"
		"\n"
		"'nanoclaw restore FILE' restores one; see docs/backup.md.",
	.operation = "schedule_backups",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_backup,
};
