/* The project as the main group's agent sees it: sandbox_add_project(). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "proc/log.h"
#include "sandbox/internal.h"

#define MAX_ENTRIES (SANDBOX_MAX_MOUNTS / 2)
#define MAX_NAMES   100000 /* that are looked at before an agent starts */
#define MAX_DEPTH   32

/* Keys, logins and passwords, at any depth; docs/sandbox.md has the same list. */
static const char *const secrets[] = {
	"*.jks",
	"*.kdbx",
	"*.key",
	"*.keystore",
	"*.p12",
	"*.pem",
	"*.pfx",
	"*.secret",
	".aws",
	".azure",
	".claude.json",
	".credentials*",
	".docker",
	".gcloud",
	".git-credentials",
	".gnupg",
	".htpasswd",
	".kube",
	".netrc",
	".npmrc",
	".password-store",
	".pgpass",
	".pypirc",
	".secret*",
	".ssh",
	".vault-token",
	"auth.json",
	"auth_info*",
	"credentials",
	"credentials.json",
	"credentials.toml",
	"credentials.y*ml",
	"id_dsa*",
	"id_ecdsa*",
	"id_ed25519*",
	"id_rsa*",
	"private_key*",
	"secrets",
	"secrets.json",
	"secrets.toml",
	"secrets.y*ml",
	"service-account*.json",
	"service_account*.json",
};

static bool is_secret(const char *name, mode_t mode)
{
	static const char *const examples[] = {
		".env.dist", ".env.example", ".env.sample", ".env.template"};

	for (size_t i = 0; i < ARRAY_SIZE(examples); i++)
		if (!strcmp(name, examples[i]))
			return false;
	/* Editors have copies of it under names such as "#.env#". */
	if (strcasestr(name, ".env") || (S_ISDIR(mode) && !strcasecmp(name, "auth")))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++)
		if (!fnmatch(secrets[i], name, FNM_CASEFOLD))
			return true;
	return false;
}

/* Top-level folders with the data of other groups. */
static bool is_private(const char *name)
{
	static const char *const hidden[] = {"data", "groups", "logs", "store"};

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (!strcmp(name, hidden[i]))
			return true;
	return false;
}

/* `.nanoclaw/builds`, where a new build is tried on a copy of private data. */
static bool is_builds(const char *target, const char *name)
{
	const char *last = strrchr(target, '/');

	return last && !strcmp(last, "/.nanoclaw") && !strcmp(name, "builds");
}

/* One of 'nanoclaw backup', with all that is hidden: compressed, and for the owner alone. */
static bool is_backup(int root, const char *name, const struct stat *st)
{
	CLEANUP(closep) int fd = -1;
	unsigned char magic[2];

	if (!S_ISREG(st->st_mode) || (st->st_mode & 077))
		return false;
	fd = openat(root, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || (read(fd, magic, sizeof(magic)) == sizeof(magic) && magic[0] == 0x1f &&
				 magic[1] == 0x8b);
}

static void add_link(struct sandbox_spec *spec, int root, const char *name, const char *target)
{
	char to[PATH_MAX];
	ssize_t len = readlinkat(root, name, to, sizeof(to) - 1);

	if (len <= 0)
		return;
	to[len] = '\0';
	sandbox_add_link(spec, target, to);
}

static DIR *open_folder(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (!folder)
		closep(&fd);
	return folder;
}

static bool is_hidden(int dirfd, const char *name, const struct stat *st)
{
	return is_secret(name, st->st_mode) || is_backup(dirfd, name, st);
}

/* Packages and history as others have them, too: not looked through. */
static bool is_known(const char *name)
{
	return !strcmp(name, ".git") || !strcmp(name, "node_modules");
}

/* Does it contain anything to hide? If in doubt, yes. */
static bool holds_secret(int parent, const char *name, unsigned depth, unsigned *names)
{
	CLEANUP(closedirp) DIR *folder = open_folder(parent, name);
	struct dirent *entry;

	if (!folder || depth > MAX_DEPTH)
		return true;
	while ((entry = readdir(folder))) {
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (++*names > MAX_NAMES)
			return true;
		if (fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (is_hidden(dirfd(folder), entry->d_name, &st) ||
			(S_ISDIR(st.st_mode) && !is_known(entry->d_name) &&
				holds_secret(dirfd(folder), entry->d_name, depth + 1, names)))
			return true;
	}
	return false;
}

static void forget_from(struct sandbox_spec *spec, size_t mounts, size_t links)
{
	while (spec->mount_count > mounts) {
		struct sandbox_mount *mount = &spec->mounts[--spec->mount_count];

		closep(&mount->source);
		free(mount->target);
	}
	while (spec->link_count > links) {
		struct sandbox_link *link = &spec->links[--spec->link_count];

		free(link->target);
		free(link->to);
	}
}

/*
 * Adds the entries of a folder one by one; false if there are too many. Skips an entry that has
 * vanished, or is neither file nor folder nor link.
 */
static bool add_entries(struct sandbox_spec *spec, DIR *folder, const char *target,
	unsigned depth, unsigned *names)
{
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		const char *name = entry->d_name;
		CLEANUP(closep)
		int fd = openat(dirfd(folder), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		CLEANUP(freep) char *inside = xasprintf("%s/%s", target, name);
		struct stat st;

		if (!strcmp(name, ".") || !strcmp(name, "..") || fd < 0 || fstat(fd, &st) < 0 ||
			(!depth && is_private(name)) || is_builds(target, name) ||
			is_hidden(dirfd(folder), name, &st))
			continue;
		if (spec->mount_count + spec->link_count > MAX_ENTRIES || depth > MAX_DEPTH)
			return false;
		if (S_ISLNK(st.st_mode)) {
			add_link(spec, dirfd(folder), name, inside);
		} else if (S_ISDIR(st.st_mode) && !is_known(name) &&
			   (!strcmp(name, ".nanoclaw") ||
				   holds_secret(dirfd(folder), name, depth, names))) {
			CLEANUP(closedirp) DIR *inner = open_folder(dirfd(folder), name);
			size_t mounts = spec->mount_count;
			size_t links = spec->link_count;

			/* Rather nothing of it than its secrets. */
			if (inner && !add_entries(spec, inner, inside, depth + 1, names))
				forget_from(spec, mounts, links);
		} else if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) {
			sandbox_add_mount(spec, TAKE_FD(fd), inside, 0);
		}
	}
	return true;
}

static int add_own(struct sandbox_spec *spec, int root, const char *own_folder,
	const char *target, struct error *err)
{
	CLEANUP(freep) char *path_text = xasprintf("groups/%s", own_folder);
	CLEANUP(freep) char *inside = xasprintf("%s/%s", target, path_text);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	int fd = -1;

	if (relpath_parse(view_of(path_text), &path, err) < 0 ||
		beneath_open_dir(root, &path, &fd, err) < 0)
		return -1;
	sandbox_add_mount(spec, fd, inside, 0);
	return 0;
}

int sandbox_add_project(struct sandbox_spec *spec, int root, const char *own_folder,
	const char *target, struct error *err)
{
	CLEANUP(closedirp) DIR *folder = open_folder(root, ".");
	unsigned names = 0;

	if (!folder)
		return error_errno(err, "cannot read the folder of the project");
	if (!add_entries(spec, folder, target, 0, &names))
		log_warning(
			"the main group does not see all of the project: it has more than %d "
			"files and folders at its root",
			MAX_ENTRIES);
	return add_own(spec, root, own_folder, target, err);
}
