/*
 * Probes of `nanoclaw doctor` that need the store or the host (cli/doctor/doctor.h says
 * what a probe is). They are in nanoclaw-host, register themselves with HOST_PROBE(), and
 * run by `host-doctor`, in the order of their names. What all of them need has been
 * opened before; that it could not be is part of what they find.
 */
#ifndef CLI_HOST_DOCTOR_HOST_PROBE_H
#define CLI_HOST_DOCTOR_HOST_PROBE_H

#include "cli/doctor/doctor.h"
#include "cli/host/client.h"
#include "host/settings.h"
#include "store/store.h"

struct host_doctor {
	struct doctor findings;
	struct settings settings; /* empty if they cannot be read */
	struct error settings_error;
	struct store *store; /* NULL if it cannot be opened, or is not there */
	struct error store_error;
	struct client client;
	bool running; /* a host answers */
	struct error host_error;
	json_t *status; /* its answer to host_status, or NULL */
};

struct host_probe {
	const char *name;
	void (*run)(struct host_doctor *doctor);
};

/* As COMMAND() (cli/command.h). */
#define HOST_PROBE(identifier)                                                                 \
	static const struct host_probe host_probe_##identifier;                                \
	__attribute__((used, section("nanoclaw_host_probes"))) static const struct host_probe  \
		*const host_probe_pointer_##identifier = &host_probe_##identifier;             \
	static const struct host_probe host_probe_##identifier

/*
 * Can a program that is started in `folder` (an open one) be executed? One without a
 * slash is looked for in PATH.
 */
bool host_probe_can_run(const char *program, int folder);

/*
 * Does somebody hold the lock of the store (host/lock.h), who does not answer as a host?
 * It may be starting, ending or hanging; nothing is said about its processes then.
 */
bool host_probe_is_silent(const struct host_doctor *doctor);

#endif
