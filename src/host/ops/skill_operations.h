/*
 * Operations on user skills (operation.h). Looking at them needs no operation.
 *
 *	sync_skills		added, changed, gone, unchanged, changes, problems
 *	assign_skill		skill, group, changed, status, commands
 *	unassign_skill		skill, group, changed
 *	override_skill		skill, group, changed
 *	drop_skill_override	skill, group, changed
 *	set_skill_status	skill, from, to
 *	import_skill		skill, added, changed
 *	remove_skill		skill
 *
 * Each also brings the scheduled tasks of the skill in line (skill_tasks.h), in the same
 * transaction.
 */
#ifndef HOST_OPS_SKILL_OPERATIONS_H
#define HOST_OPS_SKILL_OPERATIONS_H

#include "host/ops/operation.h"

int op_assign_skill(struct call *call, struct error *err);
int op_drop_skill_override(struct call *call, struct error *err);
int op_import_skill(struct call *call, struct error *err);
int op_override_skill(struct call *call, struct error *err);
int op_remove_skill(struct call *call, struct error *err);
int op_set_skill_status(struct call *call, struct error *err);
int op_sync_skills(struct call *call, struct error *err);
int op_unassign_skill(struct call *call, struct error *err);

#endif
