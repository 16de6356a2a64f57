/*
 * Operations on the host itself (operation.h): messages, the global memory, channels, rights.
 *
 *	send_message		added: false if the key was there already
 *	remember_globally	added: false if the entry was there already
 *	compose			the changes: composed_report.h
 *	list_channels		channels: [{name, kind, state, …}]
 *	current_turn		turn: "t12", the same when it is repeated
 *	get_rights		rights: ["send", …]; for an agent also its group
 *	list_tools		tools: [{name, inputSchema, …}]
 *	host_status		pid, since, channels, agents
 *	write_audit		buffered entries go to the store
 *	write_global_memory	the global memory is replaced
 */
#ifndef HOST_OPS_HOST_OPERATIONS_H
#define HOST_OPS_HOST_OPERATIONS_H

#include "host/ops/operation.h"

int op_compose(struct call *call, struct error *err);
int op_current_turn(struct call *call, struct error *err);
int op_get_rights(struct call *call, struct error *err);
int op_host_status(struct call *call, struct error *err);
int op_list_channels(struct call *call, struct error *err);
int op_list_tools(struct call *call, struct error *err);
int op_remember_globally(struct call *call, struct error *err);
int op_send_message(struct call *call, struct error *err);
int op_write_audit(struct call *call, struct error *err);
int op_write_global_memory(struct call *call, struct error *err);

#endif
