#include <stdio.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/conflict/resolution_into.h"
#include "cli/output.h"
#include "cli/project.h"
#include "engine/conflict/last_resolved.h"
#include "engine/resolution/resolution_folder.h"
#include "format/json.h"

static const struct option options[] = {
	{0, "source", "WHO", "who resolved it: user, claude or maintainer"},
	{0, "into", "DIR", "a folder of the project (.nanoclaw/resolutions)", COMPLETE_FOLDERS},
	{0},
};

static int run_resolution_record(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(last_resolved_record_result_release)
	struct last_resolved_record_result result = {0};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	const char *source = arguments_value(args, "source");

	if (source && !resolution_is_source(source))
		return error_set(err, ERROR_INVALID,
			"'--source' must be user, claude or maintainer, not '%s'", source);
	if (project_open_idle(&project, false, err) < 0 ||
		resolution_into(&project, "--into", arguments_value(args, "into"),
			RESOLUTIONS_OWN, &folder, err) < 0)
		return -1;
	if (last_resolved_record(&project, &folder, source, &result, err) < 0)
		return -1;
	if (cli->json) {
		json_t *keys = json_array();

		for (size_t i = 0; i < result.key_count; i++)
			json_add_text(keys, result.keys[i]);
		output_success("folder:v recorded:o nothingToDo:b", relpath_view(&folder), keys,
			!result.key_count);
	} else {
		if (!result.key_count)
			printf("it is already recorded\n");
		for (size_t i = 0; i < result.key_count; i++)
			printf("recorded in %s/%s%s%s\n", folder.text,
				output_color(cli, COLOR_BOLD), result.keys[i],
				output_color(cli, COLOR_RESET));
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw resolution record", "for yourself, and to share"},
	{"nanoclaw resolution record --source maintainer --into .claude/resolutions",
		"to ship it with the project"},
	{0},
};

COMMAND(resolution_record) = {
	.name = "resolution record",
	.summary = "record how the last conflict was resolved, to share it",
	.description =
		"Writes how the last conflicts were resolved, by you or from memory, to\n"
		"'.nanoclaw/resolutions', in a folder named after the skills and their versions. When\n"
		"the same files conflict again, here or in another project that has this folder,\n"
		"NanoClaw resolves them without asking.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.run = run_resolution_record,
};
