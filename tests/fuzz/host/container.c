/*
 * container.json: accepted content has names that are valid file names, values within their
 * limits, and lists in order; a refusal has a line and column.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "../fuzz.h"
#include "group/container.h"

static void check_servers(const struct container *container)
{
	for (size_t i = 0; i < container->server_count; i++) {
		const struct container_server *server = &container->servers[i];

		assert(container_name_is_valid(view_of(server->name)));
		assert(server->command && *server->command);
		assert(!i || strcmp(server[-1].name, server->name) < 0);
		for (size_t j = 1; j < server->env_count; j++)
			assert(strcmp(server->env[j - 1].name, server->env[j].name) < 0);
	}
}

static void check(const struct container *container)
{
	for (size_t i = 0; i < container->skills.count; i++) {
		assert(container_name_is_valid(view_of(container->skills.list[i])));
		assert(container_has_skill(container, container->skills.list[i]));
		assert(!i ||
			strcmp(container->skills.list[i - 1], container->skills.list[i]) < 0);
	}
	for (size_t i = 0; i < container->mount_count; i++) {
		assert(container_name_is_valid(view_of(container->mounts[i].name)));
		assert(container->mounts[i].path[0] == '/' ||
			!strncmp(container->mounts[i].path, "~/", 2));
	}
	for (size_t i = 0; i < container->warnings.count; i++)
		assert(!strncmp(container->warnings.list[i], "c:", 2));
	assert(container->limits.seconds <= 604800);
	check_servers(container);
}

FUZZ_TARGET(container)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	struct view text = {(const char *)data, len};

	if (container_parse(text, "c", &container, &err) < 0)
		assert(err.kind == ERROR_INVALID && !strncmp(err.message, "c:", 2));
	else
		check(&container);
	return 0;
}
