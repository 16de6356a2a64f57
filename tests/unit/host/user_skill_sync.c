#include "../test.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "db/query.h"
#include "engine/package/package.h"
#include "host/base/registry.h"
#include "host/ops/operations.h"
#include "tempdir.h"
#include "userskill/lifecycle.h"
#include "userskill/manage.h"
#include "userskill/sync.h"
#include "userskill/user_skill_groups.h"
#include "userskill/user_skill_uses.h"
#include "userskill/user_skills.h"

#define MANY 2000

struct place {
	struct tempdir *temp;
	struct store *store;
	struct error err;
	struct sync_report report;
};

static void close_place(struct place *p)
{
	sync_report_release(&p->report);
	store_free(p->store);
	error_release(&p->err);
}

static struct place open_place(void **state)
{
	struct place p = {.temp = *state};
	struct registry registry = {NULL, p.temp->fd, "Andy"};

	assert_int_equal(store_open(p.temp->path, STORE_WRITE, &p.store, &p.err), 0);
	registry.store = p.store;
	assert_int_equal(registry_ensure_main(&registry, &p.err), 0);
	return p;
}

static char *text_of(
	const char *id, const char *command, const char *version, const char *status)
{
	return xasprintf(
		"# SKILL: The skill %s\n\n## Metadata\n\n- ID: %s\n- Version: %s\n"
		"- Category: a\n- Generated: 2026-02-25\n- Source: Pre-built\n"
		"- Status: %s\n\n## Trigger\n\n- /%s\n\n## Context Required\n\nNone\n\n"
		"## Instructions\n\n1. One.\n2. Two.\n3. Three.\n\n## Output Format\n\n"
		"Any.\n\n## Quality Criteria\n\n- good\n",
		id, id, version, status, command);
}

static void put(struct place *p, const char *path, const char *text)
{
	CLEANUP(freep) char *full = xasprintf("skills/%s", path);
	CLEANUP(freep) char *folder = xstrdup(full);

	for (char *slash = strchr(folder, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!tempdir_exists(p->temp->fd, folder))
			tempdir_mkdir(p->temp->fd, folder);
		*slash = '/';
	}
	tempdir_put(p->temp->fd, full, text);
}

static void put_skill(struct place *p, const char *id, const char *version)
{
	CLEANUP(freep) char *text = text_of(id, id + strlen("skill_"), version, "Active");
	CLEANUP(freep) char *path = xasprintf("a/%s/SKILL.md", id);

	put(p, path, text);
}

static void sync_now(struct place *p)
{
	sync_report_release(&p->report);
	if (skill_sync(p->store, p->temp->fd, NULL, &p->report, &p->err) < 0)
		fail_msg("%s", p->err.message);
}

static void assert_counts(
	struct place *p, size_t added, size_t changed, size_t gone, size_t unchanged)
{
	sync_now(p);
	assert_int_equal(p->report.counts[SYNC_ADDED], added);
	assert_int_equal(p->report.counts[SYNC_CHANGED], changed);
	assert_int_equal(p->report.counts[SYNC_GONE], gone);
	assert_int_equal(p->report.unchanged, unchanged);
}

static bool has_problem(const struct place *p, const char *text)
{
	for (size_t i = 0; i < p->report.problem_count; i++)
		if (strstr(p->report.problems[i].text, text))
			return true;
	return false;
}

static void remove_file(struct place *p, const char *path)
{
	CLEANUP(freep) char *full = xasprintf("skills/%s", path);

	assert_int_equal(unlinkat(p->temp->fd, full, 0), 0);
}

static int64_t count(struct place *p, const char *sql)
{
	CLEANUP(freep) char *whole = xasprintf("SELECT %s", sql);
	sqlite3_stmt *statement;
	int64_t number;

	assert_int_equal(
		sqlite3_prepare_v2(store_database(p->store), whole, -1, &statement, NULL), 0);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

/* --- sync -------------------------------------------------------------------- */

static void only_what_has_changed_is_written(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	int before;

	put_skill(&p, "skill_one_001", "1.0");
	put_skill(&p, "skill_two_001", "1.0");
	put_skill(&p, "skill_three_001", "1.0");
	assert_counts(&p, 3, 0, 0, 0);
	before = sqlite3_total_changes(store_database(p.store));
	assert_counts(&p, 0, 0, 0, 3);
	assert_false(p.report.wrote);
	assert_int_equal(sqlite3_total_changes(store_database(p.store)), before);
	put_skill(&p, "skill_two_001", "1.1");
	assert_counts(&p, 0, 1, 0, 2);
	assert_int_equal(count(&p, "count(*) FROM skill_versions"), 4);
	assert_int_equal(count(&p, "count(*) FROM skill_versions WHERE until IS NULL"), 3);
}

static void two_thousand_files_are_not_written_twice(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	int before;

	for (int i = 0; i < MANY; i++) {
		CLEANUP(freep)
		char *id = xasprintf("skill_made_%c%c%c_001", 'a' + i / 400, 'a' + i / 20 % 20,
			'a' + i % 20);

		put_skill(&p, id, "1.0");
	}
	assert_counts(&p, MANY, 0, 0, 0);
	before = sqlite3_total_changes(store_database(p.store));
	assert_counts(&p, 0, 0, 0, MANY);
	assert_int_equal(sqlite3_total_changes(store_database(p.store)), before);
}

static void a_file_that_is_gone_is_marked_and_comes_back(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	bool changed;

	put_skill(&p, "skill_one_001", "1.0");
	put_skill(&p, "skill_two_001", "1.0");
	sync_now(&p);
	assert_int_equal(
		skill_assign(p.store, "skill_one_001", "main", "me", &found, &changed, &p.err),
		0);
	skill_found_release(&found);
	remove_file(&p, "a/skill_one_001/SKILL.md");
	assert_counts(&p, 0, 0, 1, 1);
	assert_int_equal(skill_lookup(p.store, "main", "skill_one_001", &found, &p.err), 0);
	assert_true(found.content && found.gone && found.assigned);
	assert_false(skill_found_usable(&found));
	skill_found_release(&found);
	assert_counts(&p, 0, 0, 0, 1);
	assert_false(p.report.wrote);
	put_skill(&p, "skill_one_001", "1.0");
	assert_counts(&p, 1, 0, 0, 1);
	assert_int_equal(skill_lookup(p.store, "main", "skill_one_001", &found, &p.err), 0);
	assert_true(found.assigned && skill_found_usable(&found));
	assert_int_equal(count(&p, "count(*) FROM skill_versions"), 2);
}

static void a_file_that_moves_stays_the_same_skill(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *text = text_of("skill_one_001", "one", "1.0", "Active");

	put(&p, "a/skill_one_001/SKILL.md", text);
	sync_now(&p);
	remove_file(&p, "a/skill_one_001/SKILL.md");
	put(&p, "b/skill_one_001/SKILL.md", text);
	assert_counts(&p, 0, 1, 0, 0);
	assert_int_equal(count(&p, "count(*) FROM skill_versions"), 1);
	assert_int_equal(count(&p, "count(*) FROM skill_definitions WHERE path LIKE 'b/%'"), 1);
}

static void an_invalid_file_is_told_and_what_there_was_stays(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

	put_skill(&p, "skill_one_001", "1.0");
	sync_now(&p);
	put(&p, "a/skill_one_001/SKILL.md", "# SKILL: One\n");
	put(&p, "a/skill_new_001/SKILL.md", "nothing\n");
	assert_counts(&p, 0, 0, 0, 0);
	assert_int_equal(p.report.errors, 2);
	assert_true(has_problem(&p, "a/skill_one_001/SKILL.md:1: "));
	assert_int_equal(skill_lookup(p.store, NULL, "skill_one_001", &found, &p.err), 0);
	assert_true(skill_found_usable(&found));
	put_skill(&p, "skill_one_001", "1.1");
	assert_counts(&p, 0, 1, 0, 0);
}

static void two_files_with_one_id_are_both_named_and_left_aside(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *text = text_of("skill_one_001", "one", "2.0", "Active");

	put_skill(&p, "skill_one_001", "1.0");
	sync_now(&p);
	put(&p, "b/other/SKILL.md", text);
	assert_counts(&p, 0, 0, 0, 0);
	assert_int_equal(p.report.errors, 1);
	assert_true(has_problem(&p, "skills/b/other/SKILL.md"));
	assert_true(has_problem(&p, "skills/a/skill_one_001/SKILL.md"));
	assert_int_equal(
		count(&p, "count(*) FROM skill_definitions WHERE version = '1.0' AND NOT gone"),
		1);
	remove_file(&p, "a/skill_one_001/SKILL.md");
	assert_counts(&p, 0, 1, 0, 0);
}

static void two_skills_with_one_command_are_both_named(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *one = text_of("skill_one_001", "same", "1.0", "Active");
	CLEANUP(freep) char *two = text_of("skill_two_001", "same", "1.0", "Active");

	put(&p, "a/skill_one_001/SKILL.md", one);
	put(&p, "a/skill_two_001/SKILL.md", two);
	assert_counts(&p, 2, 0, 0, 0);
	assert_int_equal(p.report.errors, 0);
	assert_true(has_problem(&p, "'/same' is that of 'skill_one_001'"));
	assert_true(has_problem(&p, "'skill_two_001'"));
}

static void a_file_changes_the_status_only_along_the_ways(void **state)
{
	static const struct {
		const char *states;
		const char *then;
	} steps[] = {{"Proposed", "Proposed"}, {"Active", "Proposed"}, {"Approved", "Approved"},
		{"Active", "Active"}, {"Retired", "Retired"}};
	CLEANUP(close_place) struct place p = open_place(state);

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		CLEANUP(freep) char *version = xasprintf("1.%zu", i);
		CLEANUP(freep)
		char *text = text_of("skill_one_001", "one", version, steps[i].states);
		CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

		put(&p, "a/skill_one_001/SKILL.md", text);
		sync_now(&p);
		assert_int_equal(
			skill_lookup(p.store, NULL, "skill_one_001", &found, &p.err), 0);
		assert_string_equal(skill_status_name(found.status), steps[i].then);
		assert_string_equal(found.skill.version, version);
	}
	assert_int_equal(count(&p, "count(*) FROM skill_events"), 4);
}

static void what_a_person_retired_stays_so_when_the_file_changes(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	enum skill_status before;

	put_skill(&p, "skill_one_001", "1.0");
	sync_now(&p);
	assert_int_equal(skill_change_status(p.store, "skill_one_001", STATUS_RETIRED, "me",
				 &before, &p.err),
		0);
	put_skill(&p, "skill_one_001", "1.1");
	assert_counts(&p, 0, 1, 0, 0);
	assert_int_equal(skill_lookup(p.store, NULL, "skill_one_001", &found, &p.err), 0);
	assert_int_equal(found.status, STATUS_RETIRED);
}

/* --- two kinds of skills ----------------------------------------------------- */

#define MANIFEST "skill: p\nversion: 1.0.0\ndescription: d\ncore_version: 1.0.0\n"

/* Every place where a SKILL.md could be, of one kind or the other. */
static void put_everything(struct place *p)
{
	static const char *const user[] = {
		"a/skill_good_001",        /* the only right one */
		".",                       /* too high */
		"flat",                    /* too high */
		"a/b/skill_deep_001",      /* too deep */
		".claude/skills",          /* hidden */
		"a/.hidden",               /* hidden */
		"platform",                /* has a manifest */
		"platform/nested",         /* below one that has */
		"platform/nested/more",    /* below one that has */
		"a/inner",                 /* has a manifest */
		"category/skill_lost_001", /* its category has a manifest */
	};

	for (size_t i = 0; i < ARRAY_SIZE(user); i++) {
		CLEANUP(freep) char *id = xasprintf("skill_at_%c_001", (char)('a' + i));
		CLEANUP(freep) char *text = text_of(id, "x", "1.0", "Active");
		CLEANUP(freep) char *path = xasprintf("%s/SKILL.md", user[i]);

		put(p, path, text);
	}
	put(p, "platform/manifest.yaml", MANIFEST);
	put(p, "a/inner/manifest.yaml", MANIFEST);
	put(p, "category/manifest.yaml", "not even YAML: [");
	tempdir_mkdir(p->temp->fd, "elsewhere");
	tempdir_mkdir(p->temp->fd, "elsewhere/skill_linked_001");
	tempdir_put(p->temp->fd, "elsewhere/skill_linked_001/SKILL.md", "x");
	tempdir_symlink("../elsewhere", p->temp->fd, "skills/linked");
	tempdir_symlink("../../elsewhere/skill_linked_001", p->temp->fd, "skills/a/linked");
	tempdir_mkdir(p->temp->fd, "skills/a/file");
	tempdir_symlink("../../../elsewhere/skill_linked_001/SKILL.md", p->temp->fd,
		"skills/a/file/SKILL.md");
	tempdir_mkdir(p->temp->fd, ".claude");
	tempdir_mkdir(p->temp->fd, ".claude/skills");
	tempdir_mkdir(p->temp->fd, ".claude/skills/add-it");
	tempdir_put(p->temp->fd, ".claude/skills/add-it/SKILL.md", "# SKILL: add it\n");
	tempdir_put(p->temp->fd, ".claude/skills/add-it/manifest.yaml", MANIFEST);
	tempdir_mkdir(p->temp->fd, ".claude/skills/a");
	tempdir_mkdir(p->temp->fd, ".claude/skills/a/skill_claude_001");
	tempdir_put(p->temp->fd, ".claude/skills/a/skill_claude_001/SKILL.md", "x");
}

static void sync_takes_no_platform_skill_and_nothing_misplaced(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);

	put_everything(&p);
	assert_counts(&p, 1, 0, 0, 0);
	assert_string_equal(p.report.changes[0].skill, "skill_at_a_001");
	assert_int_equal(p.report.errors, 0);
	assert_true(has_problem(&p, "skills/SKILL.md is skipped"));
	assert_true(has_problem(&p, "skills/flat/SKILL.md is skipped"));
	assert_true(has_problem(&p, "skills/a/b/skill_deep_001/SKILL.md is skipped"));
	assert_true(has_problem(&p, "skills/a/file/SKILL.md is skipped"));
	assert_false(has_problem(&p, "platform"));
	assert_false(has_problem(&p, "claude"));
}

static void the_engine_takes_no_user_skill(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(package_list_release) struct package_list list = {0};

	put_everything(&p);
	assert_int_equal(package_list_read(p.temp->fd, &list, &p.err), 0);
	/* platform and add-it; category has a manifest, though a bad one. */
	assert_int_equal(list.count, 2);
	assert_string_equal(list.list[0].folder, ".claude/skills/add-it");
	assert_string_equal(list.list[1].folder, "skills/platform");
	assert_int_equal(list.broken.count, 1);
	assert_string_equal(list.broken.list[0], "skills/category");
}

static void a_library_for_claude_is_refused(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);

	put_everything(&p);
	tempdir_symlink(".claude/skills", p.temp->fd, "library");
	assert_int_equal(
		skill_sync(p.store, p.temp->fd, ".claude/skills", &p.report, &p.err), -1);
	assert_int_equal(p.err.kind, ERROR_INVALID);
	error_clear(&p.err);
	assert_int_equal(skill_sync(p.store, p.temp->fd, "library", &p.report, &p.err), -1);
	error_clear(&p.err);
	assert_int_equal(skill_sync(p.store, p.temp->fd, "missing", &p.report, &p.err), -1);
	assert_int_equal(p.err.kind, ERROR_INVALID);
}

/* --- which one holds --------------------------------------------------------- */

static enum skill_origin winner(struct place *p, const char *group, const char *version)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;

	assert_int_equal(skill_lookup(p->store, group, "skill_one_001", &found, &p->err), 0);
	assert_string_equal(found.skill.version, version);
	return found.origin;
}

static void approve(const struct place *p, const char *id)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	enum skill_status before;

	assert_int_equal(
		skill_change_status(p->store, id, STATUS_APPROVED, "me", &before, &err), 0);
	assert_int_equal(before, STATUS_PROPOSED);
	assert_int_equal(
		skill_change_status(p->store, id, STATUS_ACTIVE, "me", &before, &err), 0);
}

static void an_override_holds_over_the_database_and_that_over_the_file(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *imported = text_of("skill_one_001", "one", "2.0", "Active");
	CLEANUP(freep) char *variant = text_of("skill_one_001", "uno", "3.0", "Active");
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	struct skill_imported result = {0};
	CLEANUP(freep) char *id = NULL;
	bool changed;

	put_skill(&p, "skill_one_001", "1.0");
	sync_now(&p);
	assert_int_equal(winner(&p, "main", "1.0"), ORIGIN_FILE);
	assert_int_equal(skill_import(p.store, view_of(imported), "x", "Marketplace", "me",
				 &result, &p.err),
		0);
	free(result.id);
	approve(&p, "skill_one_001");
	assert_int_equal(winner(&p, "main", "2.0"), ORIGIN_DATABASE);
	assert_int_equal(skill_override_set(p.store, "main", NULL, view_of(variant), "x", "me",
				 &id, &changed, &p.err),
		0);
	assert_int_equal(winner(&p, "main", "3.0"), ORIGIN_OVERRIDE);
	assert_int_equal(winner(&p, NULL, "2.0"), ORIGIN_DATABASE);
	/* Commands are those of the variant. */
	assert_int_equal(skill_assign(p.store, id, "main", "me", &found, &changed, &p.err), 0);
	skill_found_release(&found);
	assert_int_equal(skill_lookup_command(p.store, "main", "one", &found, &p.err), 0);
	assert_null(found.content);
	assert_int_equal(skill_lookup_command(p.store, "main", "UNO", &found, &p.err), 0);
	assert_non_null(found.content);
	assert_int_equal(skill_override_drop(p.store, "main", id, &p.err), 0);
	assert_int_equal(skill_remove(p.store, id, &p.err), 0);
	assert_int_equal(winner(&p, "main", "1.0"), ORIGIN_FILE);
	assert_int_equal(count(&p, "count(*) FROM skill_versions"), 3);
}

/* Whatever it states, and whatever an earlier text of it was approved as. */
static void an_imported_text_never_approves_itself(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	static const char *const states[] = {
		"Proposed", "Approved", "Active", "Refined", NULL, "Observed", "Active"};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		CLEANUP(freep)
		char *text = text_of("skill_one_001", i % 2 ? "one" : "uno", "2.0",
			states[i] ? states[i] : "Active");
		struct skill_imported result = {0};

		if (!states[i])
			approve(&p, "skill_one_001");
		assert_int_equal(skill_import(p.store, view_of(text), "x", "Marketplace", "me",
					 &result, &p.err),
			0);
		assert_string_equal(skill_status_name(result.status), "Proposed");
		free(result.id);
	}
}

static void what_is_exported_and_imported_again_is_the_same(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *plain = text_of("skill_one_001", "one", "2.0", "Active");
	CLEANUP(freep) char *text = xasprintf("\xef\xbb\xbf%s\r\n  \r\n## Odd\r\nlast", plain);
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct skill_imported result = {0};

	assert_int_equal(
		skill_import(p.store, view_of(text), "x", NULL, "me", &result, &p.err), 0);
	free(result.id);
	approve(&p, "skill_one_001");
	assert_int_equal(skill_export(p.store, NULL, "skill_one_001", &found, &out, &p.err), 0);
	assert_string_equal(out.data, text);
	assert_int_equal(
		skill_import(p.store, view_of_buf(&out), "x", NULL, "me", &result, &p.err), 0);
	free(result.id);
	assert_false(result.changed);
}

static void an_export_states_the_source_and_status_of_the_store(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(freep) char *text = text_of("skill_one_001", "one", "2.0", "Active");
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct skill_imported result = {0};
	enum skill_status before;

	assert_int_equal(
		skill_import(p.store, view_of(text), "x", "Marketplace", "me", &result, &p.err),
		0);
	free(result.id);
	approve(&p, "skill_one_001");
	assert_int_equal(skill_change_status(p.store, "skill_one_001", STATUS_REFINED, "me",
				 &before, &p.err),
		0);
	assert_int_equal(skill_export(p.store, NULL, "skill_one_001", &found, &out, &p.err), 0);
	assert_non_null(strstr(out.data, "- Source: Marketplace\n- Status: Refined\n"));
	assert_int_equal(out.len, strlen(text) + strlen("Marketplace") + strlen("Refined") -
					  strlen("Pre-built") - strlen("Active"));
}

/* --- who may what ------------------------------------------------------------ */

static enum error_kind ask(struct place *p, const char *group, json_t *request)
{
	struct registry registry = {p->store, p->temp->fd, "Andy"};
	struct settings settings = SETTINGS_INIT;
	struct actor actor = {.kind = group ? ACTOR_GROUP : ACTOR_PERSON, .folder = group};
	CLEANUP(json_decrefp)
	json_t *reply = operations_call_alone(&registry, &settings, &actor, request);
	const char *kind = json_string_value(json_object_get(reply, "kind"));

	json_decref(request);
	if (!kind)
		return ERROR_NONE;
	return !strcmp(kind, "invalid") ? ERROR_INVALID : ERROR_FAILED;
}

static void a_group_manages_no_skills_and_only_main_assigns(void **state)
{
	CLEANUP(close_place) struct place p = open_place(state);
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {p.store, p.temp->fd, "Andy"};
	struct registration family = {.jid = "x:1", .name = "Family"};

	assert_int_equal(registry_add(&registry, &family, &group, &p.err), 0);
	put_skill(&p, "skill_one_001", "1.0");
	assert_int_equal(
		ask(&p, "main", json_pack("{s:s}", "op", "sync_skills")), ERROR_INVALID);
	assert_int_equal(ask(&p, NULL, json_pack("{s:s}", "op", "sync_skills")), ERROR_NONE);
	for (int i = 0; i < 2; i++) {
		const char *op = i ? "unassign_skill" : "assign_skill";

		assert_int_equal(ask(&p, "family",
					 json_pack("{s:s, s:s, s:s}", "op", op, "skill",
						 "skill_one_001", "group", "family")),
			ERROR_INVALID);
		assert_int_equal(ask(&p, "main",
					 json_pack("{s:s, s:s, s:s}", "op", op, "skill",
						 "skill_one_001", "group", "family")),
			ERROR_NONE);
	}
	assert_int_equal(
		ask(&p, "main",
			json_pack("{s:s, s:s}", "op", "import_skill", "file", "/etc/passwd")),
		ERROR_INVALID);
	assert_int_equal(ask(&p, "main",
				 json_pack("{s:s, s:s, s:s}", "op", "set_skill_status", "skill",
					 "skill_one_001", "status", "retired")),
		ERROR_INVALID);
}

/* --- life and score ---------------------------------------------------------- */

static void there_are_these_ways_and_no_others(void **state)
{
	/* From the row to the column: Observed to Retired. */
	static const char *const ways[] = {
		".x...x",
		"..x..x",
		"...x.x",
		"....xx",
		"...x.x",
		"...x..",
	};

	(void)state;
	for (int from = STATUS_OBSERVED; from <= STATUS_RETIRED; from++)
		for (int to = STATUS_OBSERVED; to <= STATUS_RETIRED; to++)
			assert_int_equal(lifecycle_allows(from, to),
				ways[from - STATUS_OBSERVED][to - STATUS_OBSERVED] == 'x');
}

static void the_score_is_by_completion_and_feedback(void **state)
{
	struct skill_numbers none = {0};
	struct skill_numbers good = {.uses = 8, .completed = 8};
	struct skill_numbers liked = {
		.uses = 8, .completed = 8, .answers = 8, .score_sum = 8000};
	struct skill_numbers hated = {.uses = 8, .completed = 8, .answers = 8};
	double score;

	(void)state;
	assert_false(skill_score(&none, &score));
	assert_true(skill_score(&good, &score) && score == 0.9);
	assert_true(skill_score(&liked, &score) && score == 0.9);
	assert_true(skill_score(&hated, &score) && score == 0.5);
}

TESTS(IN_TEMPDIR(only_what_has_changed_is_written),
	IN_TEMPDIR(two_thousand_files_are_not_written_twice),
	IN_TEMPDIR(a_file_that_is_gone_is_marked_and_comes_back),
	IN_TEMPDIR(a_file_that_moves_stays_the_same_skill),
	IN_TEMPDIR(an_invalid_file_is_told_and_what_there_was_stays),
	IN_TEMPDIR(two_files_with_one_id_are_both_named_and_left_aside),
	IN_TEMPDIR(two_skills_with_one_command_are_both_named),
	IN_TEMPDIR(a_file_changes_the_status_only_along_the_ways),
	IN_TEMPDIR(what_a_person_retired_stays_so_when_the_file_changes),
	IN_TEMPDIR(sync_takes_no_platform_skill_and_nothing_misplaced),
	IN_TEMPDIR(the_engine_takes_no_user_skill), IN_TEMPDIR(a_library_for_claude_is_refused),
	IN_TEMPDIR(an_override_holds_over_the_database_and_that_over_the_file),
	IN_TEMPDIR(an_imported_text_never_approves_itself),
	IN_TEMPDIR(what_is_exported_and_imported_again_is_the_same),
	IN_TEMPDIR(an_export_states_the_source_and_status_of_the_store),
	IN_TEMPDIR(a_group_manages_no_skills_and_only_main_assigns),
	cmocka_unit_test(there_are_these_ways_and_no_others),
	cmocka_unit_test(the_score_is_by_completion_and_feedback))
