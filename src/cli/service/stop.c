/*
 * Stop the host of a project, however it was started, or restart it in the same process
 * (SIGUSR1), which keeps its terminal or its systemd unit.
 */
#include <signal.h>
#include <stdio.h>

#include "cli/output.h"
#include "cli/service/running.h"

#define STOP_PATIENCE_MS 60000

static int run_stop(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(running_release) struct running running = RUNNING_INIT;

	(void)args;
	if (assistant_find(&assistant, err) < 0 ||
		running_find_locked(&assistant, &running, err) < 0)
		return -1;
	if (running.pid && running_signal(&running, SIGTERM, err) < 0)
		return -1;
	if (running.pid && !running_wait_end(&running, STOP_PATIENCE_MS)) {
		error_set(
			err, ERROR_FAILED, "the host (pid %d) has not ended yet", running.pid);
		return error_hint(err,
			"it may be waiting for its disk; 'kill -9 %d' ends it at once and loses no stored data",
			running.pid);
	}
	if (cli->json)
		output_success("stopped:b", running.pid);
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

static int run_restart(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(running_release) struct running running = RUNNING_INIT;

	(void)args;
	if (assistant_find(&assistant, err) < 0 ||
		running_find_locked(&assistant, &running, err) < 0)
		return -1;
	if (!running.pid) {
		error_set(err, ERROR_FAILED, "no host is running here");
		return error_hint(err, "'nanoclaw start' or 'nanoclaw run' starts one");
	}
	if (running_restart(&assistant, &running, err) < 0)
		return -1;
	if (cli->json)
		output_success("pid:i", running.pid);
	else
		printf("the host (pid %d) has started again\n", running.pid);
	return EXIT_DONE;
}

COMMAND(restart) = {
	.name = "restart",
	.summary = "restart the assistant's host, which reads '.env' again",
	.description =
		"It continues in the same terminal, or as the same service. A turn that is\n"
		"interrupted is repeated.",
	.section = SECTION_ASSISTANT,
	.run = run_restart,
};
