/*
 * A gate (gate/gate.h) in a process of its own, in a folder of its own with a .env, and
 * connections to it, for tests.
 *
 *	place_start(&place, "http://127.0.0.1:8080", NULL)
 *	place_env(&place, "ANTHROPIC_API_KEY=one\n")
 *	fd = place_connect(&place)
 *	place_ask(fd, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n")
 *	place_read(fd, &reply)
 */
#ifndef PROXY_TEST_PLACE_H
#define PROXY_TEST_PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct place_counts {
	atomic_int refused;
	atomic_int failed;
	atomic_int used;
	atomic_int estimated; /* of these */
	atomic_long input;    /* tokens */
	atomic_long output;
	atomic_bool broke; /* there is no money left */
	char why[512];     /* the last one was refused, or failed */
	char what[256];
};

struct place {
	char *folder;
	pid_t pid;
	struct place_counts *counts;
};

struct place_options {
	const char *provider; /* NULL: "anthropic" */
	const char *url;
	const char *ca_file;
	uint64_t idle_ms;
	bool needs_key;
};

void place_start(struct place *place, const struct place_options *options);
/* Ends as it should? It frees everything before. */
bool place_stop(struct place *place);

/* Replaces .env, as an editor does. NULL takes it away. */
void place_env(struct place *place, const char *text);
char *place_path(const struct place *place, const char *name);

/* The most memory that it ever had, in KiB. */
long place_memory(const struct place *place);

int place_connect(const struct place *place);
void place_ask(int fd, const char *text);

struct reply {
	int status;
	struct buf head;
	struct buf body;
	bool whole; /* it ended as it said it would */
};

#define REPLY_INIT ((struct reply){.head = BUF_INIT, .body = BUF_INIT})

void reply_release(struct reply *reply);

/*
 * The next answer, to its end or until the connection is at its end. `without_body` is for
 * HEAD. Interim answers (1xx) are answers of their own.
 */
void place_read(int fd, bool without_body, struct reply *reply);

/* Only its head; the body is still to be read. What was read of it is in `reply->body`. */
void place_read_head(int fd, struct reply *reply);

/* place_ask() on a connection of its own, and place_read(). */
void place_once(const struct place *place, const char *text, struct reply *reply);

#endif
