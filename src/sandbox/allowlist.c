#include "sandbox/allowlist.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json.h"
#include "format/json_span.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define MAX_ROOTS    100
#define MAX_PATTERNS 1000
#define HINT         "the folders that may be mounted are in '~/" ALLOWLIST_FILE "'"

/* Usual places of keys and passwords; each is a part of a path, or within one. */
static const char *const secrets[] = {
	".aws",
	".azure",
	".bash_history",
	".claude.json",
	".config/gcloud",
	".config/gh",
	".config/nanoclaw",
	".docker",
	".env",
	".gcloud",
	".git-credentials",
	".gnupg",
	".kube",
	".local/share/keyrings",
	".mozilla",
	".netrc",
	".npmrc",
	".password-store",
	".pki",
	".pypirc",
	".secret",
	".ssh",
	".vault-token",
	".zsh_history",
	"credentials",
	"id_dsa",
	"id_ecdsa",
	"id_ed25519",
	"id_rsa",
	"private_key",
};

/*
 * System folders: never mounted unless we live there, and neither is any folder that contains
 * one.
 */
static const char *const systems[] = {
	"/boot", "/dev", "/etc", "/proc", "/root", "/run", "/sys", "/var/lib", "/var/run"};

/* --- reading ----------------------------------------------------------------- */

struct source {
	struct view text;
	const char *shown;
};

static int source_fault(const struct source *source, const char *const *keys, struct error *err,
	const char *what)
{
	size_t line = 1;
	size_t column = 1;

	json_place(source->text, keys, &line, &column);
	return error_set(
		err, ERROR_INVALID, "%s:%zu:%zu: %s", source->shown, line, column, what);
}

static char *home_expand(const char *path, const char *home)
{
	if (!strcmp(path, "~"))
		return xstrdup(home);
	if (!strncmp(path, "~/", 2))
		return xasprintf("%s/%s", home, path + 2);
	return xstrdup(path);
}

/* Without a slash at the end; NULL if it is not absolute or has . or .. in it. */
static char *path_tidy(const char *path, const char *home)
{
	CLEANUP(freep) char *full = home_expand(path, home);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath rest = RELPATH_INIT;
	size_t len = strlen(full);

	while (len > 1 && full[len - 1] == '/')
		full[--len] = '\0';
	if (full[0] != '/' || relpath_parse(view_of(full + 1), &rest, &ignored) < 0)
		return NULL;
	return TAKE(full);
}

static int read_root(const struct source *source, const json_t *entry,
	struct allowlist *allowlist, struct error *err)
{
	static const char *const place[] = {"allowedRoots", NULL};
	const json_t *path = json_object_get(entry, "path");
	const json_t *writable = json_object_get(entry, "allowReadWrite");
	const json_t *description = json_object_get(entry, "description");
	CLEANUP(freep) char *full = NULL;

	if (!json_is_string(path))
		return source_fault(source, place, err, "each root needs a 'path', a string");
	if (writable && !json_is_boolean(writable))
		return source_fault(
			source, place, err, "'allowReadWrite' must be true or false");
	if (description && !json_is_string(description))
		return source_fault(source, place, err, "'description' must be a string");
	full = path_tidy(json_string_value(path), allowlist->home);
	if (!full)
		return source_fault(source, place, err,
			"the 'path' of a root must be absolute or begin with ~/, without '..'");
	GROW(allowlist->roots, allowlist->root_count, allowlist->root_cap);
	allowlist->roots[allowlist->root_count++] = (struct allowlist_root){
		.path = TAKE(full),
		.description = description ? xstrdup(json_string_value(description)) : NULL,
		.writable = json_is_true(writable),
	};
	return 0;
}

static int read_roots(const struct source *source, const json_t *list,
	struct allowlist *allowlist, struct error *err)
{
	static const char *const place[] = {"allowedRoots", NULL};

	if (!list)
		return 0;
	if (!json_is_array(list) || json_array_size(list) > MAX_ROOTS)
		return source_fault(
			source, place, err, "'allowedRoots' must be a list of at most 100");
	for (size_t i = 0; i < json_array_size(list); i++)
		if (read_root(source, json_array_get(list, i), allowlist, err) < 0)
			return -1;
	return 0;
}

static int read_patterns(const struct source *source, const json_t *list,
	struct allowlist *allowlist, struct error *err)
{
	static const char *const place[] = {"blockedPatterns", NULL};

	if (!list)
		return 0;
	if (!json_is_array(list) || json_array_size(list) > MAX_PATTERNS)
		return source_fault(
			source, place, err, "'blockedPatterns' must be a list of strings");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *pattern = json_string_value(json_array_get(list, i));

		if (!pattern || !*pattern)
			return source_fault(source, place, err,
				"a pattern must be a string that is not empty");
		GROW(allowlist->patterns, allowlist->pattern_count, allowlist->pattern_cap);
		allowlist->patterns[allowlist->pattern_count++] = xstrdup(pattern);
	}
	return 0;
}

/* A word that is not known might be one that should have forbidden something. */
static int check_keys(const struct source *source, json_t *all, struct error *err)
{
	static const char *const known[] = {
		"allowedRoots", "blockedPatterns", "nonMainReadOnly"};
	const char *key;
	json_t *value;

	json_object_foreach(all, key, value) {
		const char *const place[] = {key, NULL};
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			found |= !strcmp(key, known[i]);
		if (!found)
			return source_fault(source, place, err, "unknown key");
	}
	return 0;
}

static int read_all(const struct source *source, json_t *all, struct allowlist *allowlist,
	struct error *err)
{
	static const char *const nowhere[] = {NULL};
	static const char *const place[] = {"nonMainReadOnly", NULL};
	const json_t *read_only = json_object_get(all, "nonMainReadOnly");

	if (!json_is_object(all))
		return source_fault(source, nowhere, err, "it must be an object, {…}");
	if (read_only && !json_is_boolean(read_only))
		return source_fault(
			source, place, err, "'nonMainReadOnly' must be true or false");
	if (read_only)
		allowlist->non_main_read_only = json_is_true(read_only);
	if (check_keys(source, all, err) < 0 ||
		read_roots(source, json_object_get(all, "allowedRoots"), allowlist, err) < 0)
		return -1;
	return read_patterns(source, json_object_get(all, "blockedPatterns"), allowlist, err);
}

int allowlist_parse(struct view text, const char *home, const char *shown,
	struct allowlist *ret_allowlist, struct error *err)
{
	CLEANUP(json_decrefp) json_t *all = NULL;
	CLEANUP(allowlist_release) struct allowlist allowlist = ALLOWLIST_INIT;
	const struct source source = {text, shown};

	if (json_read(text, shown, ALLOWLIST_MAX, &all, err) < 0)
		return -1;
	allowlist.home = xstrdup(home);
	if (read_all(&source, all, &allowlist, err) < 0)
		return -1;
	*ret_allowlist = allowlist;
	allowlist = ALLOWLIST_INIT;
	return 0;
}

static int check_owner(int fd, const char *path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_errno(err, "cannot access %s", shown);
	if ((st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	error_set(err, ERROR_INVALID, "others can change %s", shown);
	return error_hint(err, "chmod go-w %s", shown);
}

int allowlist_read(const char *home, struct allowlist *ret_allowlist, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/" ALLOWLIST_FILE, home);
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fd < 0 && errno == ENOENT) {
		*ret_allowlist = ALLOWLIST_INIT;
		ret_allowlist->home = xstrdup(home);
		return 0;
	}
	if (fd < 0)
		return error_errno(err, "cannot open '%s'", path);
	if (check_owner(fd, path, err) < 0 ||
		file_read_fd(fd, path, ALLOWLIST_MAX, &text, err) < 0)
		return -1;
	return allowlist_parse(view_of_buf(&text), home, path, ret_allowlist, err);
}

/* --- judging ----------------------------------------------------------------- */

static bool is_within(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || !path[len]);
}

/* A part that contains it, or, with wildcards, is it. */
static bool part_matches(struct view part, const char *pattern)
{
	CLEANUP(freep) char *text = xmemdupz(part.data, part.len);

	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, text, FNM_CASEFOLD);
	return strcasestr(text, pattern) != NULL;
}

static bool path_matches(const char *path, const char *pattern)
{
	struct view rest = view_of(path);
	struct view part;

	if (strchr(pattern, '/'))
		return strcasestr(path, pattern) != NULL;
	while (view_next(&rest, '/', &part))
		if (part.len && part_matches(part, pattern))
			return true;
	return false;
}

/* The pattern or place that blocks the path, or NULL. */
static const char *what_blocks(const struct allowlist *allowlist, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++)
		if (path_matches(path, secrets[i]))
			return secrets[i];
	for (size_t i = 0; i < ARRAY_SIZE(systems); i++)
		if (is_within(systems[i], path) ||
			(is_within(path, systems[i]) &&
				!is_within(allowlist->home, systems[i])))
			return systems[i];
	for (size_t i = 0; i < allowlist->pattern_count; i++)
		if (path_matches(path, allowlist->patterns[i]))
			return allowlist->patterns[i];
	return NULL;
}

/* The longest root that holds it. */
static const struct allowlist_root *find_root(
	const struct allowlist *allowlist, const char *path)
{
	const struct allowlist_root *found = NULL;

	for (size_t i = 0; i < allowlist->root_count; i++) {
		const struct allowlist_root *root = &allowlist->roots[i];

		if (is_within(path, root->path) &&
			(!found || strlen(root->path) > strlen(found->path)))
			found = root;
	}
	return found;
}

/* --- opening ----------------------------------------------------------------- */

static int open_part(int folder, struct view part, int *ret_fd)
{
	CLEANUP(freep) char *name = xmemdupz(part.data, part.len);

	*ret_fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return *ret_fd < 0 ? -1 : 0;
}

/* As beneath.h does it where the kernel has no openat2(): part by part, never by a link. */
static int open_step_by_step(const char *path, int *ret_fd)
{
	CLEANUP(closep) int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct view rest = view_of(path + 1);
	struct view part;
	struct stat st;

	while (fd >= 0 && view_next(&rest, '/', &part)) {
		int next;

		if (open_part(fd, part, &next) < 0)
			return -1;
		close(fd);
		fd = next;
		if (fstat(fd, &st) < 0)
			return -1;
		if (S_ISLNK(st.st_mode)) {
			errno = ELOOP;
			return -1;
		}
	}
	*ret_fd = TAKE_FD(fd);
	return *ret_fd < 0 ? -1 : 0;
}

static int open_without_links(const char *path, int *ret_fd)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL))
		return open_step_by_step(path, ret_fd);
	*ret_fd = (int)fd;
	return fd < 0 ? -1 : 0;
}

/* A folder that holds a place of secrets would give it along: a home directory. */
static const char *secret_inside(int fd)
{
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++)
		if (!fstatat(fd, secrets[i], &st, AT_SYMLINK_NOFOLLOW))
			return secrets[i];
	return NULL;
}

static int mount_refuse(
	const char *path, struct error *err, const char *format, const char *what)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	CLEANUP(freep) char *reason = NULL;

	if (what)
		reason = xasprintf("%s '%s'", format, what);
	error_set(err, ERROR_INVALID, "%s cannot be mounted: %s", shown,
		reason ? reason : format);
	return error_hint(err, HINT);
}

static int check_opened(const char *path, int fd, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_errno(err, "cannot access '%s'", path);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return mount_refuse(path, err, "it is neither a file nor a folder", NULL);
	if (S_ISDIR(st.st_mode) && secret_inside(fd))
		return mount_refuse(path, err, "secrets usually lie in its", secret_inside(fd));
	return 0;
}

int allowlist_open(const struct allowlist *allowlist, const struct allowlist_request *request,
	struct allowlist_mount *ret_mount, struct error *err)
{
	CLEANUP(freep) char *path = path_tidy(request->path, allowlist->home);
	CLEANUP(closep) int fd = -1;
	const struct allowlist_root *root;
	const char *blocked;

	if (!path)
		return mount_refuse(request->path, err,
			"a path must be absolute or begin with ~/, without '..'", NULL);
	if (!allowlist->root_count)
		return mount_refuse(request->path, err, "no folders are allowed", NULL);
	blocked = what_blocks(allowlist, path);
	if (blocked)
		return mount_refuse(request->path, err, "it is blocked by", blocked);
	root = find_root(allowlist, path);
	if (!root)
		return mount_refuse(request->path, err, "it is not in an allowed folder", NULL);
	if (open_without_links(path, &fd) < 0)
		return mount_refuse(request->path, err,
			errno == ELOOP ? "its path contains a symbolic link"
				       : error_text(errno),
			NULL);
	if (check_opened(request->path, fd, err) < 0)
		return -1;
	*ret_mount = (struct allowlist_mount){
		.fd = TAKE_FD(fd),
		.writable = root->writable && !request->read_only &&
			    (request->is_main || !allowlist->non_main_read_only),
	};
	return 0;
}

void allowlist_release(struct allowlist *allowlist)
{
	for (size_t i = 0; i < allowlist->root_count; i++) {
		free(allowlist->roots[i].path);
		free(allowlist->roots[i].description);
	}
	for (size_t i = 0; i < allowlist->pattern_count; i++)
		free(allowlist->patterns[i]);
	free(allowlist->roots);
	free(allowlist->patterns);
	free(allowlist->home);
	*allowlist = ALLOWLIST_INIT;
}
