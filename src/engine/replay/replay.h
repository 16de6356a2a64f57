/*
 * Rebuilds an installation from its record: `nanoclaw replay`.
 *
 *	CLEANUP(replay_result_release) struct replay_result result =
 *		REPLAY_RESULT_INIT;
 *
 *	if (replay(&project, &request, &options, &result, err) < 0)
 *		… result.differences say why
 *
 * All layers are staged again, in order, beginning with the core (restage.h), and each file is
 * compared with its hash in the state. If a file cannot be merged again in the same way, because
 * an update or a person produced it, the saved copy is used. No questions are asked: a file with
 * a different result and without a saved copy is a failure, and nothing is changed.
 *
 * There are three ways:
 *	in place	the project itself. Missing files are restored, also in .nanoclaw;
 *			the person's changes stay (unrecorded.h)
 *	fresh		a state from elsewhere, and the project is the core alone
 *	aside		`into` is a new folder, or an empty one: it becomes an installation of
 *			its own
 *
 * The folders next to a state from elsewhere are used: `applied`, `custom`, `objects`,
 * `resolutions`, `base`, as in .nanoclaw. A missing skill comes from its package, if that is the
 * version that was applied.
 */
#ifndef ENGINE_REPLAY_REPLAY_H
#define ENGINE_REPLAY_REPLAY_H

#include "engine/session/session.h"

#define REPLAY_OPERATION "replay"

struct replay_request {
	const char *state; /* a state file from elsewhere; NULL: the project's */
	const char *core;  /* a folder with the core; NULL: search for it */
	const char *into;  /* where to build it; NULL: in the project */
};

/* Why something is not as recorded. The first ones are not failures. */
enum replay_why {
	REPLAY_EDITED,    /* by the person, in place; it stays */
	REPLAY_RESTORED,  /* it was gone, in place; it is back */
	REPLAY_KEPT,      /* merging gives another result; the kept file is used */
	REPLAY_PACKAGE,   /* the skill is taken from its package */
	REPLAY_INSTALLED, /* a lockfile, which the install makes again */
	REPLAY_FATAL,     /* from here on */
	REPLAY_CONFLICT = REPLAY_FATAL, /* without a known resolution */
	REPLAY_HASH,                    /* the result has a different hash */
	REPLAY_CORE,                    /* the core's file is not the one */
	REPLAY_MISSING,                 /* an input is missing */
};

extern const char *const replay_why_names[];

struct replay_difference {
	char *path;
	enum replay_why why;
	char *note;     /* a sentence for people */
	char *recorded; /* a hash in hex; NULL: nothing should be there, or it does not matter */
	char *got;
};

struct replay_result {
	struct operation_result told;
	struct replay_difference *differences;
	size_t count, cap;
	char *where;   /* the folder that was built, or NULL: in place */
	size_t skills; /* how many layers there are */
	size_t patches;
	size_t files;   /* that they make, all as recorded */
	bool unchanged; /* there was nothing to change */
};

#define REPLAY_RESULT_INIT ((struct replay_result){.told = OPERATION_RESULT_INIT})

/* `project` must be locked, and recovered. */
int replay(const struct project *project, const struct replay_request *request,
	const struct operation_options *options, struct replay_result *ret_result,
	struct error *err);

void replay_result_release(struct replay_result *result);

#endif
