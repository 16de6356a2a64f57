/*
 * The sandboxes of this host: which kind they are, whether they can be made, and what becomes
 * of those that are left or use too much.
 *
 *	sandboxes_open(host, err)		at start: what an earlier host has left is ended
 *	sandboxes_check(host, kind, err)	before an agent starts; there is no way around
 *it sandboxes_close(host)
 *
 * The kind is that of the group's container.json, else the setting NANOCLAW_SANDBOX, else
 * bwrap. Each kind is tried out with a real sandbox the first time that it is needed, bwrap or
 * the setting at start. If that fails, no agent of that kind starts: the person gets the reason
 * as the answer, and it is tried again with the next message.
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

/* `own` is what the group says, or NULL. ERROR_INVALID if the setting is wrong. */
int sandboxes_kind(const struct sandboxes *sandboxes, const char *own,
	enum sandbox_kind *ret_kind, struct error *err);

/* ERROR_INVALID: no sandbox, no agent. */
int sandboxes_check(struct sandboxes *sandboxes, enum sandbox_kind kind, struct error *err);

/* The image for podman and docker; NULL: the usual one. */
const char *sandboxes_image(const struct sandboxes *sandboxes);

#endif
