/* Names that are allowed, or look so, and lead elsewhere. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../attempt.h"
#include "../lenient.h"

CONNECT_TO(unlisted_name, "connect to a host that is not in the list", "evil.example:443");
CONNECT_TO(longer_name, "connect to a name that begins like a listed one",
	"allowed.example.evil.example:80");
CONNECT_TO(name_other_port, "connect to a listed host at another port", "allowed.example:22");
CONNECT_TO(name_to_private, "connect to a private address by a name", "private.t.example:80");
CONNECT_TO(name_to_private2, "connect to another private address by a name",
	"private2.t.example:443");
CONNECT_TO(
	name_to_loopback, "connect to the host's loopback by a name", "loopback.t.example:80");
CONNECT_TO(name_to_loopback6, "connect to the host's loopback by a name of IPv6",
	"loopback6.t.example:80");
CONNECT_TO(name_to_metadata, "connect to the metadata of a cloud by a name",
	"metadata.t.example:80");
CONNECT_TO(name_to_metadata6, "connect to the metadata of a cloud by a name of IPv6",
	"metadata6.t.example:80");
CONNECT_TO(name_to_cloud, "connect to a cloud's own address by a name", "cloud.t.example:80");
CONNECT_TO(name_to_carrier, "connect behind a carrier's NAT by a name", "carrier.t.example:80");
CONNECT_TO(name_to_zero, "connect to 0.0.0.0 by a name", "zero.t.example:80");
CONNECT_TO(
	name_to_reserved, "connect to a reserved address by a name", "reserved.t.example:80");
CONNECT_TO(name_to_own, "connect to the machine itself by a name", "own.t.example:80");
CONNECT_TO(name_to_mapped, "connect to a private address within IPv6 by a name",
	"mapped.t.example:80");
CONNECT_TO(name_to_compatible, "connect to a private address in the old form by a name",
	"compatible.t.example:80");
CONNECT_TO(
	name_to_nat64, "connect to a private address by a name of NAT64", "nat64.t.example:80");
CONNECT_TO(name_to_6to4, "connect to a private address by a name of 6to4",
	"sixtofour.t.example:80");
CONNECT_TO(name_to_teredo, "connect by a name of Teredo", "teredo.t.example:80");
CONNECT_TO(name_to_unique, "connect to a private address of IPv6 by a name",
	"unique.t.example:80");
CONNECT_TO(name_to_site, "connect to a site-local address by a name", "sitelocal.t.example:80");
CONNECT_TO(one_of_two, "connect to a name with a public and a private address",
	"mixed.t.example:80");
CONNECT_TO(
	one_of_each, "connect to a name that is private by IPv6 only", "mixed6.t.example:80");
CONNECT_TO(first_of_two, "connect to a name whose first address is a cloud's own",
	"first.t.example:80");
CONNECT_TO(last_of_two, "connect to a name whose second address is a cloud's own",
	"last.t.example:80");
CONNECT_TO(last_is_own, "connect to a name whose second address is the machine's",
	"last-own.t.example:80");
CONNECT_TO(one_of_many, "connect to a name with one private among many addresses",
	"many.t.example:80");
CONNECT_TO(alias, "connect to a private address behind aliases", "alias.t.example:80");
REQUEST(upper_case, "pass a private name in upper case, with a dot at its end",
	"private.t.example:80",
	"CONNECT PRIVATE.t.EXAMPLE.:80 HTTP/1.1\r\nHost: PRIVATE.t.EXAMPLE.:80\r\n\r\n");
REQUEST(plain_name, "ask for a page of a private address by its name", "private.t.example:80",
	"GET http://private.t.example/ HTTP/1.1\r\nHost: private.t.example\r\n\r\n");
REQUEST(user_info, "hide a host behind the name of an allowed one", "http://allowed.example@",
	"GET http://allowed.example@10.0.0.1/ HTTP/1.1\r\nHost: allowed.example\r\n\r\n");
REQUEST(user_info_port, "hide a host behind the port of an allowed one",
	"http://allowed.example:80@",
	"GET http://allowed.example:80@10.0.0.1/ HTTP/1.1\r\nHost: allowed.example\r\n\r\n");
REQUEST(user_info_connect, "hide a host behind an allowed one in a CONNECT",
	"allowed.example:443@",
	"CONNECT allowed.example:443@10.0.0.1:80 HTTP/1.1\r\nHost: allowed.example:443\r\n\r\n");
REQUEST(backslash, "hide a host behind a backslash", "a request",
	"GET http://allowed.example\\@10.0.0.1/ HTTP/1.1\r\nHost: allowed.example\r\n\r\n");
REQUEST(encoded, "hide a dot of a name", "http://allowed.example%2e",
	"GET http://allowed.example%2e@10.0.0.1/ HTTP/1.1\r\nHost: allowed.example\r\n\r\n");
REQUEST(through_itself, "go through the proxy a second time", "127.0.0.1:8484",
	"CONNECT 127.0.0.1:8484 HTTP/1.1\r\nHost: 127.0.0.1:8484\r\n\r\n"
	"GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\nConnection: close\r\n\r\n");

static const char get[] = "GET / HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n\r\n";

/* The first time the name is public, ever after it is private. */
ATTEMPT(rebinding, MUST_NOT, "connect where a name leads a moment after it was checked",
	".rebind.t.example:80")
{
	CLEANUP(freep)
	char *target = xasprintf("x%d-%llu.rebind.t.example:80", (int)getpid(), attempt_number);
	enum outcome outcome = REFUSED;

	for (int i = 0; i < 3 && outcome != GOT_THROUGH; i++) {
		CLEANUP(buf_release) struct buf answer = BUF_INIT;

		tunnel(target, get, &answer);
		outcome = outcome_of(&answer);
		say("%d: %.*s; ", i, (int)strcspn(answer.data, "\r"), answer.data);
		if (i && outcome == HARMLESS)
			return WRONG;
	}
	return outcome;
}

/* As a client does it that follows: each step is a request to the proxy. */
static enum outcome follow(const char *to, const char *target)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(buf_release) struct buf next = BUF_INIT;
	CLEANUP(freep)
	char *first = xasprintf("GET http://allowed.example/redirect?%s HTTP/1.1\r\n"
				"Host: allowed.example\r\nConnection: close\r\n\r\n",
		to);
	CLEANUP(freep) char *location = xasprintf("Location: %s\r\n", to);
	CLEANUP(freep)
	char *second = xasprintf(
		"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", to, target);

	exchange(first, strlen(first), &answer);
	if (!strstr(answer.data, location)) {
		say("%s", answer.data);
		return WRONG;
	}
	if (!strncmp(to, "https", 5))
		tunnel(target, get, &next);
	else
		exchange(second, strlen(second), &next);
	say("%.*s ", (int)strcspn(next.data, "\r"), next.data);
	return outcome_of(&next);
}

ATTEMPT(redirect, MUST_NOT, "follow a redirect to a private address", "10.0.0.1:80")
{
	return follow("http://10.0.0.1/", "10.0.0.1");
}

ATTEMPT(redirect_name, MUST_NOT, "follow a redirect to a private name", "private.t.example:80")
{
	return follow("http://private.t.example/", "private.t.example");
}

ATTEMPT(redirect_https, MUST_NOT, "follow a redirect from http to https",
	"private.t.example:443")
{
	return follow("https://private.t.example/", "private.t.example:443");
}

/* Four look-ups, if it may have as many at a time. Ends without waiting for their end. */
ATTEMPT(held_names, BOUND, "hold up the others with names that nobody answers", "held.")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	int fds[4];

	for (int i = 0; i < 4; i++) {
		CLEANUP(freep)
		char *request = xasprintf("CONNECT held.%d.%llu.t.example:80 HTTP/1.1\r\n"
					  "Host: held.%d.%llu.t.example:80\r\n\r\n",
			i, attempt_number, i, attempt_number);

		fds[i] = open_proxy();
		send_text(fds[i], request);
	}
	for (int i = 0; i < 4; i++) {
		read_until(fds[i], "\r\n\r\n", &answer);
		close(fds[i]);
	}
	return answer.len ? BOUNDED : WRONG;
}

ATTEMPT(released_name, MAY, "connect while others wait for names", "release.t.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	static const char ask[] = "GET / HTTP/1.1\r\nHost: release.t.example\r\n\r\n";

	return tunnel("release.t.example:80", ask, &answer) == 200 ? WORKS : WRONG;
}

ATTEMPT(silent_name, BOUND, "wait for a name that nobody answers", "silent.t.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	return tunnel("silent.t.example:80", get, &answer) >= 500 ? BOUNDED : WRONG;
}

ATTEMPT(unknown_name, BOUND, "wait for a name that is none", "unknown.t.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	return tunnel("unknown.t.example:80", get, &answer) == 502 ? BOUNDED : WRONG;
}

ATTEMPT(closed_port, BOUND, "wait for a port where nobody listens", "noport.t.example:9")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	return tunnel("noport.t.example:9", get, &answer) == 502 ? BOUNDED : WRONG;
}
