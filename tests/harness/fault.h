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
 *	NANOCLAW_FAULT_COUNT=FILE	at exit, how many calls changed something, how many
 *					read, and how many places called the engine; and for each
 *					of the first: 'w' a write, 'a' it needs room, '-' neither
 *
 * N is counted from 1, within one process.
 */
#ifndef HARNESS_FAULT_H
#define HARNESS_FAULT_H

#include <stdbool.h>

enum fault_mode {
	FAULT_COUNT,  /* only count */
	FAULT_KILL,   /* SIGKILL before the call */
	FAULT_TORN,   /* SIGKILL after half of a write; other calls as FAULT_KILL */
	FAULT_EIO,    /* that one call fails with EIO */
	FAULT_ENOSPC, /* from that call on, nothing new fits on the disk */
	/* only in nanoclaw-faulty: */
	FAULT_READ, /* the Nth call that reads fails with EIO */
	FAULT_CALL, /* on the Nth path of calls to a function of the engine, the first call fails */
};

void fault_arm(enum fault_mode mode, unsigned long at);
unsigned long fault_disarm(void);

/* For fault_read.c, before each call that reads: whether it fails, and errno is set. */
bool fault_trips_read(void);

/*
 * For fault_calls.py, before a call: whether it fails, and the error is set. An error that is
 * set already was ignored, which is a bug: it is printed, and the crash test fails.
 */
struct error;
bool fault_trips_call(struct error *err);

/* The mode of a name ("kill", "eio", …), or -1. */
int fault_mode_of(const char *name);

#endif
