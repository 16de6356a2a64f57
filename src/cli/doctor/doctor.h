/*
 * `nanoclaw doctor`: look at what everything else depends on.
 *
 * A probe is a file in src/cli/doctor/ that registers itself with PROBE(); nothing
 * else has to be edited. It tries things out and says what it found:
 *
 *	static void run(struct doctor *doctor)
 *	{
 *		if (broken)
 *			doctor_problem(doctor, "tap", "sudo apt-get install tap",
 *				"the tap is missing");
 *		else
 *			doctor_ok(doctor, "tap", "it drips");
 *	}
 *
 *	PROBE(tap) = {.name = "tap", .run = run};
 *
 * A probe reports what it finds, not what is configured. It never fails: if it cannot find
 * out, that is a warning. With `fix` it may mend what can be mended
 * without losing anything, and without installing anything.
 */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/entry.h"
#include "cli/assistant/client.h"
#include "engine/disk/ask.h"
#include "engine/disk/project.h"
#include "host/base/settings.h"
#include "ledger/groups.h"

enum finding_status {
	FINDING_OK,
	FINDING_WARNING, /* works, but needs attention */
	FINDING_PROBLEM, /* something does not work */
};

struct finding {
	char *name; /* what was checked: short and stable, for programs too */
	enum finding_status status;
	char *message;
	char *fix; /* the command that mends it, or NULL */
};

struct doctor {
	struct project project; /* or the current folder, if that is not a project */
	bool running;           /* an operation is at work in it */
	bool fix;
	bool refused;   /* the state is from a newer NanoClaw: none of our business */
	struct ask ask; /* asks before a change that may be unwanted; only with `fix` */
	struct finding *findings;
	size_t count;
	size_t cap;

	/* For probes of the assistant, opened before them. */
	struct settings settings; /* empty if they cannot be read */
	struct error settings_error;
	struct store *store; /* NULL if it cannot be opened or does not exist */
	struct error store_error;
	struct group_list groups; /* of the store */
	bool groups_known;        /* false: they cannot be read, which is a finding */
	struct client client;
	json_t *status; /* the answer of a running host to host_status, or NULL */
	struct error host_error;
};

#define DOCTOR_INIT ((struct doctor){.project = PROJECT_INIT, .client = CLIENT_INIT})

struct probe {
	const char *name;
	bool of_assistant; /* run after the others, and only where the assistant is used */
	void (*run)(struct doctor *doctor);
};

#define PROBE(identifier) ENTRY(probes, probe, identifier)

void doctor_add(struct doctor *doctor, enum finding_status status, const char *name,
	const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));

#define doctor_ok(doctor, name, ...) doctor_add(doctor, FINDING_OK, name, NULL, __VA_ARGS__)
#define doctor_warning(doctor, name, fix, ...)                                                 \
	doctor_add(doctor, FINDING_WARNING, name, fix, __VA_ARGS__)
#define doctor_problem(doctor, name, fix, ...)                                                 \
	doctor_add(doctor, FINDING_PROBLEM, name, fix, __VA_ARGS__)

/*
 * Is the assistant used here? If so, what its probes need is opened. Where the program has the engine
 * alone, it never is.
 */
bool doctor_open_assistant(struct doctor *doctor);
void doctor_close_assistant(struct doctor *doctor);

/* Can this program be executed? A path starts at `folder`; a name is looked for in PATH. */
bool doctor_can_run(const char *program, int folder);

/*
 * Does a process hold the lock of the store (host/base/lock.h) without answering as a host? It
 * may be starting, ending or hanging: a probe then says nothing about its processes.
 */
bool doctor_is_silent(const struct doctor *doctor);

/* "sudo apt-get install NAME" where apt is; NULL where it is not. To be freed. */
char *doctor_install(const char *package);

#endif
