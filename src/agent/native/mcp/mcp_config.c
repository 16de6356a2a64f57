#include "agent/native/mcp/mcp_config.h"

#include <stdlib.h>
#include <string.h>

#include "format/json.h"
#include "fs/file.h"

#define MCP_CONFIG_MAX ((size_t)4 * 1024 * 1024)

void mcp_config_release(struct mcp_config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		struct mcp_config_server *server = &config->servers[i];

		free(server->name);
		free(server->problem);
		string_array_release(&server->words);
		string_array_release(&server->values);
	}
	free(config->servers);
	*config = (struct mcp_config){0};
}

/* A string without NUL, or NULL. */
static const char *config_string(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

/* Returns the fault, or NULL. */
static const char *config_read_server(json_t *json, struct mcp_config_server *server)
{
	const char *type = config_string(json_object_get(json, "type"));
	const char *command = config_string(json_object_get(json, "command"));
	json_t *args = json_object_get(json, "args");
	json_t *env = json_object_get(json, "env");
	const char *key;
	json_t *value;
	size_t i;

	if (type && strcmp(type, "stdio") != 0)
		return "its type is not 'stdio', which is the only one that this agent knows";
	if (!command || !*command)
		return "it has no 'command'";
	if ((args && !json_is_array(args)) || (env && !json_is_object(env)))
		return "its 'args' or 'env' is not a list or an object";
	string_array_add(&server->words, command);
	json_array_foreach(args, i, value) {
		if (!config_string(value))
			return "one of its 'args' is not a string";
		string_array_add(&server->words, config_string(value));
	}
	json_object_foreach(env, key, value) {
		if (!config_string(value) || !*key || strchr(key, '='))
			return "one of its 'env' is not a string, or its name is not one";
		string_array_addf(&server->values, "%s=%s", key, config_string(value));
	}
	return NULL;
}

static int config_compare(const void *a, const void *b)
{
	return strcmp(((const struct mcp_config_server *)a)->name,
		((const struct mcp_config_server *)b)->name);
}

int mcp_config_read(const char *path, struct mcp_config *ret_config, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct mcp_config config = {0};
	json_t *servers;
	json_t *value;
	const char *key;

	if (file_read(path, MCP_CONFIG_MAX, &text, err) < 0 ||
		json_read(view_of_buf(&text), path, MCP_CONFIG_MAX, &json, err) < 0)
		return -1;
	servers = json_object_get(json, "mcpServers");
	if (!json_is_object(servers) || json_object_size(servers) > MCP_SERVERS_MAX)
		return error_set(err, ERROR_INVALID,
			"%s: 'mcpServers' must be an object with at most %d servers", path,
			MCP_SERVERS_MAX);
	config.servers = xcalloc(json_object_size(servers) + 1, sizeof(*config.servers));
	json_object_foreach(servers, key, value) {
		struct mcp_config_server *server = &config.servers[config.count++];
		const char *problem = config_read_server(value, server);

		server->name = xstrdup(key);
		server->problem = problem ? xstrdup(problem) : NULL;
	}
	qsort(config.servers, config.count, sizeof(*config.servers), config_compare);
	*ret_config = config;
	return 0;
}
