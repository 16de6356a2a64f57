#include <stdio.h>
#include <yaml.h>

#include <jansson.h>
#include <nettle/version.h>

#include "cli/command.h"
#include "cli/output.h"
#include "engine/package/manifest.h"
#include "engine/text/xdiff.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static int run_version(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *nettle = NULL;

	(void)args;
	(void)err;
	if (!cli->json)
		printf("nanoclaw %s\n", NANOCLAW_VERSION);
	if (!cli->json && !cli->verbose)
		return EXIT_DONE;
	nettle = xasprintf("%d.%d", nettle_version_major(), nettle_version_minor());
	if (cli->json) {
		output_success("version:s skillsSystemVersion:s compiler:s libraries:o",
			NANOCLAW_VERSION, SKILLS_SYSTEM_VERSION, COMPILER,
			json_build("jansson:s libgit2:s libyaml:s nettle:s",
				jansson_version_str(), xdiff_version(),
				yaml_get_version_string(), nettle));
		return EXIT_DONE;
	}
	printf("skills system   %s\n", SKILLS_SYSTEM_VERSION);
	printf("compiler        %s\n", COMPILER);
	printf("jansson         %s\n", jansson_version_str());
	printf("libgit2         %s\n", xdiff_version());
	printf("libyaml         %s\n", yaml_get_version_string());
	printf("nettle          %s\n", nettle);
	return EXIT_DONE;
}

COMMAND(version) = {
	.name = "version",
	.summary = "show versions and build information",
	.description =
		"With -v or --json, also shows the compiler and the versions of the loaded\n"
		"libraries.",
	.section = SECTION_START,
	.run = run_version,
};
