#include "cli/rebuild/rebuild.h"

#include "cli/rebuild/offer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/rebuild/build_trial.h"
#include "cli/rebuild/watch.h"
#include "engine/commit/pending.h"
#include "engine/disk/command.h"
#include "engine/package/pack.h"
#include "engine/state/state.h"
#include "engine/structured/env/env.h"
#include "engine/structured/system_packages.h"
#include "fs/beneath.h"
#include "proc/foreground.h"
#include "proc/log.h"
#include "proc/process.h"
#include "veil/veil.h"

/*
 * The tests of a change: those of all applied skills, and those that tools/test-changed finds
 * for the files that differ from the current build.
 */

#define TEST_CHANGED "tools/test-changed"

/* This many changed files mean another version, whose author has run its tests. */
#define MAX_CHANGED 200

/* --- of applied skills ----------------------------------------------------------- */

static int run_skill_tests(struct host_rebuild *r, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(string_array_release) struct string_array seen = {0};
	bool initialized;

	if (state_load(&r->assistant.project, &state, &initialized, err) < 0)
		return -1;
	for (size_t i = 0; i < state.skill_count; i++) {
		CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
		const char *name = state.skills[i].name;
		CLEANUP(freep) char *what = xasprintf("the test of skill '%s'", name);

		if (pack_load_manifest(&r->assistant.project, name, &manifest, err) < 0)
			return -1;
		if (!manifest.test || string_array_has(&seen, manifest.test))
			continue;
		string_array_add(&seen, manifest.test);
		if (host_rebuild_command(r,
			    (const char *const[]){"sh", "-c", manifest.test, NULL}, what,
			    manifest.test, ERROR_TEST, err) < 0)
			return -1;
	}
	return 0;
}

/* --- of changed files ------------------------------------------------------------ */

/* ERROR_TEST if one fails. */
static int changed_tests_run(struct host_rebuild *rebuild, struct error *err)
{
	CLEANUP(string_array_release) struct string_array changed = {0};
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) const char **argv = NULL;

	if (!rebuild->options.skills_tested && run_skill_tests(rebuild, err) < 0)
		return -1;
	current = builds_current(&rebuild->builds);
	if (!current || faccessat(rebuild->assistant.project.root, TEST_CHANGED, X_OK, 0) < 0)
		return 0;
	builds_tested(&rebuild->builds, current, &before);
	if (!before.len)
		return 0;
	build_source_changes(
		view_of_buf(&before), view_of_buf(&rebuild->source.list), &changed);
	if (!changed.count || changed.count > MAX_CHANGED)
		return 0;
	argv = xcalloc(changed.count + 2, sizeof(*argv));
	argv[0] = TEST_CHANGED;
	for (size_t i = 0; i < changed.count; i++)
		argv[i + 1] = changed.list[i];
	host_rebuild_say(rebuild, "testing what changed: %zu file%s", changed.count,
		changed.count == 1 ? "" : "s");
	return host_rebuild_command(
		rebuild, argv, "a test of what changed", TEST_CHANGED, ERROR_TEST, err);
}

#define BUILD_SECONDS 3600

void host_rebuild_release(struct host_rebuild *rebuild)
{
	builds_release(&rebuild->builds);
	build_source_release(&rebuild->source);
	assistant_release(&rebuild->assistant);
}

void host_rebuild_say(const struct host_rebuild *rebuild, const char *format, ...)
{
	va_list args;

	if (rebuild->cli->quiet || rebuild->cli->json)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/* --- the steps ----------------------------------------------------------------- */

static int rebuild_open(struct host_rebuild *r, struct error *err)
{
	struct stat st;

	if (assistant_find(&r->assistant, err) < 0)
		return -1;
	if (!build_source_is_own(r->assistant.project.root)) {
		error_set(err, ERROR_INVALID, "'%s' is not the source of NanoClaw",
			r->assistant.project.path);
		return error_hint(err,
			"clone NanoClaw's repository, run './run' there, and apply "
			"skills there; then 'nanoclaw rebuild' works in that folder");
	}
	/* The host of another user could not record its starts in a build that root owns. */
	if (fstat(r->assistant.project.root, &st) != 0 || !(st.st_uid == geteuid())) {
		error_set(err, ERROR_INVALID, "'%s' belongs to another user",
			r->assistant.project.path);
		return error_hint(err, "run 'nanoclaw rebuild' as that user");
	}
	if (pending_refuse(&r->assistant.project, err) < 0)
		return -1;
	return builds_open_locked(
		r->assistant.project.root, r->assistant.project.path, &r->builds, err);
}

int host_rebuild_command(struct host_rebuild *r, const char *const *argv, const char *what,
	const char *shown, enum error_kind kind, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	struct command_request command = {
		.argv = argv,
		.what = what,
		.shown = shown,
		.kind = kind,
		.live = shown_on_terminal() && !r->cli->json && !r->cli->quiet,
		.progress = r->cli->json || r->cli->quiet || r->cli->verbose ? NULL
									     : output_progress,
		.notes = &notes,
		.seconds = BUILD_SECONDS,
	};

	if (command_run(&r->assistant.project, &command, err) < 0)
		return -1;
	for (size_t i = 0; i < notes.count; i++)
		log_note("%s", notes.list[i]);
	return 0;
}

/* Keep the program that hosts run now, whatever happens to the work folder. */
static int rebuild_keep_first(
	const struct host_rebuild *r, const struct running *host, struct error *err)
{
	CLEANUP(freep) char *own = realpath("/proc/self/exe", NULL);
	bool is_there = host->program && access(host->program, X_OK) == 0;

	if (!own)
		return error_errno(err, "cannot find this program");
	return builds_keep_first(&r->builds, is_there ? host->program : own, err);
}

static int rebuild_build(struct host_rebuild *r, struct error *err)
{
	static const char *const argv[] = {
		"tools/build", BUILDS_WORK, "--buildtype", "release", "-Dtests=disabled", NULL};
	CLEANUP(build_source_release) struct build_source after = BUILD_SOURCE_INIT;
	CLEANUP(freep) char *current = NULL;
	CLEANUP(buf_release) struct buf tested = BUF_INIT;

	host_rebuild_say(r,
		"building %s: minutes the first time, seconds when little has changed; until it works, the assistant stays as it is",
		r->source.name);
	if (host_rebuild_command(
		    r, argv, "the build", "tools/build " BUILDS_WORK, ERROR_FAILED, err) < 0)
		return -1;
	/* ./run builds in the same folder: the source is compared once the programs are copied. */
	current = builds_current(&r->builds);
	if (current)
		builds_tested(&r->builds, current, &tested);
	if (builds_copy(&r->builds, &r->source, r->options.no_test ? &tested : NULL, err) < 0 ||
		build_source_read(r->assistant.project.root, &after, err) < 0)
		return -1;
	if (strcmp(after.name, r->source.name)) {
		error_set(err, ERROR_FAILED, "the source changed while it was built");
		return error_hint(err, "run 'nanoclaw rebuild' again");
	}
	r->built = true;
	if (!r->options.no_test && changed_tests_run(r, err) < 0)
		return -1;
	return builds_add(&r->builds, r->source.name, err);
}

/* A build that is kept passes its tests now, if they were skipped when it was built. */
static int rebuild_test_kept(struct host_rebuild *r, struct error *err)
{
	CLEANUP(buf_release) struct buf tested = BUF_INIT;

	if (r->options.no_test || builds_tested(&r->builds, r->source.name, &tested))
		return 0;
	if (changed_tests_run(r, err) < 0)
		return -1;
	return builds_set_tested(&r->builds, r->source.name, err);
}

/* Packages of the distribution that applied skills need, after a question. */
static int rebuild_packages(struct host_rebuild *r, struct error *err)
{
	bool agreed = r->options.install_packages;
	const char *const words[] = {r->assistant.project.path, agreed ? "--yes" : "", NULL};
	CLEANUP(string_array_release) struct string_array variables = {0};
	CLEANUP(freep) const char **env = NULL;
	struct foreground_end end;

	if (faccessat(r->assistant.project.root, SYSTEM_PACKAGES_FILE, F_OK, 0) < 0 ||
		faccessat(r->assistant.project.root, SYSTEM_PACKAGES_TOOL, X_OK, 0) < 0)
		return 0;
	veil_environment(&variables);
	env = xcalloc(variables.count + 1, sizeof(*env));
	for (size_t i = 0; i < variables.count; i++)
		env[i] = variables.list[i];
	/* --yes is no answer to what runs as root. */
	if (foreground_run(r->cli->yes && !agreed ? "cd \"$1\" && exec " SYSTEM_PACKAGES_TOOL
						    " skills $2 >&2 </dev/null"
						  : "cd \"$1\" && exec " SYSTEM_PACKAGES_TOOL
						    " skills $2 >&2",
		    words, env, &end, err) < 0)
		return -1;
	if (!end.exit_code)
		return 0;
	r->packages_missing = end.exit_code == 2;
	error_set(err, r->packages_missing ? ERROR_INVALID : ERROR_FAILED,
		"packages that skills need are not installed");
	return agreed ? -1
		      : error_hint(err,
				"'nanoclaw rebuild --install-packages' installs them as root, and builds");
}

#define MAX_EXAMPLE ((size_t)1024 * 1024)

/* What a skill needs to know is in its variables without a default: say so if none is set. */
static void rebuild_say_unset(const struct host_rebuild *r)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(env_text_release) struct env_text env = ENV_TEXT_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	bool initialized;

	if (faccessat(r->assistant.project.root, ".env.example", F_OK, 0) < 0)
		return;
	if (state_load(&r->assistant.project, &state, &initialized, &err) < 0 ||
		relpath_parse(view_of(".env.example"), &path, &err) < 0 ||
		beneath_read(r->assistant.project.root, &path, MAX_EXAMPLE, &text, &err) < 0) {
		log_warning("%s", err.message);
		return;
	}
	env_text_read(view_of_buf(&text), &env);
	for (size_t i = 0; i < state.skill_count; i++) {
		CLEANUP(buf_release) struct buf names = BUF_INIT;
		bool any_set = false;
		size_t line, end;

		if (!env_text_find_block(&env, view_of(state.skills[i].name), &line, &end))
			continue;
		for (; line < end; line++) {
			CLEANUP(freep)
			char *name = xasprintf("%.*s", VIEW_ARGS(env.lines[line].name));

			if (!*name || env.lines[line].value.len)
				continue;
			any_set |= settings_get(&r->assistant.settings, name) != NULL;
			buf_appendf(&names, "%s%s", names.len ? ", " : "", name);
		}
		if (names.len && !any_set)
			host_rebuild_say(r,
				"%s is not set up: put its settings into '.env', as '.env.example' explains them: %s",
				state.skills[i].name, names.data);
	}
}

/* Nothing to do: does every host already run this source? */
static bool build_is_current(const struct host_rebuild *r, const struct running *host)
{
	CLEANUP(freep) char *current = builds_current(&r->builds);
	CLEANUP(freep)
	char *build = host->program ? builds_name_of(&r->builds, host->program) : NULL;

	if (!current || strcmp(current, r->source.name) != 0)
		return false;
	return !host->pid || (build && !strcmp(build, current));
}

/* A build does not replace a program that is installed elsewhere, and lacks its new commands. */
static void rebuild_say_program(const struct host_rebuild *r)
{
	CLEANUP(freep) char *found = process_find("nanoclaw");
	CLEANUP(freep) char *real = found ? realpath(found, NULL) : NULL;

	if (real && !view_starts_with(view_of(real), r->assistant.project.path))
		host_rebuild_say(r,
			"the new program is '" BUILDS_FOLDER "/current/" BUILDS_PROGRAM
			"'; '%s' in PATH is another, and stays as it is",
			found);
}

int host_rebuild_run(struct host_rebuild *rebuild, struct error *err)
{
	CLEANUP(running_release) struct running host = RUNNING_INIT;

	if (rebuild_open(rebuild, err) < 0 ||
		build_source_read(rebuild->assistant.project.root, &rebuild->source, err) < 0 ||
		running_find(&rebuild->assistant, &host, err) < 0)
		return -1;
	if (build_is_current(rebuild, &host)) {
		if (rebuild_test_kept(rebuild, err) < 0)
			return -1;
		host_rebuild_say(rebuild, "nothing to do: the current build is of this source");
		rebuild_say_unset(rebuild);
		return 0;
	}
	if (rebuild_keep_first(rebuild, &host, err) < 0 || rebuild_packages(rebuild, err) < 0)
		return -1;
	if (builds_has(&rebuild->builds, rebuild->source.name)
			? rebuild_test_kept(rebuild, err) < 0
			: rebuild_build(rebuild, err) < 0)
		return -1;
	host_rebuild_say(rebuild, "trying %s on a copy of the data", rebuild->source.name);
	if (build_trial_run(rebuild, err) < 0)
		return -1;
	if (rebuild->options.check) {
		host_rebuild_say(rebuild, "it works; 'nanoclaw rebuild' switches to it");
		return builds_prune(&rebuild->builds, err);
	}
	if (builds_switch(
		    &rebuild->builds, rebuild->source.name, rebuild->options.one_way, err) < 0)
		return -1;
	rebuild->switched = true;
	/* Without a way back there is nothing to prove. */
	if (rebuild->options.one_way && builds_settle(&rebuild->builds, err) < 0)
		return -1;
	host_rebuild_say(rebuild, "switched to %s", rebuild->source.name);
	rebuild_say_program(rebuild);
	if (watch_run(rebuild, &host, err) < 0)
		return -1;
	rebuild_say_unset(rebuild);
	return builds_prune(&rebuild->builds, err);
}

/* --- the command --------------------------------------------------------------- */

static int run_rebuild(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(host_rebuild_release) struct host_rebuild rebuild = HOST_REBUILD_INIT;

	rebuild.cli = cli;
	rebuild.options = (struct rebuild_options){
		.check = arguments_flag(args, "check"),
		.no_test = arguments_flag(args, "no-test"),
		.install_packages = arguments_flag(args, "install-packages"),
		.one_way = arguments_flag(args, "one-way"),
	};
	if (host_rebuild_run(&rebuild, err) < 0)
		return -1;
	if (cli->json)
		output_success("build:s built:b switched:b restarted:b", rebuild.source.name,
			rebuild.built, rebuild.switched, rebuild.restarted);
	return EXIT_DONE;
}

static const struct option options[] = {
	OPTION_INSTALL_PACKAGES,
	{0, "check", NULL, "build and try it, without switching"},
	{0, "no-test", NULL, "skip the tests of what changed"},
	{0, "one-way", NULL, "switch even if the previous build cannot read the store then"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw rebuild", "build this source, and restart the host with it"},
	{"nanoclaw rebuild --check", "would it work?"},
	{0},
};

COMMAND(rebuild) = {
	.name = "rebuild",
	.summary = "build this source, try it, and restart the host with it",
	.description =
		"In a clone of NanoClaw, builds the source with its applied skills into\n'.nanoclaw/builds'. The new program must answer a question on a copy of the data,\nwithout secrets, before anything is switched. Then the host starts again as the new\nbuild, in the same terminal or service, and is watched for 90 seconds\n(NANOCLAW_SETTLE_SECONDS). If it ends, or a channel that was connected is not\nconnected then, the previous build runs again and exit code 1 says why. A new build\nthat fails at three starts in a row is also taken back.\n\nThe last three builds are kept. If the source is that of a kept build, as after\n'nanoclaw undo', nothing is built.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run_rebuild,
};
