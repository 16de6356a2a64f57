/*
 * Faults on demand: make the Nth call that changes the file system fail, or
 * end the process there.
 *
 * In a unit test:
 *
 *	fault_arm(FAULT_EIO, 3);		// the third call fails
 *	...
 *	unsigned long calls = fault_disarm();	// how many there were
 *
 * In the program `nanoclaw-faulty`, which is nanoclaw with this linked in, the
 * environment arms it before main():
 *
 *	NANOCLAW_FAULT="kill 3"		the mode and N
 *	NANOCLAW_FAULT="count 0"	no fault; with the next variable, count
 *	NANOCLAW_FAULT_COUNT=FILE	at exit, the number of calls is written there
 *
 * N is counted from 1, within one process.
 */
#ifndef HARNESS_FAULT_H
#define HARNESS_FAULT_H

enum fault_mode {
	FAULT_COUNT,  /* only count */
	FAULT_KILL,   /* SIGKILL before the call */
	FAULT_TORN,   /* SIGKILL after half of a write; other calls as FAULT_KILL */
	FAULT_EIO,    /* that one call fails with EIO */
	FAULT_ENOSPC, /* from that call on, nothing new fits on the disk */
};

void fault_arm(enum fault_mode mode, unsigned long at);
unsigned long fault_disarm(void);

/* The mode of a name ("kill", "eio", …), or -1. */
int fault_mode_of(const char *name);

#endif
