#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "format/json.h"
#include "host/backup/backup.h"
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

static int run_backup(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct backup_request request = {
		.file = args->words[0],
		.with_secrets = arguments_flag(args, "with-secrets"),
		.replace = arguments_flag(args, "force"),
	};
	CLEANUP(freep) char *shown = output_path(request.file);
	CLEANUP(error_release) struct error first = ERROR_INIT;

	if (assistant_find(&assistant, err) < 0)
		return -1;
	request.root = assistant.project.root;
	request.root_path = assistant.project.path;
	if (kept_check_place(request.root, request.root_path, request.file, err) < 0)
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
	else if (kept_note(request.root, request.file, &first) < 0)
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

static const struct option options[] = {
	{0, "with-secrets", NULL, "include all of '.env', not only what is no secret"},
	{0, "force", NULL, "replace an existing file"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw backup ~/nanoclaw-monday.tar.gz", "works while the host runs"},
	{0},
};

COMMAND(backup) = {
	.name = "backup",
	.summary = "save the whole assistant in one file",
	.usage = "<file>",
	.description =
		"The file is a tar archive that only you can read. It contains the store, the\n"
		"groups' folders and the agents' data, and begins with a list of checksums. The\n"
		"host can keep running: the store is copied as of one moment. Of the settings in\n"
		"'.env', those that may be secrets are in the archive by name only, unless you use\n"
		"'--with-secrets'. Logs are left out.\n"
		"\n"
		"'nanoclaw restore FILE' restores it; see docs/backup.md.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_backup,
};
