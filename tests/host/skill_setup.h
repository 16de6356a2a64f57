/*
 * User skills for hosts under test, written into the library of the project.
 *
 *	skill_setup_write(&d, &(struct skill_sample){.id = "skill_plan_001", .command =
 * "plan"}); skill_setup_assign(&d, "skill_plan_001", "g1");
 */
#ifndef HOST_TEST_SKILL_SETUP_H
#define HOST_TEST_SKILL_SETUP_H

#include "driver.h"

struct skill_sample {
	const char *id;
	const char *command; /* without its slash */
	const char *needs;   /* an item of its context; NULL: none */
	const char *asks;    /* its question after every use; NULL: none */
	const char *help;    /* of the command; NULL: short */
	const char *schedule;
};

void skill_setup_write(struct driver *d, const struct skill_sample *sample);

/* Read the library, and give one to a group. The host may run, or not. */
void skill_setup_assign(struct driver *d, const char *id, const char *folder);

/* With the host down: its first schedule was due just now in that group. */
void skill_setup_due(struct driver *d, const char *id, const char *folder);

/* nanoclaw with these words, which must do it. */
void skill_setup_run(struct driver *d, const char *const *words);

#endif
