/*
 * A folder of recorded resolutions, for one set of skills:
 *
 *	whatsapp@1.2.0+telegram@1.0.0/
 *		meta.yaml			resolution_meta.h
 *		src/server.ts.resolution	the file as it was resolved
 *		src/server.ts.preimage		the conflict, as git rerere keeps it; may
 *						be missing
 *
 * Such folders come from other people. They are read without ever following a link,
 * and with limits on the number and the size of files.
 *
 *	CLEANUP(resolution_folder_release) struct resolution_folder folder =
 *		RESOLUTION_FOLDER_INIT;
 *
 *	if (resolution_folder_open(store, "a@1.0.0+b@1.0.0", &folder, &faults, err) < 0)
 *		return -1;
 *	if (!faults.errors)
 *		resolution_folder_read(&folder, &path, RESOLUTION, &content, err)
 */
#ifndef ENGINE_RESOLUTION_RESOLUTION_FOLDER_H
#define ENGINE_RESOLUTION_RESOLUTION_FOLDER_H

#include "base/string_array.h"
#include "engine/resolution/resolution_meta.h"

#define RESOLUTION_META         "meta.yaml"
#define RESOLUTION_MAX_FILE     ((size_t)64 * 1024 * 1024)
#define RESOLUTION_MAX_FILES    ((size_t)20000)
#define RESOLUTIONS_OWN         ".nanoclaw/resolutions"
#define RESOLUTIONS_SHIPPED     ".claude/resolutions"
#define RESOLUTIONS_MAX_FOLDERS ((size_t)100000)

enum resolution_part {
	RESOLUTION,
	PREIMAGE,
};

struct resolution_folder {
	char *name;
	int fd;
	struct resolution_meta meta;
	struct buf text;              /* of meta.yaml */
	size_t bytes;                 /* of all files */
	struct relpath_list paths[2]; /* files of the project with each part, sorted */
};

#define RESOLUTION_FOLDER_INIT ((struct resolution_folder){.fd = -1, .text = BUF_INIT})

/*
 * Open a folder in `store`, list its files, and read meta.yaml. Problems go to `faults`;
 * returns -1 only if the folder does not exist.
 */
int resolution_folder_open(int store, const char *name, struct resolution_folder *ret_folder,
	struct faults *faults, struct error *err);

bool resolution_folder_has(const struct resolution_folder *folder, enum resolution_part part,
	const struct relpath *path);

/* The path in such a folder of the part for a file of the project. */
int resolution_part_path(const struct relpath *path, enum resolution_part part,
	struct relpath *ret_path, struct error *err);

int resolution_folder_read(const struct resolution_folder *folder, const struct relpath *path,
	enum resolution_part part, struct buf *ret_content, struct error *err);

void resolution_folder_release(struct resolution_folder *folder);

/*
 * The names of the folders in a store, sorted, without hidden ones. With `links`, symbolic
 * links are listed, too: they cannot be opened, but must be reported.
 */
int resolution_names_read(
	int store, bool links, struct string_array *ret_names, struct error *err);

#endif
