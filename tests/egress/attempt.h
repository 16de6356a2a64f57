/*
 * Attempts to reach forbidden hosts from inside a sandbox:
 *
 *	attempt PORT NAME [NUMBER]
 *
 * talks to the proxy at 127.0.0.1:PORT and prints the outcome, such as "refused: …". egress.c
 * runs each attempt first against the proxy without checks (naive.c), where it must reach the
 * SECRET, and then in a sandbox with the gate.
 *
 *	REQUEST(private_address, "connect to a private address", "10.0.0.1:80",
 *		"CONNECT 10.0.0.1:80 HTTP/1.1\r\nHost: 10.0.0.1:80\r\n\r\n")
 *
 * is an attempt that consists of one request. The third argument is its name in the audit log;
 * "" if it never reaches the host. An attempt with several steps is a function:
 *
 *	ATTEMPT(redirect, MUST_NOT, "follow a redirect", "private.t.example:80") { … }
 */
#ifndef EGRESS_ATTEMPT_H
#define EGRESS_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum outcome {
	GOT_THROUGH, /* to the SECRET */
	REFUSED,
	HARMLESS, /* an answer, but not the SECRET */
	BOUNDED,
	WORKS,
	WRONG, /* what must work does not, or is not bounded */
};

enum attempt_kind {
	MUST_NOT,  /* get through, but does without the gate; it is refused */
	NO_EFFECT, /* the same, but it may be answered with something harmless */
	BOUND,     /* it may, within bounds */
	MAY,       /* it has to work */
};

struct attempt {
	const char *name;
	enum attempt_kind kind;
	const char *claim;
	const char *logged;
	const char *bytes; /* of a request, … */
	size_t len;
	enum outcome (*run)(void); /* … or NULL */
};

#define REGISTER(identifier, ...)                                                              \
	static const struct attempt attempt_##identifier = {#identifier, __VA_ARGS__};         \
	__attribute__((used, section("egress_attempts"))) static const struct attempt          \
		*const attempt_pointer_##identifier = &attempt_##identifier

#define REQUEST(identifier, claim, logged, bytes)                                              \
	REGISTER(identifier, MUST_NOT, claim, logged, bytes, sizeof(bytes) - 1, NULL)

#define ANSWERED_REQUEST(identifier, claim, logged, bytes)                                     \
	REGISTER(identifier, NO_EFFECT, claim, logged, bytes, sizeof(bytes) - 1, NULL)

#define CONNECT_TO(identifier, claim, target)                                                  \
	REQUEST(identifier, claim, target,                                                     \
		"CONNECT " target " HTTP/1.1\r\nHost: " target "\r\n\r\n")

#define ATTEMPT(identifier, kind, claim, logged)                                               \
	static enum outcome try_##identifier(void);                                            \
	REGISTER(identifier, kind, claim, logged, NULL, 0, try_##identifier);                  \
	static enum outcome try_##identifier(void)

extern const struct attempt *const __start_egress_attempts[];
extern const struct attempt *const __stop_egress_attempts[];

/* --- for the functions -------------------------------------------------------- */

extern unsigned attempt_port;
extern unsigned long long attempt_number;

/* For the one who reads the test's output. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A connection to the proxy; ends the program if there is none. */
int open_proxy(void);

/* Reads until there is `until`, or to the end. */
void read_until(int fd, const char *until, struct buf *out);

/* Send, say no more, and read to the end. */
void exchange(const void *bytes, size_t len, struct buf *out);

/* A whole tunnel: the status of the CONNECT, and what came through it. */
int tunnel(const char *target, const char *bytes, struct buf *out);

/* The meaning of an answer. */
enum outcome outcome_of(const struct buf *answer);

#endif
