/*
 * The journal of a transaction: what was changed, so that it can be undone.
 *
 * It is a text file. write_journal() in transaction.c writes it whole under another name
 * and renames it, so it is there completely or not at all. Paths are escaped, one record
 * is one line, and the last line is a hash over all others.
 */
#ifndef ENGINE_DISK_JOURNAL_H
#define ENGINE_DISK_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/hash.h"
#include "fs/relpath.h"

#define JOURNAL_MAX_SIZE ((size_t)1024 * 1024 * 1024)

enum change_kind {
	CHANGE_PUT,    /* a regular file takes the place of what was there, or of nothing */
	CHANGE_REMOVE, /* what was there is gone */
	CHANGE_FOLDER, /* a whole folder is moved to where nothing was */
	CHANGE_LINK,   /* as CHANGE_PUT, with a symbolic link */
	CHANGE_TAKE,   /* a whole folder is moved away: it is its own saved file */
};

struct change {
	enum change_kind kind;
	struct relpath path;
	unsigned number;  /* the name of its staged and its saved file */
	bool had_before;  /* something was there, and is kept */
	struct hash hash; /* of the new content; of a link, of where it leads */
	mode_t mode;      /* the permissions of a CHANGE_PUT */
	/*
	 * Commands of ours may change what is there: it is brought back whatever is
	 * found. `earlier` is a content that is ours, too, if it is not all zeros.
	 */
	bool exposed;
	struct hash earlier;
	/*
	 * Of a finished operation that had paused: a person edited it in the pause, so what
	 * is there now holds lines that are nowhere else (history.h).
	 */
	bool edited;
};

struct journal {
	char *operation;         /* for messages: "skill apply telegram" */
	bool created_nanoclaw;   /* .nanoclaw did not exist before */
	struct relpath *folders; /* folders that were made, outer before inner */
	size_t folder_count;
	size_t folder_cap;
	struct relpath *leaving; /* to be removed after the commit, if they are empty */
	size_t leaving_count;
	size_t leaving_cap;
	struct change *changes;
	size_t change_count;
	size_t change_cap;
	size_t *slots; /* a hash table over the paths: index into changes, plus one */
	size_t slot_count;
};

#define JOURNAL_INIT ((struct journal){0})

/* The journal as text, and back. A text that is not whole is ERROR_INVALID. */
void journal_format(const struct journal *journal, struct buf *out);
int journal_parse(struct view text, struct journal *ret_journal, struct error *err);

/* From a file in an open folder of .nanoclaw. */
int journal_read(int folder, const char *name, struct journal *ret_journal, struct error *err);

/* Add a change, which the journal owns from then on; its path must be new. */
struct change *journal_add(struct journal *journal, struct change change);
void journal_add_folder(struct journal *journal, struct relpath path);
void journal_add_leaving(struct journal *journal, struct relpath path);

/* Does it put something there that is one file or link? */
bool change_puts(const struct change *change);

/* The change of a path, or NULL; good until the next one is added. */
struct change *journal_find(const struct journal *journal, const struct relpath *path);

void journal_release(struct journal *journal);

#endif
