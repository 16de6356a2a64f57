/*
 * Where new versions of the core come from, for `nanoclaw update` without a source:
 *
 * 1. where the last update came from: a folder that still exists, or a git repository
 * 2. the remote 'upstream', else 'origin', of the project's git repository
 *
 *	if (upstream_open(&project, to, &ask, &upstream, err) < 0)
 *		return -1;
 *	... update to upstream.source, and record upstream.shown ...
 *	upstream_close(&upstream);
 *
 * git fetches, and only after a person has agreed, the newest tag that is a version, or the one
 * named by `to`, else the default branch. It fetches into a temporary folder, so the project's own
 * repository does not change.
 */
#ifndef CLI_SKILLS_UPSTREAM_H
#define CLI_SKILLS_UPSTREAM_H

#include "engine/disk/ask.h"
#include "engine/disk/project.h"
#include "fs/scratch.h"

struct upstream {
	char *source; /* a folder with the whole new core */
	char *shown;  /* what to record, or NULL: the folder itself */
	struct scratch scratch;
};

#define UPSTREAM_INIT ((struct upstream){.scratch.fd = -1})

/* ERROR_INVALID if nothing says where the core comes from, or nobody is there to agree. */
int upstream_open(const struct project *project, const char *to, const struct ask *ask,
	struct upstream *ret_upstream, struct error *err);

void upstream_close(struct upstream *upstream);

#endif
