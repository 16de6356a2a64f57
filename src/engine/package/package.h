/*
 * A skill package on the disk: a folder with manifest.yaml, SKILL.md, and the
 * files below add/ and modify/.
 *
 * Packages are other people's files. They are read only below their folder, never through a
 * symbolic link, and each file only once and with a size limit, so that the file that was
 * checked is the one that is used. Packages are never changed.
 */
#ifndef ENGINE_PACKAGE_PACKAGE_H
#define ENGINE_PACKAGE_PACKAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/string_array.h"
#include "engine/package/faults.h"
#include "engine/package/manifest.h"

#define PACKAGE_MAX_FILE ((size_t)256 * 1024 * 1024)

struct package {
	char *folder; /* for messages: relative to the project if inside it */
	int fd;       /* the open folder */
	struct manifest manifest;
	char *text; /* of the manifest, as it was read */
	/* Of a package that is only staged in a transaction: then there is no open folder. */
	struct transaction *tx;
	struct relpath staged;
};

#define PACKAGE_INIT ((struct package){.fd = -1})

/*
 * Open a package by its folder. The manifest's faults go to `faults`; returns -1 only if the
 * folder or a readable manifest.yaml is missing.
 */
int package_open(const char *folder, struct package *ret_package, struct faults *faults,
	struct error *err);

/* The same, but any error among the faults is ERROR_INVALID. */
int package_load(const char *folder, struct package *ret_package, struct error *err);

/*
 * The same for a package that an operation adds: its files are read from the transaction,
 * which must outlive it.
 */
struct transaction;
int package_load_staged(struct transaction *tx, const struct relpath *folder,
	struct package *ret_package, struct error *err);

/*
 * Find the package that a person typed: a path to a package folder, a manifest's `skill`, or
 * the name of a folder, in that order. Names are looked up in .claude/skills/ and skills/ of the
 * project whose open folder is `root`, among the folders with a manifest.yaml. Two matches are
 * ERROR_INVALID and both are named; no match is ERROR_INVALID with the nearest name as a hint.
 */
int package_find(int root, const char *typed, struct package *ret_package, struct error *err);

/*
 * The folder of the package that a person typed, even of a broken one. An argument that is no
 * package name is taken as a folder, whether it exists or not.
 */
int package_find_folder(int root, const char *typed, char **ret_folder, struct error *err);

/* All packages of the project, sorted by skill name, broken ones left out. */
struct package_list {
	struct package *list;
	size_t count;
	size_t cap;
	struct string_array broken; /* folders of broken packages */
};
int package_list_read(int root, struct package_list *ret_list, struct error *err);
/* The package of that skill, or NULL. */
const struct package *package_list_find(const struct package_list *list, const char *skill);
void package_list_release(struct package_list *list);

/*
 * The content and the permissions (0644 or 0755) of add/PATH or modify/PATH. ERROR_INVALID for
 * a file that is missing, not regular or behind a link.
 */
int package_read_add(const struct package *package, const struct relpath *path,
	struct buf *ret_content, mode_t *ret_mode, struct error *err);
int package_read_modify(const struct package *package, const struct relpath *path,
	struct buf *ret_content, mode_t *ret_mode, struct error *err);

/*
 * Check the files of the package: listed files that are missing, files below add/ and modify/
 * that are not listed, links and other special files, a missing SKILL.md, missing intent files
 * and headings.
 */
void package_check_files(const struct package *package, struct faults *faults);

/*
 * One hash of all files of the package. `root` is the project; of a staged package, its staged
 * files count.
 */
int package_hash(
	const struct package *package, int root, struct hash *ret_hash, struct error *err);

/* The absolute path. */
char *package_path(const struct package *package);

/* A folder in the form of `folder`: without slashes at the end, escaped if necessary. */
char *package_show_folder(const char *folder);

void package_release(struct package *package);

#endif
