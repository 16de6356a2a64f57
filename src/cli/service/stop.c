/*
 * Ending the host of a project, however it was started, and having it start again in the
 * same process (SIGUSR1): a terminal or systemd then keeps what it has.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/assistant/assistant.h"
#include "cli/output.h"
#include "format/json.h"
#include "time/timestamp.h"

#define STOP_PATIENCE_MS 60000
#define LOOK_EVERY_MS    50

struct running {
	int pid; /* 0: none runs */
	int pidfd;
	int64_t since;
};

/* One that hangs is found, too, if it holds its socket. */
static int running_find(
	struct assistant *assistant, struct running *ret_running, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;

	*ret_running = (struct running){.pidfd = -1};
	if (client_connect(
		    assistant->project.root, &assistant->client, &assistant->running, err) < 0)
		return -1;
	if (!assistant->running)
		return 0;
	if (client_request(&assistant->client, json_pack("{s:s}", "op", "host_status"), &reply,
		    err) < 0)
		return -1;
	ret_running->pid = (int)json_number_value(json_object_get(reply, "pid"));
	timestamp_parse(view_of(json_string_value(json_object_get(reply, "since"))),
		&ret_running->since, err);
	ret_running->pidfd = (int)syscall(SYS_pidfd_open, ret_running->pid, 0);
	if (ret_running->pidfd < 0)
		return error_errno(err, "cannot watch the host (pid %d)", ret_running->pid);
	return 0;
}

static int running_signal(const struct running *running, int number, struct error *err)
{
	if (syscall(SYS_pidfd_send_signal, running->pidfd, number, NULL, 0) == 0 ||
		errno == ESRCH)
		return 0;
	return error_errno(err, "cannot end the host (pid %d)", running->pid);
}

static int run_stop(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct running running;
	struct pollfd end;

	(void)args;
	if (assistant_find(&assistant, err) < 0 || running_find(&assistant, &running, err) < 0)
		return -1;
	if (running.pid && running_signal(&running, SIGTERM, err) < 0)
		return -1;
	end = (struct pollfd){running.pidfd, POLLIN, 0};
	if (running.pid && poll(&end, 1, STOP_PATIENCE_MS) == 0) {
		error_set(
			err, ERROR_FAILED, "the host (pid %d) has not ended yet", running.pid);
		return error_hint(err,
			"it may wait for its disk; 'kill -9 %d' ends it at "
			"once, and loses nothing that is stored",
			running.pid);
	}
	if (cli->json)
		output_json(json_pack("{s:b, s:b}", "success", true, "stopped", running.pid));
	else if (running.pid)
		printf("the host (pid %d) is stopped\n", running.pid);
	else
		printf("no host is running here\n");
	return EXIT_DONE;
}

COMMAND(stop) = {
	.name = "stop",
	.summary = "stop the assistant's host",
	.description =
		"However it was started: by 'run', by 'start', or as a service, which then stays\n"
		"stopped until the next boot or login. Messages that are not answered yet are\n"
		"answered when a host runs again.",
	.section = SECTION_ASSISTANT,
	.run = run_stop,
};

/* Until a host with a later start answers. */
static int wait_for_return(
	struct assistant *assistant, const struct running *before, struct error *err)
{
	struct pollfd end = {before->pidfd, POLLIN, 0};
	int64_t start = timestamp_clock();

	while (timestamp_clock() < start + STOP_PATIENCE_MS) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		struct running now;

		client_release(&assistant->client);
		if (running_find(assistant, &now, &ignored) == 0 && now.pid &&
			now.since > before->since)
			return 0;
		if (poll(&end, 1, LOOK_EVERY_MS) > 0)
			break;
	}
	error_set(err, ERROR_FAILED, "the host did not start again");
	return error_hint(err, "'nanoclaw logs' says why");
}

static int run_restart(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct running running;

	(void)args;
	if (assistant_find(&assistant, err) < 0 || running_find(&assistant, &running, err) < 0)
		return -1;
	if (!running.pid) {
		error_set(err, ERROR_FAILED, "no host is running here");
		return error_hint(err, "'nanoclaw start' or 'nanoclaw run' starts one");
	}
	if (running_signal(&running, SIGUSR1, err) < 0 ||
		wait_for_return(&assistant, &running, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b, s:i}", "success", true, "pid", running.pid));
	else
		printf("the host (pid %d) has started again\n", running.pid);
	return EXIT_DONE;
}

COMMAND(restart) = {
	.name = "restart",
	.summary = "restart the assistant's host, which reads '.env' again",
	.description =
		"It goes on in the same terminal, or as the same service. A turn that is\n"
		"interrupted is repeated.",
	.section = SECTION_ASSISTANT,
	.run = run_restart,
};
