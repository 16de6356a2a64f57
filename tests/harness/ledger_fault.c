/*
 * nanoclaw with a death on demand: at the Nth time that the ledger is about to
 * commit a change, or has done so, the process kills itself.
 *
 *	NANOCLAW_LEDGER_FAULT=N		counted from 1, within one process
 *	NANOCLAW_LEDGER_COUNT=FILE	the names of all changes are written there
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"

static unsigned long fault_at;
static unsigned long count;
static int log_fd = -1;

static void change(const char *name, bool committed)
{
	count++;
	if (log_fd >= 0)
		dprintf(log_fd, "%s %s\n", name, committed ? "after" : "before");
	if (count == fault_at)
		kill(getpid(), SIGKILL);
}

static void __attribute__((constructor)) arm(void)
{
	const char *at = getenv("NANOCLAW_LEDGER_FAULT");
	const char *file = getenv("NANOCLAW_LEDGER_COUNT");

	if (at)
		fault_at = strtoul(at, NULL, 10);
	if (file)
		log_fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (at || file)
		store_calls.change = change;
}
