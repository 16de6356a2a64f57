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
 * A probe does not tell what is configured, but what is really there. It never fails:
 * what it cannot find out is a warning. With `fix` it may mend what can be mended
 * without losing anything, and without installing anything.
 */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/disk/ask.h"
#include "engine/disk/project.h"

enum finding_status {
	FINDING_OK,
	FINDING_WARNING, /* works, but somebody should look */
	FINDING_PROBLEM, /* something does not work */
};

extern const char *const finding_status_names[];

struct finding {
	char *name; /* what was looked at: short, stable, for programs too */
	enum finding_status status;
	char *message;
	char *fix; /* the command that mends it, or NULL */
};

struct doctor {
	struct project project; /* the current folder, if it is none */
	bool running;           /* an operation is at work in it */
	bool fix;
	bool refused;   /* the state is from a newer NanoClaw: none of our business */
	struct ask ask; /* for what may be wanted or not; only with `fix` */
	struct finding *findings;
	size_t count;
	size_t cap;
};

#define DOCTOR_INIT ((struct doctor){.project = PROJECT_INIT})

struct probe {
	const char *name;
	void (*run)(struct doctor *doctor);
};

/* As COMMAND() (cli/command.h). */
#define PROBE(identifier)                                                                      \
	static const struct probe probe_##identifier;                                          \
	__attribute__((used, section("nanoclaw_probes"))) static const struct probe            \
		*const probe_pointer_##identifier = &probe_##identifier;                       \
	static const struct probe probe_##identifier

void doctor_ok(struct doctor *doctor, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void doctor_warning(struct doctor *doctor, const char *name, const char *fix,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
void doctor_problem(struct doctor *doctor, const char *name, const char *fix,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Open the project and run all probes, in the order of their names. An operation that
 * was interrupted is undone before, as by every command; that it cannot be is a finding.
 * Fails only where there is no folder to work in.
 */
int doctor_run(struct doctor *doctor, struct error *err);

/*
 * The findings for a program, [{name, status, message, fix}]; and taken over from
 * another program that has looked. What is no such list is ignored.
 */
json_t *doctor_json(const struct doctor *doctor);
void doctor_take(struct doctor *doctor, const json_t *findings);

/* Is the assistant used here? It has a store or bridges then. */
bool doctor_has_assistant(const struct doctor *doctor);

/* "sudo apt-get install NAME" where apt is; NULL where it is not. To be freed. */
char *doctor_install(const char *package);

/* How many findings have this status. */
size_t doctor_count(const struct doctor *doctor, enum finding_status status);

void doctor_release(struct doctor *doctor);

#endif
