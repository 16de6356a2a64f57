#include "engine/core/core_git.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "proc/process.h"

#define ERRORS_MAX      ((size_t)16 * 1024)
#define ARGS_MAX        32
#define TIMEOUT_MS      (120 * 1000) /* nothing is fetched, so it waits for the disk only */
#define OBJECT_NAME_MAX 64
/* A line before each content: its name, its type and size. */
#define HEADER_MAX 128

/*
 * Our environment must not lead to another repository, or to other objects, and the repository
 * not to programs that git would start for it.
 */
static const char *const git_env[] = {
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_CONFIG_COUNT=2",
	"GIT_CONFIG_KEY_0=core.fsmonitor",
	"GIT_CONFIG_VALUE_0=false",
	"GIT_CONFIG_KEY_1=core.hooksPath",
	"GIT_CONFIG_VALUE_1=/dev/null",
	"GIT_CONFIG_PARAMETERS",
	"GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_WORK_TREE",
	"GIT_DIR=.git",
	"GIT_CONFIG_NOSYSTEM=1",
	"GIT_CONFIG_GLOBAL=/dev/null",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_OPTIONAL_LOCKS=0",
	/* No transport may be used: nothing is fetched, also by older versions. */
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_TERMINAL_PROMPT=0",
	"LC_ALL=C",
	NULL,
};

int core_git_run(int root, const char *const *argv, struct view input, size_t max,
	struct buf *ret_out, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(freep) char *program = process_find("git");
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *args[ARGS_MAX] = {"git"};
	size_t count = 1;
	struct stat st;

	if (fstatat(root, ".git", &st, 0) < 0)
		return errno == ENOENT ? error_set(err, ERROR_INVALID,
						 "the project has no git repository")
				       : error_errno(err, "cannot access '.git'");
	if (!program) {
		error_set(
			err, ERROR_INVALID, "there is no program 'git' to read the repository");
		return error_hint(err, "install git, or name a folder with the whole new core");
	}
	while (*argv && count < ARRAY_SIZE(args) - 1)
		args[count++] = *argv++;
	args[count] = NULL;
	request.argv = args;
	request.env = git_env;
	request.cwd_fd = root;
	request.input = input;
	request.output = (struct process_stream){PROCESS_CAPTURE, max};
	request.errors = (struct process_stream){PROCESS_CAPTURE_TAIL, ERRORS_MAX};
	request.dies_with_us = true;
	request.timeout_ms = TIMEOUT_MS;
	if (process_run(&request, &result, err) < 0)
		return -1;
	if (result.timed_out)
		return error_set(err, ERROR_FAILED, "git %s took more than %d seconds", args[1],
			TIMEOUT_MS / 1000);
	if (result.exit_code != 0) {
		struct view errors = view_trim(view_of_buf(&result.errors)), last = view_of("");
		CLEANUP(freep) char *said = NULL;

		while (view_next(&errors, '\n', &last))
			;
		said = quote(view_trim(last));
		return error_set(err, ERROR_INVALID, "git %s failed: %s", args[1], said);
	}
	buf_release(ret_out);
	*ret_out = result.output;
	result.output = BUF_INIT;
	return 0;
}

int core_git_commit(int root, const char *ref, char **ret_commit, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s^{commit}", ref);
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *const argv[] = {
		"rev-parse", "--verify", "--quiet", "--end-of-options", name, NULL};
	struct view line;

	if (!*ref || *ref == '-')
		return error_set(err, ERROR_INVALID, "'%s' is not a commit", ref);
	if (core_git_run(root, argv, view_of(""), 4096, &out, err) < 0)
		return -1;
	line = view_trim(view_of_buf(&out));
	*ret_commit = xmemdupz(line.data, line.len);
	return 0;
}

int core_git_parse_entry(struct view line, struct core_git_entry *ret_entry, struct error *err)
{
	struct view facts, size;

	if (!view_next(&line, '\t', &facts) || !view_next(&facts, ' ', &ret_entry->mode) ||
		!view_next(&facts, ' ', &ret_entry->type) ||
		!view_next(&facts, ' ', &ret_entry->object) ||
		ret_entry->object.len > OBJECT_NAME_MAX)
		return error_set(err, ERROR_FAILED, "unexpected output from git ls-tree");
	size = view_trim(facts);
	ret_entry->path = line;
	ret_entry->size = 0;
	for (size_t i = 0; i < size.len && size.data[i] >= '0' && size.data[i] <= '9'; i++)
		ret_entry->size = ret_entry->size * 10 + (size_t)(size.data[i] - '0');
	return 0;
}

int core_git_contents(int root, const char *const *objects, size_t count, size_t max,
	core_git_function each, void *data, struct error *err)
{
	static const char *const argv[] = {"cat-file", "--batch", NULL};
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest, line;

	for (size_t i = 0; i < count; i++)
		buf_appendf(&names, "%s\n", objects[i]);
	if (core_git_run(root, argv, view_of_buf(&names), max + count * HEADER_MAX, &out, err) <
		0)
		return -1;
	rest = view_of_buf(&out);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *header = NULL;
		const char *blob;
		size_t size;

		/* "<name> blob <size>", or "<name> missing". */
		if (!view_next(&rest, '\n', &line) || line.len > HEADER_MAX)
			return error_set(
				err, ERROR_FAILED, "unexpected output from git cat-file");
		header = xmemdupz(line.data, line.len);
		blob = strstr(header, " blob ");
		if (!blob)
			return error_set(err, ERROR_INVALID,
				"the object %s is not in the repository", objects[i]);
		size = strtoull(blob + strlen(" blob "), NULL, 10);
		if (size >= rest.len)
			return error_set(
				err, ERROR_FAILED, "unexpected output from git cat-file");
		if (each(i, view_slice(rest, 0, size), data, err) < 0)
			return -1;
		rest = view_slice(rest, size + 1, rest.len);
	}
	return 0;
}
