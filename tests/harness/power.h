/*
 * What if the power goes while a command is at work? Then everything that was not synced
 * may be lost, in part or out of order, which no kill shows.
 *
 * The command runs once, and what it does is recorded (record.h). From the records, disks
 * are made that a power cut could leave (disk.h): at each point with all and with none of
 * what was not synced, with each step of it missing, with each alone, with the first ones
 * only, and with choices by chance, always the same ones; and with contents that are old,
 * empty, short, half written or zeros. On each of these disks the recovery command runs,
 * and the files must then be exactly the old ones or exactly the new ones; once the
 * command has ended, the new ones. A part of these recoveries loses power, too, and the
 * next one must come to the same end.
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
