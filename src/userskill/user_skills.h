/*
 * Definitions of user skills, as rows. Texts such as a status are as written in a skill
 * ("Active"); userskill/ interprets them.
 *
 * A skill can have two definitions, one from a file of the library and one that is only in the
 * database, and a group can have its own variant (user_skill_groups.h). skill_versions keeps
 * every content that any of them ever had, for the uses that refer to it.
 */
#ifndef USERSKILL_USER_SKILLS_H
#define USERSKILL_USER_SKILLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "db/store.h"

#define SKILL_FROM_FILE     "file"
#define SKILL_FROM_DATABASE "database"
#define SKILL_FROM_OVERRIDE "override"

struct skill_row {
	char *id;
	char *origin; /* SKILL_FROM_FILE or SKILL_FROM_DATABASE */
	char *version;
	char *name;
	char *category;
	char *source;
	char *status;
	char *stated;  /* the status that its text states */
	char *content; /* NULL in lists */
	char *hash;
	char *path; /* below the library; NULL: it has no file */
	bool gone;  /* the file no longer exists */
	int64_t version_id;
	char *created_at;
	char *changed_at;
};

struct skill_rows {
	struct skill_row *list;
	size_t count;
	size_t cap;
};

void skill_row_release(struct skill_row *row);
void skill_rows_release(struct skill_rows *rows);

/* `*ret_row` is empty if there is no such skill; see `id`. */
int store_skill_get(struct store *store, const char *id, const char *origin,
	struct skill_row *ret_row, struct error *err);

/*
 * All definitions by id, or those with one origin; the database's definition comes before the
 * file's.
 */
int store_skill_list(struct store *store, const char *origin, struct skill_rows *ret_rows,
	struct error *err);

/*
 * Store a definition, new or not, with `content`; `version_id`, `created_at` and
 * `changed_at` are made here. Another content is another version in the history. A status
 * that is new, or another one, is an event by `who`.
 */
int store_skill_put(struct store *store, const struct skill_row *row,
	const char *const *commands, size_t command_count, const char *who, int64_t now,
	struct error *err);

int store_skill_set_status(struct store *store, const char *id, const char *origin,
	const char *status, const char *who, int64_t now, struct error *err);

int store_skill_set_gone(struct store *store, const char *id, bool gone, struct error *err);

/* Removes only the definition: its uses stay in the history. */
int store_skill_remove(struct store *store, const char *id, const char *origin, int64_t now,
	struct error *err);

/* --- history ----------------------------------------------------------------- */

/* Begin a version and end the one before it; for this file and user_skill_groups.c. */
int store_skill_version_begin(struct store *store, const char *skill, const char *origin,
	const char *group, const char *version, const char *content, const char *hash,
	int64_t now, int64_t *ret_id, struct error *err);
int store_skill_version_end(struct store *store, const char *skill, const char *origin,
	const char *group, int64_t now, struct error *err);

/* Changes of its status: appends {from, to, who, at, origin}; `from` is null for a new one. */
int store_skill_events(
	struct store *store, const char *id, json_t *ret_events, struct error *err);

#endif
