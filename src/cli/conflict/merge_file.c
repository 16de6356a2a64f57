/*
 * `git merge-file` of git 2.39: the same arguments, bytes and exit codes. Three
 * things differ on purpose:
 *  - git's configuration is not read;
 *  - the result takes the place of the file in one step where that is possible, so
 *    that a crash leaves the old content or the new;
 *  - a pipe is read to its end, where git takes it for an empty file, and <current>
 *    must not be one unless the result goes to standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "engine/text/merge.h"
#include "format/json.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

#define MAX_REPORTED_CONFLICTS 127
#define USUAL_MARKER_SIZE      100
#define MAX_MARKER_SIZE        (1024 * 1024)
#define MAX_MARKER_TEXT        (256 * 1024 * 1024) /* the sum over all conflicts */

enum {
	OPT_STDOUT,
	OPT_QUIET,
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
	[OPT_QUIET] = {'q', "quiet", NULL, "accepted as in git; there are no warnings"},
	[OPT_DIFF3] = {0, "diff3", NULL, "also show the base in conflicts"},
	[OPT_ZDIFF3] = {0, "zdiff3", NULL, "the same, without lines on which both sides agree"},
	[OPT_OURS] = {0, "ours", NULL, "resolve conflicts with the lines of <current>"},
	[OPT_THEIRS] = {0, "theirs", NULL, "resolve conflicts with the lines of <other>"},
	[OPT_UNION] = {0, "union", NULL, "resolve conflicts with the lines of both"},
	[OPT_MARKER_SIZE] = {0, "marker-size", "N", "length of conflict markers (7)"},
	[OPT_LABEL] = {'L', NULL, "LABEL", "label of a side at the markers; up to three times"},
	{0},
};

struct request {
	struct merge_options merge;
	const char *labels[3];
	size_t label_count;
};

/* A number too large for an int loses its upper half, as in git. */
static int parse_marker_size(const char *text, int *ret_size, struct error *err)
{
	char *end;
	long size = strtol(text, &end, 10);

	if (!*text || *end) {
		CLEANUP(freep) char *shown = quote(view_of(text));

		return error_set(err, ERROR_INVALID,
			"option '--marker-size' expects a number, not %s", shown);
	}
	*ret_size = (int)size;
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

static bool option_is_own(const struct given_option *given)
{
	return given->option >= options && given->option < options + ARRAY_SIZE(options);
}

/* --- reading ----------------------------------------------------------------- */

static int file_error(const char *what, const char *path, struct error *err)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = quote(view_of(path));

	errno = errnum;
	return error_errno(err, "cannot %s %s", what, shown);
}

/* A pipe cannot be read and then receive the result. */
static int check_writable(const char *path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	struct stat st;

	if (stat(path, &st) < 0 || (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode)))
		return 0;
	error_set(err, ERROR_FAILED, "%s is a pipe, which cannot be replaced", shown);
	return error_hint(err, "'-p' prints the result");
}

static int read_side(const char *path, struct buf *ret_text, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));

	if (file_read(path, MERGE_MAX_SIZE, ret_text, err) < 0)
		return -1;
	if (merge_is_binary(view_of_buf(ret_text)))
		return error_set(err, ERROR_FAILED, "cannot merge binary files: %s", shown);
	return 0;
}

/*
 * The result with very long markers can be larger than memory, or than xdiff can count.
 * So the conflicts are counted first, with markers of the usual size.
 */
static int merge(const struct merge_input sides[3], struct merge_options *how,
	struct merge_result *ret_result, struct error *err)
{
	int wanted = how->marker_size;

	how->marker_size = wanted > USUAL_MARKER_SIZE ? USUAL_MARKER_SIZE : wanted;
	if (merge_contents(&sides[0], &sides[1], &sides[2], how, ret_result, err) < 0)
		return -1;
	if (wanted <= USUAL_MARKER_SIZE || !ret_result->conflicts)
		return 0;
	if (wanted > MAX_MARKER_SIZE || (int)ret_result->conflicts > MAX_MARKER_TEXT / wanted)
		return error_set(err, ERROR_FAILED,
			"conflict markers of %d characters are too long: the maximum is %d",
			wanted, MAX_MARKER_SIZE);
	merge_result_release(ret_result);
	how->marker_size = wanted;
	return merge_contents(&sides[0], &sides[1], &sides[2], how, ret_result, err);
}

/* --- writing ----------------------------------------------------------------- */

/* Has the file attributes that a new one would not have by itself? */
static bool has_attributes(const char *path)
{
	char names[4096];
	ssize_t len = listxattr(path, names, sizeof(names));

	if (len < 0)
		return errno != ENOTSUP;
	for (const char *name = names; name < names + len; name += strlen(name) + 1)
		if (strcmp(name, "security.selinux")) /* every file there has this one */
			return true;
	return false;
}

/* Does a new file in the folder get another group or other permissions? */
static bool shapes_new_files(int folder, gid_t group)
{
	struct stat st;

	if (fstat(folder, &st) < 0)
		return true;
	return ((st.st_mode & S_ISGID) && st.st_gid != group) ||
	       fgetxattr(folder, "system.posix_acl_default", NULL, 0) > 0;
}

/*
 * Would a new file in its place be the same but for its content? Not if it has
 * other names, belongs to somebody else, or carries attributes.
 */
static bool is_replaceable(int folder, const char *path, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == geteuid() &&
	       st->st_gid == getegid() && !has_attributes(path) &&
	       !shapes_new_files(folder, st->st_gid);
}

/* Not in one step, so a failure must report the state of the file. */
static int write_in_place(const char *path, struct view content, struct error *err)
{
	CLEANUP(closep)
	int fd = sys.create(AT_FDCWD, path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return file_error("write", path, err);
	if (sys_write_all(fd, content.data, content.len) < 0 || close(TAKE_FD(fd)) < 0) {
		file_error("write", path, err);
		return error_hint(err, "the file has lost its old content and has only "
				       "part of the new one; '-p' prints the result");
	}
	return 0;
}

/*
 * Does the error concern only the folder? It cannot hold a new file, or something is mounted at
 * the name; the file itself may still be writable.
 */
static bool is_about_folder(int errnum)
{
	return errnum == EACCES || errnum == EBUSY || errnum == EPERM || errnum == EROFS;
}

static int write_result(const char *typed_path, struct view content, struct error *err)
{
	CLEANUP(freep) char *path = realpath(typed_path, NULL);
	CLEANUP(freep) char *path_for_dirname = NULL;
	CLEANUP(closep) int folder = -1;
	struct stat st;

	if (!path || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 || stat(path, &st) < 0)
		return file_error("write", typed_path, err);
	path_for_dirname = xstrdup(path);
	folder = open(dirname(path_for_dirname), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0 || !is_replaceable(folder, path, &st))
		return write_in_place(path, content, err);
	if (replace_file(folder, strrchr(path, '/') + 1, content, st.st_mode & 07777, NULL, 0,
		    err) == 0)
		return 0;
	if (!is_about_folder(err->errnum))
		return -1;
	error_clear(err);
	return write_in_place(path, content, err);
}

static int result_deliver(struct cli *cli, const char *path, bool to_stdout,
	const struct merge_result *result, struct error *err)
{
	struct view content = view_of_buf(&result->content);

	if (to_stdout)
		fwrite(content.data, 1, content.len, stdout);
	else if (write_result(path, content, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_build("success:b conflicts:i file:s", result->conflicts == 0,
			(int)result->conflicts, path));
	return (int)(result->conflicts < MAX_REPORTED_CONFLICTS ? result->conflicts
								: MAX_REPORTED_CONFLICTS);
}

/* --- the command ------------------------------------------------------------- */

static int run_merge_file(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result result = {.content = BUF_INIT};
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	bool to_stdout = arguments_flag(args, "stdout");
	struct buf *texts[] = {&ours, &base, &theirs};
	struct merge_input sides[3];
	struct request request = {0};
	int status = 0;

	for (size_t i = 0; i < args->option_count; i++)
		if (option_is_own(&args->options[i]) &&
			read_option(&request, &args->options[i], err) < 0)
			return -1;
	if (to_stdout && cli->json)
		return error_set(
			err, ERROR_INVALID, "'--json' and '--stdout' both use standard output");
	if (!to_stdout)
		status = check_writable(args->words[0], err);
	for (size_t i = 0; i < ARRAY_SIZE(sides) && !status; i++) {
		status = read_side(args->words[i], texts[i], err);
		sides[i].content = view_of_buf(texts[i]);
		sides[i].label = request.labels[i] ? request.labels[i] : args->words[i];
	}
	if (!status)
		status = merge(sides, &request.merge, &result, err);
	if (!status)
		status = result_deliver(cli, args->words[0], to_stdout, &result, err);
	if (status < 0)
		err->kind = ERROR_FAILED; /* from here on nothing is a matter of usage */
	return status;
}

static const struct example examples[] = {
	{"nanoclaw merge-file mine original yours", "apply the changes in yours to mine"},
	{"nanoclaw merge-file -p --diff3 mine original yours", "only show the result"},
	{0},
};

COMMAND(merge_file) = {
	.name = "merge-file",
	.summary = "merge three versions of a file, like git merge-file",
	.usage = "<current> <base> <other>",
	.description =
		"Applies the changes between <base> and <other> to <current>. If both sides changed\n"
		"the same lines, the result has both between conflict markers.\n"
		"\n"
		"Arguments, result and exit codes are those of git 2.39's merge-file. The exit code\n"
		"is the number of conflicts (at most 127), 255 if a file cannot be read, merged or\n"
		"written, and 129 for wrong usage and for '-h'. There are three differences: git's\n"
		"configuration is not read and no repository is needed; the result replaces\n"
		"<current> in one step if possible; and a pipe is read to its end, where git treats\n"
		"it as an empty file.\n"
		"\n"
		"Conflict markers of more than 1048576 characters are refused.",
	.section = SECTION_PLUMBING,
	.options = options,
	.examples = examples,
	.min_arguments = 3,
	.max_arguments = 3,
	.completes = {COMPLETE_FILES},
	.usage_exit = 129,
	.failure_exit = 255,
	.run = run_merge_file,
};
