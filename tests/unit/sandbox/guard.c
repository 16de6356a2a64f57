/* Read-only files in folders that an agent can write: what they say before, during and after.
 */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "sandbox/guard.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"
#include "tempdir.h"

#define FILE_NAME "groups/own/container.json"
#define BEFORE    "{\"agent\": \"ä\"}\n"
#define CHANGED   "{\"agent\": \"false\"}\n"

static void make_file(struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/own");
	tempdir_put(temp->fd, FILE_NAME, BEFORE);
}

static struct guards guard_it(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct guards guards = {0};

	make_file(temp);
	assert_int_equal(guards_add(&guards, temp->fd, FILE_NAME, &err), 0);
	return guards;
}

static void says(struct tempdir *temp, const char *name, const char *text)
{
	CLEANUP(freep) char *got = tempdir_get(temp->fd, name);

	assert_string_equal(got, text);
}

/* The name of what was found in its place; NULL: nothing was. To be freed. */
static char *kept(struct tempdir *temp)
{
	int fd = openat(temp->fd, "groups/own", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fdopendir(fd);
	struct dirent *entry;
	char *found = NULL;

	while ((entry = readdir(folder)))
		if (!strncmp(entry->d_name, "container.json.rejected-", 24) && !found)
			found = xasprintf("groups/own/%s", entry->d_name);
	closedir(folder);
	return found;
}

static void restore(struct tempdir *temp, struct guards *guards)
{
	const struct guards none = {0};
	struct guards failed = {0};
	struct stat st;

	guards_restore(guards, temp->fd, &none, &failed);
	assert_int_equal(failed.count, 0);
	says(temp, FILE_NAME, BEFORE);
	assert_int_equal(fstatat(temp->fd, FILE_NAME, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_nlink == 1);
	guards_release(guards);
}

static void a_file_that_is_as_it_was_is_left_alone(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);
	struct stat before;
	struct stat after;

	assert_int_equal(fstatat(temp->fd, FILE_NAME, &before, 0), 0);
	restore(temp, &guards);
	assert_int_equal(fstatat(temp->fd, FILE_NAME, &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_null(kept(temp));
}

static void a_change_is_undone_and_kept(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);

	CLEANUP(freep) char *aside = NULL;

	tempdir_put(temp->fd, FILE_NAME, CHANGED);
	restore(temp, &guards);
	aside = kept(temp);
	says(temp, aside, CHANGED);
}

static void a_removed_file_comes_back(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);

	unlinkat(temp->fd, FILE_NAME, 0);
	restore(temp, &guards);
	assert_null(kept(temp));
}

static void a_second_name_is_of_no_use(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);

	assert_int_equal(linkat(temp->fd, FILE_NAME, temp->fd, "groups/own/second", 0), 0);
	restore(temp, &guards);
	tempdir_put(temp->fd, "groups/own/second", CHANGED);
	says(temp, FILE_NAME, BEFORE);
}

static void a_folder_in_its_place_does_not_hold_it_up(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);
	CLEANUP(freep) char *aside = NULL;
	CLEANUP(freep) char *inside = NULL;

	unlinkat(temp->fd, FILE_NAME, 0);
	tempdir_mkdir(temp->fd, FILE_NAME);
	tempdir_put(temp->fd, FILE_NAME "/in", "x");
	restore(temp, &guards);
	aside = kept(temp);
	inside = xasprintf("%s/in", aside);
	says(temp, inside, "x");
}

static void a_link_leads_nowhere(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);

	tempdir_put(temp->fd, "outside", CHANGED);
	unlinkat(temp->fd, FILE_NAME, 0);
	tempdir_symlink("../../outside", temp->fd, FILE_NAME);
	restore(temp, &guards);
	says(temp, "outside", CHANGED);
}

static void a_group_that_is_gone_needs_nothing(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);

	struct guards failed = {0};

	unlinkat(temp->fd, FILE_NAME, 0);
	unlinkat(temp->fd, "groups/own", AT_REMOVEDIR);
	guards_restore(&guards, temp->fd, &failed, &failed);
	assert_int_equal(failed.count, 0);
	assert_false(tempdir_exists(temp->fd, "groups/own"));
	guards_release(&guards);
}

static void they_survive_in_a_record(void **state)
{
	struct tempdir *temp = *state;
	struct guards guards = guard_it(temp);
	struct guards again = {0};
	json_t *json = guards_to_json(&guards);

	guards_from_json(&again, json);
	json_decref(json);
	assert_int_equal(again.count, 1);
	assert_string_equal(guards_find(&again, FILE_NAME)->content, BEFORE);
	assert_null(guards_find(&again, "groups/other/container.json"));
	guards_release(&guards);
	tempdir_put(temp->fd, FILE_NAME, CHANGED);
	restore(temp, &again);
}

/* --- sandboxes --------------------------------------------------------------- */

static struct sandbox *prepare(struct tempdir *temp, struct ownership *owner)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct sandbox *sandbox;

	sandbox_add_mount(&spec, openat(temp->fd, "groups/own", O_PATH | O_CLOEXEC),
		SANDBOX_WORKDIR, SANDBOX_WRITABLE);
	if (tempdir_exists(temp->fd, FILE_NAME))
		sandbox_add_mount(&spec, openat(temp->fd, FILE_NAME, O_PATH | O_CLOEXEC),
			SANDBOX_WORKDIR "/container.json", 0);
	spec.kind = sandbox_kind_of("landlock");
	spec.group = "own";
	spec.argv = (const char *const[]){"true", NULL};
	if (sandbox_prepare(owner, &spec, &sandbox, &err) < 0)
		fail_msg("%s", err.message);
	return sandbox;
}

/* The second one starts after the first has changed the file, or removed it. */
static void with_two(struct tempdir *temp, bool removed)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;
	struct sandbox *first;
	struct sandbox *second;

	make_file(temp);
	assert_int_equal(ownership_open(temp->fd, &owner, &err), 0);
	first = prepare(temp, owner);
	if (removed)
		unlinkat(temp->fd, FILE_NAME, 0);
	else
		tempdir_put(temp->fd, FILE_NAME, CHANGED);
	second = prepare(temp, owner);
	assert_string_equal(ownership_guarded(owner, FILE_NAME), BEFORE);
	sandbox_ended(first);
	says(temp, FILE_NAME, BEFORE);
	assert_string_equal(ownership_guarded(owner, FILE_NAME), BEFORE);
	tempdir_put(temp->fd, FILE_NAME, CHANGED);
	sandbox_ended(second);
	says(temp, FILE_NAME, BEFORE);
	assert_null(ownership_guarded(owner, FILE_NAME));
	ownership_free(owner);
}

static void an_agent_does_not_learn_from_another(void **state)
{
	with_two(*state, false);
}

static void a_file_that_is_missing_when_it_starts_is_guarded(void **state)
{
	with_two(*state, true);
}

/* Nothing can be written there: the recorded settings count until it can. */
static void what_cannot_be_restored_still_counts(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;
	struct sandbox *sandbox;

	make_file(temp);
	assert_int_equal(ownership_open(temp->fd, &owner, &err), 0);
	sandbox = prepare(temp, owner);
	tempdir_put(temp->fd, FILE_NAME, CHANGED);
	fault_arm(FAULT_ENOSPC, 1);
	sandbox_ended(sandbox);
	fault_disarm();
	assert_string_equal(ownership_guarded(owner, FILE_NAME), BEFORE);
	assert_int_equal(ownership_change_guarded(owner, FILE_NAME, "{}", &err), -1);
	ownership_sweep(owner);
	assert_null(ownership_guarded(owner, FILE_NAME));
	says(temp, FILE_NAME, BEFORE);
	ownership_free(owner);
}

static void a_change_by_the_host_stays(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;
	struct ownership *later;
	struct sandbox *sandbox;

	make_file(temp);
	assert_int_equal(ownership_open(temp->fd, &owner, &err), 0);
	sandbox = prepare(temp, owner);
	assert_int_equal(ownership_change_guarded(owner, FILE_NAME, "{}\n", &err), 0);
	tempdir_put(temp->fd, FILE_NAME, CHANGED);
	/* As if it had been killed: another host has the record alone. */
	assert_int_equal(ownership_open(temp->fd, &later, &err), 0);
	ownership_sweep(later);
	says(temp, FILE_NAME, "{}\n");
	ownership_free(later);
	sandbox_ended(sandbox);
	ownership_free(owner);
}

TESTS(IN_TEMPDIR(a_file_that_is_as_it_was_is_left_alone),
	IN_TEMPDIR(a_change_is_undone_and_kept), IN_TEMPDIR(a_removed_file_comes_back),
	IN_TEMPDIR(a_second_name_is_of_no_use),
	IN_TEMPDIR(a_folder_in_its_place_does_not_hold_it_up), IN_TEMPDIR(a_link_leads_nowhere),
	IN_TEMPDIR(a_group_that_is_gone_needs_nothing), IN_TEMPDIR(they_survive_in_a_record),
	IN_TEMPDIR(an_agent_does_not_learn_from_another),
	IN_TEMPDIR(a_file_that_is_missing_when_it_starts_is_guarded),
	IN_TEMPDIR(what_cannot_be_restored_still_counts),
	IN_TEMPDIR(a_change_by_the_host_stays))
