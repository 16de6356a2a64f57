#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "host/backup/restore.h"
#include "host/backup/restore_switch.h"
#include "host/base/lock.h"
#include "proc/log.h"

/* What the restore has set in .env, and names in the backup that it still lacks. */
static int settings_compare(const struct assistant *assistant,
	const struct backup_manifest *manifest, json_t *set, json_t *missing, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;

	if (settings_read(assistant->project.root, &settings, err) < 0)
		return -1;
	for (size_t i = 0; i < manifest->settings.count; i++) {
		const char *name = manifest->settings.list[i];

		if (!settings_find(&settings, name))
			json_add_text(missing, name);
		else if (!settings_find(&assistant->settings, name))
			json_add_text(set, name);
	}
	return 0;
}

static int restore_and_print(
	const struct cli *cli, struct assistant *assistant, const char *file, struct error *err)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(error_release) struct error unreadable = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *missing = json_array();
	CLEANUP(json_decrefp) json_t *set = json_array();
	struct restore_request request = {.root = assistant->project.root,
		.root_path = assistant->project.path,
		.file = file};
	CLEANUP(freep) char *shown = output_path(file);
	char created[LOCAL_TIME_SIZE];
	json_t *name;
	size_t i;

	if (restore_file(&request, &manifest, err) < 0)
		return -1;
	if (settings_compare(assistant, &manifest, set, missing, &unreadable) < 0)
		log_warning("%s", unreadable.message);
	json_array_foreach(set, i, name)
		log_note("'.env' has %s again", json_string_value(name));
	json_array_foreach(missing, i, name)
		log_warning("'.env' has no %s, which was set when the backup was made",
			json_string_value(name));
	local_time(manifest.created, created);
	if (cli->json)
		output_success("file:s version:s created:s schema:i members:i settings:O "
			       "missingSettings:O before:s",
			file, manifest.version, manifest.created, manifest.schema,
			(int)manifest.count, set, missing, RESTORE_BEFORE);
	else
		printf("restored from '%s' of %.*s\nthe old data is in '%s'; "
		       "'nanoclaw restore --undo' swaps it back\n",
			shown, LOCAL_SECONDS, created, RESTORE_BEFORE);
	return EXIT_DONE;
}

static int restore_take_back(
	const struct cli *cli, struct assistant *assistant, struct error *err)
{
	if (restore_undo(assistant->project.root, err) < 0)
		return -1;
	if (cli->json)
		output_success("undone:b", true);
	else
		printf("swapped with the data in '%s'; 'nanoclaw restore --undo' again swaps "
		       "back\n",
			RESTORE_BEFORE);
	return EXIT_DONE;
}

static int run_restore(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(closep) int lock = -1;
	bool back = arguments_flag(args, "undo");

	if (args->count + (back ? 1 : 0) != 1) {
		error_set(err, ERROR_INVALID, "name either a file or '--undo'");
		return error_hint(err, "see 'nanoclaw restore --help'");
	}
	if (assistant_find(&assistant, err) < 0 ||
		assistant_take_alone(&assistant, "a restore", err) < 0 ||
		lock_take_backup(assistant.project.root, &lock, err) < 0)
		return -1;
	return back ? restore_take_back(cli, &assistant, err)
		    : restore_and_print(cli, &assistant, args->words[0], err);
}

static const struct option options[] = {
	{0, "undo", NULL, "swap back the data that the last restore replaced"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw restore ~/nanoclaw-monday.tar.gz", "the assistant as of then"},
	{"nanoclaw restore --undo", "take the restore back"},
	{0},
};

COMMAND(restore) = {
	.name = "restore",
	.summary = "restore the assistant from a backup",
	.usage = "(<file> | --undo)",
	.description =
		"The file comes from 'nanoclaw backup'. Everything is checked before anything is\n"
		"replaced: the list, every checksum, the store. Then the store, 'groups' and 'data'\n"
		"are replaced together; after a crash, the next command finishes this. The old data\n"
		"is in 'store/restore/before', and '--undo' restores it.\n"
		"\n"
		"The host must not be running (exit code 4). A setting in '.env' is never\n"
		"changed: those that it lacks are added, and the command lists them, and the names\n"
		"of those that the backup does not have.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_restore,
};
