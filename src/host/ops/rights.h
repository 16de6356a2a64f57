/*
 * Rights: who may do what is decided here and nowhere else. Each operation names the right that
 * it needs (operation.h); docs/host.md shows the result.
 *
 * The person is anybody who can open the host's own socket: the user that it runs as. The socket
 * that an agent was given identifies its group. Whether that is main is read from the store at
 * the time of the call (L9), never from what an agent says.
 */
#ifndef HOST_OPS_RIGHTS_H
#define HOST_OPS_RIGHTS_H

#include <stdbool.h>

#include "base/error.h"
#include "db/store.h"

struct worker;

enum actor_kind {
	ACTOR_PERSON,
	ACTOR_GROUP,
};

struct actor {
	enum actor_kind kind;
	const char *folder;    /* of a group */
	struct worker *worker; /* of a group; may be NULL */
};

enum right {
	RIGHT_NONE,
	RIGHT_LIST_GROUPS, /* all of them */
	RIGHT_FIND_CHATS,
	RIGHT_REGISTER_GROUP,
	RIGHT_REMOVE_GROUP,
	RIGHT_SEND_ELSEWHERE,
	RIGHT_SEND, /* to its own chat */
	RIGHT_WRITE_GLOBAL_MEMORY,
	RIGHT_COMPOSE,
	RIGHT_LIST_CHANNELS,
	RIGHT_HOST_STATUS,
	RIGHT_CHOOSE_AGENT,
	RIGHT_SET_BOUNDS, /* settings of a group that bound its agent */
	RIGHT_CONFIGURE_GROUPS,
	RIGHT_TASKS, /* its own */
	RIGHT_TASKS_ELSEWHERE,
	RIGHT_WRITE_AUDIT,
	RIGHT_ASSIGN_SKILLS,
	RIGHT_MANAGE_SKILLS,
	RIGHT_STOP_TURNS,
	RIGHT_SCHEDULE_BACKUPS,
	RIGHT_COUNT,
};

/* The name that programs use: "send_elsewhere". */
const char *rights_name(enum right right);

/* Does the main group have it? Do other groups? A person has all rights. */
bool rights_of_main(enum right right);
bool rights_of_groups(enum right right);

int rights_allow(struct store *store, const struct actor *actor, enum right right,
	bool *ret_allowed, struct error *err);

/* All of them at once. */
int rights_all(struct store *store, const struct actor *actor, bool ret_rights[RIGHT_COUNT],
	struct error *err);

/* The same; ERROR_INVALID with the reason if it is not allowed. */
int rights_require(
	struct store *store, const struct actor *actor, enum right right, struct error *err);

#endif
