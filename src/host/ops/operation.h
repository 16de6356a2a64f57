/*
 * An operation of the host, which a person at the terminal or an agent can call.
 *
 * operation_table.c has one row for each. Everything that depends on the operation comes from
 * its row: who may call it, the check of its arguments, the MCP tool that agents see (tools.h),
 * the help of commands' options, and the table in docs/host.md, which `make docs` writes and a
 * test compares. Adding one takes a row and the function that carries it out.
 */
#ifndef HOST_OPS_OPERATION_H
#define HOST_OPS_OPERATION_H

#include <jansson.h>

#include "host/base/registry.h"
#include "host/base/settings.h"
#include "host/chat/pairing.h"
#include "host/ops/argument.h"
#include "host/ops/rights.h"

struct auditing;
struct backups;
struct delivery;
struct installation;
struct media;
struct queue;
struct scheduler;

/* The parts of a running host that operations use. */
struct operations_desk {
	struct installation *inst;
	struct auditing *auditing;
	struct backups *backups;
	struct delivery *delivery;
	struct media *media;
	struct queue *queue;
	struct scheduler *scheduler; /* NULL: the host stops */
	unsigned messages_said;      /* outside of turns */
	struct pairing pairing;      /* of a chat with a group, if a person began one */
};

/* A call, as the function that carries it out sees it. */
struct call {
	const struct operation *operation;
	const struct actor *actor;
	const struct registry *registry;
	const struct settings *settings;
	struct store *store;
	struct operations_desk
		*host;     /* NULL: none is running, and a command has the store to itself */
	json_t *arguments; /* checked; only the given ones */
	json_t *reply;
	int64_t now;
};

enum operation_effect {
	OPERATION_READS,
	OPERATION_ADDS,
	OPERATION_CHANGES, /* repeating the call changes nothing more */
};

#define OPERATION_MAX_ARGUMENTS 12

struct operation {
	const char *name;
	const char *description;
	enum right right; /* needed to call it; RIGHT_NONE: none */
	enum right
		elsewhere; /* needed for another group than the caller's own, or RIGHT_NONE */
	enum operation_effect effect;
	bool live;           /* needs a running host */
	const char *title;   /* of the MCP tool; NULL: agents have no such tool */
	const char *example; /* correct arguments for the tool, as JSON */
	const char *see;     /* the hint for a model, where the usual one is for a terminal */
	const char *done;    /* the tool's answer; NULL: the reply, as JSON */
	const char *commit;  /* runs in one transaction, which has this name; or NULL */
	int (*run)(struct call *call, struct error *err);
	struct argument arguments[OPERATION_MAX_ARGUMENTS]; /* ends with an empty one */
};

/* All of them, sorted by name; ends with one that has no name. */
extern const struct operation operation_table[];

/* Or NULL. */
const struct operation *operation_find(const char *name);
const struct argument *operation_argument(const struct operation *operation, const char *name);

/*
 * The known arguments of the operation, as a new object. ERROR_INVALID names everything that is
 * wrong. With `model` they must match the schema of the tool; otherwise null counts as not
 * given, and unknown arguments are ignored.
 */
int operation_read(const struct operation *operation, const json_t *given, bool model,
	json_t **ret_arguments, struct error *err);

/* --- for the functions that carry them out ------------------------------------ */

/* NULL if it was not given. */
const char *call_text(const struct call *call, const char *name);

bool call_flag(const struct call *call, const char *name);

/*
 * The group in the argument "group", or the caller's own. A caller without the right to other
 * groups is refused before anything about the group is revealed.
 */
int call_group(const struct call *call, struct group *ret_group, struct error *err);

/* A group, as replies and commands show it. */
json_t *group_json(const struct group *group);

/* Is this the caller's own group? */
bool call_is_own(const struct call *call, const char *folder);

#endif
