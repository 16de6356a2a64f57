/*
 * What `nanoclaw doctor` sees of a host that runs, or that was killed.
 *
 *	doctor HOST AGENT BRIDGE
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"

static char **programs;

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* All that it says about the assistant, on one line. */
static char *look(struct driver *d, const char *option)
{
	const char *const words[] = {"doctor", "--json", option, NULL};
	int exit_code;
	char *answer = driver_run(d, words, &exit_code);

	for (char *c = answer; *c; c++)
		if (*c == '\n')
			*c = ' ';
	if (exit_code > 1) /* 1: there is a problem */
		driver_fail(d, "doctor has failed: %s", answer);
	return answer;
}

static bool says(struct driver *d, const char *option, const char *wanted)
{
	CLEANUP(freep) char *answer = look(d, option);

	if (!strstr(answer, wanted))
		printf("# no '%s' in: %s\n", wanted, answer);
	return strstr(answer, wanted) != NULL;
}

/* An agent that has answered is idle, and stays. */
static void wake_agent(struct driver *d)
{
	const char *const words[] = {"send", "g1", "hello", "--wait", NULL};
	int exit_code;
	CLEANUP(freep) char *answer = driver_run(d, words, &exit_code);

	if (exit_code)
		driver_fail(d, "no answer: %s", answer);
}

/* --- channels ------------------------------------------------------------------- */

static bool is_connected(struct driver *d, void *data)
{
	const char *const words[] = {"channel", "list", NULL};
	CLEANUP(freep) char *answer = driver_run(d, words, NULL);

	(void)data;
	return strstr(answer, "starting") == NULL && strstr(answer, "down") == NULL;
}

static bool channels_that_are_connected_are_well(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_bridge(&d, "test", "plain");
	driver_start_ready(&d);
	driver_wait(&d, is_connected, NULL, "the bridge is connected");
	ok = says(&d, NULL, "\"all are connected: 2\"") &&
	     says(&d, NULL, "it is running (pid ");
	return end(&d) && ok;
}

static void break_bridge(struct driver *d)
{
	CLEANUP(freep) char *folder = xasprintf("%s/bridges", d->root);
	CLEANUP(freep) char *path = xasprintf("%s/broken.json", folder);
	FILE *file;

	mkdir(folder, 0755);
	file = fopen(path, "w");
	if (!file)
		driver_fail(d, "cannot write '%s'", path);
	fputs("{\"command\": [\"/bin/false\", \"geheim\"]}\n", file);
	fclose(file);
}

static bool is_down(struct driver *d, void *data)
{
	const char *const words[] = {"channel", "list", NULL};
	CLEANUP(freep) char *answer = driver_run(d, words, NULL);

	(void)data;
	return strstr(answer, "down") != NULL;
}

static bool a_channel_that_is_down_says_why_and_when_it_is_tried_again(void)
{
	CLEANUP(freep) char *answer = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	break_bridge(&d);
	driver_start_ready(&d);
	driver_wait(&d, is_down, NULL, "the bridge is down");
	answer = look(&d, NULL);
	ok = strstr(answer, "'broken' is down: ") &&
	     strstr(answer, "; the next attempt is at 2") && !strstr(answer, "geheim");
	if (!ok)
		printf("# %s\n", answer);
	return end(&d) && ok;
}

/* --- processes ------------------------------------------------------------------ */

struct stray {
	pid_t pid;
	int hold; /* it ends when this is closed */
};

/* As if an agent had started it: `cat`, with the variable that agents have. */
static struct stray stray_start(struct driver *d)
{
	CLEANUP(freep)
	char *variable = xasprintf("NANOCLAW_SOCKET=%s/data/run/group-g1.sock", d->root);
	char *const environment[] = {variable, NULL};
	int hold[2], started[2];
	struct stray stray;
	char byte;

	if (pipe2(hold, O_CLOEXEC) < 0 || pipe2(started, O_CLOEXEC) < 0)
		driver_fail(d, "no pipes");
	stray.pid = fork();
	if (stray.pid == 0) {
		dup2(hold[0], STDIN_FILENO);
		execle("/bin/cat", "cat", NULL, environment);
		_exit(127);
	}
	close(hold[0]);
	close(started[1]);
	/* Nothing comes but the end, when the descriptor is closed by exec. */
	if (read(started[0], &byte, 1) != 0)
		driver_fail(d, "cat said something");
	close(started[0]);
	stray.hold = hold[1];
	return stray;
}

/* Lives until here: doctor has not killed it. */
static bool stray_end(struct stray *stray)
{
	int status;

	close(stray->hold);
	return waitpid(stray->pid, &status, 0) == stray->pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

static bool only_processes_without_their_host_are_left_over(void)
{
	CLEANUP(freep) char *wanted = NULL;
	struct stray stray;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	wake_agent(&d);
	ok = says(&d, NULL, "none left by a dead host");
	stray = stray_start(&d);
	wanted = xasprintf("\"fix\": \"kill %d\"", (int)stray.pid);
	ok = says(&d, "--fix", wanted) && ok;
	/* Not killed: its agents would be gone only a moment after it. */
	ok = driver_stop(&d) == 0 && ok;
	ok = says(&d, "--fix", wanted) && ok;
	ok = stray_end(&stray) && ok;
	ok = says(&d, NULL, "none left by a dead host") && ok;
	driver_release(&d);
	return ok;
}

/* --- sockets -------------------------------------------------------------------- */

static bool sockets_are_removed_when_their_host_is_gone_and_not_before(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	wake_agent(&d);
	ok = says(&d, "--fix", "none left by a killed host");
	wake_agent(&d);
	driver_kill(&d);
	ok = says(&d, NULL, "without a listener: 3") && ok;
	ok = says(&d, "--fix", "removed sockets without a listener: 3") && ok;
	ok = says(&d, NULL, "none left by a killed host") && ok;
	driver_release(&d);
	return ok;
}

#define CLAIM(function)                                                                        \
	{                                                                                      \
#function, function                                                            \
	}

static const struct {
	const char *name;
	bool (*run)(void);
} claims[] = {
	CLAIM(channels_that_are_connected_are_well),
	CLAIM(a_channel_that_is_down_says_why_and_when_it_is_tried_again),
	CLAIM(only_processes_without_their_host_are_left_over),
	CLAIM(sockets_are_removed_when_their_host_is_gone_and_not_before),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc < 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		if (argc < 5 || !strcmp(argv[4], claims[i].name))
			tap_result(&tap, claims[i].run(), claims[i].name);
	return tap_end(&tap);
}
