/*
 * Which kinds of sandboxes work here: each is tested with a real sandbox (sandbox_probe()), in a
 * separate process, because that can take a minute.
 *
 *	if (!probing_known(probing, kind))
 *		return;			come back after done()
 *	if (probing_result(probing, kind, err) < 0)
 *		…			why it does not work
 *
 * A kind that works is not tested again. A kind that failed is tested again at the next call
 * after its result was read.
 */
#ifndef HOST_AGENT_PROBING_H
#define HOST_AGENT_PROBING_H

#include <stdbool.h>
#include <uv.h>

#include "sandbox/sandbox.h"

struct probing;

struct probing_options {
	uv_loop_t *loop;
	const char *image;        /* as in sandbox_probe() */
	void (*done)(void *data); /* something has become known */
	void *data;
};

struct probing *probing_new(const struct probing_options *options);

/* Is the result known? If not, a probe is running. */
bool probing_known(struct probing *probing, const struct sandbox_kind *kind);

/* Known, and good. */
bool probing_works(const struct probing *probing, const struct sandbox_kind *kind);

/* 0, or why it does not work. Waits if it is not known yet. */
int probing_result(struct probing *probing, const struct sandbox_kind *kind, struct error *err);

/* Ends running probes. */
void probing_stop(struct probing *probing);
/* After the loop has ended. */
void probing_free(struct probing *probing);

#endif
