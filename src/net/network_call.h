/*
 * Shared by http.c and stream/stream.c: a libcurl easy handle in a network.
 *
 *	network_call_open(network, &transfer->call, &type, url, 0, err);
 *	… set more options of transfer->call.easy with network_curl() …
 *	network_call_start(&transfer->call);
 *	… type.ended(), or type.drop() if it was cancelled …
 *	network_call_close(&transfer->call);
 */
#ifndef NET_NETWORK_CALL_H
#define NET_NETWORK_CALL_H

#include "net/libcurl.h"
#include "net/network.h"

struct network_call;

struct network_call_type {
	/* It ended: `why` is NULL, or the reason. The call is still open. */
	void (*ended)(struct network_call *call, const char *why);
	/* Close and free it, without notifying anybody. */
	void (*drop)(struct network_call *call);
};

/* The first member of a transfer or stream. */
struct network_call {
	struct network_call *next;
	struct network_call *previous;
	struct network *network;
	const struct network_call_type *type;
	CURL *easy;
	bool cancelled;
	char why[CURL_ERROR_SIZE];
};

/*
 * Create `easy`, with the options that all calls have. Set others with network_curl() before
 * network_call_start() starts it. `connect_ms` is 30 seconds if it is 0.
 */
int network_call_open(struct network *network, struct network_call *call,
	const struct network_call_type *type, const char *url, uint64_t connect_ms,
	struct error *err);
void network_call_start(struct network_call *call);

/* Drop it as soon as libcurl allows, which is not within its callbacks. */
void network_call_cancel(struct network_call *call);

/* After a pause. Callbacks of libcurl may run within it. */
void network_call_resume(struct network_call *call);

/* Not within a callback of libcurl. */
void network_call_close(struct network_call *call);

const struct libcurl *network_curl(const struct network *network);

#endif
