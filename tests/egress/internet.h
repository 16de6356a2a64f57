/*
 * An internet for a test, in a network of its own: every address there is, of IPv4 and IPv6,
 * leads to the servers here, and so does the DNS.
 *
 *	internet_enter()	this process and all that it starts are in it; false where the
 *				kernel or the user does not let us
 *	internet_open(&net)	its servers: DNS, web, and the proxy without any check
 *
 * No packet leaves the machine: the network has a loopback device, and a route that says that
 * all addresses are local (as `ip route add local default dev lo` does). A web server cannot
 * tell a public address from a private one, and so it says "SECRET" at all that must not be
 * reached: everything but PUBLIC_V4 and PUBLIC_V6.
 *
 * Names are in names.h. The proxy (naive.c) is what an attempt has to get through first, to
 * show anything when it does not get through the gate.
 */
#ifndef EGRESS_INTERNET_H
#define EGRESS_INTERNET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#define PUBLIC_V4  "93.184.216.34"
#define PUBLIC_V6  "2606:2800:220:1::34"
#define OWN_PUBLIC "93.184.216.99" /* an address of the machine itself */

/* Where the proxy without checks listens: at the port that the gate has inside. */
#define NAIVE_PORT 8484

#define ABSTRACT_NAME "egress-of-the-host"

/* What the servers have done. */
struct internet_facts {
	atomic_uint secrets;  /* answers with SECRET, at whatever address */
	atomic_uint requests; /* of the web, all */
	atomic_ullong sent;   /* of the last big answer */
	atomic_uint lookups;  /* questions to the DNS */
	atomic_uint held;     /* of these, not answered yet (names.h) */
};

struct internet {
	struct internet_facts *facts;
	pid_t pids[8];
	int count;
};

bool internet_enter(void);
void internet_open(struct internet *net);

/* From now on, a question to the DNS waits half a minute for its answer. */
void internet_wait_for_names(void);
void internet_close(struct internet *net);

/* --- its parts, each of which serves for ever --------------------------------- */

void dns_serve(int fd, struct internet_facts *facts);
void web_serve(int fd, struct internet_facts *facts);
void naive_serve(int fd);

#endif
