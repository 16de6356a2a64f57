/*
 * Operations on groups (operation.h):
 *
 *	list_groups	groups: [{folder, jid, name, …}]
 *	find_chats	chats: [{jid, name, channel, …}]
 *	register_group	group
 *	remove_group	folder
 *	set_group	group
 */
#ifndef HOST_OPS_GROUP_OPERATIONS_H
#define HOST_OPS_GROUP_OPERATIONS_H

#include "host/ops/operation.h"

int op_find_chats(struct call *call, struct error *err);
int op_list_groups(struct call *call, struct error *err);
int op_register_group(struct call *call, struct error *err);
int op_remove_group(struct call *call, struct error *err);
int op_set_group(struct call *call, struct error *err);

/* A group, as replies and commands show it. */
json_t *group_json(const struct group *group);

#endif
