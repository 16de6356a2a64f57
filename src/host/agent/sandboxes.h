/*
 * The sandboxes of this host: which kinds work here, leftovers, and limits.
 *
 *	sandboxes_open(inst, …, &sandboxes, err)	at start: ends the leftovers of an earlier host
 *	sandboxes_known(sandboxes, …)		before a turn: was the kind tested?
 *	sandboxes_choose(sandboxes, …)		before an agent starts; no agent starts without
 *	sandboxes_stop(), sandboxes_free()
 *
 * The kind is that of the group's container.json, else the setting NANOCLAW_SANDBOX, else bwrap.
 * Each kind is tested with a real sandbox before it is used (probing.h): the setting or bwrap at
 * start, another kind when a group first needs it, and that group's turn waits. If no kind is
 * configured and bwrap does not work here, our own agents, which run no foreign program, use
 * landlock. Otherwise no agent starts: the person gets the reason as the answer, and the next
 * message tests the kind again.
 *
 * Every second, running sandboxes are compared with their limits (sandbox/watch.h), and every
 * minute leftovers are removed (sandbox/ownership.h).
 */
#ifndef HOST_AGENT_SANDBOXES_H
#define HOST_AGENT_SANDBOXES_H

#include "host/base/installation.h"
#include "sandbox/sandbox.h"

struct sandboxes;

struct queue;

/* Functions of the queue that it calls. */
struct sandboxes_handlers {
	struct queue *queue;
	/* Each second: compare the running ones with their limits (sandbox/watch.h). */
	void (*watch)(struct queue *queue);
	/* A kind was tested: sandboxes_known() may be true now. */
	void (*known)(struct queue *queue);
};

int sandboxes_open(struct installation *inst, const struct sandboxes_handlers *handlers,
	struct sandboxes **ret_sandboxes, struct error *err);

/* No more timers; agents may still end. */
void sandboxes_stop(struct sandboxes *sandboxes);
void sandboxes_free(struct sandboxes *sandboxes);

/* A sandbox has ended. Remains that cannot be removed at once are removed within seconds. */
void sandboxes_ended(struct sandboxes *sandboxes);

struct ownership *sandboxes_owner(const struct sandboxes *sandboxes);

struct sandbox_wish {
	const char *kind; /* the group's setting, or NULL */
	bool own_agent;   /* the agent is one of ours */
	bool stays_here;  /* NANOCLAW_SANDBOX does not send it to another machine */
};

/* Main's built-in agent, or a reader of files. */
#define SANDBOX_WISH_OWN ((struct sandbox_wish){NULL, true, true})

/*
 * Is it known which kind can be used? If not, a probe is running, and the queue checks again
 * when it ends.
 */
bool sandboxes_known(struct sandboxes *sandboxes, const struct sandbox_wish *wish);

/*
 * Chooses a kind that works here. ERROR_INVALID if the setting is wrong or no sandbox works;
 * then no agent may start.
 */
int sandboxes_choose(struct sandboxes *sandboxes, const struct sandbox_wish *wish,
	const struct sandbox_kind **ret_kind, struct error *err);

/* The image for podman and docker; NULL: the usual one. */
const char *sandboxes_image(const struct sandboxes *sandboxes);

#endif
