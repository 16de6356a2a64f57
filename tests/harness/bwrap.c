#include "bwrap.h"

#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc/process.h"

#define MAX_REASON 400

/* What a sandbox of ours asks of it. */
static const char *const command[] = {"bwrap", "--unshare-all", "--unshare-user", "--uid",
	"1000", "--gid", "1000", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent",
	"--new-session", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
	"/tmp", "true", NULL};

static void try_it(char *ret_reason, size_t size)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = command;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_REASON};
	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
	*ret_reason = '\0';
	if (process_run(&request, &result, &err) < 0)
		snprintf(ret_reason, size, "%s", err.message);
	else if (result.exit_code != 0)
		snprintf(ret_reason, size, "bwrap does not work here: %s",
			result.output.len ? result.output.data : "it says nothing");
	ret_reason[strcspn(ret_reason, "\n")] = '\0';
}

const char *bwrap_missing(void)
{
	static char reason[MAX_REASON];
	static bool known;

	if (!known)
		try_it(reason, sizeof(reason));
	known = true;
	return *reason ? reason : NULL;
}

const char *sandbox_missing(void)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version >= 1 ? NULL : bwrap_missing();
}

static void skip_if(const char *why)
{
	if (!why)
		return;
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

void bwrap_or_skip(void)
{
	skip_if(bwrap_missing());
}

void sandbox_or_skip(void)
{
	skip_if(sandbox_missing());
}
