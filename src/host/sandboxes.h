/*
 * The sandboxes of this host: which kind they are, whether they can be made, and what becomes
 * of those that are left or use too much.
 *
 *	sandboxes_open(host, err)		at start: what an earlier host has left is ended
 *	sandboxes_choose(host, ...)		before an agent starts; no agent starts without
 *	sandboxes_close(host)
 *
 * The kind is that of the group's container.json, else the setting NANOCLAW_SANDBOX, else
 * bwrap. Each kind is tried out with a real sandbox the first time that it is needed, bwrap or
 * the setting at start. If nobody chose a kind and bwrap does not work here, our own agents,
 * which run no foreign program, use landlock. Otherwise no agent starts: the person gets the
 * reason as the answer, and it is tried again with the next message.
 *
 * Every second those that run are compared with their limits (sandbox/watch.h), and every
 * minute leftovers are looked for (sandbox/ownership.h).
 */
#ifndef HOST_SANDBOXES_H
#define HOST_SANDBOXES_H

#include "host/parts.h"
#include "sandbox/sandbox.h"

struct sandboxes;

int sandboxes_open(struct host *host, struct sandboxes **ret_sandboxes, struct error *err);

/* No more timers; agents may still end. */
void sandboxes_stop(struct sandboxes *sandboxes);
void sandboxes_free(struct sandboxes *sandboxes);

/* One of them has ended. What cannot be removed at once is, within seconds. */
void sandboxes_ended(struct sandboxes *sandboxes);

struct ownership *sandboxes_owner(const struct sandboxes *sandboxes);

/*
 * A kind that works here. `wanted` is what the group says, or NULL; `own_agent`: the agent is
 * one of ours. ERROR_INVALID if the setting is wrong, or there is no sandbox: then no agent.
 */
int sandboxes_choose(struct sandboxes *sandboxes, const char *wanted, bool own_agent,
	enum sandbox_kind *ret_kind, struct error *err);

/* The image for podman and docker; NULL: the usual one. */
const char *sandboxes_image(const struct sandboxes *sandboxes);

#endif
