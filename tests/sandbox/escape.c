/*
 * Tries to get out of a sandbox, in all the ways of attempts/:
 *
 *	escape KIND[:VERSION] ATTEMPT [NAME...]
 *
 * VERSION is how much of Landlock is used. Each way is tried without a sandbox first, by the
 * same user: only if it gets through there does it show anything that it does not get through
 * inside. NANOCLAW_SANDBOX_IMAGE is the image for podman and docker. Prints TAP; all is skipped
 * where sandboxes of that kind cannot be made.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"
#include "base/buf.h"
#include "fs/file.h"
#include "proc/process.h"
#include "sandbox/trial.h"
#include "world.h"

#define PATIENCE_MS 120000
#define ALLOWED     "allowed_"
#define OUTLIVE     "outlive"
#define RUN_LONG    "run_long"

struct suite {
	struct world world;
	struct ownership *owner;
	const struct sandbox_kind *kind;
	int version; /* of Landlock; 0: the kernel's */
	const char *image;
	int count;
	int tried;
	int failed;
};

/* Without mounts and namespaces these show nothing, or are refused where others are not. */
static const struct {
	const char *name;
	const char *why;
	bool root;  /* only as root */
	bool older; /* only where Landlock does not know signals */
} excluded[] = {
	{"allowed_own_loopback", "there are no sockets", false, false},
	{"allowed_tmp", "/tmp is the host's", false, false},
	{"become_root", "it is already", true, false},
	{"another_user", "it is the host's user", false, false},
	{"fork_bomb", "it could not end its children", false, true},
	{"type_for_user", "there are no terminals", false, false},
};

/* The state of the file afterwards counts, not the result of the attempt. */
static const struct {
	const char *name;
	bool kept; /* there is a changed one to be kept */
} guarded[] = {
	{"folder_for_container_json", true},
	{"link_container_json", true},
	{"link_for_container_json", true},
	{"move_container_json", false},
	{"remove_container_json", false},
	{"replace_container_json", true},
	{"rewrite_container_json", true},
	{"write_container_json", false},
};

static const char *why_excluded(const struct suite *suite, const char *name)
{
	bool older = suite->version && suite->version < 6;

	for (size_t i = 0; suite->kind->host_paths && i < ARRAY_SIZE(excluded); i++)
		if (!strcmp(name, excluded[i].name) && (!excluded[i].root || !geteuid()) &&
			(!excluded[i].older || older))
			return excluded[i].why;
	return NULL;
}

/* --- bare -------------------------------------------------------------------- */

static int run_bare(const struct suite *suite, const char *name)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execle(suite->world.program, suite->world.program, name, (char *)NULL,
			suite->world.bare.list);
		_exit(99);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- processes that were left ------------------------------------------------ */

static bool is_left(const struct suite *suite, pid_t pid)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%d/environ", (int)pid);
	CLEANUP(freep) char *comm = xasprintf("/proc/%d/comm", (int)pid);

	return file_read(comm, 100, &name, &ignored) == 0 && !strcmp(name.data, "attempt\n") &&
	       file_read(path, 1 << 20, &text, &ignored) == 0 &&
	       memmem(text.data, text.len, suite->world.marker, strlen(suite->world.marker));
}

/* How many there are; killed, if so wished. */
static int left(const struct suite *suite, bool to_kill)
{
	DIR *all = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(all))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid <= 0 || !is_left(suite, pid))
			continue;
		count++;
		if (to_kill)
			kill(pid, SIGKILL);
	}
	closedir(all);
	return count;
}

/* The kernel takes its time to clear a namespace away. */
static bool all_gone(const struct suite *suite)
{
	for (int i = 0; i < 1000; i++) {
		if (!left(suite, false))
			return true;
		poll(NULL, 0, 10);
	}
	return false;
}

/* --- in the sandbox ---------------------------------------------------------- */

static int run_inside(struct suite *suite, const char *name, struct trial *trial)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	const char *const argv[] = {"/attempt", name, NULL};

	spec.kind = suite->kind;
	spec.landlock_version = suite->version;
	world_fill(&suite->world, &spec);
	spec.image = suite->image;
	spec.group = "own";
	spec.argv = argv;
	spec.limits = (struct sandbox_limits){
		.memory_megabytes = 128,
		.processes = 64,
		.disk_megabytes = 4,
		.seconds = strcmp(name, RUN_LONG) ? 120 : 1,
	};
	if (trial_run(suite->owner, &spec, PATIENCE_MS, trial, &err) < 0) {
		printf("# %s\n", err.message);
		return 125;
	}
	return trial->exit_code;
}

static bool is_guarded(const struct suite *suite, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(guarded); i++)
		if (!strcmp(name, guarded[i].name))
			return world_is_guarded(&suite->world, guarded[i].kept);
	return false;
}

/* The attempt was refused, or killed. This is not true if it could not run at all. */
static bool is_refusal(int code, const struct trial *trial)
{
	return !trial->timed_out && (code == REFUSED || code > 128 || trial->killed);
}

static void say(struct suite *suite, bool good, const struct attempt *attempt, const char *skip)
{
	suite->count++;
	suite->failed += !good;
	printf("%s %d - %s %s%s%s\n", good ? "ok" : "not ok", suite->count,
		strncmp(attempt->name, ALLOWED, strlen(ALLOWED)) ? "it cannot" : "it can",
		attempt->claim, skip ? " # SKIP " : "", skip ? skip : "");
}

static void explain(int bare, int inside, const struct trial *trial)
{
	printf("# without a sandbox %d, inside %d%s%s\n%s", bare, inside,
		trial->killed ? ", killed: " : "", trial->killed ? trial->killed : "",
		trial->errors.len ? "# " : "");
	if (trial->errors.len)
		printf("%s", trial->errors.data);
}

static void try(struct suite *suite, const struct attempt *attempt)
{
	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
	bool allowed = !strncmp(attempt->name, ALLOWED, strlen(ALLOWED));
	const char *why = why_excluded(suite, attempt->name);
	int bare;
	int inside;
	bool good;

	if (why) {
		say(suite, true, attempt, why);
		return;
	}
	world_restore(&suite->world);
	bare = run_bare(suite, attempt->name);
	if (!strcmp(attempt->name, OUTLIVE) && !left(suite, true))
		bare = REFUSED;
	all_gone(suite);
	world_restore(&suite->world);
	if (bare != GOT_THROUGH) {
		say(suite, bare == REFUSED || bare == CANNOT_TRY, attempt,
			bare == CANNOT_TRY ? "there is no such thing here"
					   : "this user cannot without a sandbox either");
		return;
	}
	inside = run_inside(suite, attempt->name, &trial);
	if (!strcmp(attempt->name, OUTLIVE))
		inside = inside == GOT_THROUGH && all_gone(suite) ? REFUSED : inside;
	good = allowed ? inside == GOT_THROUGH
		       : is_refusal(inside, &trial) ||
				 (suite->kind->host_paths && inside == GOT_THROUGH &&
					 is_guarded(suite, attempt->name));
	suite->tried++;
	say(suite, good, attempt, NULL);
	if (!good)
		explain(bare, inside, &trial);
}

/* --- the suite --------------------------------------------------------------- */

static bool is_chosen(const struct attempt *attempt, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(attempt->name, *names))
			return true;
	return false;
}

/* The names and claims, from the program that has them. */
static struct attempt *list_attempts(const char *program, size_t *ret_count)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	struct attempt *list = NULL;
	size_t count = 0;
	size_t cap = 0;
	struct view rest;
	struct view line;

	request.argv = (const char *const[]){program, "--list", NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, 1 << 20};
	request.errors = (struct process_stream){PROCESS_DISCARD};
	if (process_run(&request, &result, &err) < 0 || result.exit_code)
		return NULL;
	rest = view_of_buf(&result.output);
	while (view_next(&rest, '\n', &line)) {
		struct view name;

		view_next(&line, '\t', &name);
		GROW(list, count, cap);
		list[count++] = (struct attempt){
			xmemdupz(name.data, name.len), xmemdupz(line.data, line.len), NULL};
	}
	*ret_count = count;
	return list;
}

static int skip_all(const struct error *err)
{
	printf("1..0 # SKIP %s\n", err->message);
	return 0;
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct suite suite = {.image = getenv("NANOCLAW_SANDBOX_IMAGE")};
	struct attempt *attempts;
	size_t count = 0;
	char *colon = argc < 3 ? NULL : strchr(argv[1], ':');

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (colon) {
		*colon = '\0';
		suite.version = (int)strtol(colon + 1, NULL, 10);
	}
	if (argc < 3 || sandbox_kind_find(argv[1], &suite.kind, &err) < 0)
		return 2;
	if (sandbox_probe(suite.kind, suite.image, NULL, &err) < 0)
		return skip_all(&err);
	attempts = list_attempts(argv[2], &count);
	world_make(&suite.world, argv[2]);
	if (ownership_open(suite.world.root, &suite.owner, &err) < 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (is_chosen(&attempts[i], argv + 3))
			try(&suite, &attempts[i]);
	printf("1..%d\n# %d ways were tried in the sandbox, %d were not shown here\n",
		suite.count, suite.tried, suite.count - suite.tried);
	while (ownership_sweep(suite.owner))
		poll(NULL, 0, 20);
	ownership_free(suite.owner);
	world_release(&suite.world);
	for (size_t i = 0; i < count; i++) {
		free((char *)(uintptr_t)attempts[i].name);
		free((char *)(uintptr_t)attempts[i].claim);
	}
	free(attempts);
	return suite.failed ? 1 : 0;
}
