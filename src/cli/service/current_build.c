#include "cli/service/current_build.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builds/builds.h"
#include "gate/credentials.h"
#include "proc/log.h"

#define MAX_WORDS 16

static bool is_this_program(const char *path)
{
	struct stat own, other;

	return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static int build_take_back(const struct builds *builds, const char *current, struct error *err)
{
	CLEANUP(freep) char *now = NULL;
	CLEANUP(freep)
	char *reason = xasprintf(
		"the host ended %d times while it started, or soon after", BUILDS_MAX_STARTS);

	if (builds_switch_back(builds, reason, &now, err) < 0)
		return -1;
	log_error("the build '%s' is rolled back: %s", current, reason);
	return 0;
}

/* The program of the build to run, to be freed; NULL: this one. */
static char *choose_program(const struct builds *builds, bool is_host, struct error *err)
{
	CLEANUP(freep) char *current = builds_current(builds);
	CLEANUP(freep) char *before = builds_before(builds);
	CLEANUP(freep) char *program = NULL;

	if (!current)
		return NULL;
	if (builds_starts(builds) >= BUILDS_MAX_STARTS && !builds_has_counted(builds) &&
		before && strcmp(before, current) != 0) {
		if (build_take_back(builds, current, err) < 0)
			return NULL;
		program = builds_program(builds, before);
	} else {
		/* Now, because it may fail before it can count by itself. */
		if (is_host && builds_count_start(builds, err) < 0)
			return NULL;
		program = builds_program(builds, current);
	}
	return is_this_program(program) ? NULL : TAKE(program);
}

static void program_become(const struct cli *cli, const struct project *project, char *program,
	const char *const *words)
{
	const char *argv[MAX_WORDS] = {"nanoclaw", "-C", project->path};
	size_t count = 3;

	if (cli->json)
		argv[count++] = "--json";
	if (cli->quiet)
		argv[count++] = "--quiet";
	if (cli->verbose)
		argv[count++] = "--verbose";
	if (cli->yes)
		argv[count++] = "--yes";
	for (; *words && count < MAX_WORDS - 1; words++)
		argv[count++] = *words;
	credentials_return_environment();
	execv(program, (char *const *)(uintptr_t)argv);
	log_warning("cannot run '%s', the current build: %s", program, error_text(errno));
}

void current_build_enter(const struct cli *cli, const struct project *project,
	const char *const *words, bool is_host)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(freep) char *program = NULL;

	if (builds_open(project->root, project->path, &builds, &err) == 0)
		program = choose_program(&builds, is_host, &err);
	if (err.message)
		log_warning("%s", err.message);
	if (program)
		program_become(cli, project, program, words);
}

/* --- proving itself -------------------------------------------------------------- */

/* Is this the current build, and has it yet to prove itself? */
static bool is_on_trial(const struct project *project, struct builds *builds, struct error *err)
{
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) char *program = NULL;

	if (builds_open(project->root, project->path, builds, err) < 0 ||
		builds_starts(builds) < 0)
		return false;
	current = builds_current(builds);
	program = current ? builds_program(builds, current) : NULL;
	return program && is_this_program(program);
}

void current_build_begin(const struct project *project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;

	if (is_on_trial(project, &builds, &err))
		builds_count_start(&builds, &err);
	if (err.message)
		log_warning("%s", err.message);
}

void current_build_settled(const struct project *project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;

	if (is_on_trial(project, &builds, &err))
		builds_settle(&builds, &err);
	if (err.message)
		log_warning("%s", err.message);
}

void current_build_end(const struct project *project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;

	if (is_on_trial(project, &builds, &err))
		builds_forget_starts(&builds, &err);
	if (err.message)
		log_warning("%s", err.message);
}

int current_build_refuses(const struct project *project, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;

	if (err->kind == ERROR_INVALID && is_on_trial(project, &builds, &ignored))
		err->kind = ERROR_FAILED;
	return -1;
}
