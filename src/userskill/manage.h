/*
 * Everything a person can do with user skills in the store: import, override, change their
 * status, assign, remove. Each is one transaction and records who did it.
 */
#ifndef USERSKILL_MANAGE_H
#define USERSKILL_MANAGE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"
#include "db/store.h"
#include "userskill/lookup.h"
#include "userskill/text/skill.h"
#include "userskill/user_skills.h"

/* Store a skill that was read, with the members of `row` that are not in its text. */
int skill_put(struct store *store, const struct user_skill *skill, struct skill_row row,
	const char *who, int64_t now, struct error *err);

struct skill_imported {
	char *id;
	bool added;   /* there was none in the database */
	bool changed; /* another content or source than there was */
	enum skill_status status;
};

/*
 * Imports into the database, byte for byte. `name` is for messages. `source` is the origin;
 * NULL: the one in the text. It begins as Proposed, whatever status the text states, unless that is
 * Observed or Retired. If the ID already exists, the status stays, unless the text states another
 * one that lifecycle.h allows.
 */
int skill_import(struct store *store, struct view text, const char *name, const char *source,
	const char *who, struct skill_imported *ret_imported, struct error *err);

/* Sets a group's variant. The ID in the text names the skill, and must be `id` if given. */
int skill_override_set(struct store *store, const char *group, const char *id, struct view text,
	const char *name, const char *who, char **ret_id, bool *ret_changed, struct error *err);
int skill_override_drop(
	struct store *store, const char *group, const char *id, struct error *err);

/* The whole skill, wherever it is defined. `*ret_before` is the status that it had. */
int skill_change_status(struct store *store, const char *id, enum skill_status status,
	const char *who, enum skill_status *ret_before, struct error *err);

/* Retired skills and those whose file has gone cannot be assigned (ERROR_INVALID). */
int skill_assign(struct store *store, const char *id, const char *group, const char *who,
	struct skill_found *ret_found, bool *ret_changed, struct error *err);
int skill_unassign(struct store *store, const char *id, const char *group, bool *ret_changed,
	struct error *err);

/* Removes the skill from the database; a file with the same ID applies again, if there is one. */
int skill_remove(struct store *store, const char *id, struct error *err);

/* The text for others: with the store's source and status, and an ID if the text has none. */
int skill_export(struct store *store, const char *group, const char *id,
	struct skill_found *ret_found, struct buf *ret_text, struct error *err);

#endif
