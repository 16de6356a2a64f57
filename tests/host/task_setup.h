/*
 * Tasks in the store of a test, with the host down: also such as no command would make,
 * with a time that is over.
 */
#ifndef HOST_TEST_TASK_SETUP_H
#define HOST_TEST_TASK_SETUP_H

#include "driver.h"
#include "ledger/tasks.h"

#define HOUR ((int64_t)60 * 60 * 1000)
#define DAY  (24 * HOUR)

struct task_setup {
	const char *folder;
	const char *chat;
	const char *prompt;
	int64_t every; /* 0: once */
	int64_t due;   /* before (negative) or after now; intervals are counted from it */
	enum task_missed missed;
	enum task_context context;
};

void task_setup(struct driver *d, const struct task_setup *setup);

#endif
