/*
 * A Messages API on loopback, for agents that ask it: each answer is a stream of events that
 * says it took 50,000 tokens in and 10,000 out, by the model that was asked for. For the one
 * that the test agent asks for, that is 30 cents.
 *
 *	played_api_start(&api);
 *	driver_set(&d, "ANTHROPIC_BASE_URL", api.url);
 *	…
 *	played_api_stop(&api);
 */
#ifndef HOST_TEST_PLAYED_API_H
#define HOST_TEST_PLAYED_API_H

#include <sys/types.h>

#define PLAYED_MODEL  "claude-sonnet-4-6"
#define PLAYED_TOKENS 60000
#define PLAYED_COST   300000 /* millionths of a dollar */

struct played_api {
	char *url;
	pid_t pid;
	int count; /* a pipe, with a byte for each answer */
};

void played_api_start(struct played_api *api);

/* How many answers it has given since it was asked last. */
unsigned played_api_answers(struct played_api *api);

void played_api_stop(struct played_api *api);

#endif
