/*
 * Files as values: struct tx_file with the content, and struct layer_file with its hash, as
 * recorded in a layer.
 */
#ifndef ENGINE_DISK_TX_FILE_H
#define ENGINE_DISK_TX_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "fs/relpath.h"

enum tx_kind {
	TX_ABSENT,
	TX_FILE,
	TX_SYMLINK,
	TX_FOLDER,
	TX_OTHER,
};

struct tx_file {
	enum tx_kind kind;
	struct buf content; /* of a TX_FILE; the target of a TX_SYMLINK */
	mode_t mode;        /* its permissions */
};

#define TX_FILE_INIT ((struct tx_file){.content = BUF_INIT})

/* A regular file, a symbolic link, or nothing. */
struct layer_file {
	enum tx_kind kind; /* TX_FILE, TX_SYMLINK or TX_ABSENT */
	bool mode_known;
	bool executable;
	struct hash hash; /* of the content, or of a link's target */
};

struct layer_file layer_file_of(const struct tx_file *file);
struct layer_file layer_file_of_content(struct view content, mode_t mode);

/* The file or link under a name in an open folder. */
int layer_file_at(int folder, const char *name, bool is_link, struct layer_file *ret_file,
	struct error *err);

/* git's mode of a file or link ("100644", "100755", "120000"), and back; false for another. */
const char *layer_file_mode(const struct layer_file *file);
bool layer_file_set_mode(struct layer_file *file, struct view mode);

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b);

/* False for paths in .git, in .nanoclaw, and for .env files. */
bool layer_may_record(const struct relpath *path);

/*
 * A path as a key in YAML, and back. YAML holds only UTF-8, so other paths are in double
 * quotes with octal escapes, as git shows them.
 */
char *layer_key(struct view path);
char *layer_path(struct view key);

/* Always in double quotes; layer_path() undoes it. */
char *layer_quote(struct view path);

/* Is it a file or a symbolic link? */
bool tx_file_exists(const struct tx_file *file);

/* The same kind, content and execute bit. */
bool tx_file_equal(const struct tx_file *a, const struct tx_file *b);

/* The same, but folders and other kinds count as absent. */
bool tx_file_same(const struct tx_file *a, const struct tx_file *b);

void tx_file_copy(const struct tx_file *from, struct tx_file *to);

void tx_file_release(struct tx_file *file);

#endif
