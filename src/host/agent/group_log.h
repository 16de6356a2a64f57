/*
 * The standard error of a group's agents, in groups/FOLDER/logs/agent.log.
 *
 * At GROUP_LOG_MAX bytes the file becomes agent.log.1, and a new one begins. The agent can write
 * to the folder, so nothing in it is trusted: no link is followed, and anything but a regular
 * file is left alone. A log that cannot be written is not an error.
 */
#ifndef HOST_AGENT_GROUP_LOG_H
#define HOST_AGENT_GROUP_LOG_H

#include <sys/types.h>

#include "base/view.h"

#define GROUP_LOG_MAX ((off_t)1024 * 1024)

void group_log(int root, const char *folder, struct view text);

#endif
