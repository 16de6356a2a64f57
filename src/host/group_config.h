/*
 * What can be asked about the settings of a group (group/container_file.h): as in
 * operations.h, but also without a host, for commands that have the store to themselves.
 *
 *	get_group_config {group?}		folder, config, warnings
 *	set_group_config {group?, key, value}	the same, as it is now; null takes it out
 *
 * Without `group` it is the caller's own. A change is in the log of the host,
 * with who made it.
 */
#ifndef HOST_GROUP_CONFIG_H
#define HOST_GROUP_CONFIG_H

#include <jansson.h>
#include <stdbool.h>

#include "host/registry.h"
#include "host/rights.h"

struct queue;

struct config_desk {
	const struct registry *registry;
	struct queue *queue; /* renews agents that a change concerns; NULL: no host runs */
};

bool group_config_knows(const char *name);

/* `request` has the name of a known one in "op". What it gives is put into `reply`. */
int group_config_run(const struct config_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err);

#endif
