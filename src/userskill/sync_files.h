/*
 * The library's files as a sync finds them: which were touched since they were read last, and
 * their IDs and hashes. For sync.c, which writes the differences to the store.
 */
#ifndef USERSKILL_SYNC_FILES_H
#define USERSKILL_SYNC_FILES_H

#include <stdint.h>

#include "base/hash.h"
#include "db/store.h"
#include "userskill/library.h"
#include "userskill/sync.h"

/* A file when it was last read: enough to recognize it unchanged, without reading it. */
struct skill_file_row {
	char *path;
	char *skill;
	char *hash;
	int64_t device;
	int64_t inode;
	int64_t size;
	int64_t mtime; /* nanoseconds; both */
	int64_t ctime; /* 0: not to be relied on, it may have been changed at that moment */
};

struct skill_file_rows {
	struct skill_file_row *list; /* by path */
	size_t count;
	size_t cap;
};

int skill_file_put(struct store *store, const struct skill_file_row *row, struct error *err);
int skill_file_remove(struct store *store, const char *path, struct error *err);

/* A file of the library. */
struct sync_file {
	const struct library_file *file;
	const struct skill_file_row *known; /* its previous state, or NULL */
	char *id;                           /* NULL: it has errors, and is left aside */
	char hash[HASH_HEX_SIZE];
	bool touched; /* its times, size or inode differ from the stored ones */
};

struct sync_files {
	struct library library;
	struct skill_file_rows known;
	struct sync_file *list; /* by path */
	size_t count;
};

#define SYNC_FILES_INIT ((struct sync_files){.library = LIBRARY_INIT})

/* Look at all files, and read the ones that have changed. */
int sync_files_read(struct store *store, int root, const char *setting,
	struct sync_files *ret_files, struct sync_report *report, struct error *err);
void sync_files_release(struct sync_files *files);

/* The facts about a file whose content was read at this time. */
struct skill_file_row sync_facts(
	const struct stat *st, const char *path, const char *id, const char *hash, int64_t now);

void sync_problem(struct sync_report *report, bool error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sync_hint(struct sync_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
