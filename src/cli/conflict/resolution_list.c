#include <errno.h>
#include <stdio.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/table.h"
#include "engine/resolution/resolution_folder.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "proc/log.h"

struct row {
	char *key;
	bool shipped;
	char *fault; /* why it is not used, or NULL */
	struct resolution_meta meta;
};

struct rows {
	struct row *list;
	size_t count;
	size_t cap;
};

static void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->list[i].key);
		free(rows->list[i].fault);
		resolution_meta_release(&rows->list[i].meta);
	}
	free(rows->list);
}

static void resolution_row_add(struct rows *rows, int store, const char *name, bool shipped)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct row *row;

	GROW(rows->list, rows->count, rows->cap);
	row = &rows->list[rows->count++];
	*row = (struct row){.key = xstrdup(name), .shipped = shipped};
	if (resolution_folder_open(store, name, &folder, &faults, &err) < 0 ||
		faults_as_error(&faults, &err) < 0)
		row->fault = xstrdup(err.message);
	row->meta = folder.meta;
	folder.meta = RESOLUTION_META_INIT;
}

static int add_store(const struct project *project, const char *path, bool shipped,
	struct rows *rows, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(closep) int store = -1;

	if (relpath_parse(view_of(path), &folder, err) < 0)
		return -1;
	if (beneath_open_dir(project->root, &folder, &store, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (resolution_names_read(store, false, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++)
		resolution_row_add(rows, store, names.list[i], shipped);
	return 0;
}

/* --- for programs ------------------------------------------------------------ */

static json_t *resolution_row_json(const struct row *row)
{
	const struct resolution_meta *meta = &row->meta;
	json_t *files = json_array(), *skills = json_array();

	for (size_t i = 0; i < meta->count; i++)
		json_array_append_new(files, json_text(relpath_view(&meta->files[i].path)));
	for (size_t i = 0; i < meta->skills.count; i++) {
		CLEANUP(freep) char *text = resolution_skill_text(&meta->skills.list[i]);

		json_add_text(skills, text);
	}
	return json_build("key:s shipped:b files:o skills:o source:s tested:b testPassed:b "
			  "resolvedAt:s coreVersion:s folder:s error:s",
		row->key, row->shipped, files, skills, meta->source, meta->tested,
		meta->tested && meta->test_passed, meta->resolved_at, meta->core_version,
		row->shipped ? RESOLUTIONS_SHIPPED : RESOLUTIONS_OWN, row->fault);
}

/* --- for people -------------------------------------------------------------- */

static const char *tested_text(const struct row *row)
{
	if (row->fault)
		return "-";
	if (!row->meta.tested)
		return "no";
	return row->meta.test_passed ? "yes" : "failed";
}

static void resolution_rows_print(const struct cli *cli, const struct rows *rows)
{
	CLEANUP(table_release) struct table table = {.least = {0, 0, 10}, .right = 1u << 1};

	table_head(&table, "skills", "files", "source", "tested", "date", "whose", NULL);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->list[i];
		CLEANUP(freep) char *key = output_path(row->key);

		table_row(&table);
		table_cell(&table, COLOR_CYAN, "%s", key);
		table_cell(&table, NULL, "%zu", row->meta.count);
		table_cell(&table, NULL, "%s",
			row->meta.source && !row->fault ? row->meta.source : "-");
		table_cell(&table, NULL, "%s", tested_text(row));
		table_cell(&table, NULL, "%.10s",
			row->meta.resolved_at ? row->meta.resolved_at : "-");
		table_cell(&table, NULL, "%s%s", row->shipped ? "shipped" : "own",
			row->fault ? ", not used" : "");
	}
	table_print(&table, cli);
}

static int run_resolution_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(rows_release) struct rows rows = {0};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;

	(void)args;
	if (project_open_reading(&project, &running, err) < 0 ||
		add_store(&project, RESOLUTIONS_OWN, false, &rows, err) < 0 ||
		add_store(&project, RESOLUTIONS_SHIPPED, true, &rows, err) < 0)
		return -1;
	for (size_t i = 0; i < rows.count; i++)
		if (rows.list[i].fault)
			log_warning("'%s' has faults and is not used: 'nanoclaw resolution "
				    "check' shows them",
				rows.list[i].key);
	if (cli->json) {
		json_t *list = json_array();

		for (size_t i = 0; i < rows.count; i++)
			json_array_append_new(list, resolution_row_json(&rows.list[i]));
		output_success("resolutions:o", list);
	} else if (rows.count) {
		resolution_rows_print(cli, &rows);
	} else {
		printf("no resolutions are recorded\n");
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw resolution list", "conflicts that have been resolved before"},
	{0},
};

COMMAND(resolution_list) = {
	.name = "resolution list",
	.summary = "list recorded resolutions",
	.description =
		"Your own are in '.nanoclaw/resolutions', and the project's in '.claude/resolutions'.\n"
		" They are searched first when two skills conflict.",
	.section = SECTION_SKILLS,
	.examples = examples,
	.run = run_resolution_list,
};
