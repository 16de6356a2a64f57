/*
 * What can be asked about user skills: as in operations.h, but also without a host, for
 * commands that have the store to themselves. Looking at them needs no operation.
 *
 *	sync_skills {}				added, changed, gone, unchanged, changes,
 *problems assign_skill {skill, group}		skill, group, changed, status, commands
 *	unassign_skill {skill, group}		skill, group, changed
 *	override_skill {group, file, skill?}	skill, group, changed
 *	drop_skill_override {group, skill}	skill, group
 *	set_skill_status {skill, status}	skill, from, to
 *	import_skill {file, source?}		skill, added, changed
 *	remove_skill {skill}			skill
 *
 * Each also brings the scheduled tasks of the skills in line (skill_tasks.h), in one
 * transaction with the rest.
 *
 * `file` is an absolute path: what is in it may be more than fits into a request.
 */
#ifndef HOST_SKILL_OPERATIONS_H
#define HOST_SKILL_OPERATIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "host/registry.h"
#include "host/rights.h"
#include "host/skill_tasks.h"
#include "userskill/library.h"
#include "userskill/sync.h"

struct skill_desk {
	const struct registry *registry;
	const char *library; /* the setting LIBRARY_SETTING, or NULL */
	struct skill_clock clock;
};

bool skill_operations_know(const char *name);

/* `request` has the name of a known one in "op". What it gives is put into `reply`. */
int skill_operations_run(const struct skill_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err);

/* At the start of a host: what is wrong is told in the log, and keeps nobody from going on. */
void skill_operations_sync_at_start(const struct skill_desk *desk);

#endif
