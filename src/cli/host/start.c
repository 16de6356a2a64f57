/*
 * The host and a chat with it, together. Who ends what:
 *
 *	Ctrl-D, the end of a pipe	the chat ends, stops the host, and waits for it
 *	Ctrl-C, SIGTERM, SIGHUP, SIGKILL,
 *	a closed terminal or pipe	the chat dies of it at once; the kernel tells the
 *					host, which stops by itself
 *	the host ends, or is killed	the chat says so, and is exit code 1
 *
 * Nothing is lost in any of these cases: what was said is stored when it is
 * acknowledged, and is answered when a host runs again.
 */
#include <signal.h>
#include <stdio.h>

#include "cli/helper.h"
#include "cli/host/serve.h"
#include "cli/host/welcome.h"
#include "util/log.h"

static bool host_is_there(const struct place *place)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(client_release) struct client client = CLIENT_INIT;
	bool running = false;

	client_connect(place->project.root, &client, &running, &ignored);
	return running;
}

static int begin(struct cli *cli, struct place *place, bool stay, struct server *server,
	struct error *err)
{
	if (host_is_there(place))
		return 0;
	if (cli->interactive && !cli->yes && welcome_is_due(place) &&
		welcome(cli, place, err) < 0)
		return -1;
	if (server_start(place, stay, server, err) == 0)
		return 0;
	/* Somebody else was faster. */
	if (!host_is_there(place))
		return -1;
	error_clear(err);
	return 0;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	struct server server = SERVER_INIT;
	bool stay = helper_flag(args, "stay");
	int result;

	if (place_find(&place, err) < 0 || begin(cli, &place, stay, &server, err) < 0)
		return -1;
	result = helper_function(command_find("chat"))(cli, args, err);
	if (server.pid && stay)
		log_note(
			"the host goes on (pid %d); 'kill %d' ends it", server.pid, server.pid);
	server_stop(&server);
	return result;
}

COMMAND_RUN(start, "start", run);
