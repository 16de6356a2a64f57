#include "host/base/agent_command.h"

const char *agent_command_of(const struct container *container, const struct group *group,
	const struct settings *settings)
{
	const char *setting = settings_get(settings, "NANOCLAW_AGENT");

	if (container->agent)
		return container->agent;
	if (group->agent)
		return group->agent;
	return setting ? setting : AGENT_OFFLINE;
}
