/*
 * Claude Code as an agent, and the host's key: requests have the key when they reach the API,
 * but neither the agent's memory nor anything that it can read contains it.
 *
 *	secret HOST AGENT BRIDGE SEARCH		with SERVER, REQUESTS and NANOCLAW_CLAUDE
 *						(tests/claude/run.sh)
 *
 * The search is done twice: inside, by a tool that Claude Code runs, and outside, through the
 * memory of all processes of the sandbox while it waits. That both would find the key if it
 * were there is seen by giving it to the agent on purpose.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"
#include "gate/credentials.h"

static char **programs;
static char key[64];

/* Nobody has ever seen it. */
static void make_key(void)
{
	unsigned char bytes[16];
	size_t len = (size_t)snprintf(key, sizeof(key), "sk-ant-api03-");

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		exit(2);
	for (size_t i = 0; i < sizeof(bytes); i++)
		len += (size_t)snprintf(key + len, sizeof(key) - len, "%02x", bytes[i]);
}

static char *turned_round(const char *text)
{
	size_t len = strlen(text);
	char *turned = xstrdup(text);

	for (size_t i = 0; i < len; i++)
		turned[i] = text[len - 1 - i];
	return turned;
}

/* --- the project ------------------------------------------------------------- */

static char *path_of(struct driver *d, const char *name)
{
	return xasprintf("%s/%s", d->root, name);
}

static void put(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *path = path_of(d, name);
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file) || chmod(path, 0600))
		driver_fail(d, "cannot write '%s'", path);
}

static void copy_program(struct driver *d, const char *from, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *path = path_of(d, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	if (fd < 0 || file_read(from, (size_t)1 << 30, &content, &err) < 0 ||
		write(fd, content.data, content.len) != (ssize_t)content.len)
		driver_fail(d, "cannot copy '%s'", from);
	close(fd);
}

static void set_up(struct driver *d, const char *part)
{
	CLEANUP(freep) char *server = xasprintf("%s/%s", getenv("SERVER"), part);
	CLEANUP(freep) char *env = xasprintf("ANTHROPIC_API_KEY=%s\n", key);

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_AGENT", "claude");
	driver_set(d, "NANOCLAW_CLAUDE", getenv("NANOCLAW_CLAUDE"));
	driver_set(d, "ANTHROPIC_BASE_URL", server);
	put(d, ".env", env);
}

/* --- the search -------------------------------------------------------------- */

/* All processes below one, its own number not among them. */
static void add_descendants(int pid, char **words, size_t *count, size_t max)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/task", pid);
	DIR *tasks = opendir(path);
	struct dirent *entry;

	while (tasks && (entry = readdir(tasks))) {
		CLEANUP(freep) char *list = xasprintf("%s/%s/children", path, entry->d_name);
		FILE *children = entry->d_name[0] == '.' ? NULL : fopen(list, "re");
		int child;

		while (children && fscanf(children, "%d", &child) == 1 && *count < max) {
			words[(*count)++] = xasprintf("%d", child);
			add_descendants(child, words, count, max);
		}
		if (children)
			fclose(children);
	}
	if (tasks)
		closedir(tasks);
}

/* What the search prints about the processes that the host has started. */
static char *search_outside(struct driver *d, const char *backwards)
{
	char *words[256] = {programs[4], xstrdup(backwards)};
	char text[512] = "";
	size_t count = 2;
	int out[2];
	pid_t pid;

	add_descendants(d->pid, words, &count, 254);
	if (pipe2(out, O_CLOEXEC))
		driver_fail(d, "no pipe");
	pid = fork();
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		execv(words[0], words);
		_exit(126);
	}
	close(out[1]);
	if (read(out[0], text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(out[0]);
	waitpid(pid, NULL, 0);
	for (size_t i = 1; i < count; i++)
		free(words[i]);
	return xstrdup(text);
}

/* Asks in a separate process, and returns a pipe with the answer. */
static int ask(struct driver *d, const char *text, pid_t *ret_pid)
{
	int out[2];

	if (pipe2(out, O_CLOEXEC))
		driver_fail(d, "no pipe");
	fflush(stdout);
	*ret_pid = fork();
	if (!*ret_pid) {
		const char *const words[] = {"send", "main", text, "--wait", NULL};
		char *answer = driver_run(d, words, NULL);

		_exit(write(out[1], answer, strlen(answer)) < 0);
	}
	close(out[1]);
	return out[0];
}

struct searched {
	char inside[512];
	char *outside;
};

/*
 * Claude Code runs the search and then reads from a FIFO; when that is open for reading, the
 * search is done, and all processes are still there.
 */
static void search(struct driver *d, const char *secret, struct searched *ret)
{
	CLEANUP(freep) char *backwards = turned_round(secret);
	CLEANUP(freep)
	char *text = xasprintf("run ./search %s; read -r line <gate; echo $line", backwards);
	CLEANUP(freep) char *fifo = path_of(d, "groups/main/gate");
	size_t len = 0;
	ssize_t got;
	pid_t pid;
	int answer;
	int gate;

	*ret = (struct searched){0};
	unlink(fifo);
	if (mkfifo(fifo, 0600))
		driver_fail(d, "no FIFO");
	answer = ask(d, text, &pid);
	gate = open(fifo, O_WRONLY | O_CLOEXEC);
	ret->outside = search_outside(d, backwards);
	if (write(gate, "done\n", 5) != 5)
		driver_fail(d, "nobody reads the FIFO");
	close(gate);
	while (len < sizeof(ret->inside) - 1 &&
		(got = read(answer, ret->inside + len, sizeof(ret->inside) - 1 - len)) > 0)
		len += (size_t)got;
	close(answer);
	waitpid(pid, NULL, 0);
	printf("# inside: %s# outside: %s", ret->inside, ret->outside);
}

struct hits {
	unsigned long files;
	unsigned long shown;
	unsigned long memory;
	unsigned long looked_files;
	unsigned long processes;
	unsigned long memories;
};

static struct hits hits_of(const char *text)
{
	const char *start = strstr(text, "files ");
	struct hits hits = {0};

	if (start)
		sscanf(start, "files %lu proc %lu memory %lu of %lu files %lu processes %lu",
			&hits.files, &hits.shown, &hits.memory, &hits.looked_files,
			&hits.processes, &hits.memories);
	return hits;
}

/* --- claims ------------------------------------------------------------------ */

/* Each request has the real key, and not the agent's placeholder. */
static bool requests_have_the_key(void)
{
	CLEANUP(freep) char *wanted = xasprintf("x-api-key: %s\n", key);
	bool ok = true;
	int count = 0;

	for (;; count++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf head = BUF_INIT;
		CLEANUP(freep)
		char *path = xasprintf("%s/talk-%d.headers", getenv("REQUESTS"), count + 1);

		if (file_read(path, 1 << 20, &head, &err) < 0)
			break;
		ok = ok && strstr(head.data, wanted) &&
		     !strstr(head.data, CREDENTIAL_PLACEHOLDER);
	}
	printf("# %d requests\n", count);
	return ok && count > 0;
}

static void look_for_the_key(struct tap *tap)
{
	struct searched searched;
	struct hits inside;
	struct hits outside;
	struct driver d;

	set_up(&d, "talk");
	driver_start_ready(&d);
	copy_program(&d, programs[4], "groups/main/search");
	search(&d, key, &searched);
	inside = hits_of(searched.inside);
	outside = hits_of(searched.outside);
	free(searched.outside);
	tap_result(tap, requests_have_the_key(), "requests reach the API with the key");
	tap_result(tap,
		inside.looked_files > 10 && inside.processes > 2 && inside.memories > 0 &&
			inside.files + inside.shown + inside.memory == 0,
		"no file, no process and no memory that the agent can read has it");
	tap_result(tap,
		outside.processes > 2 && outside.memories == outside.processes &&
			outside.shown + outside.memory == 0,
		"nor has any process of the sandbox, looked at from outside");
	search(&d, CREDENTIAL_PLACEHOLDER, &searched);
	inside = hits_of(searched.inside);
	outside = hits_of(searched.outside);
	free(searched.outside);
	tap_result(tap, inside.shown > 0 && inside.memory > 0 && outside.memory > 0,
		"while what it has in its place is found in all of them");
	tap_result(tap, driver_stop(&d) == 0, "the host ends");
	driver_release(&d);
}

static void look_for_a_planted_key(struct tap *tap)
{
	struct searched searched;
	struct hits inside;
	struct hits outside;
	struct driver d;

	set_up(&d, "talk");
	driver_set(&d, "NANOCLAW_AGENT_ENV", "PLANTED");
	driver_set(&d, "PLANTED", key);
	driver_start_ready(&d);
	copy_program(&d, programs[4], "groups/main/search");
	put(&d, "groups/main/planted", key);
	search(&d, key, &searched);
	inside = hits_of(searched.inside);
	outside = hits_of(searched.outside);
	free(searched.outside);
	tap_result(tap,
		inside.files > 0 && inside.shown > 0 && inside.memory > 0 &&
			outside.shown > 0 && outside.memory > 0,
		"a key that is there on purpose is found in all of them");
	driver_stop(&d);
	driver_release(&d);
}

static bool has_failed(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM turns WHERE failures > 0") > 0;
}

/* Until the first failure of the turn, every answer breaks off in the middle. */
static void lose_the_api(struct tap *tap)
{
	CLEANUP(freep) char *broken = xasprintf("%s/break", getenv("REQUESTS"));
	char text[256] = "";
	struct driver d;
	int answer;
	pid_t pid;

	close(open(broken, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	set_up(&d, "talk");
	driver_set(&d, "NANOCLAW_AGENT_ENV", "CLAUDE_CODE_MAX_RETRIES");
	driver_set(&d, "CLAUDE_CODE_MAX_RETRIES", "0");
	driver_set(&d, "NANOCLAW_RETRY_MS", "1");
	driver_set(&d, "NANOCLAW_TURN_TRIES", "100");
	driver_start_ready(&d);
	answer = ask(&d, "hello", &pid);
	driver_wait(&d, has_failed, NULL, "a turn fails");
	unlink(broken);
	if (read(answer, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(answer);
	waitpid(pid, NULL, 0);
	printf("# %s", text);
	tap_result(tap, strstr(text, ": hello\n") != NULL,
		"a turn whose answer broke off is tried again, and answered");
	driver_stop(&d);
	driver_release(&d);
}

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 5)
		return 2;
	programs = argv;
	programs[4] = realpath(argv[4], NULL);
	unsetenv("ANTHROPIC_API_KEY");
	make_key();
	look_for_the_key(&tap);
	look_for_a_planted_key(&tap);
	lose_the_api(&tap);
	return tap_end(&tap);
}
