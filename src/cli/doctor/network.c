/* Do the hosts that agents may reach exist, and are they where agents may go? Looked up. */
#include <netdb.h>

#include "cli/doctor/doctor.h"
#include "group/container_file.h"
#include "net/address.h"

/* A person is waiting. */
#define MAX_NAMES 32

struct looking {
	struct doctor *doctor;
	const char *group;
	size_t names;
	size_t faults;
};

static void check_addresses(
	struct looking *looking, const char *host, const struct addrinfo *list)
{
	for (const struct addrinfo *a = list; a; a = a->ai_next) {
		const char *what = address_refused(a->ai_addr);
		char text[ADDRESS_TEXT_MAX];

		if (!what && address_is_own(a->ai_addr))
			what = "an address of this machine";
		if (!what)
			continue;
		address_text(a->ai_addr, text);
		looking->faults++;
		doctor_warning(looking->doctor, "network", NULL,
			"group '%s' may reach '%s', but that leads to '%s', which is %s: "
			"the host refuses it",
			looking->group, host, text, what);
		return;
	}
}

/* Names only: subdomains are unknown, and addresses were checked when they were read. */
static void host_look_up(struct looking *looking, const struct host_pattern *pattern)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *list = NULL;
	struct sockaddr_storage address;

	if (pattern->below || address_parse(pattern->host, 0, &address) ||
		looking->names >= MAX_NAMES)
		return;
	looking->names++;
	if (getaddrinfo(pattern->host, NULL, &hints, &list)) {
		looking->faults++;
		doctor_warning(looking->doctor, "network", NULL,
			"group '%s' may reach '%s', but that name does not exist",
			looking->group, pattern->host);
		return;
	}
	check_addresses(looking, pattern->host, list);
	freeaddrinfo(list);
}

/* Another probe reports a faulty file. */
static void network_check(struct looking *looking, const struct group *group)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (container_look(looking->doctor->project.root, group->folder, &container, NULL,
		    &ignored) < 0)
		return;
	looking->group = group->folder;
	for (size_t i = 0; i < container.hosts.count; i++)
		host_look_up(looking, &container.hosts.list[i]);
}

static void run_network(struct doctor *doctor)
{
	struct looking looking = {.doctor = doctor};

	for (size_t i = 0; i < doctor->groups.count; i++)
		network_check(&looking, &doctor->groups.list[i]);
	if (looking.names && !looking.faults)
		doctor_ok(doctor, "network", "allowed hosts with public addresses: %zu",
			looking.names);
}

PROBE(network) = {
	.name = "network",
	.of_assistant = true,
	.run = run_network,
};
