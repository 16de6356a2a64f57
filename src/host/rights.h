/*
 * Who may do what: decided here, and nowhere else.
 *
 *	operation		person	main	another group
 *	list_groups		yes	yes	itself only
 *	find_chats		yes	yes	no
 *	register_group		yes	yes	no
 *	remove_group		yes	yes	no
 *	send_message		yes	any	to its own chat only
 *	write_global_memory,	yes	yes	no
 *	  remember_globally
 *	compose			yes	no	no
 *	list_channels		yes	yes	no
 *	current_turn		none	its own	its own
 *	get_rights		yes	yes	yes
 *	write_audit		yes	no	no
 *	schedule_task, list_tasks,	yes	any	its own
 *	  update_task, pause_task,
 *	  resume_task, cancel_task,
 *	  get_task_runs
 *	host_status		yes	no	no
 *	choose the agent of	yes	no	no
 *	  a new group
 *	get_group_config,	yes	yes	no
 *	  set_group_config
 *	… of "sandbox",	yes	no	no
 *	  "network", "budget"
 *	assign_skill,		yes	yes	no
 *	  unassign_skill
 *	sync_skills and others	yes	no	no
 *	  of skill_operations.h
 *
 * The person is who can open the host's own socket: the user that it runs as. A group is
 * known by the socket that its agent was given. Whether it is main is read from the
 * store at the moment of the call (L9), never from what an agent says.
 */
#ifndef HOST_RIGHTS_H
#define HOST_RIGHTS_H

#include <stdbool.h>

#include "store/store.h"
#include "util/error.h"

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
	RIGHT_COUNT,
};

/* As a program knows it: "send_elsewhere". */
const char *rights_name(enum right right);

int rights_allow(struct store *store, const struct actor *actor, enum right right,
	bool *ret_allowed, struct error *err);

/* The same; ERROR_INVALID with the reason if it is not allowed. */
int rights_require(
	struct store *store, const struct actor *actor, enum right right, struct error *err);

#endif
