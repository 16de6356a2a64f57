#include "host/agent/agent_claude.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "host/agent/agent_program.h"
#include "host/agent/agent_servers.h"

/* Ends with NULL. */
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
	/* Tasks of these tools end with the process; the host's own tasks stay. */
	"--disallowedTools=CronCreate,CronDelete,CronList,ScheduleWakeup",
	"--mcp-config",
	AGENT_SERVERS_INSIDE,
	NULL,
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

int agent_claude_words(struct installation *inst, const struct container *container,
	const char *servers, const char *session_id, struct sandbox_spec *spec,
	struct string_array *argv, struct error *err)
{
	CLEANUP(freep) char *program = agent_program_claude(&inst->settings);
	CLEANUP(freep) char *session = session_id ? NULL : new_session();

	if (!program) {
		error_set(err, ERROR_INVALID, "Claude Code is not installed");
		return error_hint(err, "'" AGENT_CLAUDE_INSTALL "' installs it");
	}
	if (agent_servers_mount(inst, container, servers, spec, err) < 0 ||
		agent_program_mount(inst, program, 0, spec, argv, err) < 0)
		return -1;
	string_array_add_all(argv, options);
	if (session_id)
		STRING_ARRAY_ADD(argv, "--resume", session_id);
	else if (session)
		STRING_ARRAY_ADD(argv, "--session-id", session);
	return 0;
}
