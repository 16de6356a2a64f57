#include "../test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compose/compose.h"
#include "compose/plan.h"
#include "fault.h"
#include "fs/walk.h"
#include "tempdir.h"

#define FIRST_LINE                                                                             \
	"<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. " \
	"-->\n"

/* --- a project --------------------------------------------------------------- */

static void put_skill(int root, const char *name, const char *instructions)
{
	CLEANUP(freep) char *folder = xasprintf("container/skills/%s", name);
	CLEANUP(freep) char *manual = xasprintf("%s/SKILL.md", folder);
	CLEANUP(freep) char *file = xasprintf("%s/instructions.md", folder);

	tempdir_mkdir(root, folder);
	tempdir_put(root, manual, name);
	if (instructions)
		tempdir_put(root, file, instructions);
}

static void put_project(int root)
{
	tempdir_mkdir(root, "container");
	tempdir_mkdir(root, "container/skills");
	tempdir_put(root, "container/CLAUDE.md", "the base\n");
	tempdir_mkdir(root, "data");
	tempdir_mkdir(root, "groups");
	tempdir_mkdir(root, "groups/g");
	tempdir_put(root, "groups/g/CLAUDE.local.md", "we like tea\n");
}

static void compose_with(int root, unsigned flags, struct composition *ret_composition)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;

	if (shared_read(root, &shared, &err) < 0 ||
		compose_group(root, "g", &shared, flags, ret_composition, &err) < 0)
		fail_msg("%s", err.message);
}

static void compose(int root)
{
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;

	compose_with(root, 0, &composition);
}

static struct hash inputs_of(int root)
{
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;

	compose_with(root, COMPOSE_DRY_RUN, &composition);
	return composition.inputs;
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

/* --- what it is -------------------------------------------------------------- */

static void the_entry_imports_base_global_memory_skills_and_servers_in_this_order(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	put_skill(temp->fd, "b", "b");
	put_skill(temp->fd, "a", "a");
	put_skill(temp->fd, "silent", NULL);
	tempdir_put(temp->fd, "data/global.md", "we are the Smiths\n");
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {"
		"\"z\": {\"command\": \"z\", \"instructions\": \"zz\"},"
		"\"db\": {\"command\": \"d\", \"instructions\": \"read only\\n\"},"
		"\"mute\": {\"command\": \"m\"}}}");
	compose(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.md",
		FIRST_LINE "@./.claude-shared.md\n"
			   "@./.claude-global-memory.md\n"
			   "@./.claude-fragments/a.md\n"
			   "@./.claude-fragments/b.md\n"
			   "@./.claude-fragments/mcp-db.md\n"
			   "@./.claude-fragments/mcp-z.md\n");
	assert_link(temp->fd, "groups/g/.claude-shared.md", "/app/CLAUDE.md");
	assert_link(
		temp->fd, "groups/g/.claude-fragments/a.md", "/app/skills/a/instructions.md");
	assert_file(temp->fd, "groups/g/.claude-fragments/mcp-db.md", "read only\n");
	assert_file(temp->fd, "groups/g/.claude-fragments/mcp-z.md", "zz\n");
	assert_file(temp->fd, "groups/g/.claude-global-memory.md", "we are the Smiths\n");
	assert_link(temp->fd, "data/sessions/g/.claude/skills/silent", "/app/skills/silent");
	assert_file(temp->fd, "groups/g/CLAUDE.local.md", "we like tea\n");
}

static void without_a_global_memory_none_is_imported(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_put(temp->fd, "data/global.md", " \n\n");
	compose(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.md", FIRST_LINE "@./.claude-shared.md\n");
	assert_false(tempdir_exists(temp->fd, "groups/g/.claude-global-memory.md"));
}

static void only_skills_that_are_enabled_are_linked_and_imported(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "a");
	put_skill(temp->fd, "b", "b");
	tempdir_put(temp->fd, "groups/g/container.json", "{\"skills\": [\"b\"]}");
	compose(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.md",
		FIRST_LINE "@./.claude-shared.md\n@./.claude-fragments/b.md\n");
	assert_false(tempdir_exists(temp->fd, "data/sessions/g/.claude/skills/a"));
}

static void what_is_not_enabled_any_more_goes(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "a");
	put_skill(temp->fd, "b", "b");
	tempdir_put(temp->fd, "data/global.md", "x\n");
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {\"z\": {\"command\": \"z\", \"instructions\": \"zz\"}}}");
	compose(temp->fd);
	tempdir_put(temp->fd, "data/global.md", "");
	tempdir_put(temp->fd, "groups/g/container.json", "{\"skills\": [\"b\"]}");
	compose(temp->fd);
	assert_file(temp->fd, "groups/g/CLAUDE.md",
		FIRST_LINE "@./.claude-shared.md\n@./.claude-fragments/b.md\n");
	assert_false(tempdir_exists(temp->fd, "groups/g/.claude-fragments/mcp-z.md"));
	assert_null(tempdir_get_link(temp->fd, "groups/g/.claude-fragments/a.md"));
	assert_null(tempdir_get_link(temp->fd, "data/sessions/g/.claude/skills/a"));
	assert_false(tempdir_exists(temp->fd, "groups/g/.claude-global-memory.md"));
}

static void a_skill_that_would_have_the_file_of_a_server_is_left_out_and_told(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;

	put_project(temp->fd);
	put_skill(temp->fd, "mcp-db", "of the skill");
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {\"db\": {\"command\": \"d\", \"instructions\": \"of the "
		"server\"}}}");
	compose_with(temp->fd, 0, &composition);
	assert_file(temp->fd, "groups/g/.claude-fragments/mcp-db.md", "of the server\n");
	assert_int_equal(composition.warnings.count, 1);
	assert_non_null(strstr(composition.warnings.list[0], "'mcp-db'"));
}

static void a_skill_that_is_not_there_is_told(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/container.json", "{\"skills\": [\"gone\"]}");
	compose_with(temp->fd, 0, &composition);
	assert_int_equal(composition.warnings.count, 1);
	assert_non_null(strstr(composition.warnings.list[0], "'gone'"));
}

static void a_faulty_container_json_is_refused_and_nothing_is_changed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;

	put_project(temp->fd);
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {\"a\\nb\": {\"command\": \"x\", \"instructions\": \"y\"}}}");
	assert_int_equal(shared_read(temp->fd, &shared, &err), 0);
	fault_arm(FAULT_COUNT, 0);
	assert_int_equal(compose_group(temp->fd, "g", &shared, 0, &composition, &err), -1);
	assert_int_equal(fault_disarm(), 0);
	assert_int_equal(err.kind, ERROR_INVALID);
}

/* --- again ------------------------------------------------------------------- */

static void what_is_right_is_not_written_again(void **state)
{
	struct tempdir *temp = *state;
	struct stat before, after;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "a");
	tempdir_put(temp->fd, "data/global.md", "x\n");
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {\"z\": {\"command\": \"z\", \"instructions\": \"zz\"}}}");
	compose(temp->fd);
	assert_int_equal(fstatat(temp->fd, "groups/g/CLAUDE.md", &before, 0), 0);
	fault_arm(FAULT_COUNT, 0);
	compose(temp->fd);
	assert_int_equal(fault_disarm(), 0);
	assert_int_equal(fstatat(temp->fd, "groups/g/CLAUDE.md", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void a_dry_run_tells_everything_and_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(composition_release) struct composition wished = COMPOSITION_INIT;
	CLEANUP(composition_release) struct composition done = COMPOSITION_INIT;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "a");
	tempdir_symlink("/etc/passwd", temp->fd, "groups/g/.claude-shared.md");
	tempdir_mkdir(temp->fd, "groups/g/CLAUDE.md");
	fault_arm(FAULT_COUNT, 0);
	compose_with(temp->fd, COMPOSE_DRY_RUN, &wished);
	assert_int_equal(fault_disarm(), 0);
	compose_with(temp->fd, 0, &done);
	assert_int_equal(wished.changes.count, done.changes.count);
	for (size_t i = 0; i < done.changes.count; i++) {
		assert_int_equal(wished.changes.list[i].kind, done.changes.list[i].kind);
		assert_string_equal(wished.changes.list[i].path, done.changes.list[i].path);
	}
}

/* --- any order ---------------------------------------------------------------- */

#define SKILLS 12

static unsigned below(uint64_t *random, unsigned limit)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*random >> 33) % limit;
}

static void shuffle(uint64_t *random, int *numbers, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int j = (int)below(random, (unsigned)i + 1);
		int other = numbers[i];

		numbers[i] = numbers[j];
		numbers[j] = other;
	}
}

static void put_servers(int root, const int *order)
{
	CLEANUP(buf_release) struct buf json = BUF_INIT;

	for (int i = 0; i < SKILLS; i++)
		buf_appendf(&json, "%s\"s%d\": {\"command\": \"x\", \"instructions\": \"i%d\"}",
			i ? ", " : "{\"mcpServers\": {", order[i], order[i]);
	buf_append_str(&json, "}}");
	tempdir_put(root, "groups/g/container.json", json.data);
}

static enum walk_result describe(const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	struct buf *out = data;

	(void)err;
	if (entry->kind == WALK_DIR_END || !strcmp(entry->path, "container.json"))
		return WALK_GO_ON;
	text = entry->kind == WALK_FILE      ? tempdir_get(entry->dirfd, entry->name)
	       : entry->kind == WALK_SYMLINK ? tempdir_get_link(entry->dirfd, entry->name)
					     : NULL;
	buf_appendf(out, "%s %o %s\n", entry->path, (unsigned)entry->stat.st_mode,
		text ? text : "");
	return WALK_GO_ON;
}

/* All names, modes, targets and contents of what is composed, as one text. */
static char *picture(int root)
{
	static const char *const folders[] = {"groups/g", "data/sessions/g"};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(closep) int fd = openat(root, folders[i], O_RDONLY | O_DIRECTORY);

		assert_int_equal(walk(fd, describe, &out, &err), 0);
	}
	return buf_take(&out);
}

static char *compose_in_order(int parent, unsigned number, uint64_t *random)
{
	CLEANUP(freep) char *name = xasprintf("root-%u", number);
	CLEANUP(closep) int root = -1;
	int order[SKILLS];

	for (int i = 0; i < SKILLS; i++)
		order[i] = i;
	tempdir_mkdir(parent, name);
	root = openat(parent, name, O_RDONLY | O_DIRECTORY);
	put_project(root);
	shuffle(random, order, SKILLS);
	for (int i = 0; i < SKILLS; i++) {
		CLEANUP(freep) char *skill = xasprintf("skill%d", order[i]);

		put_skill(root, skill, order[i] % 3 ? skill : NULL);
		/* Some are composed step by step, others at once. */
		if (number % 2)
			compose(root);
	}
	shuffle(random, order, SKILLS);
	put_servers(root, order);
	compose(root);
	return picture(root);
}

static void any_order_of_creation_gives_the_same_bytes(void **state)
{
	struct tempdir *temp = *state;
	uint64_t random = 13;
	CLEANUP(freep) char *first = compose_in_order(temp->fd, 0, &random);

	assert_non_null(strstr(first, "mcp-s11.md"));
	for (unsigned i = 1; i < 20; i++) {
		CLEANUP(freep) char *other = compose_in_order(temp->fd, i, &random);

		assert_string_equal(first, other);
	}
}

/* --- what concerns whom ------------------------------------------------------- */

static void inputs_change_with_what_an_agent_is_started_with_and_nothing_else(void **state)
{
	struct tempdir *temp = *state;
	struct hash before, after;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "a");
	put_skill(temp->fd, "b", "b");
	tempdir_put(temp->fd, "groups/g/container.json", "{\"skills\": [\"a\"]}");
	before = inputs_of(temp->fd);
	/* Nothing of this group. */
	tempdir_put(temp->fd, "groups/g/CLAUDE.local.md", "other\n");
	tempdir_put(temp->fd, "groups/g/notes.md", "other\n");
	tempdir_put(temp->fd, "container/skills/b/instructions.md", "other");
	tempdir_put(temp->fd, "container/skills/a/SKILL.md", "other");
	tempdir_put(temp->fd, "groups/g/container.json", "{ \"skills\" : [ \"a\" ] }\n");
	after = inputs_of(temp->fd);
	assert_true(hash_equal(&before, &after));
	tempdir_put(temp->fd, "container/skills/a/instructions.md", "other");
	after = inputs_of(temp->fd);
	assert_false(hash_equal(&before, &after));
	before = after;
	tempdir_put(temp->fd, "container/CLAUDE.md", "other");
	after = inputs_of(temp->fd);
	assert_false(hash_equal(&before, &after));
	before = after;
	tempdir_put(temp->fd, "data/global.md", "other");
	after = inputs_of(temp->fd);
	assert_false(hash_equal(&before, &after));
	before = after;
	tempdir_put(temp->fd, "groups/g/container.json", "{\"skills\": [\"a\", \"b\"]}");
	after = inputs_of(temp->fd);
	assert_false(hash_equal(&before, &after));
}

/* --- Claude Code's settings --------------------------------------------------- */

static void the_approval_is_added_and_everything_else_stays(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_mkdir(temp->fd, "data/sessions");
	tempdir_mkdir(temp->fd, "data/sessions/g");
	tempdir_mkdir(temp->fd, "data/sessions/g/.claude");
	tempdir_put(temp->fd, "data/sessions/g/.claude/.claude.json",
		"{\n    \"z\": 1.5,\n    \"projects\": {\n        \"/x\": {},\n        "
		"\"/workspace/agent\": {\n            \"a\": []\n        }\n    }\n}");
	compose(temp->fd);
	assert_file(temp->fd, "data/sessions/g/.claude/.claude.json",
		"{\n    \"z\": 1.5,\n    \"projects\": {\n        \"/x\": {},\n        "
		"\"/workspace/agent\": {\n            \"a\": [],\n            "
		"\"hasClaudeMdExternalIncludesApproved\": true\n        }\n    }\n}\n");
}

static void settings_that_are_no_json_are_moved_aside(void **state)
{
	struct tempdir *temp = *state;

	put_project(temp->fd);
	tempdir_mkdir(temp->fd, "data/sessions");
	tempdir_mkdir(temp->fd, "data/sessions/g");
	tempdir_mkdir(temp->fd, "data/sessions/g/.claude");
	tempdir_put(temp->fd, "data/sessions/g/.claude/.claude.json", "{\"half");
	compose(temp->fd);
	assert_file(temp->fd, "data/sessions/g/.claude/.claude.json.kept-1", "{\"half");
	assert_true(tempdir_exists(temp->fd, "data/sessions/g/.claude/.claude.json"));
}

/* --- the text ----------------------------------------------------------------- */

static void the_text_has_every_file_in_its_order_and_a_maximum(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool cut;

	put_project(temp->fd);
	put_skill(temp->fd, "a", "of a");
	tempdir_put(temp->fd, "data/global.md", "we are the Smiths\n");
	tempdir_put(temp->fd, "groups/g/container.json",
		"{\"mcpServers\": {\"z\": {\"command\": \"z\", \"instructions\": \"of z\"}}}");
	assert_int_equal(shared_read(temp->fd, &shared, &err), 0);
	assert_int_equal(compose_text(temp->fd, "g", &shared, 4096, &text, &cut, &err), 0);
	assert_false(cut);
	assert_string_equal(text.data, "--- .claude-shared.md\nthe base\n"
				       "--- .claude-global-memory.md\nwe are the Smiths\n"
				       "--- .claude-fragments/a.md\nof a\n"
				       "--- .claude-fragments/mcp-z.md\nof z\n"
				       "--- CLAUDE.local.md\nwe like tea\n");
	assert_int_equal(compose_text(temp->fd, "g", &shared, 30, &text, &cut, &err), 0);
	assert_true(cut);
	assert_true(text.len <= 30);
}

TESTS(IN_TEMPDIR(the_entry_imports_base_global_memory_skills_and_servers_in_this_order),
	IN_TEMPDIR(without_a_global_memory_none_is_imported),
	IN_TEMPDIR(only_skills_that_are_enabled_are_linked_and_imported),
	IN_TEMPDIR(what_is_not_enabled_any_more_goes),
	IN_TEMPDIR(a_skill_that_would_have_the_file_of_a_server_is_left_out_and_told),
	IN_TEMPDIR(a_skill_that_is_not_there_is_told),
	IN_TEMPDIR(a_faulty_container_json_is_refused_and_nothing_is_changed),
	IN_TEMPDIR(what_is_right_is_not_written_again),
	IN_TEMPDIR(a_dry_run_tells_everything_and_changes_nothing),
	IN_TEMPDIR(any_order_of_creation_gives_the_same_bytes),
	IN_TEMPDIR(inputs_change_with_what_an_agent_is_started_with_and_nothing_else),
	IN_TEMPDIR(the_approval_is_added_and_everything_else_stays),
	IN_TEMPDIR(settings_that_are_no_json_are_moved_aside),
	IN_TEMPDIR(the_text_has_every_file_in_its_order_and_a_maximum))
