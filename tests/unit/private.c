#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/private.h"
#include "fs/tree.h"
#include "tempdir.h"

#define NOBODY 65534

/* Root may enter everything: as somebody else. */
static void become_somebody(struct tempdir *temp)
{
	if (geteuid() != 0)
		return;
	assert_int_equal(fchown(temp->fd, NOBODY, NOBODY), 0);
	assert_int_equal(setegid(NOBODY), 0);
	assert_int_equal(seteuid(NOBODY), 0);
}

static void become_root_again(void)
{
	if (getuid() == 0) {
		assert_int_equal(seteuid(0), 0);
		assert_int_equal(setegid(0), 0);
	}
}

static mode_t mode_of(struct tempdir *temp, const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(temp->fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_mode & 07777;
}

static void whatever_the_modes_were_the_owner_alone_has_them(void **state)
{
	static const struct {
		const char *name;
		mode_t before;
		mode_t after;
	} files[] = {
		{"data/a", 0644, 0600},
		{"data/b", 0666, 0600},
		{"data/c", 0755, 0700},
		{"data/d", 04755, 0700},
		{"data/e", 02711, 0700},
		{"data/f", 0, 0600},
		{"data/g", 0400, 0600},
		{"data/in/a", 0644, 0600},
		{"data/in/deep/a", 0, 0600},
		{"data/in/deep", 0, 0700},
		{"data/in", 0111, 0700},
		{"data", 01777, 0700},
	};
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	become_somebody(temp);
	tempdir_mkdir(temp->fd, "data");
	tempdir_mkdir(temp->fd, "data/in");
	tempdir_mkdir(temp->fd, "data/in/deep");
	tempdir_put(temp->fd, "outside", "x");
	for (size_t i = 0; i < ARRAY_SIZE(files) - 3; i++)
		tempdir_put(temp->fd, files[i].name, "x");
	tempdir_symlink("../outside", temp->fd, "data/link");
	assert_int_equal(fchmodat(temp->fd, "outside", 0644, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		assert_int_equal(fchmodat(temp->fd, files[i].name, files[i].before, 0), 0);
	assert_int_equal(private_tree(temp->fd, "data", &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		assert_int_equal(mode_of(temp, files[i].name), files[i].after);
	assert_int_equal(mode_of(temp, "outside"), 0644);
	assert_int_equal(private_tree(temp->fd, "not there", &err), 0);
	become_root_again();
}

static void what_belongs_to_others_stays_as_it_is(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (geteuid() != 0)
		skip();
	tempdir_mkdir(temp->fd, "data");
	tempdir_put(temp->fd, "data/theirs", "x");
	assert_int_equal(fchmodat(temp->fd, "data/theirs", 0644, 0), 0);
	assert_int_equal(fchownat(temp->fd, "data/theirs", NOBODY, NOBODY, 0), 0);
	assert_int_equal(private_tree(temp->fd, "data", &err), 0);
	assert_int_equal(mode_of(temp, "data/theirs"), 0644);
}

static void locked_folders_are_removed(void **state)
{
	static const char *const locked[] = {"data/in/deep", "data/in", "data"};
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	become_somebody(temp);
	for (size_t i = ARRAY_SIZE(locked); i > 0; i--)
		tempdir_mkdir(temp->fd, locked[i - 1]);
	tempdir_put(temp->fd, "data/in/deep/file", "x");
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++)
		assert_int_equal(fchmodat(temp->fd, locked[i], 0, 0), 0);
	assert_int_equal(tree_remove(temp->fd, "data", &err), 0);
	assert_false(tempdir_exists(temp->fd, "data"));
	become_root_again();
}

static void a_folder_and_its_entries_are_opened_again(void **state)
{
	struct tempdir *temp = *state;

	become_somebody(temp);
	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/g");
	tempdir_mkdir(temp->fd, "groups/g/logs");
	tempdir_put(temp->fd, "groups/g/file", "x");
	assert_int_equal(fchmodat(temp->fd, "groups/g/logs", 0, 0), 0);
	assert_int_equal(fchmodat(temp->fd, "groups/g/file", 0, 0), 0);
	assert_int_equal(fchmodat(temp->fd, "groups/g", 0, 0), 0);
	private_entries(temp->fd, "groups/g");
	assert_int_equal(mode_of(temp, "groups/g"), 0700);
	assert_int_equal(mode_of(temp, "groups/g/logs"), 0700);
	assert_int_equal(mode_of(temp, "groups/g/file"), 0600);
	become_root_again();
}

TESTS(IN_TEMPDIR(whatever_the_modes_were_the_owner_alone_has_them),
	IN_TEMPDIR(what_belongs_to_others_stays_as_it_is),
	IN_TEMPDIR(locked_folders_are_removed),
	IN_TEMPDIR(a_folder_and_its_entries_are_opened_again))
