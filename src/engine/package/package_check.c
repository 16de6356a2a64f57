/*
 * The files of a package against its manifest.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/package/intent.h"
#include "engine/package/package.h"
#include "fs/beneath.h"
#include "fs/walk.h"

/* A file as the place of a fault: in quotes only where its name needs them. */
static char *fault_place(const char *folder, const char *path, const char *suffix)
{
	CLEANUP(freep) char *text = xasprintf("%s/%s%s", folder, path, suffix);
	CLEANUP(freep) char *quoted = quote(view_of(text));

	if (strlen(quoted) == strlen(text) + 2 && !strchr(text, ' '))
		return TAKE(text);
	return TAKE(quoted);
}

/* --- listed files ------------------------------------------------------------ */

/* Whether it can be read as package_read_add() would, without reading it. */
static void check_listed(const struct package *package, const char *folder,
	const struct manifest_path *listed, struct faults *faults)
{
	CLEANUP(freep) char *text = xasprintf("%s/%s", folder, listed->path.text);
	CLEANUP(freep)
	char *where = xasprintf("manifest.yaml:%zu:%zu", listed->at.line, listed->at.column);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = quote(view_of(text));
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (!relpath_parse(view_of(text), &path, &err) &&
		!beneath_open_file(package->fd, &path, &fd, &st, &err)) {
		if ((size_t)st.st_size > PACKAGE_MAX_FILE)
			faults_add(
				faults, FAULT_ERROR, where, "%s is larger than 256 MiB", shown);
		return;
	}
	if (err.errnum == ENOENT || err.errnum == ENOTDIR)
		faults_add(faults, FAULT_ERROR, where,
			"%s is listed, but missing from the package", shown);
	else
		faults_add(faults, FAULT_ERROR, where, "%s", err.message);
}

/* --- existing files ---------------------------------------------------------- */

struct search {
	const struct package *package;
	const char *folder; /* "add" or "modify" */
	const struct manifest_paths *listed;
	struct faults *faults;
};

static bool is_listed(const struct search *search, struct view text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return relpath_parse(text, &path, &err) == 0 &&
	       manifest_paths_find(search->listed, &path);
}

static void check_found_file(const struct search *search, struct view path, const char *where)
{
	bool modifies = search->listed == &search->package->manifest.modifies;
	const char *list = modifies ? "modifies" : "adds";

	if (is_listed(search, path))
		return;
	if (!modifies || !view_ends_with(path, INTENT_SUFFIX))
		faults_add(search->faults, FAULT_ERROR, where, "the file is not listed in '%s'",
			list);
	else if (!is_listed(search, view_slice(path, 0, path.len - strlen(INTENT_SUFFIX))))
		faults_add(search->faults, FAULT_WARNING, where,
			"the intent of a file that is not listed in '%s'", list);
}

static enum walk_result check_found_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	const struct search *search = data;
	CLEANUP(freep) char *where = NULL;
	struct view path;

	(void)err;
	if (entry->kind == WALK_DIR || entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	where = fault_place(search->folder, entry->path, "");
	path = (struct view){entry->path, entry->path_len};
	if (entry->kind == WALK_FILE)
		check_found_file(search, path, where);
	else if (!is_listed(search, path)) /* that was reported with its place in the list */
		faults_add(search->faults, FAULT_ERROR, where, "%s, not a regular file",
			entry->kind == WALK_SYMLINK ? "a symbolic link"
						    : "a FIFO, socket or device");
	return WALK_GO_ON;
}

static void check_folder(const struct search *search)
{
	CLEANUP(relpath_release) struct relpath path = {xstrdup(search->folder)};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	if (!beneath_open_dir(search->package->fd, &path, &fd, &err) &&
		!walk(fd, check_found_entry, (void *)(uintptr_t)search, &err))
		return;
	if (err.errnum == ENOENT)
		return; /* if something is listed below it, that was reported */
	faults_add(search->faults, FAULT_ERROR, search->folder, "%s", err.message);
}

/* --- texts for people -------------------------------------------------------- */

static void check_intent(
	const struct package *package, const struct relpath *path, struct faults *faults)
{
	CLEANUP(freep) char *where = fault_place("modify", path->text, INTENT_SUFFIX);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (intent_read(package, path, &text, &err) < 0) {
		if (err.errnum == ENOENT || err.errnum == ENOTDIR)
			faults_add(faults, FAULT_WARNING, where, "the intent file is missing");
		else
			faults_add(faults, FAULT_WARNING, where, "%s", err.message);
		return;
	}
	for (int heading = 0; heading < INTENT_COUNT; heading++) {
		bool found;

		intent_section(view_of_buf(&text), (enum intent_heading)heading, &found);
		if (!found)
			faults_add(faults, FAULT_WARNING, where, "the heading '%s' is missing",
				intent_heading_name((enum intent_heading)heading));
	}
}

void package_check_files(const struct package *package, struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	struct search add = {package, "add", &manifest->adds, faults};
	struct search modify = {package, "modify", &manifest->modifies, faults};
	struct stat st;

	if (fstatat(package->fd, "SKILL.md", &st, AT_SYMLINK_NOFOLLOW) < 0)
		faults_add(faults, FAULT_WARNING, "SKILL.md",
			"it is missing: it tells people and Claude Code what the skill is for");
	else if (!S_ISREG(st.st_mode))
		faults_add(faults, FAULT_ERROR, "SKILL.md", "it is not a regular file");
	for (size_t i = 0; i < manifest->adds.count; i++)
		check_listed(package, "add", &manifest->adds.list[i], faults);
	check_folder(&add);
	for (size_t i = 0; i < manifest->modifies.count; i++)
		check_listed(package, "modify", &manifest->modifies.list[i], faults);
	check_folder(&modify);
	for (size_t i = 0; i < manifest->modifies.count; i++)
		check_intent(package, &manifest->modifies.list[i].path, faults);
}
