#include "proc/foreground.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"

/* What Ctrl-C and Ctrl-\ send. */
static const int typed_signals[] = {SIGINT, SIGQUIT};

struct ignored {
	struct sigaction before[ARRAY_SIZE(typed_signals)];
};

static void heed_typed(struct ignored *ignored)
{
	for (size_t i = 0; i < ARRAY_SIZE(typed_signals); i++)
		sigaction(typed_signals[i], &ignored->before[i], NULL);
}

/* Start sh -c COMMAND sh ARGUMENTS... */
static pid_t start_command(
	const char *command, const char *const *arguments, const char *const *env)
{
	const char *const before[] = {"sh", "-c", command, "sh"};
	CLEANUP(freep) const char **argv = NULL;
	size_t count = 0;

	while (arguments[count])
		count++;
	argv = xcalloc(ARRAY_SIZE(before) + count + 1, sizeof(*argv));
	memcpy(argv, before, sizeof(before));
	memcpy(argv + ARRAY_SIZE(before), arguments, count * sizeof(*argv));
	return bound_start(&(struct bound_request){
		.path = "/bin/sh",
		.argv = argv,
		.env = env ? env : (const char *const *)environ,
		.in = -1,
		.out = -1,
		.errors = -1,
		.cwd = -1,
		.may_outlive = true,
		.foreground = true,
	});
}

int foreground_run(const char *command, const char *const *arguments, const char *const *env,
	struct foreground_end *ret_end, struct error *err)
{
	CLEANUP(heed_typed) struct ignored ignored;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	siginfo_t info = {0};
	pid_t pid;

	fflush(stdout);
	for (size_t i = 0; i < ARRAY_SIZE(typed_signals); i++)
		sigaction(typed_signals[i], &ignore, &ignored.before[i]);
	pid = start_command(command, arguments, env);
	if (pid < 0)
		return error_errno(err, "cannot run '%s'", command);
	while (waitid(P_PID, (id_t)pid, &info, WEXITED) < 0)
		if (errno != EINTR)
			return error_errno(err, "cannot wait for '%s'", command);
	*ret_end = (struct foreground_end){
		.exit_code = info.si_code == CLD_EXITED ? info.si_status : -1,
		.signal = info.si_code == CLD_EXITED ? 0 : info.si_status,
	};
	return 0;
}
