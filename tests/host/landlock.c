/*
 * A host on a machine without bwrap: which agents it runs in the sandbox `landlock`, which it
 * does not run, and what an agent there does to its settings.
 *
 *	landlock HOST AGENT BRIDGE
 */
#include <fcntl.h>
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"
#include "sandbox/sandbox.h"

#define NO_PLACE                                                                               \
	"this computer has no working sandbox for an agent; please tell the person who runs me"

static char **programs;

static char *say(struct driver *d, const char *group, const char *text)
{
	const char *const words[] = {"send", group, text, "--wait", NULL};
	char *answer = driver_run(d, words, NULL);
	size_t len = strlen(answer);

	while (len && (answer[len - 1] == '\n' || answer[len - 1] == ' '))
		answer[--len] = '\0';
	return answer;
}

static bool contains(struct driver *d, const char *group, const char *text, const char *wanted)
{
	CLEANUP(freep) char *answer = say(d, group, text);
	bool ok = strstr(answer, wanted) != NULL;

	if (!ok)
		printf("# '%s' in '%s': '%s' has no '%s'\n", text, group, answer, wanted);
	return ok;
}

static bool doctor_says(struct driver *d, const char *wanted)
{
	CLEANUP(freep)
	char *answer = driver_run(d, (const char *const[]){"doctor", "--json", NULL}, NULL);
	bool ok = strstr(answer, wanted) != NULL;

	if (!ok)
		printf("# no '%s' in: %s\n", wanted, answer);
	return ok;
}

static void read_below(struct driver *d, const char *name, struct buf *ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);

	file_read(path, 1 << 20, ret_text, &err);
}

static bool settings_are(struct driver *d, const char *wanted)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	read_below(d, "groups/g1/container.json", &text);
	if (strcmp(text.data, wanted) != 0)
		printf("# container.json says '%s'\n", text.data);
	return !strcmp(text.data, wanted);
}

/* Under a name that ends with the run of the agent. */
static bool change_was_kept(struct driver *d, const char *wanted)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf log = BUF_INIT;
	CLEANUP(freep)
	char *pattern = xasprintf("%s/groups/g1/container.json.rejected-*", d->root);
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1)
		file_read(found.gl_pathv[0], 10000, &text, &err);
	globfree(&found);
	read_below(d, "host.log", &log);
	if (strcmp(text.data, wanted) != 0)
		printf("# kept is '%s'\n", text.data);
	return !strcmp(text.data, wanted) &&
	       strstr(log.data, "'groups/g1/container.json' changed while an agent");
}

/* For the host, and in .env for the doctor. */
static void choose(struct driver *d, const char *name, const char *value)
{
	CLEANUP(freep) char *path = xasprintf("%s/.env", d->root);
	FILE *file = fopen(path, "a");

	if (!file || fprintf(file, "%s=%s\n", name, value) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
	driver_set(d, name, value);
}

/* `agent`: NULL for the scripted one. `sandbox`: NULL if nobody chose any. */
static void begin(struct driver *d, const char *agent, const char *sandbox)
{
	driver_init_anywhere(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
	choose(d, "NANOCLAW_AGENT", agent ? agent : d->agent);
	if (sandbox)
		choose(d, "NANOCLAW_SANDBOX", sandbox);
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* --- which agents ------------------------------------------------------------ */

static bool the_built_in_agent_answers_without_bwrap(void)
{
	struct driver d;
	CLEANUP(buf_release) struct buf memory = BUF_INIT;
	bool ok;

	begin(&d, "offline", NULL);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "remember milk", "Noted: milk") &&
	     contains(&d, "g1", "notes", "1. milk") &&
	     contains(&d, "g1", "remind me to call mum on 2035-02-17 at 5pm",
		     "I will remind you on Saturday, 17 February 2035 at 17:00") &&
	     contains(&d, "g1", "tasks", "call mum") &&
	     contains(&d, "g1", "forget milk", "milk") &&
	     doctor_says(&d, "the built-in agent runs in the sandbox 'landlock'");
	read_below(&d, "host.log", &memory);
	ok = ok && strstr(memory.data, "our own agents run in the sandbox 'landlock' instead");
	return end(&d) && ok;
}

static bool another_agent_does_not_run_unless_a_person_chooses_landlock(void)
{
	struct driver d;
	CLEANUP(freep) char *folder = NULL;
	CLEANUP(freep) char *other = NULL;
	CLEANUP(freep) char *ran = NULL;
	bool ok;

	begin(&d, NULL, NULL);
	ran = xasprintf("%s/groups/g1/ran", d.root);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x !sh touch ran", NO_PLACE) && access(ran, F_OK) < 0 &&
	     doctor_says(&d, "the agent that NANOCLAW_AGENT names cannot run");
	driver_stop(&d);
	choose(&d, "NANOCLAW_SANDBOX", "landlock");
	driver_start_ready(&d);
	folder = xasprintf("x %s/groups/g1", d.root);
	other = xasprintf(
		"x !sh cat %s/host.log ../main/container.json 2>/dev/null || echo refused",
		d.root);
	ok = ok && contains(&d, "g1", "x !sh pwd", folder) &&
	     contains(&d, "g1", other, "x refused") &&
	     contains(&d, "g1", "x !env NANOCLAW_SOCKET", "x fd:3") &&
	     contains(&d, "g1", "x !op {\"op\":\"list_tasks\"}", "\"ok\":true") &&
	     doctor_says(&d, "'landlock' works here (version ");
	return end(&d) && ok;
}

static bool an_agent_that_needs_the_api_is_refused_under_landlock(void)
{
	struct driver d;
	bool ok;

	begin(&d, NULL, "landlock");
	driver_set(&d, "ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v");
	driver_set(&d, "ANTHROPIC_API_KEY", "key");
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x",
		"this agent needs a network, which the sandbox 'landlock' cannot give");
	return end(&d) && ok;
}

/* --- its settings ------------------------------------------------------------ */

#define CHANGED       "{\"agent\": \"false\", \"limits\": {\"processes\": 9}}"
#define WRITE_CHANGED "echo '" CHANGED "' >container.json"

static bool what_an_agent_writes_to_its_settings_is_undone(void)
{
	struct driver d;
	bool ok;

	begin(&d, NULL, "landlock");
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x !sh " WRITE_CHANGED " && echo written", "x written") &&
	     contains(&d, "g1", "y", "y") && settings_are(&d, "{}\n") &&
	     change_was_kept(&d, CHANGED "\n");
	return end(&d) && ok;
}

static bool it_has_written(struct driver *d, void *data)
{
	(void)data;
	return driver_lines(d, "groups/g1/wrote") == 1;
}

/* In the middle of a turn, in which its agent has written and waits for a line. */
static int begin_turn(struct driver *d)
{
	CLEANUP(freep) char *fifo = NULL;
	CLEANUP(freep) char *folder = NULL;
	int fd;

	begin(d, NULL, "landlock");
	driver_bridge(d, "test", "plain");
	fifo = xasprintf("%s/groups/g1/gate", d->root);
	folder = xasprintf("%s/groups/g1", d->root);
	mkfifo(fifo, 0600);
	inotify_add_watch(d->inotify, folder, IN_MODIFY | IN_CREATE);
	driver_feed(d, "1", "test:1",
		"x !sh test -e wrote || { " WRITE_CHANGED
		"; echo 1 >wrote; read -r line <gate; " WRITE_CHANGED "; echo done; }");
	driver_start_ready(d);
	fd = open(fifo, O_RDWR | O_CLOEXEC);
	driver_wait(d, it_has_written, NULL, "the agent has written");
	return fd;
}

static bool a_host_that_was_killed_in_the_middle_undoes_it_later(void)
{
	struct driver d;
	CLEANUP(closep) int gate = begin_turn(&d);
	bool ok = gate >= 0 && settings_are(&d, CHANGED "\n");

	driver_kill(&d);
	driver_start_ready(&d);
	ok = ok && settings_are(&d, "{}\n") && change_was_kept(&d, CHANGED "\n") &&
	     contains(&d, "g1", "y", "y");
	return end(&d) && ok;
}

static bool what_a_person_sets_meanwhile_is_kept(void)
{
	const char *const set[] = {"group", "config", "g1", "limits.processes", "99", NULL};
	const char *const get[] = {"group", "config", "g1", NULL};
	static const char wanted[] = "{\n  \"limits\": {\n    \"processes\": 99\n  }\n}\n";
	struct driver d;
	CLEANUP(closep) int gate = begin_turn(&d);
	CLEANUP(freep) char *set_said = driver_run(&d, set, NULL);
	CLEANUP(freep) char *get_said = driver_run(&d, get, NULL);
	bool ok = strstr(set_said, "is set") && strstr(get_said, "99") &&
		  !strstr(get_said, "false") && settings_are(&d, wanted);

	if (!ok)
		printf("# '%s', '%s'\n", set_said, get_said);
	/* And it writes a second time. */
	ok = ok && write(gate, "\n", 1) == 1 && contains(&d, "g1", "y", "y") &&
	     settings_are(&d, wanted) && change_was_kept(&d, CHANGED "\n");
	return end(&d) && ok;
}

static bool what_a_person_sets_after_a_kill_is_kept(void)
{
	const char *const set[] = {"group", "config", "g1", "limits.processes", "99", NULL};
	static const char wanted[] = "{\n  \"limits\": {\n    \"processes\": 99\n  }\n}\n";
	struct driver d;
	CLEANUP(closep) int gate = begin_turn(&d);
	CLEANUP(freep) char *said = NULL;
	bool ok;

	driver_kill(&d);
	said = driver_run(&d, set, NULL);
	ok = gate >= 0 && settings_are(&d, wanted);
	driver_start_ready(&d);
	ok = ok && contains(&d, "g1", "y", "y") && settings_are(&d, wanted);
	return end(&d) && ok;
}

/* --- neither ----------------------------------------------------------------- */

/* As a kernel says it where Landlock is switched off. */
static bool forbid_landlock(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 95 /* EOPNOTSUPP */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_SIZE(code), code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool refuses_every_agent(void)
{
	struct driver d;
	bool ok;

	begin(&d, "offline", NULL);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "remember milk", NO_PLACE) &&
	     doctor_says(&d, "this kernel has no Landlock, or it is disabled") &&
	     doctor_says(&d, "no agent can run");
	driver_stop(&d);
	choose(&d, "NANOCLAW_SANDBOX", "landlock");
	driver_start_ready(&d);
	ok = ok && contains(&d, "g1", "remember milk", NO_PLACE) &&
	     doctor_says(&d, "'landlock' has to be in /sys/kernel/security/lsm");
	return end(&d) && ok;
}

/* In a process of its own: the filter stays. */
static bool without_bwrap_and_landlock_no_agent_runs(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		bool ok = forbid_landlock() && refuses_every_agent();

		fflush(stdout);
		_exit(!ok);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static const struct {
	const char *name;
	bool (*holds)(void);
} claims[] = {
#define CLAIM(name)                                                                            \
	{                                                                                      \
#name, name                                                                    \
	}
	CLAIM(the_built_in_agent_answers_without_bwrap),
	CLAIM(another_agent_does_not_run_unless_a_person_chooses_landlock),
	CLAIM(an_agent_that_needs_the_api_is_refused_under_landlock),
	CLAIM(what_an_agent_writes_to_its_settings_is_undone),
	CLAIM(a_host_that_was_killed_in_the_middle_undoes_it_later),
	CLAIM(what_a_person_sets_meanwhile_is_kept),
	CLAIM(what_a_person_sets_after_a_kill_is_kept),
	CLAIM(without_bwrap_and_landlock_no_agent_runs),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	if (!sandbox_landlock_version()) {
		printf("1..0 # SKIP this kernel has no Landlock\n");
		return 0;
	}
	programs = argv;
	/* No bwrap is found; agents have a PATH of their own. */
	setenv("PATH", "/nonexistent", 1);
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		tap_result(&tap, claims[i].holds(), claims[i].name);
		fflush(stdout);
	}
	return tap_end(&tap);
}
