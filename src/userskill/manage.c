#include "userskill/manage.h"

#include <string.h>

#include "base/hash.h"
#include "time/timestamp.h"
#include "userskill/lifecycle.h"
#include "userskill/text/parse.h"
#include "userskill/text/print.h"
#include "userskill/user_skill_groups.h"

static char *unconst(const char *text)
{
	return (char *)(uintptr_t)text;
}

/* `id`, which may be NULL, is the default; otherwise the name of the file or its folder is. */
static int load_skill(struct view text, const char *name, const char *id,
	struct user_skill *ret_skill, struct error *err)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(freep) char *path = id ? xasprintf("%s/" USER_SKILL_FILE, id) : xstrdup(name);

	user_skill_parse(text, path, ret_skill, &faults);
	if (skill_faults_as_error(&faults, name, err) == 0)
		return 0;
	if (!err->hint)
		error_hint(err, "'nanoclaw user-skill check %s' shows all its faults", name);
	return -1;
}

/* The skill, which must be there. */
static int skill_require(struct store *store, const char *group, const char *id,
	struct skill_found *ret_found, struct error *err)
{
	if (skill_lookup(store, group, id, ret_found, err) < 0)
		return -1;
	return ret_found->content ? 0 : skill_unknown(store, id, err);
}

/* --- import ------------------------------------------------------------------ */

int skill_put(struct store *store, const struct user_skill *skill, struct skill_row row,
	const char *who, int64_t now, struct error *err)
{
	CLEANUP(freep)
	const char **commands = xcalloc(skill->command_count + 1, sizeof(*commands));

	row.id = unconst(skill->id);
	row.version = unconst(skill->version);
	row.name = skill->name;
	row.category = unconst(skill->category);
	row.stated = unconst(skill_status_name(skill->status));
	for (size_t i = 0; i < skill->command_count; i++)
		commands[i] = skill->commands[i].name;
	return store_skill_put(store, &row, commands, skill->command_count, who, now, err);
}

/* Nobody but a person gives a text this status. */
static bool needs_person(enum skill_status status)
{
	return lifecycle_usable(status) || status == STATUS_APPROVED;
}

int skill_import(struct store *store, struct view text, const char *name, const char *source,
	const char *who, struct skill_imported *ret_imported, struct error *err)
{
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	CLEANUP(skill_row_release) struct skill_row old = {0};
	CLEANUP(freep) char *content = xmemdupz(text.data, text.len);
	enum skill_status status, before;
	char hex[HASH_HEX_SIZE];

	hash_hex_of(text, hex);
	if (load_skill(text, name, NULL, &skill, err) < 0)
		return -1;
	if (!source)
		source = skill.source_text;
	if (store_skill_get(store, skill.id, SKILL_FROM_DATABASE, &old, err) < 0)
		return -1;
	before = old.id ? skill_status_parse(old.status) : STATUS_OBSERVED;
	ret_imported->added = !old.id;
	ret_imported->changed =
		!old.id || strcmp(old.hash, hex) != 0 || strcmp(old.source, source) != 0;
	/* It instructs agents: whatever its text states, a person approves each text first. */
	status = needs_person(skill.status) ? STATUS_PROPOSED : skill.status;
	if (old.id && !strcmp(old.hash, hex))
		status = before;
	else if (needs_person(before) && status != STATUS_RETIRED)
		status = STATUS_PROPOSED;
	else if (old.id)
		lifecycle_stated(before, skill_status_parse(old.stated), status, &status);
	if (ret_imported->changed &&
		skill_put(store, &skill,
			(struct skill_row){
				.origin = unconst(SKILL_FROM_DATABASE),
				.source = unconst(source),
				.status = unconst(skill_status_name(status)),
				.content = content,
				.hash = hex,
			},
			who, timestamp_now(), err) < 0)
		return -1;
	ret_imported->id = xstrdup(skill.id);
	ret_imported->status = status;
	return 0;
}

/* --- overrides --------------------------------------------------------------- */

int skill_override_set(struct store *store, const char *group, const char *id, struct view text,
	const char *name, const char *who, char **ret_id, bool *ret_changed, struct error *err)
{
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(freep) char *content = xmemdupz(text.data, text.len);
	char hex[HASH_HEX_SIZE];

	hash_hex_of(text, hex);
	if (load_skill(text, name, id, &skill, err) < 0)
		return -1;
	if (id && strcmp(id, skill.id) != 0) {
		error_set(err, ERROR_INVALID, "'%s' is the skill '%s', and not '%s'", name,
			skill.id, id);
		return error_hint(err, "a variant must have the ID of its skill");
	}
	if (skill_require(store, NULL, skill.id, &found, err) < 0 ||
		store_skill_override_put(store,
			&(struct skill_override){
				.skill = unconst(skill.id),
				.group = unconst(group),
				.version = unconst(skill.version),
				.content = content,
				.hash = hex,
				.made_by = unconst(who),
			},
			timestamp_now(), ret_changed, err) < 0)
		return -1;
	*ret_id = xstrdup(skill.id);
	return 0;
}

int skill_override_drop(
	struct store *store, const char *group, const char *id, struct error *err)
{
	bool changed;

	if (store_skill_override_remove(store, id, group, timestamp_now(), &changed, err) < 0)
		return -1;
	if (changed)
		return 0;
	return error_set(
		err, ERROR_INVALID, "the group '%s' has no variant of '%s'", group, id);
}

/* --- status ------------------------------------------------------------------ */

int skill_change_status(struct store *store, const char *id, enum skill_status status,
	const char *who, enum skill_status *ret_before, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	const char *name = skill_status_name(status);
	int64_t now = timestamp_now();

	if (skill_require(store, NULL, id, &found, err) < 0)
		return -1;
	*ret_before = found.status;
	if (found.status == status)
		return 0;
	if (lifecycle_require(id, found.status, status, err) < 0 ||
		txn_begin(&txn, store, err) < 0 ||
		store_skill_set_status(store, id, SKILL_FROM_FILE, name, who, now, err) < 0 ||
		store_skill_set_status(store, id, SKILL_FROM_DATABASE, name, who, now, err) < 0)
		return -1;
	return txn_commit(&txn, "skill", err);
}

/* --- groups ------------------------------------------------------------------ */

int skill_assign(struct store *store, const char *id, const char *group, const char *who,
	struct skill_found *ret_found, bool *ret_changed, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

	if (skill_require(store, group, id, &found, err) < 0)
		return -1;
	if (found.gone) {
		error_set(err, ERROR_INVALID, "the file of '%s' is gone", id);
		return error_hint(err, "put it back, and run 'nanoclaw user-skill sync'");
	}
	if (found.status == STATUS_RETIRED) {
		error_set(err, ERROR_INVALID, "'%s' is retired", id);
		return error_hint(
			err, "'nanoclaw user-skill status %s active' reactivates it", id);
	}
	if (store_skill_assign(store, id, group, who, timestamp_now(), ret_changed, err) < 0)
		return -1;
	found.assigned = true;
	*ret_found = found;
	found = SKILL_FOUND_INIT;
	return 0;
}

int skill_unassign(struct store *store, const char *id, const char *group, bool *ret_changed,
	struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

	if (store_skill_unassign(store, id, group, ret_changed, err) < 0)
		return -1;
	return *ret_changed ? 0 : skill_require(store, NULL, id, &found, err);
}

int skill_remove(struct store *store, const char *id, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

	if (skill_require(store, NULL, id, &found, err) < 0)
		return -1;
	if (found.definition == ORIGIN_FILE) {
		error_set(err, ERROR_INVALID, "'%s' is a library file", id);
		return error_hint(err,
			"delete '%s' there and run 'nanoclaw user-skill sync', or retire it",
			found.path);
	}
	return store_skill_remove(store, id, SKILL_FROM_DATABASE, timestamp_now(), err);
}

/* --- export ------------------------------------------------------------------ */

static void set_field(struct buf *text, const char *key, const char *value)
{
	struct buf changed = BUF_INIT;

	user_skill_set_field(view_of_buf(text), key, value, &changed);
	buf_release(text);
	*text = changed;
}

/* With the store's source and status, and with defaults that the file's own path gave it. */
int skill_export(struct store *store, const char *group, const char *id,
	struct skill_found *ret_found, struct buf *ret_text, struct error *err)
{
	const struct user_skill *skill = &ret_found->skill;

	if (skill_require(store, group, id, ret_found, err) < 0)
		return -1;
	buf_append_str(ret_text, ret_found->content);
	/* Each is put before the others. */
	if (skill->status != ret_found->status)
		set_field(ret_text, "Status", skill_status_name(ret_found->status));
	if (strcmp(skill->source_text, ret_found->source) != 0 &&
		ret_found->origin != ORIGIN_OVERRIDE)
		set_field(ret_text, "Source", ret_found->source);
	if (skill->category == skill->parent)
		set_field(ret_text, "Category", skill->category);
	if (skill->id == skill->folder)
		set_field(ret_text, "ID", skill->id);
	return 0;
}
