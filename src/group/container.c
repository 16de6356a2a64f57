#include "group/container.h"

#include <stdlib.h>

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool container_name_is_valid(struct view name)
{
	if (!name.len || name.len > CONTAINER_MAX_NAME || !is_letter_or_digit(name.data[0]))
		return false;
	for (size_t i = 1; i < name.len; i++)
		if (!is_letter_or_digit(name.data[i]) && name.data[i] != '.' &&
			name.data[i] != '_' && name.data[i] != '-')
			return false;
	return true;
}

bool container_has_skill(const struct container *container, const char *name)
{
	if (container->all_skills)
		return true;
	return string_array_has(&container->skills, name);
}

void container_release(struct container *container)
{
	string_array_release(&container->skills);
	string_array_release(&container->warnings);
	for (size_t i = 0; i < container->server_count; i++) {
		struct container_server *server = &container->servers[i];

		for (size_t v = 0; v < server->env_count; v++) {
			free(server->env[v].name);
			free(server->env[v].value);
		}
		free(server->env);
		string_array_release(&server->args);
		free(server->name);
		free(server->command);
		free(server->instructions);
	}
	free(container->servers);
	for (size_t i = 0; i < container->mount_count; i++) {
		free(container->mounts[i].path);
		free(container->mounts[i].name);
	}
	free(container->mounts);
	free(container->agent);
	free(container->sandbox);
	free(container->model.provider);
	free(container->model.name);
	free(container->model.url);
	hosts_release(&container->hosts);
	*container = CONTAINER_INIT;
}
