#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "engine/core/base.h"
#include "fault.h"
#include "tempdir.h"

/* --- the project and its copy -------------------------------------------------------- */

struct project {
	int from;
	int to;
};

static void project_release(struct project *p)
{
	close(p->from);
	close(p->to);
}

static struct project open_project(const struct tempdir *temp)
{
	struct project p;

	tempdir_mkdir(temp->fd, "core");
	tempdir_mkdir(temp->fd, "copy");
	p.from = openat(temp->fd, "core", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	p.to = openat(temp->fd, "copy", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return p;
}

static struct base_copy_result copy(const struct project *p)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct base_copy_result result;

	assert_int_equal(base_copy(p->from, p->to, NULL, &result, &err), 0);
	return result;
}

static void assert_content(int dirfd, const char *path, const char *expected)
{
	CLEANUP(freep) char *content = tempdir_get(dirfd, path);

	assert_non_null(content);
	assert_string_equal(content, expected);
}

static mode_t mode_of(int dirfd, const char *path)
{
	struct stat st;

	assert_int_equal(fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_mode & 07777;
}

/* --- copying ------------------------------------------------------------------------ */

static void files_of_all_names_and_depths_are_copied(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	static const char *const files[] = {"a", "d/e/f", "d/e.c", "new\nline", "\xff\xfe",
		"sp ace/x", ".hidden", "z/y/x/w", "d/e/g"};
	static const char *const folders[] = {
		"d", "d/e", "sp ace", "z", "z/y", "z/y/x", "nothing", "nothing/in", "data"};
	struct base_copy_result result;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tempdir_mkdir(p.from, folders[i]);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		tempdir_put(p.from, files[i], files[i]);
	tempdir_put(p.from, "empty", "");
	tempdir_put(p.from, "data/no", "");
	result = copy(&p);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		assert_content(p.to, files[i], files[i]);
	assert_content(p.to, "empty", "");
	assert_false(tempdir_exists(p.to, "nothing"));
	assert_false(tempdir_exists(p.to, "data"));
	assert_int_equal(result.files, ARRAY_SIZE(files) + 1);
	assert_int_equal(result.left_out, 0);
	assert_null(result.git_unknown);
}

static void sizes_around_a_piece_are_copied(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	static const size_t sizes[] = {1, 4096, 131071, 131072, 131073, 1000000};
	size_t total = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		char name[] = {(char)('a' + i), '\0'};

		buf_append_repeated(&text, name[0], sizes[i]);
		tempdir_put(p.from, name, text.data);
		total += sizes[i];
	}
	assert_int_equal(copy(&p).bytes, total);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		char name[] = {(char)('a' + i), '\0'};
		CLEANUP(freep) char *content = tempdir_get(p.to, name);

		assert_int_equal(strlen(content), sizes[i]);
		assert_int_equal(strspn(content, name), sizes[i]);
	}
}

static void links_are_copied_as_they_are(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	static const char *const targets[] = {"nowhere", "/etc/passwd", "../outside", "."};
	static const char *const names[] = {"k", "l", "m", "n"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		tempdir_symlink(targets[i], p.from, names[i]);
	assert_int_equal(copy(&p).files, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(freep) char *target = tempdir_get_link(p.to, names[i]);

		assert_string_equal(target, targets[i]);
	}
}

static void modes_are_one_of_two_and_times_are_kept(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	const struct timespec times[2] = {{1, 0}, {1234567890, 123456789}};
	static const mode_t masks[] = {022, 077, 0};
	struct stat st;

	tempdir_put(p.from, "plain", "");
	tempdir_put(p.from, "tool", "");
	assert_int_equal(fchmodat(p.from, "plain", 0660, 0), 0);
	assert_int_equal(fchmodat(p.from, "tool", 0700, 0), 0);
	assert_int_equal(utimensat(p.from, "plain", times, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		mode_t mask = umask(masks[i]);

		copy(&p);
		assert_int_equal(umask(mask), masks[i]);
		assert_int_equal(mode_of(p.to, "plain"), 0644);
		assert_int_equal(mode_of(p.to, "tool"), 0755);
		assert_int_equal(fstatat(p.to, "plain", &st, 0), 0);
		assert_int_equal(st.st_mtim.tv_sec, 1234567890);
		assert_int_equal(st.st_mtim.tv_nsec, 123456789);
		unlinkat(p.to, "plain", 0);
		unlinkat(p.to, "tool", 0);
	}
}

static void fifos_and_sockets_are_counted_and_left_out(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(project_release) struct project p = open_project(temp);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CLEANUP(freep) char *list = NULL;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/core/socket", temp->path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	tempdir_fifo(p.from, "fifo");
	tempdir_put(p.from, "file", "");
	assert_int_equal(copy(&p).left_out, 2);
	list = tempdir_list(p.to);
	assert_string_equal(list, "file\n");
}

static void a_tree_of_2000_levels_is_copied(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	struct base_copy_result result;

	tempdir_make_deep(p.from);
	result = copy(&p);
	assert_int_equal(result.files, TEMPDIR_DEEP);
}

static void an_unreadable_file_is_an_error_with_its_path(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct base_copy_result result = {.files = 7};
	int failed;

	tempdir_mkdir(p.from, "d");
	tempdir_put(p.from, "d/secret", "");
	assert_int_equal(fchmodat(p.from, "d/secret", 0, 0), 0);
	tempdir_be_nobody();
	failed = base_copy(p.from, p.to, NULL, &result, &err);
	tempdir_be_root();
	assert_int_equal(failed, -1);
	assert_string_equal(err.message, "cannot open 'd/secret': permission denied");
	assert_int_equal(result.files, 7);
}

static void a_failure_at_any_call_is_an_error(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(project_release) struct project p = open_project(temp);

	tempdir_mkdir(p.from, "d");
	tempdir_put(p.from, "d/a", "text");
	tempdir_symlink("a", p.from, "d/l");
	for (unsigned long at = 1;; at++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct base_copy_result result;
		unsigned long calls;
		int failed;

		fault_arm(FAULT_EIO, at);
		failed = base_copy(p.from, p.to, NULL, &result, &err);
		calls = fault_disarm();
		if (calls < at) {
			assert_int_equal(failed, 0);
			break;
		}
		assert_int_equal(failed, -1);
		assert_non_null(strstr(err.message, "'d/"));
		unlinkat(p.to, "d/a", 0);
		unlinkat(p.to, "d/l", 0);
		unlinkat(p.to, "d", AT_REMOVEDIR);
	}
}

static int note(const struct base_entry *entry, void *data, struct error *err)
{
	struct stat st;

	(void)err;
	assert_int_equal(fstatat(entry->dirfd, entry->name, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_ino, entry->stat->st_ino);
	buf_appendf(data, "%s%s\n", entry->path, entry->is_symlink ? "@" : "");
	return 0;
}

static void every_file_of_the_core_is_visited_in_order(void **state)
{
	CLEANUP(project_release) struct project p = open_project(*state);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf seen = BUF_INIT;

	tempdir_mkdir(p.from, "d");
	tempdir_put(p.from, "d/b", "");
	tempdir_put(p.from, "d/a.o", "");
	tempdir_symlink("b", p.from, "d/l");
	tempdir_put(p.from, ".gitignore", "*.o\n");
	tempdir_put(p.from, ".env", "");
	assert_int_equal(base_for_each(p.from, note, &seen, &err), 0);
	assert_string_equal(seen.data, ".gitignore\nd/b\nd/l@\n");
}

/* --- versions ----------------------------------------------------------------------- */

static void assert_version(int root, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *version = NULL;
	bool found;

	assert_int_equal(base_core_version(root, &version, &found, &err), 0);
	assert_true(found);
	assert_string_equal(version, expected);
}

static void assert_no_version(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *version = NULL;
	bool found;

	assert_int_equal(base_core_version(root, &version, &found, &err), 0);
	assert_false(found);
	assert_string_equal(version, "0.0.0");
}

static void assert_bad_version(int root, const char *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *version = NULL;
	bool found;

	assert_int_equal(base_core_version(root, &version, &found, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(strstr(err.message, file));
	assert_null(version);
}

static void the_version_is_the_first_found(void **state)
{
	struct tempdir *temp = *state;

	assert_no_version(temp->fd);
	tempdir_put(temp->fd, "meson.build", "project('x', 'c', version: '3.0.0')\n");
	assert_version(temp->fd, "3.0.0");
	tempdir_put(temp->fd, "package.json", "{\"name\": \"x\"}");
	assert_version(temp->fd, "3.0.0");
	tempdir_put(temp->fd, "package.json", "{\"version\": \"2.0.0-rc.1\"}");
	assert_version(temp->fd, "2.0.0-rc.1");
	tempdir_put(temp->fd, "VERSION", "  1.0.0\r\nmore\n");
	assert_version(temp->fd, "1.0.0");
}

static void a_wrong_version_is_an_error_with_its_file(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "meson.build", "project('x', version : '1.2')\n");
	assert_bad_version(temp->fd, "meson.build");
	tempdir_put(temp->fd, "package.json", "{\"version\": 1}");
	assert_bad_version(temp->fd, "package.json");
	tempdir_put(temp->fd, "package.json", "{");
	assert_bad_version(temp->fd, "package.json");
	tempdir_put(temp->fd, "VERSION", "");
	assert_bad_version(temp->fd, "VERSION");
}

static void meson_is_read_through_comments_strings_and_brackets(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "meson.build",
		"# project('no', version: '9.9.9')\n"
		"project('it\\'s version: ', ['c'], default_options: ['version: x'],\n"
		"  meson_version: '>=1.0', # version: '8.8.8'\n"
		"  foo: bar(version: '7.7.7'), version :\n '1.2.3')\nx = (version: '6.6.6')\n");
	assert_version(temp->fd, "1.2.3");
	tempdir_put(temp->fd, "meson.build", "project('x', version: files('ver/file'))");
	assert_no_version(temp->fd);
	tempdir_mkdir(temp->fd, "ver");
	tempdir_put(temp->fd, "ver/file", "4.5.6\n");
	assert_version(temp->fd, "4.5.6");
	tempdir_put(temp->fd, "meson.build", "project('x', version: '''1.1.1''')");
	assert_version(temp->fd, "1.1.1");
	tempdir_put(temp->fd, "meson.build", "project('x', version: run_command('v'))");
	assert_no_version(temp->fd);
	tempdir_put(temp->fd, "meson.build", "project('x', version: '1.2");
	assert_bad_version(temp->fd, "meson.build");
	tempdir_put(temp->fd, "meson.build", "version: '1.2.3'\nproject('x'");
	assert_no_version(temp->fd);
	tempdir_put(temp->fd, "meson.build", "project('x', version: files('../x'))");
	assert_bad_version(temp->fd, "..");
}

TESTS(IN_TEMPDIR(files_of_all_names_and_depths_are_copied),
	IN_TEMPDIR(sizes_around_a_piece_are_copied), IN_TEMPDIR(links_are_copied_as_they_are),
	IN_TEMPDIR(modes_are_one_of_two_and_times_are_kept),
	IN_TEMPDIR(fifos_and_sockets_are_counted_and_left_out),
	IN_TEMPDIR(a_tree_of_2000_levels_is_copied),
	IN_TEMPDIR(an_unreadable_file_is_an_error_with_its_path),
	IN_TEMPDIR(a_failure_at_any_call_is_an_error),
	IN_TEMPDIR(every_file_of_the_core_is_visited_in_order),
	IN_TEMPDIR(the_version_is_the_first_found),
	IN_TEMPDIR(a_wrong_version_is_an_error_with_its_file),
	IN_TEMPDIR(meson_is_read_through_comments_strings_and_brackets))
