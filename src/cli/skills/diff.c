#include <stdio.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/skills/attribution_output.h"
#include "engine/look/compare.h"
#include "format/json.h"
#include "proc/log.h"

/* --- for programs --------------------------------------------------------------------- */

static const char *change_name(const struct comparison *c, const struct patch *part)
{
	const struct patch_change *change = &part->changes[0];

	if (part->count > 1)
		return drift_change_names[DRIFT_TYPE];
	if (patch_is_rename(change))
		return "renamed";
	if (change->old.kind == PATCH_ABSENT)
		return recorded_find(&c->recorded, relpath_view(&change->new.path))
			       ? drift_change_names[DRIFT_APPEARED]
			       : "new";
	if (change->new.kind == PATCH_ABSENT)
		return drift_change_names[DRIFT_DELETED];
	if (change->new.kind == PATCH_SYMLINK)
		return drift_change_names[DRIFT_TYPE];
	return drift_change_names[change->body == PATCH_NO_CONTENT ? DRIFT_MODE : DRIFT_EDITED];
}

static int add_json(
	const struct comparison *c, const struct patch *part, json_t *files, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct patch_change *first = &part->changes[0];
	struct view path = relpath_view(patch_path(first));
	json_int_t lines[2] = {0, 0};
	bool binary = false;

	if (patch_write(part, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < part->count; i++) {
		size_t added, removed;

		patch_count_lines(&part->changes[i], &added, &removed);
		lines[0] += (json_int_t)added;
		lines[1] += (json_int_t)removed;
		binary |= part->changes[i].body == PATCH_BINARY;
	}
	json_add(files,
		"path:v change:s oldPath:o added:I removed:I binary:b conflict:b "
		"patch:v",
		path, change_name(c, part),
		patch_is_rename(first) ? json_text(relpath_view(&first->old.path)) : NULL,
		lines[0], lines[1], binary, compare_is_conflict(c, path), view_of_buf(&text));
	return 0;
}

static int print_comparison_json(
	const struct comparison *c, const struct selection *selection, struct error *err)
{
	CLEANUP(json_decrefp) json_t *files = json_array();

	for (size_t i = 0; i < c->patch.count;) {
		struct patch part;
		size_t end = i + 1;

		/* The changes of one path: two where a file became a link, or a link a file. */
		while (end < c->patch.count && relpath_compare(patch_path(&c->patch.changes[i]),
						       patch_path(&c->patch.changes[end])) == 0)
			end++;
		part = (struct patch){.changes = c->patch.changes + i, .count = end - i};
		if (add_json(c, &part, files, err) < 0)
			return -1;
		i += part.count;
	}
	for (size_t i = 0; i < c->unknown.count; i++)
		if (selection_has(selection, view_of(c->unknown.list[i].path)))
			json_add(files, "path:s change:s patch:o", c->unknown.list[i].path,
				drift_change_names[c->unknown.list[i].change], json_null());
	output_success("files:O", files);
	return 0;
}

/* --- for a terminal -------------------------------------------------------------------- */

/* The text of one change, as git shows it. */
static void print_change(const struct cli *cli, struct view text)
{
	bool in_hunk = false;
	struct view line;

	while (view_next(&text, '\n', &line)) {
		if (!in_hunk && view_equal_str(line, "GIT binary patch")) {
			printf("binary file\n");
			return;
		}
		in_hunk |= view_starts_with(line, "@@ ");
		if (line.len) {
			const char *color =
				output_color(cli, !in_hunk              ? COLOR_BOLD
						  : line.data[0] == '@' ? COLOR_CYAN
						  : line.data[0] == '-' ? COLOR_RED
						  : line.data[0] == '+' ? COLOR_GREEN
									: "");
			CLEANUP(buf_release) struct buf out = BUF_INIT;

			/* Carriage returns are shown only where they change. */
			if (in_hunk && line.data[0] == ' ' && view_ends_with(line, "\r"))
				line.len--;
			shown_append(&out, line);
			printf("%s%s%s\n", color, out.data, *color ? COLOR_RESET : "");
		}
	}
}

/* --- the command ------------------------------------------------------------------------ */

static int print_patch(const struct cli *cli, const struct patch *patch, struct error *err)
{
	CLEANUP(buf_release) struct buf whole = BUF_INIT;

	if (shown_on_terminal()) {
		for (size_t i = 0; i < patch->count; i++) {
			struct patch one = {.changes = patch->changes + i, .count = 1};
			CLEANUP(buf_release) struct buf text = BUF_INIT;

			if (patch_write(&one, &text, err) < 0)
				return -1;
			print_change(cli, view_of_buf(&text));
		}
		return 0;
	}
	if (patch_write(patch, &whole, err) < 0)
		return -1;
	fwrite(whole.data, 1, whole.len, stdout);
	return 0;
}

static const struct option options[] = {
	{.name = "by", .help = "show who wrote each line: core, skill, patch or you"},
	{0},
};

struct reading {
	const struct arguments *args;
	struct comparison comparison;
	struct selection selection;
};

static void reading_release(struct reading *reading)
{
	comparison_release(&reading->comparison);
	selection_release(&reading->selection);
}

static int read_differences(
	const struct project *project, bool running, void *data, struct error *err)
{
	struct reading *reading = data;
	const struct arguments *args = reading->args;

	if (running)
		return project_refuse_running(project, err);
	reading_release(reading);
	reading->comparison = COMPARISON_INIT;
	reading->selection = SELECTION_INIT;
	for (size_t i = 0; i < args->count; i++)
		if (selection_add(&reading->selection, project, args->words[i], err) < 0)
			return -1;
	return compare_open(&reading->comparison, project, err) < 0
		       ? -1
		       : compare_find(&reading->comparison, &reading->selection, err);
}

static int run_diff(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(reading_release)
	struct reading reading = {
		.args = args, .comparison = COMPARISON_INIT, .selection = SELECTION_INIT};
	struct comparison *c = &reading.comparison;
	int failed;

	if (project_read(&project, read_differences, &reading, err) < 0)
		return -1;
	for (size_t i = 0; i < c->unknown.count; i++) {
		CLEANUP(freep) char *path = output_path(c->unknown.list[i].path);

		if (selection_has(&reading.selection, view_of(c->unknown.list[i].path)))
			log_warning("'%s' differs (%s), but its recorded version is lost", path,
				drift_change_names[c->unknown.list[i].change]);
	}
	if (arguments_flag(args, "by"))
		failed = attribution_output(cli, c, &reading.selection, err);
	else
		failed = cli->json ? print_comparison_json(c, &reading.selection, err)
				   : print_patch(cli, &c->patch, err);
	return failed ? -1 : EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw diff", "your unrecorded changes"},
	{"nanoclaw diff src | git apply -R", "revert them in one folder"},
	{"nanoclaw diff --by src/index.ts", "who wrote which line of a file"},
	{0},
};

COMMAND(diff) = {
	.name = "diff",
	.summary = "show your changes, or who wrote which line",
	.usage = "[<path>...]",
	.description =
		"Shows how the files of the core, skills and custom patches differ from their\n"
		"recorded version, as a patch that git can apply. A moved file appears as a rename;\n"
		"other new files appear only if you name them. A path is a file or a folder. During\n"
		"a pause, a file in conflict is compared with its recorded version from before the\n"
		"operation, and other files with the operation's result.\n"
		"\n"
		"'--by' shows whole files with the author of each line: the core, a skill, a custom\n"
		"patch, or you. Without a path it shows all files that do not come from the core\n"
		"alone. 'you (resolved)' marks lines that you wrote to resolve a conflict.\n"
		"\n"
		"The exit code is 0, with or without differences.",
	.section = SECTION_SKILLS,
	.pages = true,
	.options = options,
	.examples = examples,
	.max_arguments = -1,
	.completes = {COMPLETE_FILES},
	.run = run_diff,
};
