#include "host/host.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/agent_gate.h"
#include "host/auditing.h"
#include "host/budget.h"
#include "host/delivery.h"
#include "host/lock.h"
#include "host/memory.h"
#include "host/operations.h"
#include "host/parts.h"
#include "host/queue.h"
#include "host/router.h"
#include "host/sandboxes.h"
#include "host/scheduler.h"
#include "host/spending.h"
#include "store/facts.h"
#include "store/ledger.h"
#include "util/json.h"
#include "util/log.h"
#include "util/log_file.h"
#include "util/notify.h"
#include "util/private.h"
#include "util/timestamp.h"

int64_t host_backoff(int64_t first, int factor, int count)
{
	int64_t wait = first;

	while (count-- > 0 && wait < HOST_LONGEST_WAIT_MS)
		wait *= factor;
	return wait < HOST_LONGEST_WAIT_MS ? wait : HOST_LONGEST_WAIT_MS;
}

struct channel *host_channel_for(const struct host *host, const char *jid)
{
	struct channel *channel = host->channels;

	while (channel && !channel->kind->owns_jid(channel, jid))
		channel = channel->next;
	return channel;
}

/* --- the loop ---------------------------------------------------------------- */

/* All that has happened is stored; now what follows from it. */
static void work(uv_prepare_t *prepare)
{
	struct host *host = prepare->data;

	if (host->stopping)
		return;
	scheduler_work(host->scheduler);
	queue_work(host->queue);
	delivery_work(host->delivery);
}

static void close_channels(struct host *host)
{
	struct channel *next;

	for (struct channel *channel = host->channels; channel; channel = next) {
		next = channel->next;
		channel->kind->close(channel);
	}
	host->channels = NULL;
}

void host_stop(struct host *host)
{
	if (host->stopping)
		return;
	host->stopping = true;
	/* systemd takes a host that says it is stopping for one that ends. */
	notify_tell(host->again ? "STATUS=starting again" : "STOPPING=1");
	queue_stop(host->queue);
	delivery_stop(host->delivery);
	memory_close(host->memory);
	scheduler_close(host->scheduler);
	host->scheduler = NULL;
	close_channels(host);
	sandboxes_stop(host->sandboxes);
	auditing_stop(host->auditing);
	uv_close((uv_handle_t *)&host->before_sleep, NULL);
	uv_close((uv_handle_t *)&host->pulse, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(host->signals); i++)
		uv_close((uv_handle_t *)&host->signals[i], NULL);
}

static void signal_came(uv_signal_t *handle, int number)
{
	struct host *host = handle->data;

	host->again = number == SIGUSR1;
	log_note("%s (signal %d)", host->again ? "starting again" : "stopping", number);
	host_stop(host);
}

static void tell_alive(uv_timer_t *timer)
{
	(void)timer;
	notify_tell("WATCHDOG=1");
}

/* From the loop itself: a host that hangs says nothing. */
static void start_pulse(struct host *host)
{
	uint64_t every = (uint64_t)notify_watchdog_ms() / 2;

	uv_timer_init(&host->loop, &host->pulse);
	if (every)
		uv_timer_start(&host->pulse, tell_alive, every, every);
}

static void watch(struct host *host)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, not the end */
	start_pulse(host);
	uv_prepare_init(&host->loop, &host->before_sleep);
	host->before_sleep.data = host;
	uv_prepare_start(&host->before_sleep, work);
	for (size_t i = 0; i < ARRAY_SIZE(host->signals); i++) {
		uv_signal_init(&host->loop, &host->signals[i]);
		host->signals[i].data = host;
		uv_signal_start(&host->signals[i], signal_came, numbers[i]);
	}
}

/* --- the start --------------------------------------------------------------- */

static int read_limits(struct host *host, struct error *err)
{
	struct host_limits *l = &host->limits;
	const struct {
		const char *name;
		int64_t least;
		int64_t most;
		int64_t otherwise;
		int64_t *ret;
	} limits[] = {
		{"NANOCLAW_AGENTS", 1, 1000, 5, &l->agents},
		{"NANOCLAW_GRACE_SECONDS", 1, 3600, 2, &l->grace_seconds},
		{"NANOCLAW_IDLE_SECONDS", 1, 86400, 300, &l->idle_seconds},
		{"NANOCLAW_NETWORK_IDLE_SECONDS", 1, 86400, 300, &l->network_idle_seconds},
		{"NANOCLAW_NETWORK_MEGABYTES", 1, 16777216, 4096, &l->network_megabytes},
		{"NANOCLAW_RETRY_MS", 1, 600000, 2000, &l->retry_ms},
		{"NANOCLAW_SEND_RETRY_MS", 1, 600000, 1000, &l->send_retry_ms},
		{"NANOCLAW_SEND_TRIES", 1, 100, 10, &l->send_failures},
		{"NANOCLAW_SESSION_HOURS", 1, 100000, 24 * 30, &l->session_hours},
		{"NANOCLAW_SESSION_TURNS", 1, 1000000, 500, &l->session_turns},
		{"NANOCLAW_TURN_SECONDS", 1, 86400, 600, &l->turn_seconds},
		{"NANOCLAW_TURN_TRIES", 1, 100, 3, &l->failures},
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (settings_number(&host->settings, limits[i].name, limits[i].least,
			    limits[i].most, limits[i].otherwise, limits[i].ret, err) < 0)
			return -1;
	return 0;
}

/* From before, from others, and from agents: 0700 and 0600 (util/private.h). */
static void keep_private(const struct host *host)
{
	static const char *const folders[] = {"data", "groups", "logs", "store"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (private_tree(host->root, folders[i], &err) < 0)
			log_warning("in '%s': %s", folders[i], err.message);
	}
}

/* What an earlier host has left, however it ended. */
static int take_up(struct host *host, struct error *err)
{
	CLEANUP(buf_release) struct buf folders = BUF_INIT;
	struct view rest;
	struct view folder;
	int interrupted;

	if (registry_finish_removals(&host->registry, err) < 0 ||
		registry_ensure_main(&host->registry, err) < 0 ||
		memory_new(host, &host->memory, err) < 0 ||
		ledger_recover(host->store, timestamp_clock(), &interrupted, err) < 0 ||
		ledger_groups_with_work(host->store, &folders, err) < 0)
		return -1;
	if (interrupted)
		log_note("the last host was killed during %d turn%s, which %s repeated",
			interrupted, interrupted == 1 ? "" : "s",
			interrupted == 1 ? "is" : "are");
	rest = view_of_buf(&folders);
	while (view_next(&rest, '\n', &folder)) {
		CLEANUP(freep) char *name = xmemdupz(folder.data, folder.len);

		queue_wake(host->queue, name);
	}
	delivery_wake_all(host->delivery);
	return 0;
}

static const char *setting(void *data, const char *name)
{
	struct host *host = data;

	return settings_get(&host->settings, name);
}

static void add_channel(void *data, struct channel *channel)
{
	struct host *host = data;

	struct channel **at = &host->channels;

	while (*at)
		at = &(*at)->next;
	*at = channel;
}

static char *recall(void *data, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *fact = xasprintf("channel %s", name);
	struct host *host = data;
	char *text = NULL;

	if (store_fact_get(host->store, fact, &text, &err) < 0)
		log_error("%s", err.message);
	return text;
}

struct opening {
	struct host *host;
	struct error *err;
	bool failed;
};

static void open_kind(const struct channel_kind *kind, void *data)
{
	struct opening *opening = data;
	struct host *host = opening->host;
	struct channel_setup setup = {
		.loop = &host->loop,
		.root = host->root,
		.root_path = host->root_path,
		.events = &router_events,
		.host = host,
		.setting = setting,
		.recall = recall,
		.grace_ms = (uint64_t)host->limits.grace_seconds * 1000,
		.add = add_channel,
	};

	if (!opening->failed && kind->open(&setup, opening->err) < 0)
		opening->failed = true;
}

static int open_channels(struct host *host, struct error *err)
{
	struct opening opening = {host, err, false};

	channel_for_each_kind(open_kind, &opening);
	return opening.failed ? -1 : 0;
}

/* Nothing that is wrong with a skill keeps the host from starting. */
static void sync_skills(struct host *host)
{
	CLEANUP(json_decrefp) json_t *request = json_pack("{s:s}", "op", "sync_skills");
	CLEANUP(json_decrefp)
	json_t *reply = operations_call(host, &(struct actor){.kind = ACTOR_PERSON}, request);
	const json_t *problems = json_object_get(reply, "problems");
	const json_t *changes = json_object_get(reply, "changes");

	if (!json_is_true(json_object_get(reply, "ok")))
		log_warning("user skills were not read: %s",
			json_string_value(json_object_get(reply, "error")));
	for (size_t i = 0; i < json_array_size(problems); i++)
		log_warning("%s", json_string_value(json_object_get(
					  json_array_get(problems, i), "text")));
	for (size_t i = 0; i < json_array_size(changes); i++) {
		const json_t *change = json_array_get(changes, i);

		log_note("user skill '%s' is %s",
			json_string_value(json_object_get(change, "skill")),
			json_string_value(json_object_get(change, "change")));
	}
}

static int run(struct host *host, const struct host_options *options, struct error *err)
{
	int failed = agent_gates_open(host, &host->gates, err) < 0 ||
		     sandboxes_open(host, &host->sandboxes, err) < 0 ||
		     scheduler_new(host, &host->scheduler, err) < 0 || take_up(host, err) < 0;

	if (!failed)
		sync_skills(host); /* before the first message can ask for one */
	failed = failed || open_channels(host, err) < 0;
	if (!failed && options->ready)
		options->ready(options->data);
	if (failed)
		host_stop(host);
	uv_run(&host->loop, UV_RUN_DEFAULT);
	/* Receipts came until the last channel was gone. */
	delivery_close(host->delivery);
	agent_gates_close(host->gates);
	uv_run(&host->loop, UV_RUN_DEFAULT);
	memory_free(host->memory);
	return failed ? -1 : 0;
}

static void host_release(struct host *host)
{
	spending_free(host->spending);
	container_cache_release(&host->containers);
	store_free(host->store);
	free(host->batch_error);
	settings_release(&host->settings);
}

int host_run(const struct host_options *options, struct error *err)
{
	CLEANUP(host_release) struct host host = {0};
	CLEANUP(closep) int lock = -1;
	int result;

	host.root = options->root;
	host.root_path = options->root_path;
	host.started_at = timestamp_clock();
	credentials_take_environment();
	umask(077); /* of its bridges and agents, too */
	if (settings_read(host.root, &host.settings, err) < 0 ||
		settings_check_file(host.root, &host.settings, err) < 0 ||
		read_limits(&host, err) < 0 || budget_check_settings(&host.settings, err) < 0 ||
		lock_take(host.root, &lock, err) < 0 ||
		store_open(host.root_path, STORE_WRITE, &host.store, err) < 0 ||
		log_file_open(host.root, err) < 0)
		return -1;
	settings_forget_credentials(&host.settings);
	keep_private(&host);
	host.registry =
		(struct registry){host.store, host.root, settings_assistant(&host.settings)};
	if (delivery_new(&host, &host.delivery, err) < 0)
		return -1;
	host.spending = spending_new();
	uv_loop_init(&host.loop);
	host.auditing = auditing_new(&host);
	host.queue = queue_new(&host);
	watch(&host);
	result = run(&host, options, err);
	queue_free(host.queue);
	sandboxes_free(host.sandboxes);
	auditing_free(host.auditing);
	uv_loop_close(&host.loop);
	return !result && host.again ? 1 : result;
}
