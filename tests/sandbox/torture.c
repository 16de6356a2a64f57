/*
 * Hosts that are killed while their agents start, run and end:
 *
 *	torture KIND AGENTS KILLS SEED
 *
 * AGENTS sandboxes are started, some of which are killed at random, or their launchers alone,
 * by hosts of which KILLS are killed at random (SIGKILL). Beside them a second installation has
 * agents that run all the time. In the end, after one sweep by a new host, nothing of the first
 * one may be left: no process, mount, cgroup, record or socket; and the second has lost nothing.
 *
 * The host here is a small one, made of what the real one uses: ownership, sandbox, child.
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/view.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "sandbox/ownership.h"
#include "sandbox/sandbox.h"

#define AT_A_TIME   8
#define BYSTANDERS  3
#define PATIENCE_MS 120000

static const struct sandbox_kind *kind;

struct place {
	char *path;
	int root;
};

struct agent {
	struct sandbox *sandbox;
	struct child child;
};

static struct place make_place(const char *folder, const char *name)
{
	CLEANUP(freep) char *own = NULL;
	struct place place = {.path = xasprintf("%s/%s", folder, name)};

	mkdir(place.path, 0700);
	own = xasprintf("%s/own", place.path);
	mkdir(own, 0700);
	place.root = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return place;
}

/* --- agents ------------------------------------------------------------------ */

/* Some end by themselves at once, some wait, some leave others behind, some are busy. */
static const char *const scripts[] = {
	"exit 0",
	"exec sleep 1000",
	"setsid sleep 1000 & setsid sleep 1000 & exit 0",
	"sleep 1000 & (sleep 1000 &) & exit 0",
	"for i in 1 2 3; do sleep 1000 & done; cat >/dev/null",
	"while :; do :; done",
};

static bool start(struct ownership *owner, const struct place *place, const char *script,
	struct agent *agent)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;

	sandbox_add_mount(&spec, openat(place->root, "own", O_PATH | O_CLOEXEC),
		SANDBOX_WORKDIR, SANDBOX_WRITABLE);
	spec.kind = kind;
	spec.argv = (const char *const[]){"sh", "-c", script, NULL};
	if (sandbox_prepare(owner, &spec, &agent->sandbox, &err) < 0 ||
		child_start(sandbox_command(agent->sandbox), &agent->child, &err) < 0) {
		printf("# %s\n", err.message);
		return false;
	}
	sandbox_started(agent->sandbox, agent->child.pid);
	return true;
}

/* As a host does it, which kills the group of a launcher that has ended, too. */
static void end(struct agent *agent)
{
	if (random() % 4 == 0) {
		struct pollfd fd = {agent->child.pidfd, POLLIN, 0};

		kill(agent->child.pid, SIGKILL);
		poll(&fd, 1, PATIENCE_MS);
	}
	child_signal(&agent->child, SIGKILL);
	child_reap(&agent->child);
	child_release(&agent->child);
	sandbox_ended(agent->sandbox);
	agent->sandbox = NULL;
}

/* --- the host: starts `count` agents, ends some, and tells each one ------------ */

static int be_host(const struct place *place, int count, unsigned seed, int told)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct agent agents[AT_A_TIME] = {0};
	struct ownership *owner;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	srandom(seed);
	if (ownership_open(place->root, &owner, &err) < 0)
		return 1;
	ownership_sweep(owner);
	for (int i = 0; i < count; i++) {
		struct agent *agent = &agents[random() % AT_A_TIME];

		if (agent->sandbox)
			end(agent);
		if (!start(owner, place, scripts[(size_t)random() % ARRAY_SIZE(scripts)],
			    agent))
			return 1;
		if (write(told, "x", 1) != 1)
			return 1;
		if (i % 16 == 15)
			ownership_sweep(owner);
	}
	for (int i = 0; i < AT_A_TIME; i++)
		if (agents[i].sandbox)
			end(&agents[i]);
	ownership_free(owner);
	return 0;
}

/* Runs one and returns how many agents it has started; killed after `kill_after` of them. */
static int run_host(const struct place *place, int count, int kill_after, unsigned seed)
{
	int told[2];
	int started = 0;
	int status;
	char byte;
	pid_t pid;

	if (pipe2(told, O_CLOEXEC) < 0)
		exit(1);
	pid = fork();
	if (!pid)
		_exit(be_host(place, count, seed, told[1]));
	close(told[1]);
	while (read(told[0], &byte, 1) == 1)
		if (++started == kill_after)
			kill(pid, SIGKILL);
	close(told[0]);
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return -1;
	return started;
}

/* --- what is left ------------------------------------------------------------ */

/* By its label, or the folder that it is in: only the launchers of landlock have labels. */
static bool belongs(const char *pid, const char *label, const char *folder)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *command_line = xasprintf("/proc/%s/cmdline", pid);
	CLEANUP(freep) char *link = xasprintf("/proc/%s/cwd", pid);
	char cwd[4096] = "";

	(void)!readlink(link, cwd, sizeof(cwd) - 1);
	return !strncmp(cwd, folder, strlen(folder)) ||
	       (file_read(command_line, 1 << 20, &text, &ignored) == 0 &&
		       memmem(text.data, text.len, label, strlen(label)));
}

static int count_processes(const struct place *place, const char *installation)
{
	CLEANUP(freep) char *label = xasprintf("nanoclaw.installation=%s", installation);
	DIR *all = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(all)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			count += belongs(entry->d_name, label, place->path);
	closedir(all);
	return count;
}

static int count_names(const char *folder, const char *part)
{
	DIR *all = opendir(folder);
	struct dirent *entry;
	int count = 0;

	while (all && (entry = readdir(all)))
		count += entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL;
	if (all)
		closedir(all);
	return count;
}

static int count_cgroups(const char *installation)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	struct view rest;
	struct view line;
	int count = 0;

	if (file_read("/proc/self/cgroup", 65536, &own, &ignored) < 0)
		return 0;
	rest = view_of_buf(&own);
	while (view_next(&rest, '\n', &line)) {
		struct view number;
		struct view names;
		CLEANUP(freep) char *folder = NULL;

		view_next(&line, ':', &number);
		view_next(&line, ':', &names);
		folder =
			xasprintf("/sys/fs/cgroup/%.*s%.*s", VIEW_ARGS(names), VIEW_ARGS(line));
		count += count_names(folder, installation);
	}
	return count;
}

static int count_records(const struct place *place)
{
	CLEANUP(freep) char *folder = xasprintf("%s/" OWNERSHIP_FOLDER, place->path);

	return count_names(folder, "");
}

static int count_mounts(const struct place *place)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest;
	struct view line;
	int count = 0;

	file_read("/proc/self/mountinfo", 1 << 20, &text, &ignored);
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		count += memmem(line.data, line.len, place->path, strlen(place->path)) != NULL;
	return count;
}

/* As a host that starts: sweep until there is nothing to do, which the kernel may delay. */
static bool clean(const struct place *place)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;
	bool done = false;

	if (ownership_open(place->root, &owner, &err) < 0)
		return false;
	for (int waited = 0; !done && waited < PATIENCE_MS; waited += 20) {
		done = ownership_sweep(owner) == 0;
		if (!done)
			poll(NULL, 0, 20);
	}
	ownership_free(owner);
	return done;
}

static char *installation_of(const struct place *place)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;
	char *id;

	if (ownership_open(place->root, &owner, &err) < 0)
		exit(1);
	id = xstrdup(ownership_installation(owner));
	ownership_free(owner);
	return id;
}

static int test_count;
static int failures;

static void expect(bool good, const char *claim)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++test_count, claim);
	failures += !good;
}

/* --- all of it --------------------------------------------------------------- */

static bool run_hosts(const struct place *place, int agents, int kills, unsigned seed)
{
	int started = 0;
	int killed = 0;

	while (started < agents || killed < kills) {
		int share = agents / (kills + 1) + 1;
		int victim_at = killed < kills ? 1 + (int)(random() % (share * 2)) : 0;
		int count = run_host(place, share * 2, victim_at, seed++);

		if (count < 0)
			return false;
		started += count;
		killed += victim_at > 0;
	}
	printf("# %d agents were started, %d hosts killed\n", started, killed);
	return true;
}

/* Those that were killed with their group are dying by now. */
static bool no_process_is_left(const struct place *place, const char *id)
{
	int waited = 0;

	while (count_processes(place, id) > 0 && waited++ < 6000)
		poll(NULL, 0, 10);
	return waited <= 6000;
}

static void check_nothing_left(const struct place *place, const char *id)
{
	expect(clean(place), "a sweep comes to an end");
	expect(no_process_is_left(place, id), "no process is left");
	expect(count_cgroups(id) == 0, "no cgroup is left");
	expect(count_mounts(place) == 0, "no mount is left");
	expect(count_records(place) == 0, "no record is left");
}

static bool start_bystanders(
	const struct place *place, struct ownership **owner, struct agent *agents)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (ownership_open(place->root, owner, &err) < 0)
		return false;
	for (int i = 0; i < BYSTANDERS; i++)
		if (!start(*owner, place, "exec sleep 100000", &agents[i]))
			return false;
	return true;
}

static bool all_run(const struct agent *agents)
{
	for (int i = 0; i < BYSTANDERS; i++) {
		struct pollfd fd = {agents[i].child.pidfd, POLLIN, 0};

		if (poll(&fd, 1, 0) != 0)
			return false;
	}
	return true;
}

static void test(const char *folder, int agents, int kills, unsigned seed)
{
	struct place ours = make_place(folder, "ours");
	struct place other = make_place(folder, "other");
	CLEANUP(freep) char *id = installation_of(&ours);
	CLEANUP(freep) char *other_id = installation_of(&other);
	struct agent bystanders[BYSTANDERS] = {0};
	struct ownership *other_owner = NULL;

	expect(strcmp(id, other_id) != 0, "two installations have two ids");
	expect(start_bystanders(&other, &other_owner, bystanders), "another installation runs");
	expect(run_hosts(&ours, agents, kills, seed),
		"the hosts that were not killed ended well");
	check_nothing_left(&ours, id);
	expect(all_run(bystanders) && count_records(&other) == BYSTANDERS,
		"the other installation has lost nothing");
	for (int i = 0; i < BYSTANDERS; i++)
		end(&bystanders[i]);
	ownership_free(other_owner);
	check_nothing_left(&other, other_id);
	close(ours.root);
	close(other.root);
	free(ours.path);
	free(other.path);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	char folder[] = "/tmp/nanoclaw-torture-XXXXXX";
	unsigned seed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc != 5 || sandbox_kind_find(argv[1], &kind, &err) < 0 || !mkdtemp(folder))
		return 2;
	if (sandbox_probe(kind, NULL, NULL, &err) < 0) {
		printf("1..0 # SKIP %s\n", err.message);
		rmdir(folder);
		return 0;
	}
	seed = (unsigned)strtoul(argv[4], NULL, 10);
	printf("# seed %u\n", seed);
	srandom(seed);
	test(folder, (int)strtol(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10), seed);
	printf("1..%d\n", test_count);
	tree_remove(AT_FDCWD, folder, &err);
	return failures ? 1 : 0;
}
