/*
 * `git merge-file` of git 2.39: the same arguments, bytes and exit codes. Two
 * things differ on purpose: git's configuration is not read, and the result
 * takes the place of the file in one step where that is possible, so that a
 * crash leaves the old content or the new.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "engine/merge.h"
#include "util/file.h"
#include "util/replace.h"
#include "util/sys.h"

#define MAX_REPORTED_CONFLICTS 127
#define MAX_MARKER_SIZE        USHRT_MAX

enum {
	OPT_STDOUT,
	OPT_DIFF3,
	OPT_ZDIFF3,
	OPT_OURS,
	OPT_THEIRS,
	OPT_UNION,
	OPT_MARKER_SIZE,
	OPT_LABEL,
};

static const struct option options[] = {
	[OPT_STDOUT] = {'p', "stdout", NULL,
		"print the result instead of writing it to <current>"},
	[OPT_DIFF3] = {0, "diff3", NULL, "show the base in conflicts too"},
	[OPT_ZDIFF3] = {0, "zdiff3", NULL,
		"likewise, without the lines on which both sides agree"},
	[OPT_OURS] = {0, "ours", NULL, "settle conflicts with the lines of <current>"},
	[OPT_THEIRS] = {0, "theirs", NULL, "settle conflicts with the lines of <other>"},
	[OPT_UNION] = {0, "union", NULL, "settle conflicts with the lines of both"},
	[OPT_MARKER_SIZE] = {0, "marker-size", "N", "length of the conflict markers (7)"},
	[OPT_LABEL] = {'L', NULL, "LABEL", "name of a side at the markers; up to three times"},
	{0},
};

struct request {
	struct merge_options merge;
	const char *labels[3];
	size_t label_count;
};

static int parse_marker_size(const char *text, unsigned short *ret_size, struct error *err)
{
	char *end;
	long size;

	errno = 0;
	size = strtol(text, &end, 10);
	if (!*text || *end)
		return error_set(err, ERROR_INVALID,
			"option '--marker-size' expects a number, not '%s'", text);
	if (errno || size > MAX_MARKER_SIZE)
		return error_set(err, ERROR_INVALID, "a marker size of at most %d is possible",
			MAX_MARKER_SIZE);
	*ret_size = size > 0 ? (unsigned short)size : 0;
	return 0;
}

/* Of options that exclude each other the last one counts, as in git. */
static int read_option(
	struct request *request, const struct given_option *given, struct error *err)
{
	struct merge_options *merge = &request->merge;

	switch (given->option - options) {
	case OPT_DIFF3:
		merge->style = given->negated ? MERGE_STYLE_MERGE : MERGE_STYLE_DIFF3;
		break;
	case OPT_ZDIFF3:
		merge->style = given->negated ? MERGE_STYLE_MERGE : MERGE_STYLE_ZDIFF3;
		break;
	case OPT_OURS:
		merge->favor = given->negated ? MERGE_FAVOR_NONE : MERGE_FAVOR_OURS;
		break;
	case OPT_THEIRS:
		merge->favor = given->negated ? MERGE_FAVOR_NONE : MERGE_FAVOR_THEIRS;
		break;
	case OPT_UNION:
		merge->favor = given->negated ? MERGE_FAVOR_NONE : MERGE_FAVOR_UNION;
		break;
	case OPT_MARKER_SIZE:
		if (!given->negated)
			return parse_marker_size(given->value, &merge->marker_size, err);
		merge->marker_size = 0;
		break;
	case OPT_LABEL:
		if (request->label_count == ARRAY_SIZE(request->labels))
			return error_set(err, ERROR_INVALID, "more than three labels");
		request->labels[request->label_count++] = given->value;
		break;
	}
	return 0;
}

static bool is_own(const struct given_option *given)
{
	return given->option >= options && given->option < options + ARRAY_SIZE(options);
}

static int read_side(const char *path, struct buf *ret_text, struct error *err)
{
	if (file_read(path, MERGE_MAX_SIZE, ret_text, err) < 0)
		return -1;
	if (merge_is_binary(view_of_buf(ret_text)))
		return error_set(err, ERROR_FAILED, "cannot merge binary files: '%s'", path);
	return 0;
}

/*
 * Would a new file in its place be the same but for its content? Not if it has
 * other names, belongs to somebody else, or carries attributes.
 */
static bool is_replaceable(const char *path, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == geteuid() &&
	       st->st_gid == getegid() && listxattr(path, NULL, 0) <= 0;
}

static int write_in_place(const char *path, struct view content, struct error *err)
{
	CLEANUP(closep) int fd = sys.create(AT_FDCWD, path, O_WRONLY | O_TRUNC, 0);

	if (fd < 0 || sys_write_all(fd, content.data, content.len) < 0)
		return error_errno(err, "cannot write '%s'", path);
	return 0;
}

static int write_result(const char *typed_path, struct view content, struct error *err)
{
	CLEANUP(freep) char *path = realpath(typed_path, NULL);
	CLEANUP(freep) char *path_for_dirname = NULL;
	CLEANUP(closep) int folder = -1;
	struct stat st;

	if (!path || access(path, W_OK) < 0 || stat(path, &st) < 0)
		return error_errno(err, "cannot write '%s'", typed_path);
	path_for_dirname = xstrdup(path);
	folder = open(dirname(path_for_dirname), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0 || faccessat(folder, ".", W_OK, AT_EACCESS) < 0 ||
		!is_replaceable(path, &st))
		return write_in_place(path, content, err);
	return replace_file(
		folder, strrchr(path, '/') + 1, content, st.st_mode & 07777, NULL, 0, err);
}

static int deliver(struct cli *cli, const char *path, bool to_stdout,
	const struct merge_result *result, struct error *err)
{
	struct view content = view_of_buf(&result->content);

	if (to_stdout)
		fwrite(content.data, 1, content.len, stdout);
	else if (write_result(path, content, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b, s:i, s:s}", "success", result->conflicts == 0,
			"conflicts", (int)result->conflicts, "file", path));
	return (int)(result->conflicts < MAX_REPORTED_CONFLICTS ? result->conflicts
								: MAX_REPORTED_CONFLICTS);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result result = {.content = BUF_INIT};
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	bool to_stdout = arguments_flag(args, &options[OPT_STDOUT]);
	struct buf *texts[] = {&ours, &base, &theirs};
	struct merge_input sides[3];
	struct request request = {0};
	int status = 0;

	for (size_t i = 0; i < args->option_count; i++)
		if (is_own(&args->options[i]) &&
			read_option(&request, &args->options[i], err) < 0)
			return -1;
	if (to_stdout && cli->json)
		return error_set(err, ERROR_INVALID,
			"'--json' and '--stdout' both want standard output");

	for (size_t i = 0; i < ARRAY_SIZE(sides) && !status; i++) {
		status = read_side(args->words[i], texts[i], err);
		sides[i].content = view_of_buf(texts[i]);
		sides[i].label = request.labels[i] ? request.labels[i] : args->words[i];
	}
	if (!status)
		status = merge_contents(
			&sides[0], &sides[1], &sides[2], &request.merge, &result, err);
	if (!status)
		status = deliver(cli, args->words[0], to_stdout, &result, err);
	if (status < 0)
		err->kind = ERROR_FAILED; /* from here on nothing is a matter of usage */
	return status;
}

static const struct example examples[] = {
	{"nanoclaw merge-file mine original yours", "bring the changes of yours into mine"},
	{"nanoclaw merge-file -p --diff3 mine original yours", "only show the result"},
	{0},
};

COMMAND(merge_file) = {
	.name = "merge-file",
	.summary = "merge three versions of a file, as git merge-file does",
	.usage = "[options] <current> <base> <other>",
	.description =
		"Brings the changes that lead from <base> to <other> into <current>. Where both\n"
		"sides changed the same lines, the result holds both between conflict markers.\n"
		"\n"
		"Arguments, result and exit codes are those of git 2.39's merge-file, but git's\n"
		"configuration is not read and no repository is needed. The exit code is the\n"
		"number of conflicts (at most 127), 255 if the files cannot be read, merged or\n"
		"written, and 129 for wrong usage.",
	.section = SECTION_PLUMBING,
	.options = options,
	.examples = examples,
	.min_arguments = 3,
	.max_arguments = 3,
	.usage_exit = 129,
	.failure_exit = 255,
	.run = run,
};
