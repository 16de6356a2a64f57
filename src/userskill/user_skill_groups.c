#include "userskill/user_skill_groups.h"

#include <string.h>

#include "db/query.h"
#include "userskill/user_skills.h"

/* --- assignments ------------------------------------------------------------- */

int store_skill_assign(struct store *store, const char *skill, const char *group,
	const char *who, int64_t now, bool *ret_changed, struct error *err)
{
	if (query_run(store, err,
		    "INSERT OR IGNORE INTO skill_assignments (skill, group_folder,"
		    " assigned_by, assigned_at) VALUES (?, ?, ?, ?)",
		    "ssst", skill, group, who, now) < 0)
		return -1;
	*ret_changed = store_changes(store) > 0;
	return 0;
}

int store_skill_unassign(struct store *store, const char *skill, const char *group,
	bool *ret_changed, struct error *err)
{
	if (query_run(store, err,
		    "DELETE FROM skill_assignments WHERE skill = ? AND group_folder = ?", "ss",
		    skill, group) < 0)
		return -1;
	*ret_changed = store_changes(store) > 0;
	return 0;
}

int store_skill_assigned(struct store *store, const char *skill, const char *group,
	bool *ret_assigned, struct error *err)
{
	return query_bool(store, ret_assigned, err,
		"SELECT EXISTS (SELECT 1 FROM skill_assignments"
		" WHERE skill = ? AND group_folder = ?)",
		"ss", skill, group);
}

int store_skills_of_group(
	struct store *store, const char *group, struct buf *ret_skills, struct error *err)
{
	return query_lines(store, ret_skills, err,
		"SELECT skill FROM skill_assignments WHERE group_folder = ? ORDER BY skill",
		"s", group);
}

int store_groups_of_skill(
	struct store *store, const char *skill, struct buf *ret_groups, struct error *err)
{
	return query_lines(store, ret_groups, err,
		"SELECT group_folder FROM skill_assignments WHERE skill = ?"
		" ORDER BY group_folder",
		"s", skill);
}

/* --- overrides --------------------------------------------------------------- */

static const struct row_column skill_override_columns[] = {
	ROW_COLUMN(struct skill_override, skill),
	ROW_COLUMN(struct skill_override, group),
	ROW_COLUMN(struct skill_override, version),
	ROW_COLUMN(struct skill_override, content),
	ROW_COLUMN(struct skill_override, hash),
	ROW_COLUMN(struct skill_override, version_id),
	ROW_COLUMN(struct skill_override, made_by),
	ROW_COLUMN(struct skill_override, made_at),
	{0},
};

static const struct row_type skill_override_type = {
	sizeof(struct skill_override), skill_override_columns};

void skill_override_release(struct skill_override *override)
{
	row_release(&skill_override_type, override);
}

int store_skill_override_get(struct store *store, const char *skill, const char *group,
	struct skill_override *ret_override, struct error *err)
{
	return query_row(store, &skill_override_type, ret_override, err,
		"SELECT skill, group_folder, version, content, content_hash, version_id,"
		" made_by, made_at FROM skill_overrides"
		" WHERE skill = ? AND group_folder = ?",
		"ss", skill, group);
}

int store_skill_override_put(struct store *store, const struct skill_override *override,
	int64_t now, bool *ret_changed, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(skill_override_release) struct skill_override old = {0};
	const struct skill_override *o = override;
	int64_t version_id;

	if (txn_begin(&txn, store, err) < 0 ||
		store_skill_override_get(store, o->skill, o->group, &old, err) < 0)
		return -1;
	*ret_changed = !old.skill || strcmp(old.hash, o->hash) != 0;
	if (*ret_changed &&
		(store_skill_version_begin(store, o->skill, SKILL_FROM_OVERRIDE, o->group,
			 o->version, o->content, o->hash, now, &version_id, err) < 0 ||
			query_run(store, err,
				"INSERT OR REPLACE INTO skill_overrides (skill, group_folder,"
				" version, content, content_hash, version_id, made_by, made_at)"
				" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				"sssssist", o->skill, o->group, o->version, o->content, o->hash,
				version_id, o->made_by, now) < 0))
		return -1;
	return txn_commit(&txn, "skill", err);
}

int store_skill_override_remove(struct store *store, const char *skill, const char *group,
	int64_t now, bool *ret_changed, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		store_skill_version_end(store, skill, SKILL_FROM_OVERRIDE, group, now, err) <
			0 ||
		query_run(store, err,
			"DELETE FROM skill_overrides WHERE skill = ? AND group_folder = ?",
			"ss", skill, group) < 0)
		return -1;
	*ret_changed = store_changes(store) > 0;
	return txn_commit(&txn, "skill", err);
}

int store_skill_override_groups(
	struct store *store, const char *skill, struct buf *ret_groups, struct error *err)
{
	return query_lines(store, ret_groups, err,
		"SELECT group_folder FROM skill_overrides WHERE skill = ?"
		" ORDER BY group_folder",
		"s", skill);
}

int store_skill_overrides_of_group(
	struct store *store, const char *group, struct buf *ret_skills, struct error *err)
{
	return query_lines(store, ret_skills, err,
		"SELECT skill FROM skill_overrides WHERE group_folder = ? ORDER BY skill", "s",
		group);
}
