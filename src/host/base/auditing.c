#include "host/base/auditing.h"

#include "proc/log.h"

/* Calls come one after another, and share a transaction. */
#define MOMENT_MS 100

/* Before it is tried again, if it failed. */
#define RETRY_MS 5000

struct auditing {
	struct audit *audit;
	uv_timer_t timer;
	bool stopped;
};

static void moment_passed(uv_timer_t *timer);

static void write_later(struct auditing *auditing, uint64_t wait)
{
	if (!auditing->stopped && !uv_is_active((uv_handle_t *)&auditing->timer))
		uv_timer_start(&auditing->timer, moment_passed, wait, 0);
}

static void moment_passed(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct auditing *auditing = timer->data;

	if (audit_write(auditing->audit, &err) == 0)
		return;
	log_error("the audit log: %s", err.message);
	write_later(auditing, RETRY_MS);
}

struct auditing *auditing_new(struct installation *inst)
{
	struct auditing *auditing = xcalloc(1, sizeof(*auditing));

	auditing->audit = audit_new(inst->store);
	uv_timer_init(&inst->loop, &auditing->timer);
	auditing->timer.data = auditing;
	return auditing;
}

void auditing_add(struct auditing *auditing, const struct audit_entry *entry)
{
	audit_add(auditing->audit, entry);
	write_later(auditing, MOMENT_MS);
}

int auditing_check(struct auditing *auditing, struct error *err)
{
	return audit_check(auditing->audit, err);
}

int auditing_write(struct auditing *auditing, struct error *err)
{
	return audit_write(auditing->audit, err);
}

void auditing_stop(struct auditing *auditing)
{
	auditing->stopped = true;
	uv_close((uv_handle_t *)&auditing->timer, NULL);
}

void auditing_free(struct auditing *auditing)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (audit_write(auditing->audit, &err) < 0)
		log_error("the end of the audit log is lost: %s", err.message);
	audit_free(auditing->audit);
	free(auditing);
}
