/*
 * The files of groups: data/media/FOLDER/HASH.EXTENSION, each named by the SHA-256 of its content.
 *
 *	if (media_file_begin(root, folder, max, &file, err) < 0 ||
 *		media_file_add(file, bytes, err) < 0 || …)
 *		…
 *	media_file_finish(&file, name, type, &stored, err)
 *
 * Content is written under a temporary name, synced, and renamed: a file that has its name is
 * complete, and on the disk. A crash before its row is stored leaves a file without a row, which
 * media_file_sweep() removes at the next start. Each group has its own folder, and its agent sees
 * no other; a file that two groups received is stored twice.
 */
#ifndef HOST_BASE_MEDIA_FILE_H
#define HOST_BASE_MEDIA_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "db/store.h"
#include "ledger/attachments.h"

#define MEDIA_INSIDE "/workspace/media" /* the folder of a group, in its agent's sandbox */

struct media_file;

struct media_stored {
	char *name; /* in the folder of the group */
	int64_t size;
};

/* The folder of a group; created if missing. */
int media_folder_open(int root, const char *folder, int *ret_fd, struct error *err);

int media_file_begin(int root, const char *folder, int64_t max, struct media_file **ret_file,
	struct error *err);
/* ERROR_INVALID if it becomes larger than `max`. */
int media_file_add(struct media_file *file, struct view bytes, struct error *err);
/* The extension comes from `name` or `type`, which may be NULL. Frees the file. */
int media_file_finish(struct media_file **file, const char *name, const char *type,
	struct media_stored *ret_stored, struct error *err);
void media_file_discard(struct media_file **file);

int64_t media_file_size(const struct media_file *file);

/* All of these are for a complete file. */
int media_file_store(int root, const char *folder, struct view content, const char *name,
	const char *type, struct media_stored *ret_stored, struct error *err);

/* It is not an error if the file is already gone. */
int media_file_remove(int root, const char *folder, const char *name, struct error *err);

/* Remove temporary files, and files that the store does not know. */
int media_file_sweep(int root, struct store *store, struct error *err);

#endif
