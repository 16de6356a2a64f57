/*
 * Reads the database of a TypeScript NanoClaw v1, store/messages.db, for an import.
 *
 *	CLEANUP(v1_freep) struct v1 *v1 = NULL;
 *
 *	if (v1_open(path_of_a_copy, &v1, err) < 0 || v1_groups(v1, &groups, err) < 0)
 *		return -1;
 *	... choose a folder for each group ...
 *	if (v1_take_rows(v1, store, &groups, zone, &report, err) < 0)
 *		return -1;
 *
 * Its tables grew over time: a column that a database lacks gets the value that v1 would have
 * added. The report lists everything that is left out, with the reason.
 *
 * Importing the rows is one transaction, and adds only missing rows: a second import adds nothing.
 * Messages that v1 had answered, according to its cursors, count as answered here; later ones
 * become context for the next answer. None of them gets an answer itself.
 */
#ifndef HOST_IMPORT_V1_H
#define HOST_IMPORT_V1_H

#include <stdbool.h>

#include "base/error.h"
#include "db/store.h"
#include "ledger/groups.h"

struct v1;

struct v1_group {
	char *from; /* its folder there */
	struct group group;
	bool has_config; /* of its container */
};

struct v1_group_list {
	struct v1_group *list;
	size_t count;
	size_t cap;
};

struct v1_omission {
	char *what;
	char *reason;
};

struct v1_report {
	size_t groups;
	size_t chats;
	size_t messages;
	size_t tasks;
	size_t runs;
	size_t files;
	size_t settings;
	struct v1_omission *omissions;
	size_t omission_count;
	size_t omission_cap;
};

void v1_group_list_release(struct v1_group_list *groups);
void v1_report_release(struct v1_report *report);
void v1_leave_out(struct v1_report *report, const char *reason, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A private copy: SQLite opens it for writing to read its log. */
int v1_open(const char *path, struct v1 **ret_v1, struct error *err);
void v1_freep(struct v1 **v1);

/* Unchecked, as they are in the old database. `is_main` follows the old program's rule. */
int v1_groups(struct v1 *v1, struct v1_group_list *ret_groups, struct error *err);

/* `zone` is the time zone that v1 used. */
int v1_take_rows(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	const char *zone, struct v1_report *report, struct error *err);

/* --- for the files of v1 ------------------------------------------------------ */

struct sqlite3;
struct sqlite3_stmt;

int v1_fail(struct v1 *v1, struct error *err);
bool v1_has(struct v1 *v1, const char *table, const char *column);

/* NULL and an error if the statement is wrong. `sql` is freed. */
struct sqlite3_stmt *v1_prepare(struct v1 *v1, char *sql, struct error *err);
void v1_finalizep(struct sqlite3_stmt **statement);

/* "" for NULL, and for text that is not UTF-8 or contains a NUL. */
const char *v1_text(struct sqlite3_stmt *statement, int column);

/* A copy, cut to the limits that channels have for texts, and for names of one line. */
char *v1_written(struct sqlite3_stmt *statement, int column);
char *v1_name(struct sqlite3_stmt *statement, int column);

/* Messages, with the chats that they are in, and the cursors. */
int v1_take_messages(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	struct v1_report *report, struct error *err);
int v1_take_tasks(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	const char *zone, struct v1_report *report, struct error *err);

#endif
