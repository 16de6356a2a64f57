/*
 * Files as values: struct tx_file with the content (transaction.h), and struct
 * layer_file without it, which is what is recorded of a file.
 */
#ifndef ENGINE_DISK_TX_FILE_H
#define ENGINE_DISK_TX_FILE_H

#include <stdbool.h>

#include "base/view.h"
#include "engine/disk/transaction.h"
#include "fs/relpath.h"

/* A regular file, a symbolic link, or nothing. */
struct layer_file {
	enum tx_kind kind; /* TX_FILE, TX_SYMLINK or TX_ABSENT */
	bool mode_known;
	bool executable;
	struct hash hash; /* of the content; of a link, of where it leads */
};

/* Of a file that was read, or is about to be put. */
struct layer_file layer_file_of(const struct tx_file *file);
struct layer_file layer_file_of_content(struct view content, mode_t mode);

/* Of the file, or the link, under a name in an open folder. */
int layer_file_at(int folder, const char *name, bool is_link, struct layer_file *ret_file,
	struct error *err);

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b);

/* Neither .git, nor .nanoclaw, nor .env. */
bool layer_may_record(const struct relpath *path);

/*
 * A path as a key in YAML, which can only hold UTF-8: other names stand in double
 * quotes, with octal escapes, as git shows them.
 */
char *layer_key(struct view path);
char *layer_path(struct view key);

/* In double quotes, whatever it is. layer_path() takes it back. */
char *layer_quote(struct view path);

/* The same kind, content and execute bit. */
bool tx_file_equal(const struct tx_file *a, const struct tx_file *b);

/* The same; anything but a file or a link counts as nothing. */
bool tx_file_same(const struct tx_file *a, const struct tx_file *b);

void tx_file_copy(const struct tx_file *from, struct tx_file *to);

/* Stage a file, a link, or a removal. */
int tx_file_stage(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, struct error *err);

/*
 * The same in the place of a file that is there: the permissions that the person gave that one
 * stay, but for the execute bits.
 */
int tx_file_stage_over(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, const struct tx_file *there, struct error *err);

#endif
