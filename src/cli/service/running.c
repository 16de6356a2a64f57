#include "cli/service/running.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/json.h"
#include "host/base/lock.h"
#include "time/timestamp.h"

#define RESTART_PATIENCE_MS 60000
#define LOOK_EVERY_MS       50

int running_find(struct assistant *assistant, struct running *ret_running, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(running_release) struct running running = RUNNING_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *since;
	const char *program;

	client_release(&assistant->client);
	if (client_connect(
		    assistant->project.root, &assistant->client, &assistant->running, err) < 0)
		return -1;
	if (!assistant->running) {
		*ret_running = RUNNING_INIT;
		return 0;
	}
	if (client_request(&assistant->client, json_build("op:s", "host_status"), &reply, err) <
		0)
		return -1;
	running.pid = (int)json_number_value(json_object_get(reply, "pid"));
	since = json_string_value(json_object_get(reply, "since"));
	if (since)
		timestamp_parse(view_of(since), &running.since, &ignored);
	program = json_string_value(json_object_get(reply, "program"));
	running.program = program ? xstrdup(program) : NULL;
	running.channels = json_incref(json_object_get(reply, "channels"));
	running.pidfd = (int)syscall(SYS_pidfd_open, running.pid, 0);
	if (running.pidfd < 0)
		return error_errno(err, "cannot watch the host (pid %d)", running.pid);
	*ret_running = running;
	running = RUNNING_INIT;
	return 0;
}

int running_find_locked(
	struct assistant *assistant, struct running *ret_running, struct error *err)
{
	CLEANUP(running_release) struct running running = RUNNING_INIT;

	if (running_find(assistant, ret_running, err) < 0)
		return -1;
	if (ret_running->pid)
		return 0;
	running.pid = lock_host(assistant->project.root);
	if (!running.pid)
		return 0;
	running.pidfd = (int)syscall(SYS_pidfd_open, running.pid, 0);
	/* It may have ended in between, and another may have its pid. */
	if (running.pidfd < 0 || lock_host(assistant->project.root) != running.pid)
		return 0;
	*ret_running = running;
	running = RUNNING_INIT;
	return 0;
}

void running_release(struct running *running)
{
	closep(&running->pidfd);
	free(running->program);
	json_decref(running->channels);
}

int running_signal(const struct running *running, int number, struct error *err)
{
	if (syscall(SYS_pidfd_send_signal, running->pidfd, number, NULL, 0) == 0 ||
		errno == ESRCH)
		return 0;
	return error_errno(err, "cannot end the host (pid %d)", running->pid);
}

bool running_wait_end(const struct running *running, int ms)
{
	struct pollfd end = {running->pidfd, POLLIN, 0};

	return poll(&end, 1, ms) > 0;
}

int running_restart(
	struct assistant *assistant, const struct running *running, struct error *err)
{
	int64_t start;

	if (running_signal(running, SIGUSR1, err) < 0)
		return -1;
	/* Until a host that was started at another time answers. */
	start = timestamp_steady();
	while (timestamp_steady() < start + RESTART_PATIENCE_MS) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(running_release) struct running now = RUNNING_INIT;

		if (running_find(assistant, &now, &ignored) == 0 && now.pid &&
			now.since != running->since)
			return 0;
		if (running_wait_end(running, LOOK_EVERY_MS))
			break;
	}
	error_set(err, ERROR_FAILED, "the host did not start again");
	return error_hint(err, "'nanoclaw logs' says why");
}
