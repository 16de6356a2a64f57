/*
 * Which bridges there are: one file bridges/NAME.json each in the project.
 *
 *	{
 *	  "command": ["node", "bridges/whatsapp.mjs"],
 *	  "env": ["WHATSAPP_TOKEN"],
 *	  "jids": ["*@g.us"],
 *	  "hang_seconds": 60
 *	}
 *
 * `command` is started in the root of the project. `env` names settings that it gets;
 * the others it does not. `jids` are patterns: it owns none beside them, whatever it says
 * itself; without them what it says counts. `hang_seconds` is how long it may owe an answer.
 */
#ifndef CHANNELS_BRIDGE_CONFIG_H
#define CHANNELS_BRIDGE_CONFIG_H

#include <stddef.h>

#include "base/error.h"

#define BRIDGE_FOLDER "bridges"

struct bridge_config {
	char *name;
	char **argv;
	char **env;  /* names */
	char **jids; /* patterns; empty: no bounds */
	unsigned hang_seconds;
};

struct bridge_configs {
	struct bridge_config *list;
	size_t count;
	size_t cap;
};

/* In the order of their names. No folder is no bridges. */
int bridge_configs_read(int root, struct bridge_configs *ret_configs, struct error *err);
void bridge_config_release(struct bridge_config *config);
void bridge_configs_release(struct bridge_configs *configs);

#endif
