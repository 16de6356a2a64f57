#include "host/host.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/check.h"
#include "format/json.h"
#include "fs/private.h"
#include "host/agent/agent_gate.h"
#include "host/agent/sandboxes.h"
#include "host/backup/backups.h"
#include "host/base/auditing.h"
#include "host/base/lock.h"
#include "host/base/watchers.h"
#include "host/chat/alert.h"
#include "host/chat/delivery.h"
#include "host/chat/media.h"
#include "host/memory/memory.h"
#include "host/money/budget.h"
#include "host/money/spending.h"
#include "host/ops/group_calls.h"
#include "host/ops/operations.h"
#include "host/reading/readings.h"
#include "host/router.h"
#include "host/schedule/scheduler.h"
#include "host/turn/queue.h"
#include "ledger/retention.h"
#include "ledger/turns.h"
#include "net/network.h"
#include "proc/log.h"
#include "proc/log_file.h"
#include "proc/notify.h"
#include "time/timestamp.h"

/* More changed user skills than these are only counted in the log. */
#define MAX_NAMED_SKILLS 5

#define HOUR_MS ((uint64_t)60 * 60 * 1000)

/* All parts, put together. */
struct host {
	struct installation inst;
	uv_prepare_t before_sleep;
	uv_signal_t signals[4];
	uv_timer_t pulse; /* for the watchdog of the service manager */
	uv_timer_t settling;
	uv_timer_t tidying;
	const struct host_options *options;
	struct router router;
	struct operations_desk operations;
	struct worker_desk workers;
	struct alerts *alerts;
	struct auditing *auditing;
	struct backups *backups;
	struct queue *queue;
	struct sandboxes *sandboxes;
	struct agent_gates *gates;
	struct delivery *delivery;
	struct media *media;
	struct readings *readings;
	struct memory *memory;
	struct scheduler *scheduler;
	struct spending *spending;
	bool stopping;
	bool again; /* after it has stopped */
};

/* --- the loop ---------------------------------------------------------------- */

/* All events are stored; now the parts do the work that follows from them. */
static void work_before_sleep(uv_prepare_t *prepare)
{
	struct host *host = prepare->data;

	if (host->stopping)
		return;
	scheduler_work(host->scheduler);
	backups_work(host->backups);
	if (media_is_woken(host->media))
		readings_work(host->readings);
	media_work(host->media);
	queue_work(host->queue);
	delivery_work(host->delivery);
	watchers_work(host->inst.watchers);
}

static void close_channels(struct host *host)
{
	struct channel *next;

	for (struct channel *channel = host->inst.channels; channel; channel = next) {
		next = channel->next;
		channel->kind->close(channel);
	}
	host->inst.channels = NULL;
}

static void host_stop(struct host *host)
{
	if (host->stopping)
		return;
	host->stopping = true;
	/* After STOPPING=1, systemd expects the process to end. */
	notify_send(host->again ? "STATUS=starting again" : "STOPPING=1");
	queue_stop(host->queue);
	delivery_stop(host->delivery);
	alerts_close(host->alerts);
	backups_close(host->backups);
	host->backups = host->operations.backups = NULL;
	memory_close(host->memory);
	scheduler_close(host->scheduler);
	host->scheduler = host->workers.scheduler = host->operations.scheduler = NULL;
	readings_stop(host->readings);
	media_stop(host->media);
	close_channels(host);
	sandboxes_stop(host->sandboxes);
	auditing_stop(host->auditing);
	watchers_close(host->inst.watchers);
	host->inst.watchers = NULL;
	uv_close((uv_handle_t *)&host->before_sleep, NULL);
	uv_close((uv_handle_t *)&host->pulse, NULL);
	uv_close((uv_handle_t *)&host->settling, NULL);
	uv_close((uv_handle_t *)&host->tidying, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(host->signals); i++)
		uv_close((uv_handle_t *)&host->signals[i], NULL);
}

static void signal_arrived(uv_signal_t *handle, int number)
{
	struct host *host = handle->data;

	host->again = number == SIGUSR1;
	log_note("%s (signal %d)", host->again ? "starting again" : "stopping", number);
	host_stop(host);
}

static void send_watchdog(uv_timer_t *timer)
{
	(void)timer;
	notify_send("WATCHDOG=1");
}

/* From the loop itself, so a host that hangs stops sending it. */
static void start_pulse(struct host *host)
{
	uint64_t every = (uint64_t)notify_watchdog_ms() / 2;

	uv_timer_init(&host->inst.loop, &host->pulse);
	if (every)
		uv_timer_start(&host->pulse, send_watchdog, every, every);
}

/* What is too old goes, also from a store that nobody writes to. */
static void tidy_store(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct host *host = timer->data;
	const struct installation *inst = &host->inst;

	if (registry_finish_removals(&inst->registry, &err) < 0 ||
		store_retain(inst->store, timestamp_clock(), &err) < 0)
		log_warning("what is too old stays in the store: %s", err.message);
}

static void host_settled(uv_timer_t *timer)
{
	const struct host *host = timer->data;

	host->options->settled(host->options->data);
}

static void host_ready(struct host *host)
{
	const struct host_options *options = host->options;

	host->alerts = alerts_new(&host->inst, host->delivery);
	if (options->ready)
		options->ready(options->data);
	if (options->settled)
		uv_timer_start(&host->settling, host_settled, options->settle_ms, 0);
}

static void watch_signals(struct host *host)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG */
	start_pulse(host);
	uv_timer_init(&host->inst.loop, &host->settling);
	host->settling.data = host;
	uv_timer_init(&host->inst.loop, &host->tidying);
	host->tidying.data = host;
	uv_timer_start(&host->tidying, tidy_store, HOUR_MS, HOUR_MS);
	uv_prepare_init(&host->inst.loop, &host->before_sleep);
	host->before_sleep.data = host;
	uv_prepare_start(&host->before_sleep, work_before_sleep);
	for (size_t i = 0; i < ARRAY_SIZE(host->signals); i++) {
		uv_signal_init(&host->inst.loop, &host->signals[i]);
		host->signals[i].data = host;
		uv_signal_start(&host->signals[i], signal_arrived, numbers[i]);
	}
}

/* --- the start --------------------------------------------------------------- */

/* Make all files private, whoever created them: 0700 and 0600 (fs/private.h). */
static void keep_private(const struct host *host)
{
	static const char *const folders[] = {"data", "groups", "logs", "store"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (private_tree(host->inst.root, folders[i], &err) < 0)
			log_warning("in '%s': %s", folders[i], err.message);
	}
}

/* Resume the turns and texts that an earlier host left, however it ended. */
static int resume_work(struct host *host, struct error *err)
{
	CLEANUP(buf_release) struct buf folders = BUF_INIT;
	struct view rest;
	struct view folder;
	int interrupted;

	if (turn_recover(host->inst.store, timestamp_clock(), &interrupted, err) < 0 ||
		turn_groups_with_work(host->inst.store, &folders, err) < 0)
		return -1;
	if (interrupted)
		log_note("the last host was killed during %d turn%s, which %s repeated",
			interrupted, interrupted == 1 ? "" : "s",
			interrupted == 1 ? "is" : "are");
	rest = view_of_buf(&folders);
	while (view_next(&rest, '\n', &folder)) {
		CLEANUP(freep) char *name = xmemdupz(folder.data, folder.len);

		queue_wake(host->queue, name, NULL);
	}
	delivery_wake_all(host->delivery);
	return 0;
}

static const char *get_setting(void *data, const char *name)
{
	struct router *router = data;

	return settings_get(&router->inst->settings, name);
}

static void add_channel(void *data, struct channel *channel)
{
	struct router *router = data;
	struct channel **at = &router->inst->channels;

	while (*at)
		at = &(*at)->next;
	*at = channel;
}

static int open_channels(struct host *host, struct error *err)
{
	const struct channel_setup setup = {
		.loop = &host->inst.loop,
		.network = host->inst.network,
		.root = host->inst.root,
		.root_path = host->inst.root_path,
		.max_file = host->inst.limits.media_file_megabytes * 1024 * 1024,
		.events = &router_events,
		.host = &host->router,
		.setting = get_setting,
		.recall = router_recall,
		.grace_ms = (uint64_t)host->inst.limits.grace_seconds * 1000,
		.add = add_channel,
	};

	for (const struct channel_kind *const *kind = channel_kinds(); *kind; kind++)
		if ((*kind)->open(&setup, err) < 0)
			return -1;
	return 0;
}

/* A faulty user skill does not keep the host from starting. */
static void sync_skills(struct host *host)
{
	CLEANUP(json_decrefp) json_t *request = json_build("op:s", "sync_skills");
	CLEANUP(json_decrefp)
	json_t *reply = operations_call(
		&host->operations, &(struct actor){.kind = ACTOR_PERSON}, request);
	const json_t *problems = json_object_get(reply, "problems");
	const json_t *changes = json_object_get(reply, "changes");

	if (!json_is_true(json_object_get(reply, "ok")))
		log_warning("user skills were not read: %s",
			json_string_value(json_object_get(reply, "error")));
	for (size_t i = 0; i < json_array_size(problems); i++)
		log_warning("%s", json_string_value(json_object_get(
					  json_array_get(problems, i), "text")));
	/* The first start adds the whole library. */
	if (json_array_size(changes) > MAX_NAMED_SKILLS)
		log_note("user skills: %d added, %d changed, %d gone",
			(int)json_number_value(json_object_get(reply, "added")),
			(int)json_number_value(json_object_get(reply, "changed")),
			(int)json_number_value(json_object_get(reply, "gone")));
	for (size_t i = 0;
		json_array_size(changes) <= MAX_NAMED_SKILLS && i < json_array_size(changes);
		i++) {
		const json_t *change = json_array_get(changes, i);

		log_note("user skill '%s' is %s",
			json_string_value(json_object_get(change, "skill")),
			json_string_value(json_object_get(change, "change")));
	}
}

static void connect_parts(struct host *host)
{
	host->operations = (struct operations_desk){
		.inst = &host->inst,
		.auditing = host->auditing,
		.backups = host->backups,
		.delivery = host->delivery,
		.media = host->media,
		.queue = host->queue,
		.scheduler = host->scheduler,
	};
	host->router = (struct router){
		.inst = &host->inst,
		.delivery = host->delivery,
		.media = host->media,
		.queue = host->queue,
		.operations = &host->operations,
	};
	host->workers.agents = (struct agent_desk){
		.inst = &host->inst,
		.memory = host->memory,
		.sandboxes = host->sandboxes,
		.gates = host->gates,
	};
	host->workers.auditing = host->auditing;
	host->workers.scheduler = host->scheduler;
}

static int open_parts(struct host *host, struct error *err)
{
	struct installation *inst = &host->inst;

	if (agent_gates_open(inst, host->auditing, host->spending, &host->gates, err) < 0 ||
		sandboxes_open(inst,
			&(struct sandboxes_handlers){
				host->queue, queue_watch, queue_wake_probing},
			&host->sandboxes, err) < 0 ||
		scheduler_new(inst,
			&(struct scheduler_handlers){host->queue, queue_wake,
				queue_wake_expired, queue_paused_until},
			&host->scheduler, err) < 0 ||
		store_set_aside(inst->store, err) < 0 ||
		registry_finish_removals(&inst->registry, err) < 0 ||
		registry_ensure_main(&inst->registry, err) < 0 ||
		memory_new(inst,
			&(struct memory_handlers){host->queue, queue_renew, queue_wake_paused},
			&host->memory, err) < 0 ||
		store_retain(inst->store, timestamp_clock(), err) < 0 ||
		media_new(inst,
			&(struct media_handlers){host->queue, queue_wake, readings_reader},
			&host->media, err) < 0)
		return -1;
	host->readings = readings_new(
		inst, host->sandboxes, &(struct readings_handlers){media_wake, host->media});
	host->backups = backups_new(inst, host->delivery, host->scheduler);
	connect_parts(host);
	return resume_work(host, err);
}

static int run_loop(struct host *host, struct error *err)
{
	int failed = open_parts(host, err) < 0;

	if (!failed)
		sync_skills(host); /* before the first message can ask for one */
	failed =
		failed || open_channels(host, err) < 0 ||
		watchers_open(&host->inst.loop, host->inst.root, &host->inst.watchers, err) < 0;
	if (failed)
		host_stop(host);
	else
		host_ready(host);
	uv_run(&host->inst.loop, UV_RUN_DEFAULT);
	/* Receipts came until the last channel was gone. */
	delivery_close(host->delivery);
	agent_gates_close(host->gates);
	network_close(host->inst.network);
	uv_run(&host->inst.loop, UV_RUN_DEFAULT);
	memory_free(host->memory);
	readings_free(host->readings);
	media_free(host->media);
	return failed ? -1 : 0;
}

static void host_release(struct host *host)
{
	spending_free(host->spending);
	container_cache_release(&host->inst.containers);
	store_free(host->inst.store);
	free(host->router.batch_error);
	string_array_release(&host->router.warned);
	pairing_end(&host->operations.pairing);
	settings_release(&host->inst.settings);
}

int host_run(const struct host_options *options, struct error *err)
{
	CLEANUP(host_release) struct host host = {0};
	CLEANUP(closep) int lock = -1;
	int result;

	host.options = options;
	host.inst.root = options->root;
	host.inst.root_path = options->root_path;
	host.inst.started_at = timestamp_clock();
	credentials_take_environment();
	umask(077); /* of its bridges and agents, too */
	if (settings_read(host.inst.root, &host.inst.settings, err) < 0 ||
		settings_check_file(host.inst.root, &host.inst.settings, err) < 0 ||
		limits_read(&host.inst.settings, &host.inst.limits, err) < 0 ||
		budget_check_settings(&host.inst.settings, err) < 0 ||
		lock_take(host.inst.root, &lock, err) < 0 ||
		store_open(host.inst.root_path, STORE_WRITE, &host.inst.store, err) < 0 ||
		log_file_open(host.inst.root, err) < 0)
		return -1;
	lock_sign(lock);
	settings_forget_credentials(&host.inst.settings);
	keep_private(&host);
	host.inst.registry = (struct registry){
		host.inst.store, host.inst.root, settings_assistant(&host.inst.settings)};
	if (delivery_new(&host.inst, &host.delivery, err) < 0)
		return -1;
	host.spending = spending_new(&host.inst, host.delivery);
	uv_loop_init(&host.inst.loop);
	network_new(&(struct network_options){&host.inst.loop,
			    settings_ca_file(&host.inst.settings)},
		&host.inst.network);
	host.auditing = auditing_new(&host.inst);
	host.workers = (struct worker_desk){
		.inst = &host.inst,
		.delivery = host.delivery,
		.spending = host.spending,
		.call = group_calls_take,
		.calls_end = group_calls_end,
		.calls = &host.operations,
	};
	host.queue = queue_new(&host.workers);
	watch_signals(&host);
	result = run_loop(&host, err);
	queue_free(host.queue);
	sandboxes_free(host.sandboxes);
	auditing_free(host.auditing);
	uv_loop_close(&host.inst.loop);
	return !result && host.again ? 1 : result;
}
