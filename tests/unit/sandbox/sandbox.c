#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/process_stat.h"
#include "sandbox/internal.h"
#include "sandbox/limits/disk_trim.h"
#include "sandbox/ownership.h"
#include "sandbox/processes.h"
#include "tempdir.h"

static struct ownership *open_owner(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;

	if (!tempdir_exists(temp->fd, "own"))
		tempdir_mkdir(temp->fd, "own");
	if (ownership_open(temp->fd, &owner, &err) < 0)
		fail_msg("%s", err.message);
	return owner;
}

static pid_t start_labelled(const char *installation, const char *run_id)
{
	CLEANUP(freep) char *first = xasprintf(LABEL_INSTALLATION "%s", installation);
	CLEANUP(freep) char *second = xasprintf(LABEL_RUN "%s", run_id);
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "exec 9>&-; while :; do sleep 1; done", first,
			second, (char *)NULL);
		_exit(1);
	}
	close(ready[1]);
	/* The end of the pipe: it was executed. */
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static bool is_running(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

static void a_sweep_kills_what_has_our_label_and_nothing_else(void **state)
{
	struct tempdir *temp = *state;
	struct ownership *owner = open_owner(temp);
	pid_t ours = start_labelled(ownership_installation(owner), "0123456789abcdef");
	pid_t others = start_labelled("fedcba9876543210", "0123456789abcdef");
	int status;

	assert_true(ownership_sweep(owner) >= 1);
	assert_int_equal(waitpid(ours, &status, 0), ours);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_true(is_running(others));
	kill(others, SIGKILL);
	waitpid(others, NULL, 0);
	ownership_free(owner);
}

/* Its number may mean another process by now: only the label counts. */
static void a_record_alone_kills_nobody(void **state)
{
	struct tempdir *temp = *state;
	struct ownership *owner = open_owner(temp);
	pid_t bystander = start_labelled("fedcba9876543210", "0");
	CLEANUP(freep)
	char *record =
		xasprintf("{\"cgroups\":[\"/tmp/nanoclaw-x\",\"%s/own\"],\"group\":\"g\","
			  "\"installation\":\"%s\",\"kind\":\"bwrap\",\"pid\":%d,"
			  "\"run\":\"0123456789abcdef\",\"start\":1}",
			temp->path, ownership_installation(owner), (int)bystander);

	tempdir_put(temp->fd, OWNERSHIP_FOLDER "/0123456789abcdef.json", record);
	tempdir_put(temp->fd, OWNERSHIP_FOLDER "/broken.json", "{");
	assert_int_equal(ownership_sweep(owner), 2);
	assert_true(is_running(bystander));
	assert_true(tempdir_exists(temp->fd, "own"));
	assert_int_equal(ownership_sweep(owner), 0);
	kill(bystander, SIGKILL);
	waitpid(bystander, NULL, 0);
	ownership_free(owner);
}

static void a_copy_of_an_installation_is_another_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner = open_owner(temp);
	struct ownership *copy;
	CLEANUP(closep) int fd = -1;

	tempdir_mkdir(temp->fd, "copy");
	fd = openat(temp->fd, "copy", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(ownership_open(fd, &copy, &err), 0);
	assert_string_not_equal(ownership_installation(owner), ownership_installation(copy));
	ownership_free(owner);
	ownership_free(copy);
}

static void a_sweep_ends_the_probe_of_a_killed_process_and_no_other(void **state)
{
	struct tempdir *temp = *state;
	struct ownership *owner = open_owner(temp);
	CLEANUP(freep) char *alive = processes_probe_id();
	/* The last number is the time when the process that probes was started. */
	CLEANUP(freep)
	char *killed = xasprintf("%.*s-1", (int)(strrchr(alive, '-') - alive), alive);
	CLEANUP(freep) char *inner = xasprintf(PROCESSES_PROBE "1-%d-1", (int)getpid());
	pid_t left = start_labelled(killed, "0123456789abcdef");
	pid_t used[] = {
		start_labelled(alive, "0123456789abcdef"),
		start_labelled(inner, "0123456789abcdef"),
	};

	/* Another host on this machine may have been first. */
	ownership_sweep(owner);
	assert_int_equal(waitpid(left, NULL, 0), left);
	for (size_t i = 0; i < ARRAY_SIZE(used); i++) {
		assert_true(is_running(used[i]));
		kill(used[i], SIGKILL);
		assert_int_equal(waitpid(used[i], NULL, 0), used[i]);
	}
	ownership_free(owner);
}

static void the_start_time_tells_processes_apart(void **state)
{
	(void)state;
	assert_true(process_start_time(getpid()) > 0);
	assert_true(process_start_time(getpid()) >= process_start_time(getppid()));
	assert_int_equal(process_start_time(0x7fffffff), 0);
}

static void places_of_the_system_cannot_be_mounted_over(void **state)
{
	static const char *const wrong[] = {
		"/", "/usr", "/proc", "relative", "/workspace/../etc", "/a//b", ""};
	struct tempdir *temp = *state;
	struct ownership *owner = open_owner(temp);

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(sandbox_spec_release)
		struct sandbox_spec spec = SANDBOX_SPEC_INIT;
		struct sandbox *sandbox;

		spec.argv = (const char *const[]){"true", NULL};
		spec.group = "own";
		sandbox_add_mount(&spec, openat(temp->fd, "own", O_PATH | O_CLOEXEC),
			SANDBOX_WORKDIR, SANDBOX_WRITABLE);
		sandbox_add_mount(
			&spec, openat(temp->fd, "own", O_PATH | O_CLOEXEC), wrong[i], 0);
		assert_int_equal(sandbox_prepare(owner, &spec, &sandbox, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
	ownership_free(owner);
}

static bool has_mount(const struct sandbox_spec *spec, const char *target)
{
	for (size_t i = 0; i < spec->mount_count; i++)
		if (!strcmp(spec->mounts[i].target, target))
			return !(spec->mounts[i].flags & SANDBOX_WRITABLE);
	return false;
}

static void the_project_is_shown_without_keys_and_other_groups(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	static const char *const folders[] = {
		"src", "store", "data", "logs", "groups", "groups/main", "groups/other"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tempdir_mkdir(temp->fd, folders[i]);
	tempdir_put(temp->fd, ".env", "K=v");
	tempdir_put(temp->fd, ".env.local", "K=v");
	tempdir_put(temp->fd, ".env.example", "K=");
	tempdir_put(temp->fd, "README.md", "");
	tempdir_symlink("README.md", temp->fd, "LIESMICH.md");
	assert_int_equal(sandbox_add_project(&spec, temp->fd, "main", "/p", &err), 0);
	assert_int_equal(spec.mount_count, 4);
	assert_true(has_mount(&spec, "/p/src"));
	assert_true(has_mount(&spec, "/p/README.md"));
	assert_true(has_mount(&spec, "/p/.env.example"));
	assert_true(has_mount(&spec, "/p/groups/main"));
	assert_int_equal(spec.link_count, 1);
	assert_string_equal(spec.links[0].to, "README.md");
}

static void secrets_are_hidden_at_any_depth(void **state)
{
	static const char *const hidden[] = {"bridges/.env", "bridges/x/.env.local",
		"bridges/x/my.env", "bridges/#.env#", "bridges/x/auth/creds.json",
		"bridges/AUTH/creds.json", "a/b/c/d/id_rsa", "a/b/c/d/ID_ED25519.bak",
		"a/server.pem", "a/b/server.KEY", "a/.ssh/config", "a/b/.aws/credentials",
		"a/credentials.json", "a/secrets.yaml", "a/b/secrets/x", "a/.npmrc", "a/.netrc",
		"a/b/.git-credentials", "a/auth_info_baileys/creds.json", "a/login.p12",
		"a/service-account-1.json", "a/.docker/config.json", "a/.vault-token"};
	static const char *const shown[] = {"bridges/x/bridge.js", "bridges/x/.env.example",
		"a/b/c/d/code.c", "a/credentials.c", "a/auth.c", "src/auth.ts", "src/deep/x"};
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;

	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/main");
	for (size_t i = 0; i < ARRAY_SIZE(hidden) + ARRAY_SIZE(shown); i++) {
		const char *path =
			i < ARRAY_SIZE(hidden) ? hidden[i] : shown[i - ARRAY_SIZE(hidden)];

		for (const char *c = path; *c; c++)
			if (*c == '/') {
				CLEANUP(freep)
				char *folder = xmemdupz(path, (size_t)(c - path));

				mkdirat(temp->fd, folder, 0755);
			}
		tempdir_put(temp->fd, path, "x");
	}
	assert_int_equal(sandbox_add_project(&spec, temp->fd, "main", "/p", &err), 0);
	for (size_t m = 0; m < spec.mount_count; m++)
		for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
			CLEANUP(freep) char *path = xasprintf("/p/%s", hidden[i]);
			size_t len = strlen(spec.mounts[m].target);

			assert_false(!strncmp(path, spec.mounts[m].target, len) &&
				     (path[len] == '/' || !path[len]));
		}
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		CLEANUP(freep) char *path = xasprintf("/p/%s", shown[i]);
		bool found = false;

		for (size_t m = 0; m < spec.mount_count; m++) {
			size_t len = strlen(spec.mounts[m].target);

			found |= !strncmp(path, spec.mounts[m].target, len) &&
				 (path[len] == '/' || !path[len]);
		}
		assert_true(found);
	}
	/* A folder without any is one mount. */
	assert_true(has_mount(&spec, "/p/src"));
}

/* It would take too many mounts to show the rest of it. */
static void a_folder_with_a_secret_among_many_files_is_not_shown(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;

	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/main");
	tempdir_mkdir(temp->fd, "many");
	tempdir_mkdir(temp->fd, "few");
	for (int i = 0; i < 500; i++) {
		CLEANUP(freep) char *name = xasprintf("many/%d", i);

		tempdir_put(temp->fd, name, "");
	}
	tempdir_put(temp->fd, "many/.env", "K=v");
	assert_int_equal(sandbox_add_project(&spec, temp->fd, "main", "/p", &err), 0);
	assert_int_equal(spec.mount_count, 2);
	assert_true(has_mount(&spec, "/p/few"));
}

/* A skill that adds as many must not end the main group. */
static void of_many_files_at_the_root_some_are_shown(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;

	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/main");
	tempdir_put(temp->fd, ".env", "K=v");
	for (int i = 0; i < 500; i++) {
		CLEANUP(freep) char *name = xasprintf("%d", i);

		tempdir_put(temp->fd, name, "");
	}
	assert_int_equal(sandbox_add_project(&spec, temp->fd, "main", "/p", &err), 0);
	assert_true(spec.mount_count > 100 && spec.mount_count < SANDBOX_MAX_MOUNTS);
	assert_true(has_mount(&spec, "/p/groups/main"));
	assert_false(has_mount(&spec, "/p/.env"));
}

static void use_of_the_disk_is_counted_in_pieces(void **state)
{
	struct tempdir *temp = *state;
	struct disk_use disk = DISK_USE_INIT;
	char block[65536] = {1};
	int steps = 1;

	tempdir_mkdir(temp->fd, "a");
	tempdir_mkdir(temp->fd, "a/b");
	tempdir_put_bytes(temp->fd, "a/b/file", block, sizeof(block));
	tempdir_put_bytes(temp->fd, "a/file", block, sizeof(block));
	tempdir_symlink("/usr", temp->fd, "a/link");
	disk_use_add(&disk, openat(temp->fd, "a", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	while (!disk_use_step(&disk, 2))
		steps++;
	assert_true(steps > 3);
	assert_true(disk.bytes >= 2 * sizeof(block) && disk.bytes < 4 * sizeof(block));
	assert_false(disk.too_deep);
	disk_use_release(&disk);
}

static void put_sized(struct tempdir *temp, const char *name, size_t size)
{
	CLEANUP(freep) char *bytes = xcalloc(size, 1);

	memset(bytes, 1, size);
	tempdir_put_bytes(temp->fd, name, bytes, size);
}

/* The largest changed file is deleted first; older files and the memory stay. */
static void what_is_over_the_limit_is_trimmed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct disk_use disk = DISK_USE_INIT;
	struct disk_trimmed trimmed;
	time_t since = time(NULL) - 1000;

	tempdir_mkdir(temp->fd, "g");
	tempdir_mkdir(temp->fd, "g/in");
	put_sized(temp, "g/large", 400000);
	put_sized(temp, "g/in/larger", 500000);
	put_sized(temp, "g/small", 20000);
	put_sized(temp, "g/CLAUDE.local.md", 600000);
	disk_use_add(&disk, openat(temp->fd, "g", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	/* Within the limit, and nothing was changed since. */
	assert_int_equal(disk_trim(&disk, 10000000, since, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 0);
	assert_int_equal(disk_trim(&disk, 100000, time(NULL) + 1000, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 0);
	assert_int_equal(disk_trim(&disk, 1200000, since, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 1);
	assert_false(tempdir_exists(temp->fd, "g/in/larger"));
	assert_true(tempdir_exists(temp->fd, "g/large"));
	assert_int_equal(disk_trim(&disk, 1, since, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 2);
	assert_true(tempdir_exists(temp->fd, "g/CLAUDE.local.md"));
	disk_use_release(&disk);
}

/* A group that has just what it may have could not write the first file of its next turn. */
static void what_is_trimmed_leaves_room_for_more(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct disk_use disk = DISK_USE_INIT;
	struct disk_trimmed trimmed;

	tempdir_mkdir(temp->fd, "g");
	for (int i = 0; i < 10; i++) {
		CLEANUP(freep) char *name = xasprintf("g/%d", i);

		put_sized(temp, name, 100000);
	}
	disk_use_add(&disk, openat(temp->fd, "g", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	assert_int_equal(disk_trim(&disk, 1000000, time(NULL) - 1000, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 2);
	disk_use_release(&disk);
}

/* Else the group would be over its limit for good. */
static void folders_and_a_huge_memory_are_trimmed_too(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct disk_use disk = DISK_USE_INIT;
	struct disk_trimmed trimmed;

	tempdir_mkdir(temp->fd, "g");
	tempdir_mkdir(temp->fd, "g/full");
	put_sized(temp, "g/full/file", 10);
	for (int i = 0; i < 100; i++) {
		CLEANUP(freep) char *outer = xasprintf("g/empty-%d", i);
		CLEANUP(freep) char *inner = xasprintf("g/empty-%d/in", i);

		tempdir_mkdir(temp->fd, outer);
		tempdir_mkdir(temp->fd, inner);
	}
	put_sized(temp, "g/CLAUDE.local.md", (size_t)17 << 20);
	disk_use_add(&disk, openat(temp->fd, "g", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	assert_int_equal(disk_trim(&disk, 900000, time(NULL) - 1000, &trimmed, &err), 0);
	assert_false(tempdir_exists(temp->fd, "g/CLAUDE.local.md"));
	assert_true(tempdir_exists(temp->fd, "g/empty-7/in"));
	assert_int_equal(disk_trim(&disk, 40000, time(NULL) - 1000, &trimmed, &err), 0);
	disk_use_whole(&disk, 10000);
	assert_true(disk.bytes <= 40000);
	disk_use_release(&disk);
}

static void what_is_locked_or_has_holes_is_trimmed_too(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct disk_use disk = DISK_USE_INIT;
	struct disk_trimmed trimmed;
	CLEANUP(closep) int fd = -1;
	int outside;

	tempdir_mkdir(temp->fd, "g");
	tempdir_mkdir(temp->fd, "g/in");
	tempdir_mkdir(temp->fd, "g/in/deeper");
	put_sized(temp, "outside", 1000000);
	put_sized(temp, "g/in/deeper/file", 100000);
	tempdir_symlink("../../outside", temp->fd, "g/in/link");
	fd = openat(temp->fd, "g/in/holes", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(fd, (off_t)1 << 30), 0);
	assert_int_equal(fchmodat(temp->fd, "g/in/deeper", 0, 0), 0);
	assert_int_equal(fchmodat(temp->fd, "g/in", 0, 0), 0);
	disk_use_add(&disk, openat(temp->fd, "g", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	disk_use_whole(&disk, 1000);
	assert_true(disk.bytes > (uint64_t)1 << 30);
	assert_int_equal(disk_trim(&disk, 200000, time(NULL) - 1000, &trimmed, &err), 0);
	assert_int_equal(trimmed.files, 1);
	assert_false(tempdir_exists(temp->fd, "g/in/holes"));
	assert_true(tempdir_exists(temp->fd, "g/in/deeper/file"));
	outside = openat(temp->fd, "outside", O_RDONLY | O_CLOEXEC);
	assert_true(outside >= 0);
	close(outside);
	disk_use_release(&disk);
}

static void empty_files_count_and_further_names_do_not(void **state)
{
	struct tempdir *temp = *state;
	struct disk_use disk = DISK_USE_INIT;
	char block[65536] = {1};

	tempdir_mkdir(temp->fd, "a");
	tempdir_put_bytes(temp->fd, "a/file", block, sizeof(block));
	for (int i = 0; i < 10; i++) {
		CLEANUP(freep) char *empty = xasprintf("a/empty-%d", i);
		CLEANUP(freep) char *name = xasprintf("a/name-%d", i);

		tempdir_put(temp->fd, empty, "");
		assert_int_equal(linkat(temp->fd, "a/file", temp->fd, name, 0), 0);
	}
	disk_use_add(&disk, openat(temp->fd, "a", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	while (!disk_use_step(&disk, 1000))
		;
	/* Some more, for what the file system needs itself. */
	assert_true(disk.bytes >= sizeof(block) - 11 + 10 * 4096);
	assert_true(disk.bytes < 2 * sizeof(block) + 10 * 4096);
	disk_use_release(&disk);
}

static void folders_that_are_too_deep_to_count_are_noticed(void **state)
{
	struct tempdir *temp = *state;
	struct disk_use disk = DISK_USE_INIT;

	tempdir_make_deep(temp->fd);
	disk_use_add(&disk, openat(temp->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	while (!disk_use_step(&disk, 1000))
		;
	assert_true(disk.too_deep);
	disk_use_release(&disk);
}

TESTS(IN_TEMPDIR(a_sweep_kills_what_has_our_label_and_nothing_else),
	IN_TEMPDIR(a_record_alone_kills_nobody),
	IN_TEMPDIR(a_copy_of_an_installation_is_another_one),
	IN_TEMPDIR(a_sweep_ends_the_probe_of_a_killed_process_and_no_other),
	cmocka_unit_test(the_start_time_tells_processes_apart),
	IN_TEMPDIR(places_of_the_system_cannot_be_mounted_over),
	IN_TEMPDIR(the_project_is_shown_without_keys_and_other_groups),
	IN_TEMPDIR(secrets_are_hidden_at_any_depth),
	IN_TEMPDIR(a_folder_with_a_secret_among_many_files_is_not_shown),
	IN_TEMPDIR(of_many_files_at_the_root_some_are_shown),
	IN_TEMPDIR(use_of_the_disk_is_counted_in_pieces),
	IN_TEMPDIR(what_is_over_the_limit_is_trimmed),
	IN_TEMPDIR(what_is_trimmed_leaves_room_for_more),
	IN_TEMPDIR(folders_and_a_huge_memory_are_trimmed_too),
	IN_TEMPDIR(what_is_locked_or_has_holes_is_trimmed_too),
	IN_TEMPDIR(empty_files_count_and_further_names_do_not),
	IN_TEMPDIR(folders_that_are_too_deep_to_count_are_noticed))
