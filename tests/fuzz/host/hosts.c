/*
 * Any text as a host, and as an entry of a list: an accepted host is plain and has one form,
 * which parses to the same host again; and a list contains only public addresses.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "egress/hosts.h"
#include "net/address.h"

static void check_target(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	CLEANUP(host_target_release) struct host_target again = HOST_TARGET_INIT;
	CLEANUP(freep) char *written = NULL;
	struct sockaddr_storage address;

	if (host_target_parse(text, 80, &target, &err) < 0) {
		assert(err.kind == ERROR_INVALID && !target.host);
		return;
	}
	assert(target.port);
	assert(strlen(target.host) <= HOSTS_MAX_NAME);
	assert(!target.host[strspn(target.host, "abcdefghijklmnopqrstuvwxyz0123456789.-_:")]);
	assert(address_parse(target.host, 0, &address) == target.is_address);
	written = host_target_text(&target);
	assert(host_target_parse(view_of(written), 0, &again, &err) == 0);
	assert(host_target_equal(&target, &again) && target.is_address == again.is_address);
}

static void check_pattern(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(hosts_release) struct hosts hosts = HOSTS_INIT;
	CLEANUP(freep) char *written = NULL;
	struct sockaddr_storage address;

	if (hosts_add(&hosts, text, &err) < 0) {
		assert(err.kind == ERROR_INVALID && !hosts.count);
		return;
	}
	if (address_parse(hosts.list[0].host, 0, &address)) {
		assert(!hosts.list[0].below);
		assert(!address_refused((const struct sockaddr *)&address));
	}
	written = host_pattern_text(&hosts.list[0]);
	assert(hosts_add(&hosts, view_of(written), &err) == 0 && hosts.count == 2);
	assert(!strcmp(hosts.list[0].host, hosts.list[1].host));
	assert(hosts.list[0].port == hosts.list[1].port);
	assert(hosts.list[0].below == hosts.list[1].below);
}

FUZZ_TARGET(hosts)
{
	struct view text = {(const char *)data, len};

	check_target(text);
	check_pattern(text);
	return 0;
}
