/*
 * The bridges of a project: one file bridges/NAME.json each.
 *
 *	{
 *	  "command": ["node", "bridges/whatsapp.mjs"],
 *	  "login": ["node", "bridges/whatsapp.mjs", "--login"],
 *	  "env": ["WHATSAPP_TOKEN"],
 *	  "jids": ["*@g.us"],
 *	  "hang_seconds": 60
 *	}
 *
 * `command` is started in the root of the project, with no settings except the ones that `env`
 * names. 'channel login' starts `login`, which is optional, in the same way, on a person's
 * terminal. `jids` are patterns: the bridge owns only JIDs that match one of them, whatever it
 * claims itself; without `jids`, its own claim counts. `hang_seconds` is the time limit for its
 * answers.
 *
 * A faulty file affects only its own bridge, which is listed with the fault; the others work.
 */
#ifndef CHANNELS_BRIDGE_CONFIG_H
#define CHANNELS_BRIDGE_CONFIG_H

#include <stddef.h>

#include "base/error.h"

#define BRIDGE_FOLDER "bridges"

struct bridge_config {
	char *name;
	char *fault; /* the position and kind of a fault in the file; then only the name is set. Or NULL */
	char **argv;
	char **login; /* empty: people do not log in */
	char **env;   /* names */
	char **jids;  /* patterns; empty: no bounds */
	unsigned hang_seconds;
};

struct bridge_configs {
	struct bridge_config *list;
	size_t count;
	size_t cap;
};

/*
 * Sorted by name; empty without the folder. Fails only if the folder cannot be read.
 */
int bridge_configs_read(int root, struct bridge_configs *ret_configs, struct error *err);
/* ERROR_INVALID if there is no such bridge, or its file is faulty. */
int bridge_config_find(
	int root, const char *name, struct bridge_config *ret_config, struct error *err);
void bridge_config_release(struct bridge_config *config);
void bridge_configs_release(struct bridge_configs *configs);

/* The variables that it is started with; `setting` looks up the settings that it names. */
char **bridge_environment(const struct bridge_config *config,
	const char *(*setting)(void *data, const char *name), void *data);

#endif
