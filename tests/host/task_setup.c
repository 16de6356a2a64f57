#include "task_setup.h"

#include <inttypes.h>

#include "time/timestamp.h"

void task_setup(struct driver *d, const struct task_setup *setup)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(task_release) struct task task = TASK_INIT;
	int64_t due = timestamp_clock() + setup->due;
	char time[TIMESTAMP_SIZE];

	timestamp_format(due, time);
	task = (struct task){
		.group_folder = xstrdup(setup->folder),
		.chat_jid = xstrdup(setup->chat),
		.prompt = xstrdup(setup->prompt),
		.type = setup->every ? SCHEDULE_INTERVAL : SCHEDULE_ONCE,
		.value = setup->every ? xasprintf("%" PRId64, setup->every) : xstrdup(time),
		.tz = xstrdup("UTC"),
		.missed = setup->missed,
		.context = setup->context,
		.next_run = due,
		.anchor = due,
		.created_at = xstrdup(time),
	};
	if (store_open(d->root, STORE_WRITE, &store, &err) < 0 ||
		store_task_add(store, &task, &err) < 0)
		driver_fail(d, "%s", err.message);
}
