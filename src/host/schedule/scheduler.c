#include "host/schedule/scheduler.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "host/schedule/due.h"
#include "ledger/task_runs.h"
#include "ledger/tasks.h"
#include "proc/log.h"
#include "time/timestamp.h"

/* After a failure of the store. */
#define RETRY_MS 5000

struct scheduler {
	struct installation *inst;
	struct scheduler_handlers handlers;
	int fd;
	uv_poll_t poll;
	int64_t armed;  /* the time at which the timer fires */
	bool marked;    /* there may be something to do */
	bool clock_set; /* the clock was set, or may have been before the start */
};

static void timer_fired(uv_poll_t *poll, int status, int events)
{
	struct scheduler *scheduler = poll->data;
	uint64_t count;

	(void)status;
	(void)events;
	/* ECANCELED: the clock was set. Either way, a task may be due. */
	if (read(scheduler->fd, &count, sizeof(count)) < 0) {
		if (errno == EAGAIN)
			return;
		scheduler->clock_set = true;
	}
	scheduler->marked = true;
}

int scheduler_new(struct installation *inst, const struct scheduler_handlers *handlers,
	struct scheduler **ret_scheduler, struct error *err)
{
	struct scheduler *scheduler;
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0)
		return error_errno(err, "cannot create a timer");
	scheduler = xcalloc(1, sizeof(*scheduler));
	scheduler->inst = inst;
	scheduler->handlers = *handlers;
	scheduler->fd = fd;
	scheduler->marked = true;
	scheduler->clock_set = true;
	uv_poll_init(&inst->loop, &scheduler->poll, fd);
	scheduler->poll.data = scheduler;
	uv_poll_start(&scheduler->poll, UV_READABLE, timer_fired);
	*ret_scheduler = scheduler;
	return 0;
}

static void poll_closed(uv_handle_t *handle)
{
	struct scheduler *scheduler = handle->data;

	close(scheduler->fd);
	free(scheduler);
}

void scheduler_close(struct scheduler *scheduler)
{
	if (scheduler)
		uv_close((uv_handle_t *)&scheduler->poll, poll_closed);
}

void scheduler_changed(struct scheduler *scheduler)
{
	if (scheduler)
		scheduler->marked = true;
}

/* INT64_MAX: never. For a time in the past, the timer fires at once. */
static void arm_timer(struct scheduler *scheduler, int64_t time)
{
	struct itimerspec when = {0};

	scheduler->armed = time;
	if (time != INT64_MAX) {
		when.it_value.tv_sec = (time_t)(time / 1000);
		when.it_value.tv_nsec = (long)(time % 1000) * 1000000;
	}
	if (timerfd_settime(scheduler->fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when,
		    NULL) < 0)
		log_error("the timer of tasks cannot be set: %s", error_text(errno));
}

void scheduler_remind(struct scheduler *scheduler, int64_t time)
{
	if (scheduler && time < scheduler->armed)
		arm_timer(scheduler, time);
}

static void wake_lane(const char *folder, const char *isolated_task, void *data)
{
	const struct scheduler_handlers *handlers = data;

	handlers->wake(handlers->queue, folder, isolated_task);
}

static int scheduler_add_runs(struct scheduler *scheduler, int64_t *ret_next, struct error *err)
{
	struct store *store = scheduler->inst->store;
	struct scheduler_handlers *handlers = &scheduler->handlers;
	int64_t paused_until;
	size_t count;

	/* After the clock was set, every pause may be over. */
	handlers->wake_expired(
		handlers->queue, scheduler->clock_set ? INT64_MAX : timestamp_clock());
	if (scheduler->clock_set && due_plan_again(store, timestamp_clock(), err) < 0)
		return -1;
	scheduler->clock_set = false;
	do {
		if (due_add_runs(store, timestamp_clock(), scheduler->inst->started_at, &count,
			    err) < 0)
			return -1;
	} while (count == DUE_BATCH);
	if (task_run_lanes(store, wake_lane, handlers, err) < 0 ||
		store_task_nearest(store, ret_next, err) < 0)
		return -1;
	paused_until = handlers->paused_until(handlers->queue);
	if (paused_until < *ret_next)
		*ret_next = paused_until;
	return 0;
}

void scheduler_work(struct scheduler *scheduler)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t next;

	if (!scheduler || !scheduler->marked)
		return;
	scheduler->marked = false;
	if (scheduler_add_runs(scheduler, &next, &err) < 0) {
		log_error("tasks: %s", err.message);
		next = timestamp_clock() + RETRY_MS;
	}
	arm_timer(scheduler, next);
}
