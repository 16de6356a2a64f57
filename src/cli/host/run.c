#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/helper.h"
#include "cli/host/place.h"
#include "cli/output.h"
#include "host/host.h"
#include "util/log.h"
#include "util/timestamp.h"

#define LOCK_PATIENCE_MS 5000
#define LOCK_WAIT_MS     50

static void tell_ready(void *data)
{
	const struct place *place = data;

	log_note("the host of '%s' is running (pid %d); Ctrl-C stops it", place->project.path,
		(int)getpid());
}

/* Also one that does not answer. */
static bool is_running(struct place *place)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool running = false;

	if (client_connect(place->project.root, &place->client, &running, &err) < 0)
		return err.kind == ERROR_BUSY;
	client_release(&place->client);
	return running;
}

/* A command may hold the lock for a moment; a host holds it for good. */
static int run_host(struct place *place, struct error *err)
{
	struct host_options options = {
		.root_path = place->project.path,
		.root = place->project.root,
		.ready = tell_ready,
		.data = place,
	};
	int64_t start = timestamp_clock();

	for (;;) {
		if (host_run(&options, err) == 0)
			return 0;
		if (err->kind != ERROR_BUSY || is_running(place) ||
			timestamp_clock() >= start + LOCK_PATIENCE_MS)
			break;
		error_clear(err);
		poll(NULL, 0, LOCK_WAIT_MS);
	}
	if (err->kind == ERROR_BUSY) {
		error_clear(err);
		error_set(err, ERROR_BUSY, "a host is running in '%s' already",
			place->project.path);
		error_hint(err, "'nanoclaw status' shows it");
	}
	return -1;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;

	(void)args;
	if (place_find(&place, err) < 0 || run_host(&place, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b}", "success", true));
	return EXIT_DONE;
}

COMMAND_RUN(run, "run", run);
