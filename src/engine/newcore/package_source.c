#include "engine/newcore/package_source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/untar.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/quote.h"
#include "base/string_array.h"
#include "engine/core/core_git.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "proc/log.h"
#include "proc/process.h"

#define GIT           "git+"
#define ARCHIVE_MAX   ((size_t)256 * 1024 * 1024)
#define CONTENTS_MAX  ((size_t)1024 * 1024 * 1024)
#define LISTING_MAX   ((size_t)64 * 1024 * 1024)
#define SIGNATURE_MAX ((size_t)64 * 1024)
#define KEY_SECONDS   30

/* Names in the temporary folder. */
#define UNPACKED  "package"
#define ARCHIVE   "archive"
#define SIGNATURE "signature"

bool package_source_is(const char *typed)
{
	struct stat st;

	return !strncmp(typed, GIT, strlen(GIT)) ||
	       ((view_ends_with(view_of(typed), ".tar.gz") ||
			view_ends_with(view_of(typed), ".tgz")) &&
		       (stat(typed, &st) < 0 || !S_ISDIR(st.st_mode)));
}

/* --- an archive ------------------------------------------------------------------- */

static int put_scratch_file(const struct package_source *source, const char *name,
	const struct buf *content, struct error *err)
{
	return replace_file(source->scratch.fd, name, view_of_buf(content), 0600, NULL,
		REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err);
}

static int read_whole_file(
	const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	return file_read_fd(fd, path, max, ret_text, err);
}

static int run_verifier(const struct package_source *source, const char *const *argv,
	struct view input, struct buf *ret_output, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = argv;
	request.cwd_fd = source->scratch.fd;
	request.input = input;
	request.timeout_ms = KEY_SECONDS * 1000;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, SIGNATURE_MAX};
	request.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	if (process_run(&request, &result, err) < 0)
		return -1;
	if (result.exit_code || result.timed_out) {
		struct view said = view_trim(view_of_buf(&result.output));

		return error_set(err, ERROR_INVALID, "the signature is invalid%s%.*s",
			said.len ? ": " : "", VIEW_ARGS(said));
	}
	buf_append(ret_output, result.output.data, result.output.len);
	return 0;
}

/* The signer's name comes from the file of allowed signers. */
static int verify_ssh(const struct package_source *source, const char *key, struct view archive,
	char **ret_signer, struct error *err)
{
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	CLEANUP(buf_release) struct buf ignored = BUF_INIT;
	const char *const find[] = {
		"ssh-keygen", "-Y", "find-principals", "-s", SIGNATURE, "-f", key, NULL};
	CLEANUP(freep) char *signer = NULL;
	struct view rest, line = view_of("");

	if (run_verifier(source, find, view_of(""), &output, err) < 0)
		return -1;
	rest = view_of_buf(&output);
	view_next(&rest, '\n', &line);
	signer = xmemdupz(line.data, line.len);
	if (run_verifier(source,
		    (const char *const[]){"ssh-keygen", "-Y", "verify", "-f", key, "-I", signer,
			    "-n", "file", "-s", SIGNATURE, NULL},
		    archive, &ignored, err) < 0)
		return -1;
	*ret_signer = TAKE(signer);
	return 0;
}

/* `*ret_signer` is NULL if nothing was checked. */
static int check_signature(const struct package_request *request, struct package_source *source,
	const struct buf *archive, char **ret_signer, struct error *err)
{
	CLEANUP(freep) char *mini = xasprintf("%s.minisig", request->typed);
	CLEANUP(freep) char *ssh = xasprintf("%s.sig", request->typed);
	CLEANUP(freep) char *key = request->key ? realpath(request->key, NULL) : NULL;
	CLEANUP(buf_release) struct buf signature = BUF_INIT;
	CLEANUP(buf_release) struct buf keys = BUF_INIT;
	bool is_mini;
	CLEANUP(buf_release) struct buf ignored = BUF_INIT;

	if (!request->key) {
		source->unsigned_for_us = !access(mini, F_OK) || !access(ssh, F_OK);
		return 0;
	}
	if (!key || read_whole_file(key, SIGNATURE_MAX, &keys, err) < 0)
		return error_set(err, ERROR_INVALID, "cannot read the key '%s'", request->key);
	is_mini = view_starts_with(view_of_buf(&keys), "untrusted comment:");
	if (read_whole_file(is_mini ? mini : ssh, SIGNATURE_MAX, &signature, err) < 0)
		return error_prefix(err, "the archive has no signature for this key");
	if (put_scratch_file(source, SIGNATURE, &signature, err) < 0)
		return -1;
	if (!is_mini)
		return verify_ssh(source, key, view_of_buf(archive), ret_signer, err);
	if (run_verifier(source,
		    (const char *const[]){"minisign", "-V", "-q", "-p", key, "-x", SIGNATURE,
			    "-m", ARCHIVE, NULL},
		    view_of(""), &ignored, err) < 0)
		return -1;
	*ret_signer = xstrdup(request->key);
	return 0;
}

static int open_archive(const struct package_request *request, struct package_source *source,
	int unpacked, struct error *err)
{
	CLEANUP(buf_release) struct buf archive = BUF_INIT;
	CLEANUP(freep) char *signer = NULL;
	CLEANUP(closep) int fd = -1;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	if (read_whole_file(request->typed, ARCHIVE_MAX, &archive, err) < 0)
		return -1;
	hash = hash_of(view_of_buf(&archive));
	hash_to_hex(&hash, hex);
	if (request->sha256 && strcmp(request->sha256, hex) != 0)
		return error_set(err, ERROR_INVALID,
			"the archive has the SHA-256 %s, and not %s", hex, request->sha256);
	/* From here on the copy counts: the file itself may change meanwhile. */
	if (put_scratch_file(source, ARCHIVE, &archive, err) < 0 ||
		check_signature(request, source, &archive, &signer, err) < 0)
		return -1;
	fd = openat(source->scratch.fd, ARCHIVE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot open the copy of the archive");
	if (untar(fd, unpacked, err) < 0)
		return -1;
	source->shown = xasprintf("%s (SHA-256 %s%s%s)", request->typed, hex,
		signer ? ", signed by " : "", signer ? signer : "");
	return 0;
}

/* --- a commit --------------------------------------------------------------------- */

struct taking {
	int folder;
	struct string_array objects;
	struct string_array paths; /* of these objects */
	struct string_array modes; /* likewise */
};

static void taking_release(struct taking *t)
{
	string_array_release(&t->objects);
	string_array_release(&t->paths);
	string_array_release(&t->modes);
}

/* `skip` is the length of the part of the path that is left out. */
static int take_tree_entry(struct taking *t, struct view line, size_t skip, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *shown = NULL;
	struct core_git_entry entry;

	if (t->paths.count == UNTAR_MAX_FILES)
		return error_set(err, ERROR_INVALID, "the commit has too many files there");
	if (core_git_parse_entry(line, &entry, err) < 0)
		return -1;
	/* A file where a folder was named has nothing after the part. */
	if (entry.path.len <= skip)
		return error_set(err, ERROR_FAILED, "unexpected output from git ls-tree");
	shown = quote(entry.path);
	if (!view_equal_str(entry.mode, "100644") && !view_equal_str(entry.mode, "100755"))
		return error_set(err, ERROR_INVALID, "%s is not a regular file", shown);
	if (relpath_parse(view_slice(entry.path, skip, entry.path.len), &path, err) < 0)
		return -1;
	if (relpath_protected(&path))
		return error_set(
			err, ERROR_INVALID, "%s leads into '.git' or '.nanoclaw'", shown);
	string_array_addf(&t->objects, "%.*s", VIEW_ARGS(entry.object));
	string_array_add(&t->paths, path.text);
	string_array_addf(&t->modes, "%.*s", VIEW_ARGS(entry.mode));
	return 0;
}

static int take_blob(size_t number, struct view content, void *data, struct error *err)
{
	struct taking *t = data;
	const char *text = t->paths.list[number];
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int dir = -1;

	if (relpath_parse(view_of(text), &path, err) == 0 &&
		beneath_open_parent(t->folder, &path, BENEATH_CREATE, &dir, err) == 0 &&
		replace_file(dir, relpath_base(&path), content,
			strcmp(t->modes.list[number], "100755") ? 0644 : 0755, NULL,
			REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err) == 0)
		return 0;
	/* A name that a tree has twice is the repository's fault. */
	if (err->errnum == EEXIST || err->errnum == ENOTDIR)
		err->kind = ERROR_INVALID;
	return -1;
}

/* A remote of the project's own clone that has this address; or NULL. */
static char *find_remote(const struct project *project, const char *address)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *const argv[] = {
		"config", "--local", "--get-regexp", "^remote\\..*\\.url$", NULL};
	struct view rest, line, key;

	if (core_git_run(project->root, argv, view_of(""), LISTING_MAX, &out, &ignored) < 0)
		return NULL;
	rest = view_of_buf(&out);
	while (view_next(&rest, '\n', &line))
		if (view_next(&line, ' ', &key) && view_equal_str(line, address))
			return xmemdupz(key.data + strlen("remote."),
				key.len - strlen("remote.") - strlen(".url"));
	return NULL;
}

/* Open the clone; `*ret_remote` is the project's name for the remote, or NULL. */
static int open_clone(const struct project *project, const char *address, int *ret_clone,
	char **ret_remote, struct error *err)
{
	const char *path = !strncmp(address, "file://", 7) ? address + 7 : address;
	CLEANUP(freep) char *shown = quote(view_of(address));

	*ret_clone = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret_clone >= 0)
		return 0;
	*ret_remote = find_remote(project, address);
	if (*ret_remote) {
		*ret_clone = fcntl(project->root, F_DUPFD_CLOEXEC, 0);
		return *ret_clone < 0 ? error_errno(err, "cannot open the project") : 0;
	}
	error_set(err, ERROR_INVALID,
		"%s is neither a clone on this machine nor a remote of the project's own",
		shown);
	return error_hint(err, "'git clone' it, or 'git remote add' and 'git fetch'; nanoclaw "
			       "itself fetches nothing");
}

static int find_commit(
	int clone, const char *remote, const char *ref, char **ret_commit, struct error *err)
{
	CLEANUP(freep)
	char *tracked = remote ? xasprintf("refs/remotes/%s/%s", remote, ref) : NULL;
	CLEANUP(freep) char *shown = quote(view_of(ref));
	CLEANUP(error_release) struct error untracked = ERROR_INIT;
	CLEANUP(error_release) struct error none = ERROR_INIT;

	if (tracked && core_git_commit(clone, tracked, ret_commit, &untracked) == 0)
		return 0;
	if (core_git_commit(clone, ref, ret_commit, &none) == 0)
		return 0;
	error_set(err, ERROR_INVALID, "%s is not a commit of the clone", shown);
	return error_hint(err, "'git fetch' may bring it");
}

static int take_tree(
	int clone, const char *commit, const char *below, int folder, struct error *err)
{
	CLEANUP(taking_release) struct taking t = {.folder = folder};
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *argv[] = {"--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree",
		commit, "--", NULL, NULL};
	struct view rest, line;

	if (*below && relpath_parse(view_of(below), &path, err) < 0)
		return -1;
	argv[7] = path.text;
	if (core_git_run(clone, argv, view_of(""), LISTING_MAX, &out, err) < 0) {
		if (err->errnum == EFBIG)
			err->kind = ERROR_INVALID;
		return -1;
	}
	rest = view_of_buf(&out);
	while (view_next(&rest, '\0', &line))
		if (take_tree_entry(&t, line, *below ? strlen(below) + 1 : 0, err) < 0)
			return -1;
	if (!t.objects.count)
		return error_set(err, ERROR_INVALID, "the commit has no folder '%s'", below);
	return core_git_contents(clone, (const char *const *)t.objects.list, t.objects.count,
		CONTENTS_MAX, take_blob, &t, err);
}

static int open_git(const struct project *project, const struct package_request *request,
	struct package_source *source, int unpacked, struct error *err)
{
	CLEANUP(freep) char *address = xstrdup(request->typed + strlen(GIT));
	char *at = strrchr(address, '@');
	CLEANUP(freep) char *remote = NULL;
	CLEANUP(freep) char *commit = NULL;
	CLEANUP(closep) int clone = -1;
	const char *below = "";
	char *colon;

	if (request->sha256 || request->key)
		return error_set(err, ERROR_INVALID,
			"'--sha256' and '--key' are for archives; name a commit instead of a ref");
	if (!at || at == address)
		return error_set(err, ERROR_INVALID,
			"it names no ref: write 'git+REPOSITORY@REF:FOLDER'");
	*at++ = '\0';
	colon = strchr(at, ':');
	if (colon) {
		*colon = '\0';
		below = colon + 1;
	}
	if (open_clone(project, address, &clone, &remote, err) < 0 ||
		find_commit(clone, remote, at, &commit, err) < 0 ||
		take_tree(clone, commit, below, unpacked, err) < 0)
		return -1;
	source->shown = xasprintf("%s (commit %s)", request->typed, commit);
	return 0;
}

/* --- both ------------------------------------------------------------------------- */

static bool has_manifest(const char *folder)
{
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", folder);
	struct stat st;

	return lstat(manifest, &st) == 0;
}

/* The folder itself, or the only one in it. */
static int find_package(struct package_source *source, struct error *err)
{
	CLEANUP(freep) char *top = xasprintf("%s/" UNPACKED, source->scratch.path);
	const struct dirent *entry;
	DIR *dir = opendir(top);

	while (dir && !has_manifest(top) && (entry = readdir(dir))) {
		CLEANUP(freep) char *inner = xasprintf("%s/%s", top, entry->d_name);

		if (entry->d_name[0] == '.' || !has_manifest(inner))
			continue;
		if (source->folder) {
			closedir(dir);
			return error_set(
				err, ERROR_INVALID, "it contains more than one package");
		}
		source->folder = TAKE(inner);
	}
	if (dir)
		closedir(dir);
	if (has_manifest(top))
		source->folder = TAKE(top);
	return source->folder ? 0
			      : error_set(err, ERROR_INVALID,
					"it contains no package: there is no manifest.yaml");
}

static int unpack_package(const struct project *project, const struct package_request *request,
	struct package_source *source, struct error *err)
{
	CLEANUP(closep) int unpacked = -1;

	if (sys.mkdir(source->scratch.fd, UNPACKED, 0700) < 0)
		return error_errno(err, "cannot create a temporary folder");
	unpacked = openat(
		source->scratch.fd, UNPACKED, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (unpacked < 0)
		return error_errno(err, "cannot open a temporary folder");
	if ((strncmp(request->typed, GIT, strlen(GIT)) != 0
			    ? open_archive(request, source, unpacked, err)
			    : open_git(project, request, source, unpacked, err)) < 0)
		return -1;
	return find_package(source, err);
}

int package_source_open(const struct project *project, const struct package_request *request,
	struct package_source *ret_source, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(request->typed));
	struct package_source source = {0};

	if (scratch_make("nanoclaw-package-", &source.scratch, err) < 0)
		return -1;
	if (unpack_package(project, request, &source, err) < 0) {
		package_source_close(&source);
		return error_prefix(err, "%s", shown);
	}
	*ret_source = source;
	return 0;
}

void package_source_close(struct package_source *source)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (scratch_remove(&source->scratch, &err) < 0)
		log_debug("%s", err.message);
	free(source->folder);
	free(source->shown);
}
