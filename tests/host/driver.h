/*
 * A project with a host, for tests that start, kill and question it.
 *
 *	struct driver d;
 *
 *	driver_init(&d, argv[1], argv[2], argv[3]);	nanoclaw, agent, bridge
 *	driver_group(&d, "g1", "test:1", false);
 *	driver_bridge(&d, "test", "plain");
 *	driver_start(&d, NULL);
 *	driver_feed(&d, "m1", "test:1", "m1 !fail-once");
 *	driver_wait(&d, enough, data, "every message is answered");
 *	driver_stop(&d);
 *	driver_release(&d);
 *
 * Everything is below one temporary folder, which is removed. A failure ends the test with a
 * message and the host's log. Only processes that this test started are killed.
 */
#ifndef HOST_TEST_DRIVER_H
#define HOST_TEST_DRIVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/view.h"

/* How long anything may take; not a measure of anything. */
#define DRIVER_PATIENCE_MS (20 * 60 * 1000)

struct driver_sent {
	char *key;
	char *chat;
	char *text;
};

struct driver {
	char *host; /* the programs, absolute */
	char *agent;
	char *bridge;
	char *root;
	char *platform; /* the folder of the bridge */
	pid_t pid;      /* of the host, or 0 */
	int inotify;
	struct driver_sent *sent; /* as far as driver_read_sent() has read */
	size_t sent_count;
	size_t sent_cap;
	long sent_offset;
	char **settings; /* "NAME=value" for the host */
	size_t setting_count;
	size_t setting_cap;
};

void driver_init(struct driver *d, const char *host, const char *agent, const char *bridge);
/* Also where bwrap does not work; driver_init() skips the whole test there. */
void driver_init_anywhere(
	struct driver *d, const char *host, const char *agent, const char *bridge);
void driver_release(struct driver *d);

void driver_set(struct driver *d, const char *name, const char *value);

/* With the host down: through its own store. */
void driver_group(struct driver *d, const char *folder, const char *jid, bool trigger);
void driver_bridge(struct driver *d, const char *name, const char *mode);
/* The same, for one that may owe an answer for so long only. */
void driver_bridge_hanging(
	struct driver *d, const char *name, const char *mode, int hang_seconds);

/* A connection to a socket in data/run, or -1. */
int driver_connect(struct driver *d, const char *name);

/* Add to what people say. */
void driver_feed(struct driver *d, const char *id, const char *chat, const char *text);

/* Tell the bridge "test" that there is more. It must have been started. */
void driver_nudge(struct driver *d);
void driver_signal_bridge(struct driver *d, int number);
/* False: it is not there just now; when it is started, it reads the feed. */
bool driver_try_signal(struct driver *d, int number);

/* How many lines a file below the root has; 0 if it is not there. */
unsigned driver_lines(struct driver *d, const char *name);

/* Start the host, with one more variable ("NAME=value") or NULL; it may die at once. */
void driver_start(struct driver *d, const char *variable);
/* Start it, and wait until it listens. */
void driver_start_ready(struct driver *d);
void driver_kill(struct driver *d);
/* SIGTERM; returns the exit code. */
int driver_stop(struct driver *d);
/* Wait for its end; returns as waitpid() says. */
int driver_reap(struct driver *d);
bool driver_is_alive(struct driver *d);

/* Read what is new in FOLDER/sent. */
void driver_read_sent(struct driver *d);

/* Until the condition holds, asked whenever a file has changed; ends the test if not. */
void driver_wait(struct driver *d, bool (*condition)(struct driver *d, void *data), void *data,
	const char *what);
/* The same, and false when the host has died first. */
bool driver_wait_alive(struct driver *d, bool (*condition)(struct driver *d, void *data),
	void *data, const char *what);

/* A number from the store: "SELECT count(*) …". */
int64_t driver_number(struct driver *d, const char *sql);

/* Run nanoclaw with these words; returns what it prints. */
char *driver_run(struct driver *d, const char *const *words, int *ret_exit);

/* How much memory the host has, in KiB. */
long driver_memory(struct driver *d);

/* splitmix64 */
unsigned driver_below(uint64_t *state, unsigned limit);

void __attribute__((noreturn, format(printf, 2, 3)))
driver_fail(struct driver *d, const char *format, ...);

#endif
