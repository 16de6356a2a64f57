#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/allowlist.h"
#include "tempdir.h"

static struct allowlist parse(const char *home, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct allowlist allowlist = ALLOWLIST_INIT;

	if (allowlist_parse(view_of(text), home, "list", &allowlist, &err) < 0)
		fail_msg("%s", err.message);
	return allowlist;
}

/* A home with a folder "work" in which all is allowed. */
static struct allowlist usual(const char *home)
{
	return parse(home,
		"{\"allowedRoots\":[{\"path\":\"~/work\",\"allowReadWrite\":true},"
		"{\"path\":\"~/work/fixed\"}],\"blockedPatterns\":[\"plan\",\"*.key\"],"
		"\"nonMainReadOnly\":false}");
}

static char *below(const struct tempdir *temp, const char *name)
{
	return xasprintf("%s/%s", temp->path, name);
}

static void refused(const struct allowlist *allowlist, const char *path, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct allowlist_mount mount;

	assert_int_equal(allowlist_open(allowlist, &(struct allowlist_request){.path = path},
				 &mount, &err),
		-1);
	assert_int_equal(err.kind, ERROR_INVALID);
	if (!strstr(err.message, why))
		fail_msg("'%s' does not say '%s'", err.message, why);
}

static bool opened(
	const struct allowlist *allowlist, const char *path, bool read_only, bool main)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct allowlist_mount mount = {-1, false};

	if (allowlist_open(allowlist, &(struct allowlist_request){path, read_only, main},
		    &mount, &err) < 0)
		fail_msg("%s", err.message);
	close(mount.fd);
	return mount.writable;
}

static void make_work(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, "work");
	tempdir_mkdir(temp->fd, "work/site");
	tempdir_mkdir(temp->fd, "work/fixed");
}

static void what_is_within_a_root_can_be_mounted(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	assert_true(opened(&allowlist, "~/work/site", false, false));
	assert_true(opened(&allowlist, "~/work", false, true));
}

static void the_longest_root_decides_whether_it_is_writable(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	assert_false(opened(&allowlist, "~/work/fixed", false, true));
	assert_false(opened(&allowlist, "~/work/site", true, true));
}

static void other_groups_only_read_unless_it_says_otherwise(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release)
	struct allowlist allowlist = parse(temp->path,
		"{\"allowedRoots\":[{\"path\":\"~/work\",\"allowReadWrite\":true}]}");

	make_work(temp);
	assert_false(opened(&allowlist, "~/work/site", false, false));
	assert_true(opened(&allowlist, "~/work/site", false, true));
}

static void what_is_outside_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);
	CLEANUP(freep) char *beside = below(temp, "work-2");

	make_work(temp);
	tempdir_mkdir(temp->fd, "work-2");
	refused(&allowlist, beside, "not in an allowed folder");
	refused(&allowlist, "~/work/../other", "without '..'");
	refused(&allowlist, "work/site", "must be absolute");
	refused(&allowlist, "/etc/ssl", "blocked by '/etc'");
	refused(&allowlist, "/", "");
	refused(&allowlist, "~/work/missing", "no such file");
}

static void links_are_never_followed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	tempdir_symlink("/usr", temp->fd, "work/link");
	tempdir_symlink("site", temp->fd, "work/inner");
	refused(&allowlist, "~/work/link", "symbolic link");
	refused(&allowlist, "~/work/link/bin", "symbolic link");
	refused(&allowlist, "~/work/inner", "symbolic link");
}

static void places_of_secrets_are_refused_whatever_it_says(void **state)
{
	static const char *const secrets[] = {".ssh", ".aws", ".gnupg", "id_rsa", "credentials",
		".env", ".netrc", ".npmrc", "id_ed25519", ".kube", ".docker", "my.secrets"};
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++) {
		CLEANUP(freep) char *path = xasprintf("~/work/%s", secrets[i]);
		CLEANUP(freep) char *within = xasprintf("~/work/%s/more", secrets[i]);

		refused(&allowlist, path, "blocked by");
		refused(&allowlist, within, "blocked by");
	}
	refused(&allowlist, "~/work/.SSH", "blocked by '.ssh'");
}

static void a_folder_that_holds_secrets_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	tempdir_mkdir(temp->fd, "work/site/.ssh");
	refused(&allowlist, "~/work/site", "'.ssh'");
}

static void patterns_block(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(allowlist_release) struct allowlist allowlist = usual(temp->path);

	make_work(temp);
	refused(&allowlist, "~/work/Plans/old", "blocked by 'plan'");
	refused(&allowlist, "~/work/site.key", "blocked by '*.key'");
}

static void without_a_file_nothing_is_allowed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(allowlist_release) struct allowlist allowlist = ALLOWLIST_INIT;

	make_work(temp);
	assert_int_equal(allowlist_read(temp->path, &allowlist, &err), 0);
	refused(&allowlist, "~/work/site", "no folders are allowed");
}

static void a_file_that_others_may_write_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(allowlist_release) struct allowlist allowlist = ALLOWLIST_INIT;

	tempdir_mkdir(temp->fd, ".config");
	tempdir_mkdir(temp->fd, ".config/nanoclaw");
	tempdir_put(temp->fd, ALLOWLIST_FILE, "{}");
	assert_int_equal(fchmodat(temp->fd, ALLOWLIST_FILE, 0666, 0), 0);
	assert_int_equal(allowlist_read(temp->path, &allowlist, &err), -1);
	assert_non_null(strstr(err.message, "others can change"));
}

static void mistakes_have_a_place(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} wrong[] = {
		{"[]", "list:1:1: it must be an object, {…}"},
		{"{\n \"allowedRoots\": 3}",
			"list:2:18: 'allowedRoots' must be a list of at most 100"},
		{"{\"allowedRoots\": [{}]}", "list:1:18: each root needs a 'path', a string"},
		{"{\"allowedRoots\": [{\"path\": \"x\"}]}",
			"list:1:18: the 'path' of a root must be absolute or begin with ~/, without '..'"},
		{"{\"blockedPatterns\": [\"\"]}",
			"list:1:21: a pattern must be a string that is not empty"},
		{"{\"nonMainReadonly\": true}", "list:1:21: unknown key"},
		{"{\"nonMainReadOnly\": 1}",
			"list:1:21: 'nonMainReadOnly' must be true or false"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct allowlist allowlist;

		assert_int_equal(
			allowlist_parse(view_of(wrong[i].text), "/h", "list", &allowlist, &err),
			-1);
		assert_string_equal(err.message, wrong[i].message);
	}
}

TESTS(IN_TEMPDIR(what_is_within_a_root_can_be_mounted),
	IN_TEMPDIR(the_longest_root_decides_whether_it_is_writable),
	IN_TEMPDIR(other_groups_only_read_unless_it_says_otherwise),
	IN_TEMPDIR(what_is_outside_is_refused), IN_TEMPDIR(links_are_never_followed),
	IN_TEMPDIR(places_of_secrets_are_refused_whatever_it_says),
	IN_TEMPDIR(a_folder_that_holds_secrets_is_refused), IN_TEMPDIR(patterns_block),
	IN_TEMPDIR(without_a_file_nothing_is_allowed),
	IN_TEMPDIR(a_file_that_others_may_write_is_refused),
	cmocka_unit_test(mistakes_have_a_place))
