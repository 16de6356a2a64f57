/*
 * The user skills that are assigned to groups, and the groups' variants of them.
 */
#ifndef USERSKILL_USER_SKILL_GROUPS_H
#define USERSKILL_USER_SKILL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "db/store.h"

/* `*ret_changed` is false if nothing had to change. */
int store_skill_assign(struct store *store, const char *skill, const char *group,
	const char *who, int64_t now, bool *ret_changed, struct error *err);
int store_skill_unassign(struct store *store, const char *skill, const char *group,
	bool *ret_changed, struct error *err);
int store_skill_assigned(struct store *store, const char *skill, const char *group,
	bool *ret_assigned, struct error *err);

/* The IDs of a group's skills, or the folders of a skill's groups: sorted, one per line. */
int store_skills_of_group(
	struct store *store, const char *group, struct buf *ret_skills, struct error *err);
int store_groups_of_skill(
	struct store *store, const char *skill, struct buf *ret_groups, struct error *err);

struct skill_override {
	char *skill; /* NULL: no override */
	char *group;
	char *version;
	char *content;
	char *hash;
	int64_t version_id;
	char *made_by;
	char *made_at;
};

void skill_override_release(struct skill_override *override);

int store_skill_override_get(struct store *store, const char *skill, const char *group,
	struct skill_override *ret_override, struct error *err);

/* `version_id` is made here, and so is `made_at`. The same content changes nothing. */
int store_skill_override_put(struct store *store, const struct skill_override *override,
	int64_t now, bool *ret_changed, struct error *err);
int store_skill_override_remove(struct store *store, const char *skill, const char *group,
	int64_t now, bool *ret_changed, struct error *err);

/* The folders of the groups that have one, sorted, one per line. */
int store_skill_override_groups(
	struct store *store, const char *skill, struct buf *ret_groups, struct error *err);

/* The IDs of the skills that a group has one of, sorted, one per line. */
int store_skill_overrides_of_group(
	struct store *store, const char *group, struct buf *ret_skills, struct error *err);

#endif
