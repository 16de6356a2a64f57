#include "../test.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "compose/compose.h"
#include "compose/defaults.h"
#include "compose/migrate.h"
#include "compose/stub.h"
#include "fault.h"
#include "tempdir.h"

static void put_project(int root)
{
	tempdir_mkdir(root, "container");
	tempdir_put(root, "container/CLAUDE.md", "the base\n");
	tempdir_mkdir(root, "groups");
	tempdir_mkdir(root, "groups/g");
}

static void migrate(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(changes_release) struct changes changes = {0};
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;

	if (migrate_global(root, false, &changes, &err) < 0 ||
		shared_read(root, &shared, &err) < 0 ||
		compose_group(root, "g", &shared, 0, &composition, &err) < 0)
		fail_msg("%s", err.message);
}

static void assert_file(int root, const char *name, const char *wanted)
{
	CLEANUP(freep) char *text = tempdir_get(root, name);

	assert_non_null(text);
	assert_string_equal(text, wanted);
}

static void assert_link(int root, const char *name, const char *wanted)
{
	CLEANUP(freep) char *target = tempdir_get_link(root, name);

	assert_non_null(target);
	assert_string_equal(target, wanted);
}

/* --- a group ----------------------------------------------------------------- */

static void what_a_group_remembered_in_claude_md_is_its_memory(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/CLAUDE.md", "we like tea\n");
	tempdir_symlink("/workspace/global/CLAUDE.md", temp->fd, "groups/g/.claude-global.md");
	migrate(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "we like tea\n");
	assert_null(tempdir_get_link(temp->fd, "groups/g/.claude-global.md"));
	assert_link(temp->fd, "groups/g/.claude-shared.md", "/app/CLAUDE.md");
}

static void an_empty_memory_gives_way(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/CLAUDE.md", "we like tea\n");
	tempdir_put(temp->fd, "groups/g/CLAUDE.local.md", "");
	migrate(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "we like tea\n");
}

static void two_memories_become_one_and_nothing_is_lost(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/CLAUDE.md", "we like tea\n");
	tempdir_put(temp->fd, "groups/g/CLAUDE.local.md", "and cake");
	migrate(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "and cake\n\nwe like tea\n");
	migrate(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "and cake\n\nwe like tea\n");
}

static void a_text_that_a_crash_has_left_in_both_is_not_added_twice(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/CLAUDE.md", "we like tea\n");
	tempdir_put(temp->fd, "groups/g/CLAUDE.local.md", "and cake\n\nwe like tea\n");
	migrate(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "and cake\n\nwe like tea\n");
}

static void a_composed_entry_is_no_memory(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	migrate(temp->fd);
	assert_false(tempdir_exists(temp->fd, "groups/g/CLAUDE.local.md"));
	unlinkat(temp->fd, "groups/g/.claude-shared.md", 0);
	migrate(temp->fd);
	assert_false(tempdir_exists(temp->fd, "groups/g/CLAUDE.local.md"));
}

static void what_claude_code_remembers_by_itself_stays(void **state)
{
	struct tempdir *temp = *state;
	const char *memory =
		"data/sessions/g/.claude/projects/-workspace-agent/memory/MEMORY.md";
	static const char *const folders[] = {"data", "data/sessions", "data/sessions/g",
		"data/sessions/g/.claude", "data/sessions/g/.claude/projects",
		"data/sessions/g/.claude/projects/-workspace-agent",
		"data/sessions/g/.claude/projects/-workspace-agent/memory"};

	put_project(temp->fd);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tempdir_mkdir(temp->fd, folders[i]);
	tempdir_put(temp->fd, memory, "likes tea");
	tempdir_put(temp->fd, "groups/g/CLAUDE.md", "x\n");
	migrate(temp->fd);
	assert_file(temp->fd, memory, "likes tea");
}

/* --- what was shared --------------------------------------------------------- */

static void what_somebody_wrote_for_all_groups_is_in_the_base(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_mkdir(temp->fd, "groups/global");
	tempdir_mkdir(temp->fd, "groups/global/logs");
	tempdir_put(temp->fd, "groups/global/CLAUDE.md", "we are the Smiths\n");
	migrate(temp->fd);
	assert_file(temp->fd, "container/CLAUDE.md", "the base\n\nwe are the Smiths\n");
	assert_false(tempdir_exists(temp->fd, "groups/global"));
	migrate(temp->fd);
	assert_file(temp->fd, "container/CLAUDE.md", "the base\n\nwe are the Smiths\n");
}

static void other_files_that_lay_there_are_kept(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_mkdir(temp->fd, "groups/global");
	tempdir_put(temp->fd, "groups/global/CLAUDE.md", "we are the Smiths\n");
	tempdir_put(temp->fd, "groups/global/plan.md", "a plan\n");
	migrate(temp->fd);
	assert_false(tempdir_exists(temp->fd, "groups/global"));
	assert_file(temp->fd, "groups/global.kept-1/plan.md", "a plan\n");
}

static void a_text_that_a_crash_has_left_is_in_the_base_once(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "container/CLAUDE.md", "the base\n\nwe are the Smiths\n");
	tempdir_mkdir(temp->fd, "groups/global");
	tempdir_put(temp->fd, "groups/global/CLAUDE.md", "we are the Smiths\n");
	migrate(temp->fd);
	assert_file(temp->fd, "container/CLAUDE.md", "the base\n\nwe are the Smiths\n");
}

/* --- the delivered text ------------------------------------------------------ */

static void nothing_is_left_of_a_file_as_it_was_delivered(void **state)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;

	(void)state;
	stub_remove(view_of("# Andy\n\n## What You Can Do\n\n- Answer questions and have "
			    "conversations\n- Run bash commands in your sandbox\n"),
		&rest);
	assert_string_equal(rest.data, "");
}

static void what_was_added_stays_with_its_heading(void **state)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;

	(void)state;
	stub_remove(view_of("# Andy\n\n## What You Can Do\n\n- Run bash commands in your "
			    "sandbox\n\n## Memory\n\nWhen you learn something "
			    "important:\n\nThe key is under the mat.\n## Own\n- Run bash "
			    "commands in your sandbox\n- and mine\n"),
		&rest);
	assert_string_equal(rest.data, "## Memory\n\nThe key is under the mat.\n\n## Own\n\n"
				       "- Run bash commands in your sandbox\n- and mine\n");
}

static void a_file_of_ones_own_stays_as_it_is(void **state)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;

	(void)state;
	stub_remove(view_of("mine\n\n\n  and mine"), &rest);
	assert_string_equal(rest.data, "mine\n\n\n  and mine");
}

/* --- the defaults ------------------------------------------------------------ */

static void put_defaults(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(changes_release) struct changes changes = {0};

	if (defaults_put(root, false, &changes, &err) < 0)
		fail_msg("%s", err.message);
}

static void an_empty_project_gets_the_base_and_the_skills(void **state)
{
	struct tempdir *temp = *state;

	put_defaults(temp->fd);
	assert_true(tempdir_exists(temp->fd, "container/CLAUDE.md"));
	assert_true(tempdir_exists(temp->fd, "container/skills/welcome/SKILL.md"));
	assert_true(tempdir_exists(temp->fd, "container/skills/scheduling/instructions.md"));
	fault_arm(FAULT_COUNT, 0);
	put_defaults(temp->fd);
	assert_int_equal(fault_disarm(), 0);
}

static void what_people_have_edited_or_removed_stays_so(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "container");
	tempdir_mkdir(temp->fd, "container/skills");
	tempdir_put(temp->fd, "container/CLAUDE.md", "mine");
	put_defaults(temp->fd);
	assert_file(temp->fd, "container/CLAUDE.md", "mine");
	assert_false(tempdir_exists(temp->fd, "container/skills/welcome"));
}

TESTS(IN_TEMPDIR(what_a_group_remembered_in_claude_md_is_its_memory),
	IN_TEMPDIR(an_empty_memory_gives_way),
	IN_TEMPDIR(two_memories_become_one_and_nothing_is_lost),
	IN_TEMPDIR(a_text_that_a_crash_has_left_in_both_is_not_added_twice),
	IN_TEMPDIR(a_composed_entry_is_no_memory),
	IN_TEMPDIR(what_claude_code_remembers_by_itself_stays),
	IN_TEMPDIR(what_somebody_wrote_for_all_groups_is_in_the_base),
	IN_TEMPDIR(other_files_that_lay_there_are_kept),
	IN_TEMPDIR(a_text_that_a_crash_has_left_is_in_the_base_once),
	cmocka_unit_test(nothing_is_left_of_a_file_as_it_was_delivered),
	cmocka_unit_test(what_was_added_stays_with_its_heading),
	cmocka_unit_test(a_file_of_ones_own_stays_as_it_is),
	IN_TEMPDIR(an_empty_project_gets_the_base_and_the_skills),
	IN_TEMPDIR(what_people_have_edited_or_removed_stays_so))
