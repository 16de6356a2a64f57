/*
 * What the way through a gate costs an agent: relay, gate and libcurl, against a connection to
 * the same API on loopback. That one answers at once, or takes 20 ms; a real one takes ten
 * times that before its first event.
 *
 *	bench-proxy RELAY
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/view.h"
#include "place.h"
#include "relay.h"
#include "timing.h"
#include "upstream.h"

#define RUNS      500
#define BIG_RUNS  5
#define BIG_BYTES 500000000ull

/* From the request to the first byte of an event; the rest is read, too. */
static int64_t first_event(int fd, const char *path)
{
	CLEANUP(freep)
	char *text =
		xasprintf("POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody", path);
	CLEANUP(buf_release) struct buf got = BUF_INIT;
	int64_t start = timing_now();
	int64_t took = 0;
	char piece[4096];
	ssize_t len;

	place_ask(fd, text);
	while ((len = read(fd, piece, sizeof(piece))) > 0) {
		buf_append(&got, piece, (size_t)len);
		if (!took && strstr(got.data, "event:"))
			took = timing_now() - start;
		if (view_ends_with(view_of_buf(&got), "\r\n0\r\n\r\n"))
			return took;
	}
	exit(1);
}

static int64_t event_at_once(int fd)
{
	return first_event(fd, "/think/0");
}

static int64_t event_after_thinking(int fd)
{
	return first_event(fd, "/think/20");
}

static int64_t whole_answer(int fd)
{
	static char piece[65536];
	CLEANUP(reply_release) struct reply reply;
	CLEANUP(freep)
	char *text = xasprintf("GET /fast/%llu HTTP/1.1\r\nHost: h\r\n\r\n", BIG_BYTES);
	unsigned long long left = BIG_BYTES;
	int64_t start = timing_now();

	place_ask(fd, text);
	place_read_head(fd, &reply);
	while (left) {
		ssize_t len = read(fd, piece, sizeof(piece));

		if (len <= 0)
			exit(1);
		left -= (unsigned long long)len;
	}
	return timing_now() - start;
}

static double median_of(int fd, int64_t (*measure)(int fd), size_t runs)
{
	int64_t times[RUNS];

	measure(fd); /* connections and libraries */
	for (size_t i = 0; i < runs; i++)
		times[i] = measure(fd);
	return timing_median(times, runs);
}

static void compare(
	const char *what, int direct, int through, int64_t (*measure)(int fd), size_t runs)
{
	double without = median_of(direct, measure, runs);
	double with = median_of(through, measure, runs);

	printf("proxy: %-37s %6.2f  of  a direct connection  (%.3f ms)\n", what, with / without,
		with / 1e6);
}

int main(int argc, char **argv)
{
	CLEANUP(freep) char *url = NULL;
	CLEANUP(freep) char *socket = NULL;
	struct upstream_server server;
	struct relay relay;
	struct place place;
	int direct;
	int through;

	if (argc != 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	setenv("no_proxy", "127.0.0.1", 1);
	upstream_server_start(&server);
	url = xasprintf("http://127.0.0.1:%u", server.port);
	place_start(&place, &(struct place_options){.url = url});
	place_env(&place, "ANTHROPIC_API_KEY=real-key\n");
	socket = place_path(&place, "gate.sock");
	relay_start(&relay, argv[1], socket);
	direct = relay_connect(server.port);
	through = relay_connect(relay.port);
	compare("first event, API answers at once", direct, through, event_at_once, RUNS);
	compare("first event, API takes 20 ms", direct, through, event_after_thinking,
		RUNS / 5);
	compare("an answer of 500 MB", direct, through, whole_answer, BIG_RUNS);
	close(direct);
	close(through);
	relay_stop(&relay);
	place_stop(&place);
	upstream_server_stop(&server);
	return 0;
}
