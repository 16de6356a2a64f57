/*
 * Operations on the settings of a group (operation.h, group/container_file.h):
 *
 *	get_group_config	folder, config, warnings
 *	set_group_config	the same, after the change
 *
 * Without `group` it is the caller's own. The host logs each change, with who made it.
 */
#ifndef HOST_OPS_GROUP_CONFIG_H
#define HOST_OPS_GROUP_CONFIG_H

#include "host/ops/operation.h"

int op_get_group_config(struct call *call, struct error *err);
int op_set_group_config(struct call *call, struct error *err);

/* Bounds that a person has set go with a group: ERROR_INVALID if the caller may not set any. */
int group_config_may_go(const struct call *call, const struct group *group, struct error *err);

#endif
