/*
 * Run something in a sandbox and wait for its end: for probes and tests. The host never waits;
 * it uses sandbox.h with its event loop.
 *
 *	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
 *
 *	if (trial_run(owner, &spec, 20000, &trial, err) < 0)
 *		return -1;	it could not be started
 *	… trial.exit_code, trial.output, trial.errors …
 */
#ifndef SANDBOX_TRIAL_H
#define SANDBOX_TRIAL_H

#include "base/buf.h"
#include "sandbox/ownership.h"
#include "sandbox/sandbox.h"

#define TRIAL_MAX_OUTPUT ((size_t)1024 * 1024)

struct trial {
	int exit_code;     /* 128 + N after signal N */
	char *killed;      /* the limit that it exceeded (watch.h), or NULL */
	bool timed_out;    /* it was killed at the time limit */
	struct buf output; /* at most TRIAL_MAX_OUTPUT each; the rest is dropped */
	struct buf errors;
};

#define TRIAL_INIT                                                                             \
	((struct trial){.output = BUF_INIT_MAX(TRIAL_MAX_OUTPUT),                              \
		.errors = BUF_INIT_MAX(TRIAL_MAX_OUTPUT)})

int trial_run(struct ownership *owner, const struct sandbox_spec *spec, int timeout_ms,
	struct trial *ret_trial, struct error *err);

void trial_release(struct trial *trial);

#endif
