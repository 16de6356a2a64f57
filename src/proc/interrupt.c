#include "proc/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "base/alloc.h"

static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};
static struct sigaction before[ARRAY_SIZE(signals)];
static volatile sig_atomic_t pending;

static void note_signal(int number)
{
	pending = number;
}

void interrupt_catch(void)
{
	struct sigaction action = {.sa_handler = note_signal}; /* no SA_RESTART */

	pending = 0;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

bool interrupt_pending(void)
{
	return pending != 0;
}

void interrupt_release(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	if (pending)
		raise(pending);
}
