#include "cli/alone/alone.h"

#include <string.h>

#include "base/alloc.h"
#include "cli/assistant/state.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/rebuild/build_state.h"
#include "cli/rebuild/offer.h"

bool command_is_left_out(const char *name)
{
	size_t len = strlen(name);

	/* Also the first word of "group add". */
	for (const char *const *c = alone_left_out; *c; c++)
		if (!strncmp(*c, name, len) && (!(*c)[len] || (*c)[len] == ' '))
			return true;
	return false;
}

char *operation_option_help(const char *operation, const char *argument)
{
	(void)operation;
	return xstrdup(argument);
}

int rebuild_offer(struct cli *cli, const struct arguments *args, int code, struct error *err)
{
	(void)cli;
	(void)args;
	(void)err;
	return code;
}

/* --- nothing of the assistant is known --------------------------------------- */

json_t *host_state(const struct project *project)
{
	(void)project;
	return json_null();
}

void host_state_print(const struct cli *cli, const json_t *state)
{
	(void)cli;
	(void)state;
}

json_t *build_state(const struct project *project, const json_t *host)
{
	(void)project;
	(void)host;
	return json_null();
}

void build_state_print(const json_t *state)
{
	(void)state;
}

bool doctor_open_assistant(struct doctor *doctor)
{
	(void)doctor;
	return false;
}

void doctor_close_assistant(struct doctor *doctor)
{
	(void)doctor;
}
