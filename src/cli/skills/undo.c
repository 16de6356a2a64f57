#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "cli/table.h"
#include "engine/commit/pending.h"
#include "engine/operation/undo.h"
#include "proc/log.h"

#define COUNT_MAX 10000

static const struct option options[] = {
	{0, "list", NULL, "list operations that can be undone, newest first, and redone"},
	{0, "dry-run", NULL, "show what would change"},
	{0, "set-aside", NULL, "move files edited since then to .nanoclaw/kept"},
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

static const struct option redo_options[] = {
	{0, "dry-run", NULL, "show what would change"},
	{0, "set-aside", NULL, "move files edited since then to .nanoclaw/kept"},
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

#define HISTORY_TABLE ((struct table){.least = {3, 0, 9, 8}, .right = 1u << 0 | 1u << 3})

/* --- the list ----------------------------------------------------------------------------- */

static json_t *entry_json(const struct history_entry *entry)
{
	return json_build("number:I operation:s finishedAt:s skills:o files:I bytes:I",
		(json_int_t)entry->number, entry->operation, entry->finished_at,
		json_strings(&entry->skills), entry->files, entry->bytes);
}

/* "skill apply smile, tidy", to be freed. */
static char *entry_text(const struct history_entry *entry)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *operation = output_first_line(entry->operation);

	buf_append_str(&text, operation);
	for (size_t i = 0; i < entry->skills.count; i++) {
		CLEANUP(freep) char *skill = output_first_line(entry->skills.list[i]);

		buf_appendf(&text, "%s%s", i ? ", " : " ", skill);
	}
	return buf_take(&text);
}

static char *size_text(uint64_t bytes)
{
	static const char *const units[] = {"KB", "MB", "GB"};
	double size = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024)
		return xasprintf("%" PRIu64 " B", bytes);
	for (; size >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		size /= 1024;
	return xasprintf("%.1f %s", size, units[unit]);
}

static void entry_add(struct table *table, const struct history_entry *entry)
{
	CLEANUP(freep) char *date = output_first_line(entry->finished_at);
	CLEANUP(freep) char *size = size_text(entry->bytes);
	CLEANUP(freep) char *text = entry_text(entry);

	if (strlen(date) > 16 && date[10] == 'T')
		date[10] = ' ';
	table_row(table);
	table_cell(table, COLOR_CYAN, "%u", entry->number);
	table_cell(table, NULL, "%.16s", date);
	table_cell(table, NULL, "%3" PRIu64 " %s", entry->files,
		entry->files == 1 ? "file " : "files");
	table_cell(table, NULL, "%s", size);
	table_cell(table, NULL, "%s", text);
}

static int history_show(struct cli *cli, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(history_release) struct history history = HISTORY_INIT;
	CLEANUP(history_release) struct history redo = HISTORY_INIT;
	json_t *entries, *undone;
	bool running;

	if (project_open_reading(&project, &running, err) < 0 ||
		history_load(&project, &history, err) < 0 ||
		history_load_redo(&project, &redo, err) < 0)
		return -1;
	if (!cli->json) {
		CLEANUP(table_release) struct table table = HISTORY_TABLE;

		for (size_t i = history.count; i > 0; i--)
			entry_add(&table, &history.entries[i - 1]);
		table_print(&table, cli);
		if (!history.count)
			printf("there is nothing to undo\n");
		/* One undo after the other, as 'redo' restores them. */
		for (size_t i = 0, end; i < redo.count; i = end) {
			CLEANUP(table_release) struct table undo = HISTORY_TABLE;

			for (end = i; end < redo.count &&
				      redo.entries[end].step == redo.entries[i].step;
				end++)
				entry_add(&undo, &redo.entries[end]);
			printf("%s\n", i ? "and then:" : "'nanoclaw redo' restores:");
			table_print(&undo, cli);
		}
		return EXIT_DONE;
	}
	entries = json_array();
	for (size_t i = history.count; i > 0; i--)
		json_array_append_new(entries, entry_json(&history.entries[i - 1]));
	undone = json_array();
	for (size_t i = 0; i < redo.count; i++) {
		json_t *entry = entry_json(&redo.entries[i]);

		json_put(entry, "step:o", json_integer(redo.entries[i].step));
		json_array_append_new(undone, entry);
	}
	output_success("history:o redo:o", entries, undone);
	return EXIT_DONE;
}

/* --- undo and redo -------------------------------------------------------------------------- */

static json_t *operations_json(const struct history *entries)
{
	json_t *list = json_array();

	for (size_t i = 0; i < entries->count; i++) {
		const struct history_entry *entry = &entries->entries[i];

		json_add(list, "number:I operation:s skills:o", (json_int_t)entry->number,
			entry->operation, json_strings(&entry->skills));
	}
	return list;
}

/* `verb` is "undo" or "redo", and `done` "undone" or "redone". */
static int undo_show(const struct cli *cli, const struct undo_result *result, bool dry_run,
	const char *verb, const char *done)
{
	const struct history_entry *first = &result->entries.entries[0];

	apply_output_warnings(&result->told);
	for (size_t i = 0; i < result->file_count; i++)
		if (result->files[i].kept)
			log_warning("your version of '%s' %s kept in '%s'",
				result->files[i].path, dry_run ? "would be" : "is",
				result->files[i].kept);
	if (cli->json) {
		json_t *files = json_array();

		for (size_t i = 0; i < result->file_count; i++) {
			const struct undo_file *file = &result->files[i];

			json_add(files, "path:s effect:s kept:S", file->path,
				undo_effect_names[file->effect], file->kept);
		}
		output_success("dryRun:b number:I operation:s skills:o operations:o files:o "
			       "testsRun:I commands:o",
			dry_run, (json_int_t)first->number, first->operation,
			json_strings(&first->skills), operations_json(&result->entries), files,
			result->told.tests_run, apply_output_commands_json(&result->told));
		return EXIT_DONE;
	}
	if (cli->quiet)
		return EXIT_DONE;
	for (size_t i = 0; i < result->entries.count; i++) {
		CLEANUP(freep) char *text = entry_text(&result->entries.entries[i]);

		if (dry_run)
			printf("would %s '%s'\n", verb, text);
		else
			printf("'%s' is %s\n", text, done);
	}
	for (size_t i = 0; i < result->file_count; i++) {
		CLEANUP(freep) char *path = output_path(result->files[i].path);

		printf("  %-9s %s\n", undo_effect_names[result->files[i].effect], path);
	}
	if (dry_run)
		apply_output_commands(&result->told);
	return EXIT_DONE;
}

/* For programs, beside the error. */
static void undo_report_failure(struct cli *cli, const struct undo_result *result)
{
	json_t *changed = json_array();

	apply_output_warnings(&result->told);
	for (size_t i = 0; i < result->changed_count; i++)
		json_add_text(changed, result->changed[i].path);
	cli->failure = json_build("untrackedChanges:o", changed);
}

static int run_undo(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(undo_result_release) struct undo_result result = UNDO_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;
	const char *text = args->count ? args->words[0] : "1";
	unsigned long count = strtoul(text, NULL, 10);

	if (text[strspn(text, "0123456789")] || strlen(text) > 9 || !count || count > COUNT_MAX)
		return error_set(err, ERROR_INVALID,
			"'%s' is not a number of operations from 1 to %d", text, COUNT_MAX);
	if (arguments_flag(args, "list"))
		return history_show(cli, err);
	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_locked(&project, false, err) < 0 ||
		pending_refuse(&project, err) < 0)
		return -1;
	if (undo_last(&project, count, &how, arguments_flag(args, "set-aside"), &result, err) <
		0) {
		undo_report_failure(cli, &result);
		return -1;
	}
	return undo_show(cli, &result, how.dry_run, "undo", "undone");
}

static int run_redo(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(undo_result_release) struct undo_result result = UNDO_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_locked(&project, false, err) < 0 ||
		pending_refuse(&project, err) < 0)
		return -1;
	if (redo_last(&project, &how, arguments_flag(args, "set-aside"), &result, err) < 0) {
		undo_report_failure(cli, &result);
		return -1;
	}
	return undo_show(cli, &result, how.dry_run, "redo", "redone");
}

static const struct example examples[] = {
	{"nanoclaw undo --list", "what can be undone and redone, with date and size"},
	{"nanoclaw undo", "the last operation; run it again for the one before"},
	{"nanoclaw undo 3", "the last three operations, all or none"},
	{0},
};

static const struct example redo_examples[] = {
	{"nanoclaw redo", "the last undo; run it again for the one before"},
	{0},
};

COMMAND(undo) = {
	.name = "undo",
	.summary = "take back the last finished operation",
	.usage = "[<count>]",
	.description =
		"Restores the content, permissions and times of every file that the operation\n"
		"changed. Then the tests of all applied skills run; if one fails, nothing is\n"
		"undone. With a number, takes back that many operations in one go, all or none.\n"
		"'nanoclaw redo' takes an undo back.\n"
		"\n"
		"If a file was edited since, nothing is undone. With --set-aside, your version is\n"
		"saved in .nanoclaw/kept.\n"
		"\n"
		"NANOCLAW_HISTORY_ENTRIES limits the number of operations that are kept (20; 0\n"
		"keeps none), and NANOCLAW_HISTORY_MEGABYTES the size of the saved files (256).",
	.section = SECTION_SKILLS,
	.first = 10,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.run = run_undo,
	.after = rebuild_offer,
};

COMMAND(redo) = {
	.name = "redo",
	.summary = "take back the last undo",
	.description =
		"Restores every file as it was before the undo, and the undone operations are in\n"
		"the history again. Then the tests of all applied skills run; if one fails,\n"
		"nothing is redone. Several undos are redone one by one, the last first.\n"
		"\n"
		"A redo is possible until another operation runs. If a file was edited since the\n"
		"undo, nothing is redone. With --set-aside, your version is saved in\n"
		".nanoclaw/kept. An undo of the first operation cannot be redone.",
	.section = SECTION_SKILLS,
	.options = redo_options,
	.examples = redo_examples,
	.run = run_redo,
	.after = rebuild_offer,
};
