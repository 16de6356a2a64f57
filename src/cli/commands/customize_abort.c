#include <stdio.h>

#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/operation/customize.h"
#include "util/json.h"

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	(void)args;
	if (workplace_open(&project, false, err) < 0 || customize_abort(&project, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b}", "success", true));
	else if (!cli->quiet)
		printf("nothing was recorded; your changes are still in your files\n");
	return EXIT_DONE;
}

COMMAND(customize_abort) = {
	.name = "customize abort",
	.summary = "end customizing without recording anything",
	.description =
		"Your changes stay in your files. 'nanoclaw diff' shows them, and the next\n"
		"operation asks what is to become of them.",
	.section = SECTION_SKILLS,
	.run = run,
};
