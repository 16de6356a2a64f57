/*
 * Checks whether a store is sound and whether anything in it needs attention. Both checks only
 * read, so they work whether or not the host is running.
 */
#ifndef DB_CHECK_H
#define DB_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct store_check {
	char *fault;     /* SQLite's first complaint; NULL: none */
	int64_t orphans; /* rows that refer to missing rows */
	int64_t newest;  /* when the newest message came; 0: there are no messages */
};

#define STORE_CHECK_INIT ((struct store_check){0})

int store_check(struct store *store, struct store_check *ret_check, struct error *err);
void store_check_release(struct store_check *check);

/*
 * Texts of the store that become names of files, or parts of paths, as SQL that is true for one
 * that must not. The store may come from elsewhere, so those who read such a column leave out rows
 * with a bad value, restore refuses them, and the host sets them aside when it starts. Restore takes
 * ids of sessions, because older versions stored any that an agent gave.
 */
#define STORED_BAD_FILE(column)                                                                \
	"(" column " GLOB '*[^0-9a-z.]*' OR " column " GLOB '.*' OR " column " = '')"
#define STORED_BAD_FOLDER(column)                                                              \
	"(" column " GLOB '*[^0-9A-Za-z_-]*' OR " column " GLOB '[_-]*' OR length(" column     \
	") NOT BETWEEN 1 AND 64 OR lower(" column ") = 'global')"
#define STORED_BAD_SESSION(column)                                                             \
	"(" column " GLOB '*[^!-.0-~]*' OR " column " GLOB '[-.]*' OR " column " = '')"
#define STORED_BAD_PATH(column)                                                                \
	"('/' || " column " || '/' GLOB '*/../*' OR " column " GLOB '/*')"

/* All of them, except columns that refer to one of these. */
struct stored_path {
	const char *table;
	const char *column;
	const char *find;  /* the first bad value */
	const char *aside; /* sets bad rows aside; NULL: the host refuses the store */
	bool restorable;   /* in a backup, too */
};

extern const struct stored_path stored_paths[]; /* ends with {0} */

/* Set all bad rows aside, and log them. */
int store_set_aside(struct store *store, struct error *err);

struct store_troubles {
	int64_t dead;         /* texts given up since `since` */
	int64_t dead_turn;    /* the turn of the latest; 0: it has none */
	int64_t old_turns;    /* open ones that began before `before` */
	int64_t old_turn;     /* the first of them */
	int64_t failed_tasks; /* active ones whose last run has failed */
	char *failed_task;    /* the first of them, or NULL */
	int64_t retried;      /* texts that were tried three times and more, and wait */
};

#define STORE_TROUBLES_INIT ((struct store_troubles){0})

/* Times in milliseconds. */
int store_troubles(struct store *store, int64_t since, int64_t before,
	struct store_troubles *ret_troubles, struct error *err);
void store_troubles_release(struct store_troubles *troubles);

#endif
