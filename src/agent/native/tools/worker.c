#include "agent/native/tools/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/clean_text.h"
#include "fs/sys.h"
#include "time/timestamp.h"

#define WORKER_MS 60000

/* On top of the agent's own memory when it starts a worker. */
#define WORKER_MEMORY ((rlim_t)256 * 1024 * 1024)

/* What a worker writes: this, the text, the image. */
struct worker_head {
	bool is_error;
	char image_type[16];
	size_t text_len;
	size_t image_len;
};

void worker_run(const struct builtin *builtin, const struct tool_place *place,
	const json_t *input, struct tool_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (builtin->run(place, input, result, &err) < 0) {
		tool_result_release(result);
		*result = TOOL_RESULT_INIT;
		result->is_error = true;
		buf_appendf(&result->text, "%s: %s", builtin->name, err.message);
	}
	clean_text_bound(&result->text, place->max);
}

/* --- in the worker ----------------------------------------------------------- */

/* The size of the address space, including what sanitizers reserve. */
static rlim_t worker_size(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void worker_confine(void)
{
	static const int reset[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
	struct sigaction usual = {.sa_handler = SIG_DFL};
	rlim_t size = worker_size();
	struct rlimit none = {0, 0};
	struct rlimit seconds = {WORKER_MS / 1000 + 1, WORKER_MS / 1000 + 1};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < ARRAY_SIZE(reset); i++)
		sigaction(reset[i], &usual, NULL);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &seconds);
	if (size)
		setrlimit(RLIMIT_AS,
			&(struct rlimit){size + WORKER_MEMORY, size + WORKER_MEMORY});
}

static void __attribute__((noreturn)) worker_be(int out, const struct builtin *builtin,
	const struct tool_place *place, const json_t *input)
{
	struct tool_result result = TOOL_RESULT_INIT;
	struct worker_head head = {0};

	worker_confine();
	worker_run(builtin, place, input, &result);
	head.is_error = result.is_error;
	head.text_len = result.text.len;
	head.image_len = result.image.len;
	if (result.image_type)
		snprintf(head.image_type, sizeof(head.image_type), "%s", result.image_type);
	if (sys_write_all(out, &head, sizeof(head)) == 0 &&
		sys_write_all(out, result.text.data, result.text.len) == 0)
		sys_write_all(out, result.image.data, result.image.len);
	_exit(0);
}

/* --- in the agent ------------------------------------------------------------ */

int worker_start(struct worker *worker, const struct builtin *builtin,
	const struct tool_place *place, const json_t *input, struct error *err)
{
	int pipes[2];
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, "cannot make a pipe");
	pid = fork();
	if (!pid)
		worker_be(pipes[1], builtin, place, input);
	closep(&pipes[1]);
	if (pid < 0) {
		error_errno(err, "cannot start a process");
		closep(&pipes[0]);
		return -1;
	}
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	*worker = (struct worker){
		.builtin = builtin,
		.pid = pid,
		.out = pipes[0],
		.heard = BUF_INIT,
		.deadline_ms = timestamp_steady() + WORKER_MS,
	};
	return 0;
}

bool worker_ended(struct worker *worker)
{
	for (;;) {
		ssize_t got;

		buf_reserve(&worker->heard, 64 * 1024);
		got = read(worker->out, worker->heard.data + worker->heard.len, 64 * 1024);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0 || errno != EAGAIN;
		buf_set_len(&worker->heard, worker->heard.len + (size_t)got);
	}
}

/* False: the output is incomplete. */
static bool worker_take(const struct buf *heard, struct tool_result *result)
{
	struct worker_head head;

	if (heard->len < sizeof(head))
		return false;
	memcpy(&head, heard->data, sizeof(head));
	if (heard->len - sizeof(head) != head.text_len + head.image_len)
		return false;
	result->is_error = head.is_error;
	buf_append(&result->text, heard->data + sizeof(head), head.text_len);
	buf_append(&result->image, heard->data + sizeof(head) + head.text_len, head.image_len);
	if (*head.image_type)
		result->image_type = xstrdup(head.image_type);
	return true;
}

void worker_finish(struct worker *worker, struct tool_result *result, const char *why)
{
	int status = 0;

	if (why)
		kill(worker->pid, SIGKILL);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (why || !worker_take(&worker->heard, result)) {
		result->is_error = true;
		buf_appendf(&result->text, "%s: %s", worker->builtin->name,
			why ? why : "this needs more memory than is allowed; ask for less");
	}
	closep(&worker->out);
	buf_release(&worker->heard);
}
