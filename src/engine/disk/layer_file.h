/*
 * What a file is supposed to be, without its content: a regular file, a symbolic
 * link, or nothing.
 */
#ifndef ENGINE_DISK_LAYER_FILE_H
#define ENGINE_DISK_LAYER_FILE_H

#include <stdbool.h>

#include "engine/disk/transaction.h"
#include "util/relpath.h"
#include "util/view.h"

struct layer_file {
	enum tx_kind kind; /* TX_FILE, TX_SYMLINK or TX_ABSENT */
	bool mode_known;
	bool executable;
	struct hash hash; /* of the content; of a link, of where it leads */
};

/* Of a file that was read, or is about to be put. */
struct layer_file layer_file_of(const struct tx_file *file);
struct layer_file layer_file_of_content(struct view content, mode_t mode);

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b);

/* Neither .git, nor .nanoclaw, nor .env. */
bool layer_may_record(const struct relpath *path);

/*
 * A path as a key in YAML, which can only hold UTF-8: other names stand in double
 * quotes, with octal escapes, as git shows them.
 */
char *layer_key(struct view path);
char *layer_path(struct view key);

#endif
