#include "host/agent/agent_claude.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "host/agent/agent_program.h"
#include "host/agent/agent_servers.h"

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

static void add_option(char **argv, size_t *count, const char *name, char *value)
{
	if (!value)
		return;
	argv[(*count)++] = xstrdup(name);
	argv[(*count)++] = value;
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
	if (agent_servers_mount(inst, container, servers, spec, err) < 0 ||
		agent_program_mount(inst, program, 0, spec, &word, err) < 0)
		return -1;
	argv = xcalloc(ARRAY_SIZE(options) + 8, sizeof(*argv));
	argv[count++] = word;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		argv[count++] = xstrdup(options[i]);
	add_option(argv, &count, "--mcp-config", xstrdup(AGENT_SERVERS_INSIDE));
	if (session_id)
		add_option(argv, &count, "--resume", xstrdup(session_id));
	else
		add_option(argv, &count, "--session-id", new_session());
	*ret_argv = argv;
	return 0;
}
