#include "host/agent/agent_servers.h"

#include <stdlib.h>

#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "host/agent/agent_program.h"

static json_t *server_json(const struct container_server *server)
{
	json_t *env = json_object();

	for (size_t i = 0; i < server->env_count; i++)
		json_object_set_new(
			env, server->env[i].name, json_text(view_of(server->env[i].value)));
	return json_build("type:s command:s args:o env:o", "stdio", server->command,
		json_strings(&server->args), env);
}

/* Those of the group, and ours, which talks to the host. */
static char *servers_text(const struct container *container)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *config = NULL;
	json_t *servers = json_object();

	config = json_build("mcpServers:o", servers);
	/* Its tools are not searched for first: they are what this agent is for. */
	json_object_set_new(servers, CONTAINER_OWN_SERVER,
		json_pack("{s:s, s:s, s:[], s:{s:s}, s:b}", "type", "stdio", "command",
			AGENT_MCP_INSIDE, "args", "env", "NANOCLAW_SOCKET", AGENT_SOCKET_INSIDE,
			"alwaysLoad", 1));
	for (size_t i = 0; i < container->server_count; i++)
		json_object_set_new(servers, container->servers[i].name,
			server_json(&container->servers[i]));
	json_write_ours(config, false, &text);
	return buf_take(&text);
}

int agent_servers_mount(struct installation *inst, const struct container *container,
	const char *servers, struct sandbox_spec *spec, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *text = servers_text(container);
	CLEANUP(closep) int dir = -1;
	int fd;

	if (relpath_parse(view_of(servers), &path, err) < 0 ||
		beneath_open_parent(inst->root, &path, 0, &dir, err) < 0 ||
		replace_file(dir, relpath_base(&path), view_of(text), 0600, NULL, 0, err) < 0 ||
		beneath_open_file(inst->root, &path, &fd, NULL, err) < 0)
		return -1;
	sandbox_add_mount(spec, fd, AGENT_SERVERS_INSIDE, 0);
	return 0;
}
