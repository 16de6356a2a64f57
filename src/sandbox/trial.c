#include "sandbox/trial.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "sandbox/internal.h"
#include "sandbox/watch.h"

#define PULSE_MS    100
#define CLEAR_TRIES 1000 /* of a millisecond */

static void stream_read(struct pollfd *stream, struct buf *ret_text)
{
	char chunk[4096];
	ssize_t got = read(stream->fd, chunk, sizeof(chunk));

	if (got > 0)
		buf_append(ret_text, chunk, (size_t)got);
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		stream->fd = -1; /* poll() leaves it out */
}

static void trial_watch(struct sandbox *sandbox, struct watch *watch, struct trial *trial)
{
	const char *why;

	watch_look(watch);
	why = watch_verdict(watch, sandbox);
	if (why && !trial->killed)
		trial->killed = xstrdup(why);
}

/* Until it has ended, and its output with it. */
static void trial_attend(
	struct sandbox *sandbox, struct child *child, int timeout_ms, struct trial *trial)
{
	CLEANUP(watch_release) struct watch watch = WATCH_INIT;
	int64_t end = sandbox_now_ms() + timeout_ms;
	int64_t next_look = sandbox_now_ms() + PULSE_MS;
	struct pollfd fds[] = {
		{child->pidfd, POLLIN, 0}, {child->out, POLLIN, 0}, {child->errors, POLLIN, 0}};

	while (!(fds[0].revents & POLLIN)) {
		poll(fds, ARRAY_SIZE(fds), PULSE_MS);
		if (fds[1].revents)
			stream_read(&fds[1], &trial->output);
		if (fds[2].revents)
			stream_read(&fds[2], &trial->errors);
		if (sandbox_now_ms() >= next_look) {
			trial_watch(sandbox, &watch, trial);
			next_look = sandbox_now_ms() + PULSE_MS;
		}
		trial->timed_out |= sandbox_now_ms() > end;
		if (trial->timed_out || trial->killed)
			child_signal(child, SIGKILL);
	}
	/* Read the rest from the pipes. */
	for (int i = 1; i < 3; i++)
		while (fds[i].fd >= 0 && poll(&fds[i], 1, 0) == 1)
			stream_read(&fds[i], i == 1 ? &trial->output : &trial->errors);
}

int trial_run(struct ownership *owner, const struct sandbox_spec *spec, int timeout_ms,
	struct trial *ret_trial, struct error *err)
{
	struct sandbox *sandbox;
	struct child child;

	if (sandbox_prepare(owner, spec, &sandbox, err) < 0)
		return -1;
	if (child_start(sandbox_command(sandbox), &child, err) < 0) {
		sandbox_ended(sandbox);
		return -1;
	}
	sandbox_started(sandbox, child.pid);
	close(child.in);
	child.in = -1;
	trial_attend(sandbox, &child, timeout_ms, ret_trial);
	child_signal(&child, SIGKILL);
	ret_trial->exit_code = child_reap(&child);
	child_release(&child);
	for (int i = 0; i < CLEAR_TRIES && !sandbox_is_clear(sandbox); i++)
		poll(NULL, 0, 1);
	sandbox_ended(sandbox);
	return 0;
}

void trial_release(struct trial *trial)
{
	buf_release(&trial->output);
	buf_release(&trial->errors);
	free(trial->killed);
}
