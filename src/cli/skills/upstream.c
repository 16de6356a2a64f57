#include "cli/skills/upstream.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/quote.h"
#include "engine/core/core_git.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"
#include "proc/log.h"
#include "proc/process.h"

#define MAX_REFS ((size_t)4 * 1024 * 1024)

/* What the state records as the source of a core that git fetched: git+ADDRESS@REF. */
#define GIT_SOURCE "git+"

/* A program's arguments are never a transport that runs another program. */
static int run_git(const struct project *project, const char *const *words, struct buf *ret_out,
	struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *argv[16] = {
		"git", "-c", "protocol.ext.allow=never", "-c", "advice.detachedHead=false"};
	size_t count = 5;

	while (*words)
		argv[count++] = *words++;
	request.argv = argv;
	request.cwd_fd = project->root;
	request.env = (const char *const[]){
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_TERMINAL_PROMPT=0", NULL};
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

	if (run_git(project,
		    (const char *const[]){"ls-remote", "--tags", "--refs", "--", address, NULL},
		    &refs, err) < 0)
		return -1;
	tag = choose_tag(view_of_buf(&refs), to);
	if (to && !tag)
		return error_set(
			err, ERROR_INVALID, "'%s' has no tag for version %s", address, to);
	if (scratch_make("nanoclaw-core-", &upstream->scratch, err) < 0)
		return -1;
	upstream->source = xasprintf("%s/core", upstream->scratch.path);
	upstream->shown = xasprintf(GIT_SOURCE "%s@%s", address, tag ? tag : "HEAD");
	if (tag) {
		clone[count++] = "--branch";
		clone[count++] = tag;
	}
	clone[count++] = "--";
	clone[count++] = address;
	clone[count++] = upstream->source;
	return run_git(project, clone, NULL, err);
}

int upstream_open(const struct project *project, const char *to, const struct ask *ask,
	struct upstream *ret_upstream, struct error *err)
{
	static const char *const choices[] = {"fetch it", "stop"};
	CLEANUP(freep) char *address = NULL, *question = NULL;
	int answer;

	*ret_upstream = UPSTREAM_INIT;
	if (find_origin(project, &ret_upstream->source, &address, err) < 0)
		return -1;
	if (!address) {
		log_note("the core comes from '%s'", ret_upstream->source);
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

void upstream_close(struct upstream *upstream)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (upstream->scratch.path && scratch_remove(&upstream->scratch, &err) < 0)
		log_warning("%s", err.message);
	free(upstream->source);
	free(upstream->shown);
	*upstream = UPSTREAM_INIT;
}
