#include "host/agent/agent_claude.h"

#include <stdlib.h>
#include <sys/random.h>

#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "host/agent/agent_program.h"

#define SERVERS_INSIDE "/run/nanoclaw/mcp.json"

static const char *const options[] = {
	"-p",
	"--verbose",
	"--input-format",
	"stream-json",
	"--output-format",
	"stream-json",
	"--replay-user-messages",
	"--include-partial-messages",
	"--permission-mode",
	"bypassPermissions",
	"--strict-mcp-config",
	/* What these plan is gone with the process; the host's own tasks stay. */
	"--disallowedTools=CronCreate,CronDelete,CronList,ScheduleWakeup",
};

const char *const agent_claude_env[] = {
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
	"1",
	"CLAUDE_CONFIG_DIR",
	SANDBOX_HOME "/.claude",
	"DISABLE_AUTOUPDATER",
	"1",
	NULL,
};

/* Version 4: random. */
static char *new_session(void)
{
	unsigned char b[16];

	if (getrandom(b, sizeof(b), 0) != sizeof(b))
		return NULL;
	b[6] = (b[6] & 0x0f) | 0x40;
	b[8] = (b[8] & 0x3f) | 0x80;
	return xasprintf("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
		b[13], b[14], b[15]);
}

static json_t *server_json(const struct container_server *server)
{
	json_t *args = json_array();
	json_t *env = json_object();

	for (size_t i = 0; i < server->arg_count; i++)
		json_array_append_new(args, json_text(view_of(server->args[i])));
	for (size_t i = 0; i < server->env_count; i++)
		json_object_set_new(
			env, server->env[i].name, json_text(view_of(server->env[i].value)));
	return json_pack("{s:s, s:o, s:o, s:o}", "type", "stdio", "command",
		json_text(view_of(server->command)), "args", args, "env", env);
}

/* Those of the group, and ours, which talks to the host. */
static char *servers_text(const struct container *container)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *config = NULL;
	json_t *servers = json_object();

	config = json_pack("{s:o}", "mcpServers", servers);
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

static void add_option(char **argv, size_t *count, const char *name, char *value)
{
	if (!value)
		return;
	argv[(*count)++] = xstrdup(name);
	argv[(*count)++] = value;
}

static int mount_servers(struct installation *inst, const struct container *container,
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
	sandbox_add_mount(spec, fd, SERVERS_INSIDE, 0);
	return 0;
}

int agent_claude_words(struct installation *inst, const struct container *container,
	const char *servers, const char *session_id, struct sandbox_spec *spec,
	char ***ret_argv, struct error *err)
{
	CLEANUP(freep) char *program = agent_program_claude(&inst->settings);
	char **argv;
	char *word;
	size_t count = 0;

	if (!program) {
		error_set(err, ERROR_INVALID, "Claude Code is not installed");
		return error_hint(err, "'" AGENT_CLAUDE_INSTALL "' installs it");
	}
	if (mount_servers(inst, container, servers, spec, err) < 0 ||
		agent_program_mount(inst, program, 0, spec, &word, err) < 0)
		return -1;
	argv = xcalloc(ARRAY_SIZE(options) + 8, sizeof(*argv));
	argv[count++] = word;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		argv[count++] = xstrdup(options[i]);
	add_option(argv, &count, "--mcp-config", xstrdup(SERVERS_INSIDE));
	if (session_id)
		add_option(argv, &count, "--resume", xstrdup(session_id));
	else
		add_option(argv, &count, "--session-id", new_session());
	*ret_argv = argv;
	return 0;
}
