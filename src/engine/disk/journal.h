/*
 * The journal of a transaction: the list of its changes, to undo them.
 *
 * It is a text file with one record per line and escaped paths; the last line is a hash of
 * all others. transaction.c writes it under another name and renames it,
 * so half a journal is never read.
 */
#ifndef ENGINE_DISK_JOURNAL_H
#define ENGINE_DISK_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/hash.h"
#include "fs/relpath.h"

#define JOURNAL_MAX_SIZE ((size_t)1024 * 1024 * 1024)

enum change_kind {
	CHANGE_PUT,    /* a regular file is added or replaces a file */
	CHANGE_REMOVE, /* a file is removed */
	CHANGE_FOLDER, /* a whole new folder is moved into place */
	CHANGE_LINK,   /* like CHANGE_PUT, with a symbolic link */
	CHANGE_TAKE,   /* a whole folder is moved away, and so saved */
};

struct change {
	enum change_kind kind;
	struct relpath path;
	unsigned number;  /* the name of its staged and its saved file */
	bool had_before;  /* there was a file, which is saved */
	struct hash hash; /* of the new content, or of a link's target */
	mode_t mode;      /* the permissions of a CHANGE_PUT */
	/*
	 * Commands that we run may change the file, so undoing always restores the saved
	 * one. Unless it is zero, `earlier` is the hash of another content that is ours.
	 */
	bool exposed;
	struct hash earlier;
	/*
	 * A person edited the file while the operation was paused, so it holds lines that
	 * exist nowhere else (history.h).
	 */
	bool edited;
};

struct journal {
	char *operation;             /* for messages: "skill apply telegram" */
	bool created_nanoclaw;       /* .nanoclaw did not exist before */
	struct relpath_list folders; /* new folders, outer before inner */
	struct relpath_list leaving; /* folders to remove after the commit if they are empty */
	unsigned undoes; /* for an undo: the oldest entry of the history that it undoes */
	struct change *changes;
	size_t change_count;
	size_t change_cap;
	size_t *slots; /* a hash table over the paths: index into changes, plus one */
	size_t slot_count;
};

#define JOURNAL_INIT ((struct journal){0})

/* The journal as text, and back. An incomplete text is ERROR_INVALID. */
void journal_format(const struct journal *journal, struct buf *out);
int journal_parse(struct view text, struct journal *ret_journal, struct error *err);

/*
 * Add the last line, a hash of all others; and cut it off again. If it is not there or wrong, the
 * text is not whole: ERROR_INVALID.
 */
void journal_seal(struct buf *text);
int journal_unseal(struct view *text, struct error *err);

/* From a file in an open folder of .nanoclaw. */
int journal_read(int folder, const char *name, struct journal *ret_journal, struct error *err);

/* Add a change, which the journal owns from then on; its path must be new. */
struct change *journal_add(struct journal *journal, struct change change);

/* The name of its staged and its saved file. */
#define CHANGE_NAME_SIZE 16
void change_file_name(const struct change *change, char ret_name[static CHANGE_NAME_SIZE]);

/* Does the change add or replace one file or link? */
bool change_puts(const struct change *change);

/* The change of a path, or NULL; valid until the next one is added. */
struct change *journal_find(const struct journal *journal, const struct relpath *path);

void journal_release(struct journal *journal);

#endif
