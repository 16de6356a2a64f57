/*
 * Make an installation again, from what is recorded about it: `nanoclaw replay`.
 *
 *	CLEANUP(reproduce_result_release) struct reproduce_result result =
 *		REPRODUCE_RESULT_INIT;
 *
 *	if (reproduce(&project, &request, &options, &result, err) < 0)
 *		… result.differences say why
 *
 * All layers are staged again, in their order, from the core on (replay.h), and each file
 * is compared with the hash that the state has for it. What cannot be merged again in the
 * same way, since it came about by an update or was settled by a person, is taken as it
 * was kept. Nobody is asked: a file that comes out differently, and that is not kept, is
 * a failure, and then nothing was changed.
 *
 * There are three ways:
 *	in place	the project itself. What is missing comes back, also in .nanoclaw;
 *			what the person changed stays (unrecorded.h)
 *	fresh		a state from elsewhere, and the project is the core alone
 *	aside		`into` is a new folder, or an empty one: it becomes an installation of
 *			its own
 *
 * What there is beside a state from elsewhere is used: `applied`, `custom`, `objects`,
 * `resolutions`, `base`, as in .nanoclaw. A skill that is not there is taken from its
 * package, if that is the one that was applied.
 */
#ifndef ENGINE_OPERATION_REPRODUCE_H
#define ENGINE_OPERATION_REPRODUCE_H

#include "engine/stack/session.h"

#define REPRODUCE_OPERATION "replay"

struct reproduce_request {
	const char *state; /* a file from elsewhere; NULL: that of the project */
	const char *core;  /* a folder with the core; NULL: as it is found */
	const char *into;  /* where to build it; NULL: in the project */
};

/* Why something is not as recorded. The first few are no failure. */
enum reproduce_why {
	REPRODUCE_EDITED,    /* by the person, in place; it stays */
	REPRODUCE_RESTORED,  /* it was gone, in place; it is back */
	REPRODUCE_KEPT,      /* merging gives something else; what was kept is used */
	REPRODUCE_PACKAGE,   /* the skill is taken from its package */
	REPRODUCE_INSTALLED, /* a lockfile, which the install makes again */
	REPRODUCE_FATAL,     /* from here on */
	REPRODUCE_CONFLICT = REPRODUCE_FATAL, /* and nobody knows how to settle it */
	REPRODUCE_HASH,                       /* the result has another one */
	REPRODUCE_CORE,                       /* the core's file is not the one */
	REPRODUCE_MISSING,                    /* what it should be made from */
};

extern const char *const reproduce_why_names[];

struct reproduce_difference {
	char *path;
	enum reproduce_why why;
	char *note;     /* a sentence for people */
	char *recorded; /* a hash in hex; NULL: nothing should be there, or it is no matter */
	char *got;
};

struct reproduce_result {
	struct apply_result told;
	struct reproduce_difference *differences;
	size_t count, cap;
	char *where;   /* the folder that was built, or NULL: in place */
	size_t skills; /* how many layers there are */
	size_t patches;
	size_t files;   /* that they make, all as recorded */
	bool unchanged; /* there was nothing to change */
};

#define REPRODUCE_RESULT_INIT ((struct reproduce_result){.told = APPLY_RESULT_INIT})

/* `project` must be locked, and recovered. */
int reproduce(const struct project *project, const struct reproduce_request *request,
	const struct apply_options *options, struct reproduce_result *ret_result,
	struct error *err);

void reproduce_result_release(struct reproduce_result *result);

#endif
