#include "host/agent/sandboxes.h"

#include <time.h>

#include "group/container_file.h"
#include "host/agent/probing.h"
#include "proc/log.h"
#include "sandbox/ownership.h"

#define WATCH_MS 1000
#define SWEEP_MS 60000

/* When the host ends: the number of tries, and the time between them. */
#define LAST_TRIES   100
#define LAST_WAIT_MS 10

struct sandboxes {
	struct installation *inst;
	struct sandboxes_handlers handlers;
	struct ownership *owner;
	struct container_keeper keeper;
	struct probing *probing;
	bool without_bwrap; /* it was tried, and our own agents use landlock */
	bool untidy;        /* a sandbox has ended, and may have left something behind */
	uv_timer_t watching;
	uv_timer_t sweeping;
};

struct ownership *sandboxes_owner(const struct sandboxes *sandboxes)
{
	return sandboxes->owner;
}

const char *sandboxes_image(const struct sandboxes *sandboxes)
{
	return settings_get(&sandboxes->inst->settings, "NANOCLAW_SANDBOX_IMAGE");
}

/* The group's setting, else the installation's, else bwrap. */
static int kind_wanted(struct sandboxes *sandboxes, const struct sandbox_wish *wish,
	const struct sandbox_kind **ret_kind, bool *ret_chosen, struct error *err)
{
	const char *setting = settings_get(&sandboxes->inst->settings, "NANOCLAW_SANDBOX");

	*ret_kind = sandbox_kind_of(SANDBOX_USUAL);
	*ret_chosen = wish->kind || setting;
	if (wish->kind)
		return sandbox_kind_find(wish->kind, ret_kind, err);
	if (setting && sandbox_kind_find(setting, ret_kind, err) < 0)
		return error_prefix(err, "NANOCLAW_SANDBOX");
	if (wish->stays_here && (*ret_kind)->elsewhere) {
		*ret_kind = sandbox_kind_of(SANDBOX_USUAL);
		*ret_chosen = false;
	}
	return 0;
}

bool sandboxes_known(struct sandboxes *sandboxes, const struct sandbox_wish *wish)
{
	bool own_agent = wish->own_agent;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct sandbox_kind *kind;
	bool chosen;

	if (kind_wanted(sandboxes, wish, &kind, &chosen, &err) < 0)
		return true;
	if (!chosen && own_agent && sandboxes->without_bwrap)
		return probing_known(sandboxes->probing, sandbox_kind_of(SANDBOX_FALLBACK));
	if (!probing_known(sandboxes->probing, kind))
		return false;
	return chosen || !own_agent || probing_works(sandboxes->probing, kind) ||
	       probing_known(sandboxes->probing, sandbox_kind_of(SANDBOX_FALLBACK));
}

int sandboxes_choose(struct sandboxes *sandboxes, const struct sandbox_wish *wish,
	const struct sandbox_kind **ret_kind, struct error *err)
{
	bool own_agent = wish->own_agent;
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(error_release) struct error other = ERROR_INIT;
	bool chosen;

	if (kind_wanted(sandboxes, wish, ret_kind, &chosen, err) < 0)
		return -1;
	if (!(sandboxes->without_bwrap && own_agent && !chosen) &&
		probing_result(sandboxes->probing, *ret_kind, &why) == 0)
		return 0;
	if (!chosen && own_agent &&
		probing_result(sandboxes->probing, sandbox_kind_of(SANDBOX_FALLBACK), &other) ==
			0) {
		if (!sandboxes->without_bwrap)
			log_note("%s; our own agents run in the sandbox 'landlock' instead",
				why.message);
		sandboxes->without_bwrap = true;
		*ret_kind = sandbox_kind_of(SANDBOX_FALLBACK);
		return 0;
	}
	log_error("no agent is started: %s", why.message);
	if (other.message)
		log_error("no agent is started: %s", other.message);
	return error_set(err, ERROR_INVALID,
		"this computer has no working sandbox for an agent; please tell the person who runs me");
}

static void probe_done(void *data)
{
	struct sandboxes *sandboxes = data;

	sandboxes->handlers.known(sandboxes->handlers.queue);
}

/* --- timers ------------------------------------------------------------------ */

static void watch_timer(uv_timer_t *timer)
{
	struct sandboxes *sandboxes = timer->data;

	if (sandboxes->untidy)
		sandboxes->untidy = ownership_sweep(sandboxes->owner) > 0;
	sandboxes->handlers.watch(sandboxes->handlers.queue);
}

static void sweep_timer(uv_timer_t *timer)
{
	struct sandboxes *sandboxes = timer->data;
	size_t count = ownership_sweep(sandboxes->owner);

	if (count)
		log_note("%zu leftover%s of sandboxes %s ended", count, count == 1 ? "" : "s",
			count == 1 ? "is" : "are");
}

static void start_timer(
	struct sandboxes *sandboxes, uv_timer_t *timer, uv_timer_cb run, uint64_t every)
{
	uv_timer_init(&sandboxes->inst->loop, timer);
	timer->data = sandboxes;
	uv_timer_start(timer, run, every, every);
	uv_unref((uv_handle_t *)timer);
}

/* container.json, as long as an agent runs that could write it. */
static const char *held_text(void *data, const char *path)
{
	return ownership_guarded(data, path);
}

static int change_file(void *data, const char *path, const char *text, struct error *err)
{
	return ownership_change_guarded(data, path, text, err);
}

int sandboxes_open(struct installation *inst, const struct sandboxes_handlers *handlers,
	struct sandboxes **ret_sandboxes, struct error *err)
{
	CLEANUP(error_release) struct error told = ERROR_INIT;
	struct sandboxes *sandboxes = xcalloc(1, sizeof(*sandboxes));
	const char *setting = settings_get(&inst->settings, "NANOCLAW_SANDBOX");
	const struct sandbox_kind *kind;

	sandboxes->inst = inst;
	sandboxes->handlers = *handlers;
	if (setting && sandbox_kind_find(setting, &kind, err) < 0) {
		free(sandboxes);
		return error_prefix(err, "NANOCLAW_SANDBOX");
	}
	if (ownership_open(inst->root, &sandboxes->owner, err) < 0) {
		free(sandboxes);
		return -1;
	}
	sandboxes->probing = probing_new(&(struct probing_options){
		.loop = &inst->loop,
		.image = sandboxes_image(sandboxes),
		.done = probe_done,
		.data = sandboxes,
	});
	sandboxes->keeper = (struct container_keeper){held_text, change_file, sandboxes->owner};
	container_set_keeper(&sandboxes->keeper);
	start_timer(sandboxes, &sandboxes->watching, watch_timer, WATCH_MS);
	start_timer(sandboxes, &sandboxes->sweeping, sweep_timer, SWEEP_MS);
	sweep_timer(&sandboxes->sweeping);
	/* The usual kind is tried before the loop runs, so that the first message does not wait
	 * for it. Problems are in the log. */
	sandboxes_choose(sandboxes, &SANDBOX_WISH_OWN, &kind, &told);
	*ret_sandboxes = sandboxes;
	return 0;
}

void sandboxes_stop(struct sandboxes *sandboxes)
{
	if (!sandboxes)
		return;
	probing_stop(sandboxes->probing);
	uv_close((uv_handle_t *)&sandboxes->watching, NULL);
	uv_close((uv_handle_t *)&sandboxes->sweeping, NULL);
}

void sandboxes_ended(struct sandboxes *sandboxes)
{
	sandboxes->untidy = true;
}

/* A killed process takes a moment to disappear; only then can its cgroup be removed. */
static void tidy_up(struct sandboxes *sandboxes)
{
	const struct timespec moment = {0, LAST_WAIT_MS * 1000000L};

	for (int i = 0; i < LAST_TRIES && ownership_sweep(sandboxes->owner); i++)
		nanosleep(&moment, NULL);
}

void sandboxes_free(struct sandboxes *sandboxes)
{
	if (!sandboxes)
		return;
	tidy_up(sandboxes);
	probing_free(sandboxes->probing);
	container_set_keeper(NULL);
	ownership_free(sandboxes->owner);
	free(sandboxes);
}
