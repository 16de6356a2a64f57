/*
 * Installing dependencies, with scripts in the place of package managers.
 */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "engine/commit/install_manager.h"
#include "engine/commit/install_versions.h"
#include "engine/commit/recovery.h"
#include "fault.h"
#include "fs/tree.h"
#include "veil/veil.h"

/* Writes into the lockfile that it finds, as npm does. */
#define INSTALLS                                                                               \
	"echo \"$0\" | sed 's,.*/,,' >>../ran\n"                                               \
	"echo \"$@\" >>../ran\n"                                                               \
	"grep -q is-number package.json || { rm -rf node_modules/is-number; exit 0; }\n"       \
	"mkdir -p node_modules/is-number\n"                                                    \
	"echo '{\"version\": \"7.0.3\"}' >node_modules/is-number/package.json\n"

#define NPM INSTALLS "echo '{\"locked\": \"7.0.3\"}' >package-lock.json\n"

#define LOCK_BEFORE "{}\n"
#define LOCK_AFTER  "{\"locked\": \"7.0.3\"}\n"

static void assert_text(const struct driver *d, const char *name, const char *content)
{
	CLEANUP(freep) char *found = driver_get(d, name);

	if (!found)
		fail_msg("'%s' is missing", name);
	assert_string_equal(found, content);
}

static void assert_has(const struct driver *d, const char *name, const char *part)
{
	CLEANUP(freep) char *found = driver_get(d, name);

	if (!found || !strstr(found, part))
		fail_msg("'%s' is not in '%s': %s", part, name, found ? found : "(missing)");
}

/* What the script was called with, in all its runs. */
static void assert_ran(const struct driver *d, const char *lines)
{
	CLEANUP(freep) char *found = tempdir_get(d->temp->fd, "ran");

	assert_string_equal(found ? found : "", lines);
}

/* The state before an operation, which must be there again after it has failed. */
struct before {
	char *state;
	char *lock;
};

static struct before look(const struct driver *d)
{
	return (struct before){
		driver_get(d, ".nanoclaw/state.yaml"), driver_get(d, "package-lock.json")};
}

static void before_release(struct before *before)
{
	free(before->state);
	free(before->lock);
}

static void assert_as_before(const struct driver *d, const struct before *before)
{
	assert_text(d, "package.json", MANIFEST_BEFORE);
	assert_text(d, ".nanoclaw/state.yaml", before->state);
	if (before->lock)
		assert_text(d, "package-lock.json", before->lock);
	else
		assert_false(driver_has(d, "package-lock.json"));
	assert_false(driver_has(d, ".nanoclaw/tx"));
	assert_int_equal(driver_drift(d), 0);
}

/* --- success ------------------------------------------------------------------------- */

static void what_was_installed_is_recorded_and_is_no_drift(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_script(&d, "npm", NPM);
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	driver_begin(&d);
	assert_int_equal(driver_change(&d, &err), 0);
	assert_ran(&d, "npm\ninstall --no-audit --no-fund\n");
	assert_text(&d, "package.json", MANIFEST_AFTER);
	assert_text(&d, "package-lock.json", LOCK_AFTER);
	assert_has(&d, ".nanoclaw/state.yaml", "installed: 7.0.3");
	assert_int_equal(driver_drift(&d), 0);
	assert_true(d.result.install.ran);
	assert_string_equal(d.result.install.manager, "npm");
	assert_int_equal(d.result.install.count, 1);
	assert_string_equal(d.result.install.packages[0].name, "is-number");
	assert_string_equal(d.result.install.packages[0].version, "7.0.3");
	assert_int_equal(d.result.tests_run, 1);
	assert_false(driver_has(&d, ".nanoclaw/tx"));
	assert_false(driver_has(&d, ".nanoclaw/kept"));
}

static void a_new_lockfile_is_recorded_too(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_script(&d, "npm", NPM);
	driver_begin(&d);
	assert_int_equal(driver_change(&d, &err), 0);
	assert_has(&d, ".nanoclaw/state.yaml", "package-lock.json:");
	driver_put(&d, "package-lock.json", "edited\n");
	assert_int_equal(driver_drift(&d), 1);
}

static void an_ignored_lockfile_is_not_recorded(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(freep) char *text = NULL;

	driver_script(&d, "npm", NPM);
	driver_put(&d, ".gitignore", "package-lock.json\n");
	driver_begin(&d);
	assert_int_equal(driver_change(&d, &err), 0);
	assert_text(&d, "package-lock.json", LOCK_AFTER);
	text = driver_get(&d, ".nanoclaw/state.yaml");
	assert_null(strstr(text, "package-lock.json"));
	assert_int_equal(driver_drift(&d), 0);
}

static void a_manifest_that_the_manager_changed_is_recorded_with_a_warning(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_script(&d, "npm", NPM "echo >>package.json\n");
	driver_begin(&d);
	assert_int_equal(driver_change(&d, &err), 0);
	assert_text(&d, "package.json", MANIFEST_AFTER "\n");
	assert_true(driver_warned(&d, "'package.json' was changed while"));
	assert_int_equal(driver_drift(&d), 0);
}

static void the_lockfile_says_which_manager(void **state)
{
	static const struct {
		const char *lock;
		const char *ran;
	} cases[] = {
		{"package-lock.json", "npm\ninstall --no-audit --no-fund\n"},
		{"npm-shrinkwrap.json", "npm\ninstall --no-audit --no-fund\n"},
		{"pnpm-lock.yaml", "pnpm\ninstall --no-frozen-lockfile\n"},
		{"yarn.lock", "yarn\ninstall\n"},
		{"bun.lock", "bun\ninstall\n"},
		{"bun.lockb", "bun\ninstall\n"},
	};
	static const char *const names[] = {"npm", "pnpm", "yarn", "bun"};
	const struct tempdir *temp = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(driver_release) struct driver d = driver_new(temp);

		for (size_t j = 0; j < ARRAY_SIZE(names); j++)
			driver_script(&d, names[j], INSTALLS);
		driver_put(&d, cases[i].lock, "before\n");
		driver_begin(&d);
		assert_int_equal(driver_change(&d, &err), 0);
		assert_ran(&d, cases[i].ran);
		assert_int_equal(driver_drift(&d), 0);
		assert_int_equal(tree_remove(temp->fd, "bin", &err), 0);
		assert_int_equal(tree_remove(temp->fd, "project", &err), 0);
		assert_int_equal(tree_remove(temp->fd, "ran", &err), 0);
	}
}

static void of_two_lockfiles_the_manifest_says_which_counts(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = {.path = temp->path, .root = temp->fd};
	struct install_choice choice;

	choice = install_choose(&project, view_of("{\"packageManager\": \"pnpm@9.1.0\"}"));
	assert_string_equal(choice.manager->name, "pnpm");
	assert_false(choice.has_lock);
	choice = install_choose(&project, view_of("not JSON"));
	assert_string_equal(choice.manager->name, "npm");
	tempdir_put(temp->fd, "package-lock.json", "");
	choice = install_choose(&project, view_of("{\"packageManager\": \"pnpm@9.1.0\"}"));
	assert_string_equal(choice.manager->name, "npm");
	tempdir_put(temp->fd, "yarn.lock", "");
	choice = install_choose(&project, view_of("{\"packageManager\": \"yarn@4\"}"));
	assert_string_equal(choice.manager->name, "yarn");
	assert_null(choice.other);
	choice = install_choose(&project, view_of("{}"));
	assert_string_equal(choice.manager->name, "npm");
	assert_string_equal(choice.other->name, "yarn");
}

static void a_setting_gives_another_command(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_begin(&d);
	setenv("NANOCLAW_INSTALL", "echo mine >../ran && echo x >package-lock.json", 1);
	assert_int_equal(driver_change(&d, &err), 0);
	assert_ran(&d, "mine\n");
	assert_int_equal(driver_drift(&d), 0);
}

static void without_installing_the_person_is_told_what_to_type(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_script(&d, "npm", NPM);
	driver_begin(&d);
	d.options.no_install = true;
	assert_int_equal(driver_change(&d, &err), 0);
	assert_ran(&d, "");
	assert_text(&d, "package.json", MANIFEST_AFTER);
	assert_true(driver_warned(&d, "run 'npm install'"));
	assert_false(d.result.install.ran);
}

static void a_dry_run_only_says_who_would_install(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_script(&d, "npm", NPM);
	driver_begin(&d);
	before = look(&d);
	d.options.dry_run = true;
	assert_int_equal(driver_change(&d, &err), 0);
	assert_ran(&d, "");
	assert_string_equal(d.result.install.manager, "npm");
	assert_false(d.result.install.ran);
	assert_as_before(&d, &before);
}

static void versions_are_read_through_links_inside_the_project_only(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = {.path = temp->path};
	CLEANUP(closep) int root = -1;
	static const struct {
		const char *name;
		const char *version;
	} cases[] = {
		{"plain", "1.2.3"},
		{"@scope/name", "1.2.3-rc.1"},
		{"linked", "1.2.3"},
		{"outside", NULL},
		{"absolute", NULL},
		{"../plain", NULL},
		{"no-version", NULL},
		{"bad-version", NULL},
		{"fifo", NULL},
		{"missing", NULL},
	};

	tempdir_mkdir(temp->fd, "out");
	tempdir_put(temp->fd, "out/package.json", "{\"version\": \"9.9.9\"}");
	tempdir_mkdir(temp->fd, "p");
	root = project.root = openat(temp->fd, "p", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (const char *const *name = (const char *const[]){"node_modules",
		     "node_modules/.store", "node_modules/plain", "node_modules/@scope",
		     "node_modules/@scope/name", "node_modules/no-version",
		     "node_modules/bad-version", "node_modules/fifo", "plain", NULL};
		*name; name++)
		tempdir_mkdir(root, *name);
	tempdir_put(root, "node_modules/plain/package.json", "{\"version\": \"1.2.3\"}");
	tempdir_put(root, "plain/package.json", "{\"version\": \"8.8.8\"}");
	tempdir_put(
		root, "node_modules/@scope/name/package.json", "{\"version\": \"1.2.3-rc.1\"}");
	tempdir_put(root, "node_modules/no-version/package.json", "{}");
	tempdir_put(root, "node_modules/bad-version/package.json", "{\"version\": \"1.2\"}");
	tempdir_fifo(root, "node_modules/fifo/package.json");
	tempdir_symlink("plain", root, "node_modules/linked");
	tempdir_symlink("../../out", root, "node_modules/outside");
	tempdir_symlink("/etc", root, "node_modules/absolute");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(freep) char *version = NULL;

		assert_int_equal(
			install_find_version(&project, cases[i].name, &version, &err), 0);
		if (cases[i].version)
			assert_string_equal(version, cases[i].version);
		else
			assert_null(version);
	}
}

/* --- failure ------------------------------------------------------------------------- */

static void a_failing_install_leaves_everything_as_it_was(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_script(&d, "npm", NPM "echo gone wrong >&2\nexit 3\n");
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	driver_begin(&d);
	before = look(&d);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_string_equal(err.message, "installing the dependencies failed with exit code 3: "
					 "npm install --no-audit --no-fund\ngone wrong");
	assert_string_equal(err.hint, "everything is as it was before");
	assert_as_before(&d, &before);
	assert_false(driver_has(&d, "node_modules"));
	assert_false(driver_has(&d, ".nanoclaw/kept"));
	assert_int_equal(d.result.warning_count, 0);
}

static void a_lockfile_that_was_not_there_is_gone_after_a_failure(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_script(&d, "npm", NPM "exit 1\n");
	driver_begin(&d);
	before = look(&d);
	assert_null(before.lock);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_as_before(&d, &before);
}

static void after_a_failing_test_the_modules_come_from_the_cache(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	/* Offline, it spoils the lockfile, which a manager should not do. */
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	tempdir_mkdir(d.project.root, "node_modules");
	driver_script(
		&d, "npm", "case $* in *offline*) echo spoiled >package-lock.json; esac\n" NPM);
	driver_begin(&d);
	before = look(&d);
	tempdir_put(d.temp->fd, "test-fails", "");
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_TEST);
	assert_ran(&d, "npm\ninstall --no-audit --no-fund\n"
		       "npm\ninstall --offline --no-save --no-audit --no-fund\n");
	assert_true(driver_has(&d, "node_modules"));
	assert_false(driver_has(&d, "node_modules/is-number"));
	assert_true(driver_warned(&d, "'node_modules' was brought back from the cache of npm"));
	assert_as_before(&d, &before);
}

static void modules_that_cannot_be_brought_back_are_said_so(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_script(&d, "npm", "case $* in *offline*) exit 1; esac\n" NPM "exit 1\n");
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	tempdir_mkdir(d.project.root, "node_modules");
	driver_begin(&d);
	before = look(&d);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_string_equal(err.hint,
		"everything is as it was before, except 'node_modules': run 'npm ci'");
	assert_as_before(&d, &before);
}

static void a_manager_that_is_missing_is_named_before_anything_changes(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_put(&d, "bun.lock", "");
	driver_begin(&d);
	before = look(&d);
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_non_null(strstr(err.message, "'bun' is not found in PATH"));
	assert_non_null(strstr(err.hint, "--no-install"));
	assert_as_before(&d, &before);
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
}

static void an_install_that_takes_too_long_is_ended(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	driver_script(&d, "npm", NPM "exec sleep 1000\n");
	driver_begin(&d);
	before = look(&d);
	setenv("NANOCLAW_INSTALL_TIMEOUT", "1", 1);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_non_null(strstr(err.message, "took more than 1 seconds"));
	assert_as_before(&d, &before);
	setenv("NANOCLAW_INSTALL_TIMEOUT", "soon", 1);
	error_clear(&err);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void a_signal_ends_the_install_and_leaves_everything_as_it_was(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};

	veil_never(); /* so that a command can signal us */
	driver_script(&d, "npm", NPM "kill -INT $PPID\nexec sleep 1000\n");
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	tempdir_mkdir(d.project.root, "node_modules");
	driver_begin(&d);
	before = look(&d);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_as_before(&d, &before);
	/* Nothing else is started for a person who wants us to end. */
	assert_ran(&d, "npm\ninstall --no-audit --no-fund\n");
	assert_non_null(strstr(err.hint, "run 'npm ci'"));
}

static void a_lockfile_that_is_a_link_is_refused(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	driver_script(&d, "npm", NPM);
	tempdir_symlink("../elsewhere", d.project.root, "package-lock.json");
	driver_begin(&d);
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_ran(&d, "");
	assert_text(&d, "package.json", MANIFEST_BEFORE);
}

/* --- crashes --------------------------------------------------------------------------- */

/* In a process of its own; true if it came to an end. */
static bool change_with_fault(struct driver *d, enum fault_mode mode, unsigned long at)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		struct error err = ERROR_INIT;

		fault_arm(mode, at);
		_exit(driver_change(d, &err) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_kill_in_the_middle_of_an_install_leads_back(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;

	veil_never(); /* so that a command can signal us */
	driver_script(&d, "npm", NPM "kill -KILL $PPID\nexec sleep 1000\n");
	driver_put(&d, "package-lock.json", LOCK_BEFORE);
	tempdir_mkdir(d.project.root, "node_modules");
	driver_begin(&d);
	before = look(&d);
	assert_false(change_with_fault(&d, FAULT_COUNT, 0));
	assert_text(&d, "package-lock.json", LOCK_AFTER);
	assert_int_equal(recovery_run(&d.project, &recovery, &err), 0);
	assert_as_before(&d, &before);
	assert_string_equal(recovery.operation, "skill apply hello");
	assert_string_equal(recovery.reinstall, "npm ci");
	/* It could have been a person who wrote it. */
	assert_int_equal(recovery.kept.count, 1);
	assert_text(&d, ".nanoclaw/kept/package-lock.json", LOCK_AFTER);
}

static void modules_that_were_not_there_are_gone_after_a_kill(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(before_release) struct before before = {0};
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;

	veil_never(); /* so that a command can signal us */
	driver_script(&d, "npm", INSTALLS "kill -KILL $PPID\nexec sleep 1000\n");
	driver_begin(&d);
	before = look(&d);
	assert_false(change_with_fault(&d, FAULT_COUNT, 0));
	assert_true(driver_has(&d, "node_modules/is-number"));
	assert_int_equal(recovery_run(&d.project, &recovery, &err), 0);
	assert_as_before(&d, &before);
	assert_false(driver_has(&d, "node_modules"));
	assert_null(recovery.reinstall);
	assert_int_equal(recovery.kept.count, 0);
}

/* Everything before, or everything after. */
static void check_point(struct driver *d, const struct before *before, bool done)
{
	CLEANUP(freep) char *lock = driver_get(d, "package-lock.json");

	if (done || (lock && !strcmp(lock, LOCK_AFTER))) {
		assert_text(d, "package.json", MANIFEST_AFTER);
		assert_text(d, "package-lock.json", LOCK_AFTER);
		assert_has(d, ".nanoclaw/state.yaml", "installed: 7.0.3");
		assert_true(driver_has(d, "node_modules/is-number"));
		assert_false(driver_has(d, ".nanoclaw/tx"));
		assert_int_equal(driver_drift(d), 0);
		return;
	}
	assert_as_before(d, before);
	assert_false(driver_has(d, "node_modules"));
}

/* How many calls there are until it is done. */
static unsigned long every_point(const struct tempdir *temp, enum fault_mode mode)
{
	bool done = false;
	unsigned long at = 0;

	while (!done) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
		CLEANUP(driver_release) struct driver d = driver_new(temp);
		CLEANUP(before_release) struct before before = {0};

		driver_script(&d, "npm", NPM);
		driver_put(&d, "package-lock.json", LOCK_BEFORE);
		driver_begin(&d);
		before = look(&d);
		done = change_with_fault(&d, mode, ++at);
		assert_int_equal(recovery_run(&d.project, &recovery, &err), 0);
		check_point(&d, &before, done);
		assert_int_equal(tree_remove(temp->fd, "bin", &err), 0);
		assert_int_equal(tree_remove(temp->fd, "project", &err), 0);
	}
	return at;
}

static void a_kill_at_any_call_leads_to_before_or_after(void **state)
{
	assert_true(every_point(*state, FAULT_KILL) > 50);
}

static void an_error_at_any_call_leads_to_before_or_after(void **state)
{
	assert_true(every_point(*state, FAULT_EIO) > 50);
}

TESTS(IN_TEMPDIR(what_was_installed_is_recorded_and_is_no_drift),
	IN_TEMPDIR(a_new_lockfile_is_recorded_too),
	IN_TEMPDIR(an_ignored_lockfile_is_not_recorded),
	IN_TEMPDIR(a_manifest_that_the_manager_changed_is_recorded_with_a_warning),
	IN_TEMPDIR(the_lockfile_says_which_manager),
	IN_TEMPDIR(of_two_lockfiles_the_manifest_says_which_counts),
	IN_TEMPDIR(a_setting_gives_another_command),
	IN_TEMPDIR(without_installing_the_person_is_told_what_to_type),
	IN_TEMPDIR(a_dry_run_only_says_who_would_install),
	IN_TEMPDIR(versions_are_read_through_links_inside_the_project_only),
	IN_TEMPDIR(a_failing_install_leaves_everything_as_it_was),
	IN_TEMPDIR(a_lockfile_that_was_not_there_is_gone_after_a_failure),
	IN_TEMPDIR(after_a_failing_test_the_modules_come_from_the_cache),
	IN_TEMPDIR(modules_that_cannot_be_brought_back_are_said_so),
	IN_TEMPDIR(a_manager_that_is_missing_is_named_before_anything_changes),
	IN_TEMPDIR(an_install_that_takes_too_long_is_ended),
	IN_TEMPDIR(a_signal_ends_the_install_and_leaves_everything_as_it_was),
	IN_TEMPDIR(a_lockfile_that_is_a_link_is_refused),
	IN_TEMPDIR(a_kill_in_the_middle_of_an_install_leads_back),
	IN_TEMPDIR(modules_that_were_not_there_are_gone_after_a_kill),
	IN_TEMPDIR(a_kill_at_any_call_leads_to_before_or_after),
	IN_TEMPDIR(an_error_at_any_call_leads_to_before_or_after))
