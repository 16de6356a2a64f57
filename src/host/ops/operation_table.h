/*
 * The functions of the operations in operation_table.c, with the members of their replies.
 *
 * To add an operation: a row in operation_table.c, its function here and in one of the
 * *_operations.c. Everything else comes from the row.
 *
 *	find_chats		chats: [{jid, name, channel, …}]
 *	list_groups		groups: [{folder, jid, name, …}]
 *	register_group		group
 *	remove_group		folder
 *	set_group		group
 *	get_group_config	folder, config, warnings
 *	set_group_config	the same, after the change
 *
 *	compose			the changes (composed_report.h)
 *	current_turn		turn: "t12", the same when it is repeated
 *	get_rights		rights: ["send", …]; for an agent also its group
 *	host_status		pid, since, channels, agents
 *	list_channels		channels: [{name, kind, state, …}]
 *	list_tools		tools: [{name, inputSchema, …}]
 *	pair_channel		code, channel, folder, until
 *	remember_globally	added: false if the entry existed
 *	schedule_backups	nothing
 *	send_message, send_file, react, edit_message, set_state
 *				added: false if the key existed
 *	stop_turn		nothing
 *	write_audit		nothing; buffered entries go to the store
 *	write_global_memory	nothing
 *
 *	schedule_task		task, added
 *	list_tasks		tasks
 *	get_task_runs		task, runs
 *	other task operations	task
 *
 *	sync_skills		added, changed, gone, unchanged, changes, problems
 *	assign_skill		skill, group, changed, status, commands
 *	unassign_skill, override_skill, drop_skill_override
 *				skill, group, changed
 *	set_skill_status	skill, from, to
 *	import_skill		skill, added, changed
 *	remove_skill		skill
 *
 * A task that an agent makes in a turn is keyed by the turn and its own `key` or a number (L8):
 * when the turn is repeated, the task of the first attempt is updated, and `added` is false.
 * Operations on skills also update the scheduled tasks of the skill, in the same transaction.
 */
#ifndef HOST_OPS_OPERATION_TABLE_H
#define HOST_OPS_OPERATION_TABLE_H

#include "host/ops/operation.h"

int op_assign_skill(struct call *call, struct error *err);
int op_cancel_task(struct call *call, struct error *err);
int op_compose(struct call *call, struct error *err);
int op_current_turn(struct call *call, struct error *err);
int op_drop_skill_override(struct call *call, struct error *err);
int op_edit_message(struct call *call, struct error *err);
int op_find_chats(struct call *call, struct error *err);
int op_get_group_config(struct call *call, struct error *err);
int op_get_rights(struct call *call, struct error *err);
int op_get_task_runs(struct call *call, struct error *err);
int op_host_status(struct call *call, struct error *err);
int op_import_skill(struct call *call, struct error *err);
int op_list_channels(struct call *call, struct error *err);
int op_list_groups(struct call *call, struct error *err);
int op_list_tasks(struct call *call, struct error *err);
int op_list_tools(struct call *call, struct error *err);
int op_override_skill(struct call *call, struct error *err);
int op_pair_channel(struct call *call, struct error *err);
int op_pause_task(struct call *call, struct error *err);
int op_react(struct call *call, struct error *err);
int op_register_group(struct call *call, struct error *err);
int op_remember_globally(struct call *call, struct error *err);
int op_remove_group(struct call *call, struct error *err);
int op_remove_skill(struct call *call, struct error *err);
int op_resume_task(struct call *call, struct error *err);
int op_schedule_backups(struct call *call, struct error *err);
int op_schedule_task(struct call *call, struct error *err);
int op_send_file(struct call *call, struct error *err);
int op_send_message(struct call *call, struct error *err);
int op_set_group(struct call *call, struct error *err);
int op_set_group_config(struct call *call, struct error *err);
int op_set_skill_status(struct call *call, struct error *err);
int op_set_state(struct call *call, struct error *err);
int op_stop_turn(struct call *call, struct error *err);
int op_sync_skills(struct call *call, struct error *err);
int op_unassign_skill(struct call *call, struct error *err);
int op_update_task(struct call *call, struct error *err);
int op_write_audit(struct call *call, struct error *err);
int op_write_global_memory(struct call *call, struct error *err);

#endif
