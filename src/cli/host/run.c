#include <unistd.h>

#include "cli/helper.h"
#include "cli/host/serve.h"
#include "cli/output.h"
#include "util/log.h"
#include "util/notify.h"

static void tell_ready(void *data)
{
	const struct place *place = data;

	log_note("the host of '%s' is running (pid %d); Ctrl-C stops it", place->project.path,
		(int)getpid());
	notify_tell("READY=1\nSTATUS=messages are taken");
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;

	(void)args;
	if (place_find(&place, err) < 0 || serve(&place, tell_ready, &place, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b}", "success", true));
	return EXIT_DONE;
}

COMMAND_RUN(run, "run", run);
