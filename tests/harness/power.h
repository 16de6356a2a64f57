/*
 * If the power fails while a command runs, unsynced changes may be lost, in part or out of
 * order. A kill does not show this.
 *
 * The command runs once, and what it does is recorded (record.h). From the record, the test
 * builds disks that a power cut could leave (disk.h): at each point with all unsynced steps and
 * with none, with each step missing, with each step alone, with the first ones only, and with
 * random choices from a fixed seed; and with contents that are old, empty, short, half written
 * or zeros. On each of these disks the recovery command runs, and the files must then be
 * exactly the old ones or exactly the new ones; once the command has ended, the new ones. Some
 * of these recoveries also lose power, and the next one must end in the same state.
 *
 *	NANOCLAW_POWER_DISKS=N	at most N disks for each point; else all
 *	NANOCLAW_POWER_COPIES=1	on a file system without second names of files
 */
#ifndef HARNESS_POWER_H
#define HARNESS_POWER_H

#include "matrix.h"

/*
 * Add what a power cut may leave behind. The last step of an operation is that its folder
 * becomes an entry of the history, and what else was in it is removed before that. The one
 * may be lost without the other: this is litter in an entry, which nobody reads.
 */
void power_allow(struct lines *leftover);

/* Returns the number of disks. `m` has run without a fault. */
unsigned long power_run(struct tap *tap, const struct matrix *m);

#endif
