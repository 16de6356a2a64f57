#include "test.h"

#include <string.h>
#include <sys/stat.h>

#include "engine/package/intent.h"
#include "engine/package/package.h"
#include "tempdir.h"

#define HEAD "version: 1.0.0\ncore_version: 0.1.0\n"

static void put_package(const struct tempdir *temp, const char *folder, const char *skill)
{
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", folder);
	CLEANUP(freep) char *text = xasprintf("skill: %s\n" HEAD, skill);

	tempdir_mkdir(temp->fd, folder);
	tempdir_put(temp->fd, manifest, text);
}

static void setup_folders(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_mkdir(temp->fd, ".claude/skills");
	tempdir_mkdir(temp->fd, "skills");
}

static void assert_found(const struct tempdir *temp, const char *typed, const char *folder)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (package_find(temp->fd, typed, &package, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(package.folder, folder);
}

static void assert_not_found(const struct tempdir *temp, const char *typed, const char *says)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct package package = PACKAGE_INIT;

	assert_int_equal(package_find(temp->fd, typed, &package, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	if (!strstr(err.message, says))
		fail_msg("%s", err.message);
	assert_int_equal(package.fd, -1);
}

static void a_package_is_found_by_path_skill_and_folder(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/elsewhere/", temp->path);
	CLEANUP(freep) char *shown = xasprintf("%s/elsewhere", temp->path);

	setup_folders(temp);
	put_package(temp, ".claude/skills/add-telegram", "telegram");
	put_package(temp, "skills/slack", "slack");
	put_package(temp, "elsewhere", "other");
	assert_found(temp, "telegram", ".claude/skills/add-telegram");
	assert_found(temp, "add-telegram", ".claude/skills/add-telegram");
	assert_found(temp, "slack", "skills/slack");
	assert_found(temp, path, shown);
	assert_not_found(temp, "other", "there is no skill 'other'");
}

static void a_skill_goes_before_a_folder_of_that_name(void **state)
{
	struct tempdir *temp = *state;

	setup_folders(temp);
	put_package(temp, "skills/a", "b");
	put_package(temp, "skills/b", "c");
	assert_found(temp, "b", "skills/a");
	assert_found(temp, "a", "skills/a");
}

static void two_of_one_name_are_both_named(void **state)
{
	struct tempdir *temp = *state;

	setup_folders(temp);
	put_package(temp, ".claude/skills/x", "one");
	put_package(temp, "skills/x", "two");
	put_package(temp, "skills/y", "two");
	assert_not_found(temp, "two", "'skills/x' and 'skills/y'");
	assert_not_found(temp, "x", "'.claude/skills/x' and 'skills/x'");
	assert_found(temp, "one", ".claude/skills/x");
}

static void a_folder_that_is_seen_twice_is_one(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "skills");
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_symlink("../skills", temp->fd, ".claude/skills");
	put_package(temp, "skills/x", "one");
	assert_found(temp, "one", ".claude/skills/x");
}

static void a_wrong_name_gets_a_hint(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct package package = PACKAGE_INIT;

	setup_folders(temp);
	put_package(temp, "skills/x", "telegram");
	assert_int_equal(package_find(temp->fd, "telegarm", &package, &err), -1);
	assert_string_equal(err.hint, "did you mean 'telegram'?");
}

static void other_folders_are_left_alone_and_broken_ones_left_out(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(package_list_release) struct package_list list = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	setup_folders(temp);
	put_package(temp, "skills/z", "alpha");
	put_package(temp, "skills/a", "beta");
	put_package(temp, "skills/broken", "not/a/name");
	tempdir_mkdir(temp->fd, "skills/category");
	tempdir_mkdir(temp->fd, ".claude/skills/instructions");
	tempdir_put(temp->fd, ".claude/skills/instructions/SKILL.md", "x");
	tempdir_put(temp->fd, "skills/file", "x");
	tempdir_mkdir(temp->fd, "skills/pipe");
	tempdir_fifo(temp->fd, "skills/pipe/manifest.yaml");
	assert_int_equal(package_list_read(temp->fd, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.list[0].manifest.skill, "alpha");
	assert_string_equal(list.list[1].manifest.skill, "beta");
	assert_int_equal(list.broken.count, 2);
}

static void a_project_without_packages_has_none(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(package_list_release) struct package_list list = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(package_list_read(temp->fd, &list, &err), 0);
	assert_int_equal(list.count, 0);
}

static void a_broken_package_is_refused_with_its_folder_and_place(void **state)
{
	struct tempdir *temp = *state;

	setup_folders(temp);
	put_package(temp, "skills/broken", "ok\nadds: [/x]");
	assert_not_found(temp, "ok", "skills/broken/manifest.yaml:2:8: path '/x' is absolute");
}

static void files_are_read_with_their_permissions(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(relpath_release) struct relpath path = {xstrdup("tool")};
	CLEANUP(relpath_release) struct relpath none = {xstrdup("none")};
	CLEANUP(relpath_release) struct relpath link = {xstrdup("link")};
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	mode_t mode = 0;

	setup_folders(temp);
	put_package(temp, "skills/x", "x");
	tempdir_mkdir(temp->fd, "skills/x/add");
	tempdir_put(temp->fd, "skills/x/add/tool", "content");
	tempdir_symlink("tool", temp->fd, "skills/x/add/link");
	assert_int_equal(package_find(temp->fd, "x", &package, &err), 0);
	assert_int_equal(package_read_add(&package, &path, &content, &mode, &err), 0);
	assert_string_equal(content.data, "content");
	assert_int_equal(mode, 0644);
	assert_int_equal(fchmodat(temp->fd, "skills/x/add/tool", 0700, 0), 0);
	assert_int_equal(package_read_add(&package, &path, &content, &mode, &err), 0);
	assert_int_equal(mode, 0755);
	assert_int_equal(package_read_add(&package, &none, &content, &mode, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(package_read_add(&package, &link, &content, &mode, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(package_read_modify(&package, &path, &content, &mode, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void a_section_of_an_intent_ends_at_the_next_heading(void **state)
{
	const char *text = "# Intent\n\n## what CHANGED:\n\nOne.\n```\n# no heading\n```\n"
			   "## Key sections ##\n### Must-keep sections\nAll\n#Invariants\n";
	struct view section;
	bool found;

	(void)state;
	section = intent_section(view_of(text), INTENT_WHAT, &found);
	assert_true(found);
	assert_true(view_equal_str(section, "One.\n```\n# no heading\n```"));
	section = intent_section(view_of(text), INTENT_KEY_SECTIONS, &found);
	assert_true(found);
	assert_int_equal(section.len, 0);
	section = intent_section(view_of(text), INTENT_MUST_KEEP, &found);
	assert_true(found);
	assert_true(view_equal_str(section, "All\n#Invariants"));
	intent_section(view_of(text), INTENT_INVARIANTS, &found);
	assert_false(found);
	intent_section(view_of(""), INTENT_WHAT, &found);
	assert_false(found);
}

TESTS(IN_TEMPDIR(a_package_is_found_by_path_skill_and_folder),
	IN_TEMPDIR(a_skill_goes_before_a_folder_of_that_name),
	IN_TEMPDIR(two_of_one_name_are_both_named),
	IN_TEMPDIR(a_folder_that_is_seen_twice_is_one), IN_TEMPDIR(a_wrong_name_gets_a_hint),
	IN_TEMPDIR(other_folders_are_left_alone_and_broken_ones_left_out),
	IN_TEMPDIR(a_project_without_packages_has_none),
	IN_TEMPDIR(a_broken_package_is_refused_with_its_folder_and_place),
	IN_TEMPDIR(files_are_read_with_their_permissions),
	cmocka_unit_test(a_section_of_an_intent_ends_at_the_next_heading))
