/*
 * Hosts by their names: the list that a group may reach, and what a request asks for.
 *
 *	"example.com"		this name, at ports 80 and 443
 *	"*.example.org"		every name below it, however deep, but not itself
 *	"example.com:8443"	at this port alone
 *	"93.184.216.34"		this address, if it is public (address.h)
 *	"[2606:4700::1111]:443"
 *
 *	CLEANUP(hosts_release) struct hosts hosts = HOSTS_INIT;
 *	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
 *
 *	hosts_add(&hosts, view_of("*.example.org"), err)
 *	host_target_parse(view_of("WWW.example.org.:443"), 0, &target, err)
 *	hosts_allow(&hosts, &target)
 *
 * Names are compared in one form: lower case, without the dot at the end. They are ASCII, with
 * labels of A-Z a-z 0-9 - _, and contain a dot: names of one label mean different things on
 * different machines. A name that ends in a number is an address, and must be written in the
 * usual form: "127.1", "2130706433" and "0x7f.0.0.1" are refused, because programs that take
 * them for addresses do not agree on which.
 *
 * ERROR_INVALID explains the fault, and its hint the correct form.
 */
#ifndef EGRESS_HOSTS_H
#define EGRESS_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define HOSTS_MAX_NAME 253

struct host_target {
	char *host; /* in the one form; an address without brackets */
	uint16_t port;
	bool is_address;
};

#define HOST_TARGET_INIT ((struct host_target){0})

/*
 * "host:port", as in a CONNECT or after http://. A missing port is `otherwise`, or
 * ERROR_INVALID if that is 0.
 */
int host_target_parse(struct view text, uint16_t otherwise, struct host_target *ret_target,
	struct error *err);

bool host_target_equal(const struct host_target *a, const struct host_target *b);

/* "example.com:443", "[::1]:443". To be freed. */
char *host_target_text(const struct host_target *target);

void host_target_release(struct host_target *target);

struct host_pattern {
	char *host;    /* without "*." */
	uint16_t port; /* 0: 80 and 443 */
	bool below;    /* names below it */
};

struct hosts {
	struct host_pattern *list;
	size_t count, cap;
};

#define HOSTS_INIT ((struct hosts){0})

int hosts_add(struct hosts *hosts, struct view pattern, struct error *err);

/* Is it in the list? `ret_name_only`: the name is, but with another port. */
bool hosts_allow(
	const struct hosts *hosts, const struct host_target *target, bool *ret_name_only);

/* As it would be written in the list. To be freed. */
char *host_pattern_text(const struct host_pattern *pattern);

void hosts_copy(const struct hosts *hosts, struct hosts *ret_copy);
void hosts_release(struct hosts *hosts);

#endif
