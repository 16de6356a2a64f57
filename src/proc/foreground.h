/*
 * Run an interactive program: an editor, a merge tool.
 *
 *	if (foreground_run("vi \"$@\"", (const char *const[]){path, NULL}, NULL, &ended, err) < 0)
 *		return -1;
 *	if (ended.exit_code != 0)
 *		...
 *
 * The program gets our terminal and stays in our process group, so that it can read from the
 * terminal and Ctrl-Z stops both. We ignore Ctrl-C and Ctrl-\ until it has ended. It inherits
 * only the first three descriptors. For a program that needs no terminal use process.h, which
 * has time limits.
 */
#ifndef PROC_FOREGROUND_H
#define PROC_FOREGROUND_H

#include "base/error.h"

struct foreground_end {
	int exit_code; /* -1 if a signal ended it; 127: the shell did not find it */
	int signal;    /* that signal, or 0 */
};

/*
 * `command` is for the shell, as people write it into $EDITOR; `arguments`, which end
 * in NULL, are its $1, $2 and so on. `env` is its environment, "NAME=value", and ends in NULL;
 * or NULL for ours.
 */
int foreground_run(const char *command, const char *const *arguments, const char *const *env,
	struct foreground_end *ret_end, struct error *err);

#endif
