#include "host/chat/alert.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "fs/sys.h"
#include "host/chat/delivery.h"
#include "loop/child.h"
#include "proc/log.h"
#include "proc/process.h"
#include "time/timestamp.h"
#include "time/zone.h"

#define COMMAND    "NANOCLAW_ALERT"
#define SECONDS    "NANOCLAW_ALERT_SECONDS"
#define SIGN       LOCAL_FOLDER "/alive"
#define TOLD       LOCAL_FOLDER "/alive-told" /* the sign, after the command was run for it */
#define TICKS      10                         /* in NANOCLAW_ALERT_SECONDS */
#define COMMAND_MS 60000

/* How often a channel was found lost, and what comes then. */
enum { DEAD = TICKS + 1, TELLING, TOLD_OF };

extern char **environ;

struct alerts {
	struct installation *inst;
	struct delivery *delivery;
	uv_timer_t timer;
	struct loop_child *command; /* that runs; NULL: none does */
	int64_t command_since;
	int64_t last; /* the latest news in the log and in main's chat */
	int64_t sign; /* of the host before this one, or 0 */
	bool begun;   /* the time before this host is reported, if there is news */
};

/* --- the sign of life ---------------------------------------------------------- */

/* 0: there is none. */
static int64_t sign_time(int root, const char *name)
{
	struct stat st;

	return fstatat(root, name, &st, AT_SYMLINK_NOFOLLOW) < 0
		       ? 0
		       : (int64_t)st.st_mtim.tv_sec * 1000;
}

static void sign_give(int root)
{
	struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
	CLEANUP(closep)
	int fd = sys.create(root, SIGN, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0 && sys.set_times(root, SIGN, now) == 0)
		sys.unlink(root, TOLD, 0);
}

/* --- whatever way still works --------------------------------------------------- */

static void command_said(struct view bytes, void *data)
{
	(void)bytes;
	(void)data;
}

/* The news is out, or is tried again at the next tick. */
static void alert_settle(struct alerts *alerts, bool worked)
{
	for (struct channel *c = alerts->inst->channels; c; c = c->next)
		if (c->lost_ticks == TELLING)
			c->lost_ticks = worked ? TOLD_OF : DEAD;
	alerts->begun |= worked;
}

static void command_ended(int exit_code, void *data)
{
	struct alerts *alerts = data;

	alerts->command = NULL;
	alert_settle(alerts, !exit_code);
	if (exit_code)
		log_warning("'" COMMAND "' has failed with exit code %d", exit_code);
}

static int alert_run_command(
	struct alerts *alerts, const char *line, const char *text, struct error *err)
{
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	struct child_request request = {
		.env = (const char *const *)environ, .cwd = alerts->inst->root};
	struct loop_child_options options = {.loop = &alerts->inst->loop,
		.request = &request,
		.handlers = {command_said, command_said, command_ended},
		.data = alerts};

	if (child_split(line, &argv, err) < 0)
		return -1;
	request.argv = (const char *const *)argv;
	if (loop_child_start(&options, &alerts->command, err) < 0)
		return -1;
	buf_appendf(&input, "%s\n", text);
	loop_child_write(alerts->command, &input);
	loop_child_close_input(alerts->command);
	alerts->command_since = timestamp_clock();
	return 0;
}

/*
 * `time` tells news apart: the same may come again, until it is out. `waits`: without any other way, it
 * waits in main's chat. The others would come too late there, together with the news that all is well.
 */
static void alert_owner(struct alerts *alerts, const char *text, int64_t time, bool waits)
{
	CLEANUP(group_release) struct group main = GROUP_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *about = xasprintf("alert-%" PRId64, time);
	struct installation *inst = alerts->inst;
	const char *command = settings_get(&inst->settings, COMMAND);
	const struct channel *channel = NULL;
	bool works, told = false;

	if (time != alerts->last)
		log_warning("%s", text);
	alerts->last = time;
	if (store_group_by_folder(inst->store, GROUP_MAIN, &main, &err) == 0 && main.folder)
		channel = installation_channel(inst, main.jid);
	works = channel && channel->state == CHANNEL_CONNECTED;
	if (works || (waits && !command)) {
		told = delivery_notice_main(alerts->delivery, NULL, about, text, &err) == 0;
		if (!told)
			log_error("%s", err.message);
	}
	error_clear(&err);
	if (command && (!works || local_group(main.jid))) {
		if (alert_run_command(alerts, command, text, &err) == 0)
			return; /* its end settles it */
		log_error("'" COMMAND "': %s", err.message);
	}
	alert_settle(alerts, told);
}

/* --- what is dead -------------------------------------------------------------- */

static char *clock_text(const struct settings *settings, int64_t time)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *name = zone_default_name(settings_get(settings, "TZ"));
	CLEANUP(zone_freep) struct zone *zone = NULL;
	struct civil c;

	if (zone_open(name, &zone, &ignored) < 0)
		return xstrdup("an unknown time");
	c = zone_local(zone, time / 1000, NULL);
	return xasprintf("%04d-%02d-%02d %02d:%02d", c.year, c.month, c.day, c.hour, c.minute);
}

/* At each tick. */
static void channel_count(struct channel *c)
{
	if (c->lost_ticks >= DEAD)
		return; /* until the news is out */
	/* Or was it connected between two ticks? */
	if (!c->lost_ticks || c->last_event > c->lost_at) {
		c->lost_at = timestamp_clock();
		c->lost_ticks = 0;
	}
	c->lost_ticks = c->state == CHANNEL_CONNECTED ? 0 : c->lost_ticks + 1;
}

/* Returns since when the news is true; 0: there is none. */
static int64_t channel_news(const struct alerts *alerts, struct channel *c, struct buf *text)
{
	CLEANUP(freep) char *since = clock_text(&alerts->inst->settings, c->lost_at);

	if (c->lost_ticks >= DEAD && c->state == CHANNEL_CONNECTED) {
		buf_appendf(text, "\nThe channel '%s' is connected again. It was not since %s.",
			c->name, since);
		c->lost_ticks = 0;
		return timestamp_clock();
	}
	if (c->lost_ticks != DEAD)
		return 0;
	buf_appendf(text, "\nThe channel '%s' has not been connected since %s%s%s.", c->name,
		since, c->detail ? ": " : "", c->detail ? c->detail : "");
	c->lost_ticks = TELLING;
	return c->lost_at;
}

/*
 * At once by the command: the next host may be killed as soon as this one, before a channel is
 * connected. Else at the first tick, when that is likely.
 */
static void gap_report(struct alerts *alerts, bool at_once)
{
	const struct installation *inst = alerts->inst;
	int64_t last = alerts->sign;
	CLEANUP(freep) char *from = clock_text(&inst->settings, last);
	CLEANUP(freep) char *to = clock_text(&inst->settings, inst->started_at);
	CLEANUP(freep)
	char *text = xasprintf("The host did not run from %s to %s. The messages and tasks of "
			       "that time are taken up now.",
		from, to);

	if (!last || inst->started_at - last <= inst->limits.alert_seconds * 1000 ||
		(at_once && (!settings_get(&inst->settings, COMMAND) ||
				    sys.rename(inst->root, SIGN, inst->root, TOLD, 0) < 0)))
		return;
	alert_owner(alerts, text, inst->started_at, true);
}

static void alerts_tick(uv_timer_t *timer)
{
	struct alerts *alerts = timer->data;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int64_t most = alerts->inst->limits.alert_seconds * 1000;
	int64_t time = 0;

	for (struct channel *c = alerts->inst->channels; c; c = c->next)
		channel_count(c);
	sign_give(alerts->inst->root);
	if (alerts->command && timestamp_clock() - alerts->command_since >
				       (most < COMMAND_MS ? most : COMMAND_MS))
		loop_child_signal(alerts->command, SIGKILL);
	if (!alerts->command && !alerts->begun) {
		alerts->begun = true;
		gap_report(alerts, false);
	}
	if (alerts->command)
		return; /* until it has ended */
	for (struct channel *c = alerts->inst->channels; c; c = c->next) {
		int64_t since = channel_news(alerts, c, &text);

		time = since > time ? since : time;
	}
	if (text.len)
		alert_owner(alerts, text.data + 1, time, false);
}

struct alerts *alerts_new(struct installation *inst, struct delivery *delivery)
{
	struct alerts *alerts = xcalloc(1, sizeof(*alerts));
	uint64_t tick = (uint64_t)inst->limits.alert_seconds * 1000 / TICKS;

	*alerts = (struct alerts){.inst = inst, .delivery = delivery};
	alerts->sign = sign_time(inst->root, SIGN);
	if (!alerts->sign)
		alerts->sign = sign_time(inst->root, TOLD);
	uv_timer_init(&inst->loop, &alerts->timer);
	alerts->timer.data = alerts;
	uv_timer_start(&alerts->timer, alerts_tick, tick, tick);
	gap_report(alerts, true);
	return alerts;
}

static void alerts_closed(uv_handle_t *timer)
{
	free(timer->data);
}

void alerts_close(struct alerts *alerts)
{
	if (!alerts)
		return;
	if (alerts->command)
		loop_child_abandon(alerts->command);
	sys.unlink(alerts->inst->root, SIGN, 0);
	sys.unlink(alerts->inst->root, TOLD, 0);
	uv_close((uv_handle_t *)&alerts->timer, alerts_closed);
}

void alert_failed_start(int root, const struct settings *settings, const struct error *why)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(freep) char *text = xasprintf("The host cannot start: %s.\n", why->message);
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *line = settings_get(settings, COMMAND);
	int64_t sign = sign_time(root, SIGN);
	int64_t seconds = 600;

	/* With this exit code a service manager does not try again. */
	bool last = why->kind == ERROR_INVALID && getenv("NOTIFY_SOCKET");

	/* An outage may begin with this. */
	if (!sign && !sign_time(root, TOLD))
		sign_give(root);
	settings_number(settings, SECONDS, 1, 86400, seconds, &seconds, &err);
	error_clear(&err);
	if (!line || (!last && (!sign || timestamp_clock() - sign <= seconds * 1000)) ||
		sys.rename(root, SIGN, root, TOLD, 0) < 0)
		return;
	request.cwd_fd = root;
	request.input = view_of(text);
	request.output.mode = PROCESS_DISCARD;
	request.timeout_ms = COMMAND_MS;
	if (child_split(line, &argv, &err) < 0) {
		log_error("'" COMMAND "': %s", err.message);
		return;
	}
	request.argv = (const char *const *)argv;
	if (process_run(&request, &result, &err) < 0)
		log_error("'" COMMAND "': %s", err.message);
	else if (result.exit_code)
		log_warning("'" COMMAND "' has failed with exit code %d", result.exit_code);
}
