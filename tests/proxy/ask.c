/*
 * ask URL [CA-FILE]: one request for /x through a gate whose API is at URL, with the key
 * "real-key". Prints the status, whether the answer was whole, and the answer.
 */
#include <signal.h>
#include <stdio.h>

#include "place.h"

int main(int argc, char **argv)
{
	CLEANUP(reply_release) struct reply reply;
	struct place place;

	if (argc < 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	place_start(&place,
		&(struct place_options){.url = argv[1], .ca_file = argc > 2 ? argv[2] : NULL});
	place_env(&place, "ANTHROPIC_API_KEY=real-key\n");
	place_once(&place, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	printf("%d %s %s\n", reply.status, reply.whole ? "whole" : "broken", reply.body.data);
	return place_stop(&place) ? 0 : 1;
}
