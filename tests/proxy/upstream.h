/*
 * A server that plays the API, on loopback: what it does stands in the path of the request.
 *
 *	/echo			answers with the head and the body that it got
 *	/mirror/N		the head that it got, in chunks of N bytes
 *	/packed/gzip		the same compressed; /packed/own in a way that nobody knows
 *	/sse/ID/N		N events in chunks, made of ID
 *	/hold			one event; the second one at upstream_server_go()
 *	/big/N			N bytes, with their length; /bigchunked/N: in chunks
 *	/fast/N			N bytes that are always the same, as fast as it can
 *	/think/MS		five events, after so many milliseconds
 *	/die/N			N events, and then the connection ends without an end of chunks
 *	/short			half of the length that it says
 *	/closed			a body without a length, ended by the end of the connection
 *	/status/N		an answer with that status and no body
 *	/early			413 before the body was read
 *	/hints			an answer that is announced by two others
 *	/keyback		the key in a header of the answer, and in the name of another
 *	/silent			reads, and says nothing
 *	/stream			the body that it got, as a stream of events; /cut: and breaks off
 *	/plain			the body that it got, as JSON
 *	/odd/N			heads that are none
 *
 * It counts in memory that is shared with the test.
 */
#ifndef PROXY_TEST_UPSTREAM_H
#define PROXY_TEST_UPSTREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct upstream_counts {
	atomic_int connections; /* that were ever accepted */
	atomic_int open;
	atomic_int requests;
};

/* Its notifications, one byte each. */
#define UPSTREAM_CLOSED 'c' /* a connection is at its end */
#define UPSTREAM_STUCK  's' /* somebody does not read, for a while already */
#define UPSTREAM_ASKED  'r' /* a request has come, its body not yet */
#define UPSTREAM_READ   'b' /* and now its body; only /silent tells this */

struct upstream_server {
	pid_t pid;
	unsigned port;
	int events;
	int go;
	struct upstream_counts *counts;
};

void upstream_server_start(struct upstream_server *server);
void upstream_server_stop(struct upstream_server *server);

/* Waits until it tells this. */
void upstream_server_wait(struct upstream_server *server, char event);

/* Lets one go on that is held. */
void upstream_server_go(struct upstream_server *server);

/* Event `i` of the stream ID, as it is sent; `text` has room for UPSTREAM_EVENT_MAX. */
#define UPSTREAM_EVENT_MAX 256
int upstream_event(char *text, unsigned id, unsigned i);

/* Byte `i` of a big answer. */
unsigned char upstream_byte(uint64_t i);

#endif
