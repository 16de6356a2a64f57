#include "host/agent/probing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/view.h"
#include "fs/sys.h"

/*
 * The output of the process: a message and a hint, each ending in a NUL; empty if the kind
 * works.
 */
#define MAX_WORDS ((size_t)16 * 1024)

enum probe_state {
	PROBE_UNKNOWN,
	PROBE_RUNNING,
	PROBE_WORKS,
	PROBE_FAILED,
};

struct probe {
	struct probing *probing;
	const struct sandbox_kind *kind;
	enum probe_state state;
	bool given; /* the result of one that failed */
	struct error why;
	pid_t pid;
	int words;
	uv_poll_t poll;
};

struct probing {
	struct probing_options options;
	struct probe *probes; /* of each kind */
	size_t count;
};

struct probing *probing_new(const struct probing_options *options)
{
	struct probing *probing = xcalloc(1, sizeof(*probing));

	probing->options = *options;
	while (sandbox_kinds()[probing->count])
		probing->count++;
	probing->probes = xcalloc(probing->count, sizeof(*probing->probes));
	for (size_t i = 0; i < probing->count; i++)
		probing->probes[i] = (struct probe){
			.probing = probing,
			.kind = sandbox_kinds()[i],
			.state = sandbox_kinds()[i]->elsewhere ? PROBE_WORKS : PROBE_UNKNOWN,
			.words = -1,
		};
	return probing;
}

static struct probe *probe_of(const struct probing *probing, const struct sandbox_kind *kind)
{
	struct probe *probe = probing->probes;

	while (probe->kind != kind)
		probe++;
	return probe;
}

static void probe_here(struct probe *probe)
{
	const struct probing_options *options = &probe->probing->options;

	error_clear(&probe->why);
	probe->given = false;
	probe->state = sandbox_probe(probe->kind, options->image, NULL, &probe->why) == 0
			       ? PROBE_WORKS
			       : PROBE_FAILED;
}

/* --- the process beside us ---------------------------------------------------- */

static void __attribute__((noreturn)) become_probe(struct probe *probe, int words, pid_t host)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	setpgid(0, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != host)
		_exit(EXIT_FAILURE);
	probe_here(probe);
	if (probe->state == PROBE_FAILED) {
		const char *hint = probe->why.hint ? probe->why.hint : "";

		sys_write_all(words, probe->why.message, strlen(probe->why.message) + 1);
		sys_write_all(words, hint, strlen(hint) + 1);
	}
	_exit(probe->state == PROBE_WORKS ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void read_result(struct probe *probe)
{
	CLEANUP(buf_release) struct buf words = BUF_INIT_MAX(MAX_WORDS);
	struct view rest;
	struct view text;
	int status = -1;
	ssize_t n = 1;

	while (n > 0) {
		size_t room = buf_reserve(&words, 1024);

		n = read(probe->words, words.data + words.len, room);
		buf_set_len(&words, words.len + (n > 0 ? (size_t)n : 0));
	}
	while (waitpid(probe->pid, &status, 0) < 0 && errno == EINTR)
		;
	probe->pid = 0;
	closep(&probe->words);
	probe->given = false;
	probe->state = status == 0 ? PROBE_WORKS : PROBE_FAILED;
	if (status == 0)
		return;
	error_clear(&probe->why);
	rest = view_of_buf(&words);
	if (!view_next(&rest, '\0', &text))
		text = view_of("the sandbox could not be tried");
	error_set(&probe->why, ERROR_FAILED, "%.*s", VIEW_ARGS(text));
	if (view_next(&rest, '\0', &text) && text.len)
		error_hint(&probe->why, "%.*s", VIEW_ARGS(text));
}

static void probe_ended(uv_poll_t *poll, int status, int events)
{
	struct probe *probe = poll->data;
	struct probing *probing = probe->probing;

	(void)status;
	(void)events;
	uv_poll_stop(poll);
	uv_close((uv_handle_t *)poll, NULL);
	read_result(probe);
	probing->options.done(probing->options.data);
}

/* The process writes just before it ends, so this read does not block. */
static void probe_start(struct probe *probe)
{
	pid_t host = getpid();
	int words[2];

	if (pipe2(words, O_CLOEXEC) < 0) {
		probe_here(probe);
		return;
	}
	probe->pid = fork();
	if (!probe->pid)
		become_probe(probe, words[1], host);
	close(words[1]);
	if (probe->pid < 0) {
		close(words[0]);
		probe_here(probe);
		return;
	}
	probe->words = words[0];
	probe->state = PROBE_RUNNING;
	uv_poll_init(probe->probing->options.loop, &probe->poll, probe->words);
	probe->poll.data = probe;
	uv_poll_start(&probe->poll, UV_READABLE | UV_DISCONNECT, probe_ended);
}

bool probing_known(struct probing *probing, const struct sandbox_kind *kind)
{
	struct probe *probe = probe_of(probing, kind);

	if (probe->state == PROBE_UNKNOWN || (probe->state == PROBE_FAILED && probe->given))
		probe_start(probe);
	return probe->state != PROBE_RUNNING;
}

bool probing_works(const struct probing *probing, const struct sandbox_kind *kind)
{
	return probe_of(probing, kind)->state == PROBE_WORKS;
}

int probing_result(struct probing *probing, const struct sandbox_kind *kind, struct error *err)
{
	struct probe *probe = probe_of(probing, kind);

	if (probe->state == PROBE_UNKNOWN)
		probe_here(probe);
	if (probe->state == PROBE_WORKS)
		return 0;
	probe->given = true;
	if (probe->state == PROBE_RUNNING)
		return error_set(err, ERROR_BUSY, "the sandbox is still being tested");
	error_set(err, probe->why.kind, "%s", probe->why.message);
	return probe->why.hint ? error_hint(err, "%s", probe->why.hint) : -1;
}

void probing_stop(struct probing *probing)
{
	for (size_t i = 0; i < probing->count; i++) {
		struct probe *probe = &probing->probes[i];

		if (probe->state != PROBE_RUNNING)
			continue;
		uv_poll_stop(&probe->poll);
		uv_close((uv_handle_t *)&probe->poll, NULL);
		kill(probe->pid, SIGKILL);
		read_result(probe);
	}
}

void probing_free(struct probing *probing)
{
	for (size_t i = 0; i < probing->count; i++)
		error_release(&probing->probes[i].why);
	free(probing->probes);
	free(probing);
}
