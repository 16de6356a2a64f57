#include "proc/foreground.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
static int start_command(const char *command, const char *const *arguments,
	const char *const *env, pid_t *ret_pid)
{
	static const char *const before[] = {"sh", "-c", NULL, "sh"};
	CLEANUP(freep) const char **argv = NULL;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults, none;
	size_t count = 0;
	int errnum;

	while (arguments[count])
		count++;
	argv = xcalloc(ARRAY_SIZE(before) + count + 1, sizeof(*argv));
	memcpy(argv, before, sizeof(before));
	argv[2] = command;
	memcpy(argv + ARRAY_SIZE(before), arguments, count * sizeof(*argv));
	/* Signals are as in a shell, whatever we ignore or block. */
	sigemptyset(&none);
	sigemptyset(&defaults);
	for (size_t i = 0; i < ARRAY_SIZE(typed_signals); i++)
		sigaddset(&defaults, typed_signals[i]);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	errnum = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
	if (!errnum)
		errnum = posix_spawnattr_setsigdefault(&attributes, &defaults);
	if (!errnum)
		errnum = posix_spawnattr_setsigmask(&attributes, &none);
	if (!errnum)
		errnum = posix_spawnattr_setflags(
			&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	/* posix_spawn() lacks const for strings that it does not change. */
	if (!errnum)
		errnum = posix_spawn(ret_pid, "/bin/sh", &actions, &attributes,
			(char *const *)(uintptr_t)argv,
			env ? (char *const *)(uintptr_t)env : environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return errnum;
}

int foreground_run(const char *command, const char *const *arguments, const char *const *env,
	struct foreground_end *ret_end, struct error *err)
{
	CLEANUP(heed_typed) struct ignored ignored;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	siginfo_t info = {0};
	pid_t pid;
	int errnum;

	fflush(stdout);
	for (size_t i = 0; i < ARRAY_SIZE(typed_signals); i++)
		sigaction(typed_signals[i], &ignore, &ignored.before[i]);
	errnum = start_command(command, arguments, env, &pid);
	if (errnum) {
		errno = errnum;
		return error_errno(err, "cannot run '%s'", command);
	}
	while (waitid(P_PID, (id_t)pid, &info, WEXITED) < 0)
		if (errno != EINTR)
			return error_errno(err, "cannot wait for '%s'", command);
	*ret_end = (struct foreground_end){
		.exit_code = info.si_code == CLD_EXITED ? info.si_status : -1,
		.signal = info.si_code == CLD_EXITED ? 0 : info.si_status,
	};
	return 0;
}
