#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/quote.h"
#include "cli/project.h"
#include "cli/prompt.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/report/update_output.h"
#include "cli/skills/apply.h"
#include "engine/core/core_git.h"
#include "engine/disk/ask.h"
#include "engine/disk/project.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"
#include "engine/update/core_update.h"
#include "fs/scratch.h"
#include "proc/log.h"
#include "proc/process.h"
#include "veil/veil.h"

/*
 * Where new versions of the core come from, for `nanoclaw update` without a source:
 *
 * 1. where the last update came from: a folder that still exists, or a git repository
 * 2. the remote 'upstream', else 'origin', of the project's git repository
 *
 *	if (upstream_open(&project, to, &ask, &upstream, err) < 0)
 *		return -1;
 *	... update to upstream.source, and record upstream.shown ...
 *	upstream_close(&upstream);
 *
 * git fetches, and only after a person has agreed, the newest tag that is a version, or the one
 * named by `to`, else the default branch. It fetches into a temporary folder, so the project's own
 * repository does not change.
 */

struct upstream {
	char *source; /* a folder with the whole new core */
	char *shown;  /* what to record, or NULL: the folder itself */
	struct scratch scratch;
};

#define UPSTREAM_INIT ((struct upstream){.scratch.fd = -1})

#define MAX_REFS ((size_t)4 * 1024 * 1024)

/* The source that the state records for a core fetched by git: git+ADDRESS@REF. */
#define GIT_SOURCE "git+"

/* As process_request wants it: the variables that git does not need are unset. */
static void git_environment(struct string_array *ret_env)
{
	static const char *const needed[] = {"ALL_PROXY", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
		"GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "HTTPS_PROXY", "HTTP_PROXY",
		"KRB5CCNAME", "SSH_ASKPASS", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY",
		"XDG_RUNTIME_DIR"};

	for (char **variable = environ; *variable; variable++) {
		CLEANUP(freep)
		char *name = xmemdupz(*variable, strcspn(*variable, "="));
		bool passes = veil_passes(*variable);

		for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
			passes |= !strcasecmp(name, needed[i]);
		if (!passes)
			string_array_add(ret_env, name);
	}
	/* An address must not be one for which git runs another program. */
	STRING_ARRAY_ADD(ret_env, "GIT_ALLOW_PROTOCOL=file:https:ssh", "GIT_TERMINAL_PROMPT=0");
}

/* Not in the project: whatever its repository is set up for must not run here. */
static int run_git(
	const char *folder, const char *const *words, struct buf *ret_out, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(string_array_release) struct string_array env = {0};
	CLEANUP(freep) char *above = xmemdupz(folder, (size_t)(strrchr(folder, '/') - folder));
	const char *argv[16] = {"git", "-c", "advice.detachedHead=false"};
	size_t count = 3;

	while (*words)
		argv[count++] = *words++;
	request.argv = argv;
	request.cwd = folder;
	git_environment(&env);
	string_array_addf(&env, "GIT_CEILING_DIRECTORIES=%s", above);
	request.env = (const char *const *)env.list;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_REFS};
	request.errors = (struct process_stream){PROCESS_CAPTURE_TAIL, 4096};
	if (process_run(&request, &result, err) < 0)
		return error_prefix(err, "git");
	if (result.exit_code != 0) {
		CLEANUP(freep) char *says = quote(view_trim(view_of_buf(&result.errors)));

		return error_set(err, ERROR_FAILED, "git cannot fetch the new core: %s", says);
	}
	if (ret_out)
		buf_append(ret_out, result.output.data, result.output.len);
	return 0;
}

/* The address of a remote of the project's repository, or NULL. */
static char *remote_address(const struct project *project, const char *remote)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view address;

	if (core_git_run(project->root,
		    (const char *const[]){"remote", "get-url", remote, NULL}, (struct view){0},
		    4096, &out, &none) < 0)
		return NULL;
	address = view_trim(view_of_buf(&out));
	return address.len ? xmemdupz(address.data, address.len) : NULL;
}

/* `*ret_folder` or `*ret_address` is set, and the other is NULL. */
static int find_origin(
	const struct project *project, char **ret_folder, char **ret_address, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	const char *last;
	bool found;

	*ret_folder = *ret_address = NULL;
	if (state_load(project, &state, &found, err) < 0)
		return -1;
	last = found ? yaml_get_text(
			       yaml_get_kind(state.doc->root, "core_source", YAML_MAPPING),
			       "source")
		     : NULL;
	if (last && view_starts_with(view_of(last), GIT_SOURCE) && strrchr(last, '@')) {
		const char *address = last + strlen(GIT_SOURCE);

		*ret_address = xmemdupz(address, (size_t)(strrchr(last, '@') - address));
		return 0;
	}
	/* An update package leads to one version only, which is here now. */
	if (last && !strstr(last, "-to-") &&
		faccessat(project->root, last, R_OK | X_OK, 0) == 0) {
		*ret_folder =
			*last == '/' ? xstrdup(last) : xasprintf("%s/%s", project->path, last);
		return 0;
	}
	*ret_address = remote_address(project, "upstream");
	if (!*ret_address)
		*ret_address = remote_address(project, "origin");
	if (*ret_address)
		return 0;
	error_set(err, ERROR_INVALID, "nothing records where the core of '%s' comes from",
		project->path);
	return error_hint(err,
		"name a folder with the new core, an update package or a git ref: "
		"'nanoclaw update SOURCE'");
}

/* The name of the tag for `to`, or of the newest version; NULL if no tag is a version. */
static char *choose_tag(struct view refs, const char *to)
{
	char *best = NULL;
	struct view line;

	while (view_next(&refs, '\n', &line)) {
		CLEANUP(semver_release) struct semver version = {0};
		CLEANUP(error_release) struct error bad = ERROR_INIT;
		const char *name = memmem(line.data, line.len, "refs/tags/", 10);
		struct view tag, number;

		if (!name)
			continue;
		tag = (struct view){name + 10, line.len - (size_t)(name + 10 - line.data)};
		number = tag;
		if (number.len && *number.data == 'v')
			number = view_slice(number, 1, number.len);
		if (semver_parse(number, &version, &bad) < 0)
			continue;
		if (to ? !view_equal_str(number, to) : version.prerelease != NULL)
			continue;
		if (best) {
			CLEANUP(freep) char *text = xmemdupz(number.data, number.len);

			if (semver_compare_text(text, best + (*best == 'v')) <= 0)
				continue;
		}
		free(best);
		best = xmemdupz(tag.data, tag.len);
	}
	return best;
}

static int fetch_core(const struct project *project, const char *address, const char *to,
	struct upstream *upstream, struct error *err)
{
	CLEANUP(buf_release) struct buf refs = BUF_INIT;
	CLEANUP(freep) char *tag = NULL;
	const char *clone[10] = {"clone", "--quiet", "--depth=1", "--no-tags"};
	size_t count = 4;
	CLEANUP(freep)
	char *from = *address != '/' && !address[strcspn(address, ":")]
			     ? xasprintf("%s/%s", project->path, address)
			     : xstrdup(address);

	if (scratch_make("nanoclaw-core-", &upstream->scratch, err) < 0 ||
		run_git(upstream->scratch.path,
			(const char *const[]){
				"ls-remote", "--tags", "--refs", "--", from, NULL},
			&refs, err) < 0)
		return -1;
	tag = choose_tag(view_of_buf(&refs), to);
	if (to && !tag)
		return error_set(
			err, ERROR_INVALID, "'%s' has no tag for version %s", address, to);
	upstream->source = xasprintf("%s/core", upstream->scratch.path);
	upstream->shown = xasprintf(GIT_SOURCE "%s@%s", address, tag ? tag : "HEAD");
	if (tag) {
		clone[count++] = "--branch";
		clone[count++] = tag;
	}
	clone[count++] = "--";
	clone[count++] = from;
	clone[count++] = upstream->source;
	return run_git(upstream->scratch.path, clone, NULL, err);
}

static void upstream_close(struct upstream *upstream)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (upstream->scratch.path && scratch_remove(&upstream->scratch, &err) < 0)
		log_warning("%s", err.message);
	free(upstream->source);
	free(upstream->shown);
	*upstream = UPSTREAM_INIT;
}

/* ERROR_INVALID if the origin of the core is unknown, or there is no terminal to ask. */
static int upstream_open(const struct project *project, const char *to, const struct ask *ask,
	struct upstream *ret_upstream, struct error *err)
{
	static const char *const choices[] = {"fetch it", "stop"};
	CLEANUP(freep) char *address = NULL, *question = NULL;
	int answer;

	*ret_upstream = UPSTREAM_INIT;
	if (find_origin(project, &ret_upstream->source, &address, err) < 0)
		return -1;
	if (!address) {
		CLEANUP(freep) char *shown = quote(view_of(ret_upstream->source));

		log_note("the core comes from %s", shown);
		return 0;
	}
	question = xasprintf(
		"The core comes from '%s'. Let git fetch its newest version?", address);
	answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return -1;
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done");
	if (fetch_core(project, address, to, ret_upstream, err) == 0)
		return 0;
	upstream_close(ret_upstream);
	return -1;
}

static const struct option options[] = {
	{0, "preview", NULL, "show the result without changing anything"},
	{0, "to", "VERSION", "the version of the new core; with packages, how far to go"},
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTION_ALLOW_OLDER_CORE,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

/* For unrecorded changes, the preview assumes the recommended choice. */
static int update_preview(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, const struct operation_options *how,
	struct operation_result *ret_result, struct error *err)
{
	struct operation_options look = *how;

	look.dry_run = true;
	look.resolver = NULL;
	if (look.on_drift == ON_DRIFT_ASK)
		look.on_drift = ON_DRIFT_RECORD;
	if (core_update(project, source, arguments_value(args, "to"), &look, ret_result, err) ==
		0)
		return 0;
	apply_output_failure(cli, ret_result);
	return -1;
}

/* On a terminal, show the preview and ask once. Elsewhere, the preview must only succeed. */
static int confirm_update(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, const struct operation_options *how, bool *ret_stop,
	struct error *err)
{
	static const char *const choices[] = {"update the core", "abort"};
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	const struct ask *ask = &how->ask;
	int answer;

	*ret_stop = false;
	if (cli->yes)
		return 0;
	if (update_preview(cli, project, source, args, how, &result, err) < 0)
		return -1;
	*ret_stop = result.update->nothing_to_do;
	if (*ret_stop || ask->in_person)
		apply_output(cli, &result, true);
	if (*ret_stop)
		return 0;
	answer = ask->choose(
		ask->data, "Update the core?", choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return error_hint(err, "'--preview' shows the changes, and '--yes' makes them");
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done");
	return 0;
}

static int update_from(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, struct operation_options *how, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	struct cli sure = *cli;
	bool stop = false;

	if (arguments_flag(args, "preview")) {
		if (update_preview(cli, project, source, args, how, &result, err) < 0)
			return -1;
		return apply_output(cli, &result, true);
	}
	if (confirm_update(cli, project, source, args, how, &stop, err) < 0)
		return -1;
	if (stop)
		return EXIT_DONE;
	/* The person has agreed to the preview; do not ask again. */
	sure.yes = true;
	how->ask = prompt_for(&sure);
	if (cli->interactive && !cli->yes)
		how->ask.show = NULL;
	if (core_update(project, source, arguments_value(args, "to"), how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		update_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, project, how, NULL, &result, err);
}

static int run_update(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct upstream upstream;
	struct operation_options how;
	int code;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	if (args->count)
		return update_from(cli, &project, args->words[0], args, &how, err);
	if (upstream_open(&project, arguments_value(args, "to"), &how.ask, &upstream, err) < 0)
		return -1;
	how.source = upstream.shown;
	code = update_from(cli, &project, upstream.source, args, &how, err);
	upstream_close(&upstream);
	return code;
}

static const struct example examples[] = {
	{"nanoclaw update", "fetch the newest version, show it, and ask"},
	{"nanoclaw update ../nanoclaw-0.6.0 --preview", "show what a new core would change"},
	{"nanoclaw update ../nanoclaw-0.6.0", "update to it"},
	{"nanoclaw update updates/0.5.0-to-0.6.0", "an update package"},
	{"nanoclaw update upstream/main", "a git ref that you have fetched"},
	{0},
};

COMMAND(update) = {
	.name = "update",
	.summary = "update the core",
	.usage = "[<source>]",
	.description =
		"Without a source, the new core comes from where the last one came from, or from the\n"
		"git remote 'upstream' or 'origin' of the project: the command names it, asks, and lets\n"
		"git fetch the newest version into a temporary folder. Your repository stays as it is.\n"
		"\n"
		"The source is an update package ('updates/A-to-B'; one leads to the next), a\n"
		"folder with the whole new core, or a git ref that you have already fetched.\n"
		"\n"
		"The new core's changes are merged into your files. Changes by skills, custom\n"
		"patches and you are kept; conflicts pause as in 'skill apply'. If the new core\n"
		"changed a default or dropped a feature, migration skills keep your setup; removing\n"
		"one accepts the new default. Skills with a newer package are applied again. Then\n"
		"the tests of all skills run, and if one fails, everything is rolled back.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.run = run_update,
	.after = rebuild_offer,
};
