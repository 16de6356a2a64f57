#include "channels/irc/reach.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/stream/stream.h"

struct reaching {
	struct net_stream *stream;
	irc_reach_function function;
	void *data;
};

static void reaching_connected(void *data)
{
	struct reaching *reaching = data;

	net_stream_close(reaching->stream);
	reaching->function(reaching->data, NULL);
	free(reaching);
}

static void reaching_bytes(void *data, struct view bytes)
{
	(void)data;
	(void)bytes;
}

static void reaching_closed(void *data, const char *why)
{
	struct reaching *reaching = data;

	reaching->function(reaching->data, why ? why : "it closed the connection");
	free(reaching);
}

void irc_reach(struct network *network, const struct irc_settings *settings,
	irc_reach_function function, void *data)
{
	static const struct net_stream_handlers handlers = {
		reaching_connected, reaching_bytes, reaching_closed};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct net_stream_options options = {
		.host = settings->host,
		.port = settings->port,
		.plain = settings->plain,
	};
	struct reaching *reaching = xcalloc(1, sizeof(*reaching));

	reaching->function = function;
	reaching->data = data;
	if (net_stream_open(network, &options, &handlers, reaching, &reaching->stream, &err) <
		0)
		reaching_closed(reaching, err.message);
}
