/*
 * What can be asked of the host, by a person at the terminal or by an agent.
 *
 * A request is an object with the name of the operation in "op" and its arguments
 * beside it; "id", if there is one, comes back in the reply. A reply has "ok"; with
 * false also "error", "hint" if there is one, and "kind" (failed, invalid or busy).
 *
 *	list_groups {}				groups: [{folder, jid, name, …}]
 *	find_chats {text}			chats: [{jid, name, channel, …}]
 *	register_group {jid, name, folder?, trigger?, requires_trigger?,
 *	                instructions?, allow?, agent?}	group
 *	remove_group {group}			folder
 *	send_message {text, group?, key?}	added: false if the key was there already
 *	write_global_memory {text}		the whole of it
 *	remember_globally {text}		one more entry; added: false if it was there
 *	compose {group?, check?}		what has changed, or would: composed_report.h
 *	list_channels {}			channels: [{name, kind, state, …}]
 *	current_turn {}				turn: "t12", the same when it is repeated
 *	get_rights {}				rights: what the caller may do ("send", …);
 *						group: of an agent, its own
 *	write_audit {}				what the audit log has still to store
 *	get_group_config, set_group_config: group_config.h
 *	schedule_task and others: task_operations.h
 *	sync_skills and others: skill_operations.h
 *	host_status {}				pid, since, …
 *
 * An operation does everything or nothing. rights.h says who may do what.
 */
#ifndef HOST_OPERATIONS_H
#define HOST_OPERATIONS_H

#include <jansson.h>

#include "host/parts.h"
#include "host/rights.h"

/* Returns the reply, never NULL. */
json_t *operations_call(struct host *host, const struct actor *actor, const json_t *request);

/*
 * The same without a running host, for a command that has the store to itself, or only looks.
 * Operations that need a running host fail.
 */
json_t *operations_call_alone(const struct registry *registry, const struct settings *settings,
	const struct actor *actor, const json_t *request);

/* Is there one of this name? */
bool operations_know(const char *name);

/* A group, and chats, as they stand in a reply. */
json_t *operations_group_json(const struct group *group);

#endif
