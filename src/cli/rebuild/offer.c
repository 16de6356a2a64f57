#include "cli/rebuild/offer.h"

#include <string.h>

#include "cli/prompt.h"
#include "cli/rebuild/rebuild.h"
#include "proc/log.h"

enum wish {
	WISH_UNKNOWN,
	WISH_REBUILD,
	WISH_NOTHING,
};

static enum wish wish_of(const struct arguments *args)
{
	enum wish wish = WISH_UNKNOWN;

	for (size_t i = 0; i < args->option_count; i++)
		if (args->options[i].option->name &&
			!strcmp(args->options[i].option->name, "rebuild"))
			wish = args->options[i].negated ? WISH_NOTHING : WISH_REBUILD;
	return wish;
}

static bool only_looked(const struct arguments *args)
{
	static const char *const names[] = {"dry-run", "list", "preview"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (arguments_takes(args, names[i]) && arguments_flag(args, names[i]))
			return true;
	return false;
}

/* Is this NanoClaw's own source, and has it changed since the current build? */
static bool rebuild_is_due(const struct project *project)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(build_source_release) struct build_source source = BUILD_SOURCE_INIT;
	CLEANUP(freep) char *current = NULL;

	if (!build_source_is_own(project->root) ||
		builds_open(project->root, project->path, &builds, &ignored) < 0 ||
		build_source_read(project->root, &source, &ignored) < 0)
		return false;
	current = builds_current(&builds);
	return !current || strcmp(current, source.name) != 0;
}

/* Which tests has the operation run? */
static struct rebuild_options options_after(const struct arguments *args)
{
	bool tests = arguments_takes(args, "no-test");
	const char *which = tests ? arguments_value(args, "test") : NULL;
	bool no_test = tests && arguments_flag(args, "no-test");

	return (struct rebuild_options){
		.no_test = no_test,
		.install_packages = arguments_flag(args, "install-packages"),
		.skills_tested = tests && !no_test && (!which || strcmp(which, "new") != 0),
	};
}

static int rebuild_after(
	struct cli *cli, const struct arguments *args, int code, struct error *err)
{
	CLEANUP(host_rebuild_release) struct host_rebuild rebuild = HOST_REBUILD_INIT;

	rebuild.cli = cli;
	rebuild.options = options_after(args);
	if (host_rebuild_run(&rebuild, err) == 0)
		return code;
	error_prefix(err, "the source has changed, but it does not run yet");
	/* The operation is done, and what is missing has to be typed. */
	if (rebuild.packages_missing) {
		log_warning("%s", err->message);
		log_hint("%s", err->hint);
		error_clear(err);
		return code;
	}
	if (!cli->json)
		return -1;
	/* The document of the operation has been printed. */
	log_error("%s", err->message);
	error_clear(err);
	return EXIT_FAILED;
}

int rebuild_offer(struct cli *cli, const struct arguments *args, int code, struct error *err)
{
	static const char *const choices[] = {"rebuild now", "later, with 'nanoclaw rebuild'"};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct ask ask = prompt_for(cli);
	enum wish wish = wish_of(args);
	int answer;

	if (code != EXIT_DONE || only_looked(args))
		return code;
	if (project_open(&project, err) < 0)
		return -1;
	if (!rebuild_is_due(&project))
		return code;
	if (wish == WISH_REBUILD)
		return rebuild_after(cli, args, code, err);
	if (!cli->interactive || wish == WISH_NOTHING) {
		log_note("the assistant does not run this source yet: 'nanoclaw rebuild'");
		return code;
	}
	answer = ask.choose(ask.data,
		"The source of NanoClaw has changed. Build it, and restart the assistant with it?",
		choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return -1;
	return answer ? code : rebuild_after(cli, args, code, err);
}
