#include "cli/rebuild/watch.h"

#include <poll.h>
#include <signal.h>
#include <string.h>

#include "cli/service/serve.h"
#include "engine/disk/command.h"
#include "format/json.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define LOOK_EVERY_MS  500
#define KILL_AFTER_MS  10000
#define RETURN_WAIT_MS 20000 /* a service manager starts a host again after 10 seconds */
#define START_SECONDS  60

/* --- is it well? --------------------------------------------------------------- */

static const json_t *channel_find(const json_t *channels, const char *name)
{
	const json_t *channel;
	size_t i;

	json_array_foreach(channels, i, channel)
		if (!strcmp(json_member(channel, "name"), name))
			return channel;
	return NULL;
}

/* Channels that are gone were taken away with their skill, or are missed. */
static int check_channels(const json_t *before, const json_t *now, struct error *err)
{
	const json_t *channel;
	size_t i;

	json_array_foreach(before, i, channel) {
		const char *name = json_member(channel, "name");
		const json_t *found = channel_find(now, name);

		if (strcmp(json_member(channel, "state"), "connected") != 0 || !found ||
			!strcmp(json_member(found, "state"), "connected"))
			continue;
		return error_set(err, ERROR_FAILED,
			"the channel '%s' was connected before and is %s now%s%s", name,
			json_member(found, "state"), *json_member(found, "detail") ? ": " : "",
			json_member(found, "detail"));
	}
	return 0;
}

/* Wait until it has run for `seconds`. Returns 1 if it was stopped on purpose before. */
static int watch_host(struct host_rebuild *r, const struct running *before, int64_t seconds,
	struct error *err)
{
	CLEANUP(running_release) struct running now = RUNNING_INIT;
	int64_t start;

	if (running_find(&r->assistant, &now, err) < 0)
		return -1;
	if (!now.pid)
		return error_set(err, ERROR_FAILED, "the host ended after its start");
	host_rebuild_say(r, "watching it for %lld seconds", (long long)seconds);
	start = timestamp_steady();
	while (timestamp_steady() < start + seconds * 1000)
		if (running_wait_end(&now, LOOK_EVERY_MS)) {
			/*
			 * A host that is stopped, rather than crashing, does not count as a
			 * failed start (current_build.h).
			 */
			if (builds_starts(&r->builds) <= 0)
				return 1;
			return error_set(err, ERROR_FAILED,
				"the host ended %lld seconds after its start",
				(long long)(timestamp_steady() - start) / 1000);
		}
	running_release(&now);
	now = RUNNING_INIT;
	if (running_find(&r->assistant, &now, err) < 0)
		return -1;
	if (!now.pid)
		return error_set(err, ERROR_FAILED, "the host ended");
	return check_channels(before->channels, now.channels, err);
}

/* --- back ---------------------------------------------------------------------- */

static void end_host(const struct running *host)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (running_wait_end(host, 0))
		return;
	running_signal(host, SIGTERM, &ignored);
	if (!running_wait_end(host, KILL_AFTER_MS))
		running_signal(host, SIGKILL, &ignored);
}

/* Does something else restart the host: a service manager, or a chat? */
static bool host_wait(struct host_rebuild *r)
{
	int64_t start = timestamp_steady();

	do {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(running_release) struct running now = RUNNING_INIT;

		if (running_find(&r->assistant, &now, &ignored) == 0 && now.pid)
			return true;
		poll(NULL, 0, LOOK_EVERY_MS);
	} while (timestamp_steady() < start + RETURN_WAIT_MS);
	return false;
}

static int start_in_background(struct host_rebuild *r, const char *build, struct error *err)
{
	CLEANUP(freep)
	char *program = build ? builds_program(&r->builds, build) : xstrdup("/proc/self/exe");
	struct command_request command = {
		.argv = (const char *const[]){program, "-C", r->assistant.project.path, "start",
			"--stay", NULL},
		.what = "the previous build",
		.shown = "nanoclaw start --stay",
		.kind = ERROR_FAILED,
		.own = true,
		.seconds = START_SECONDS,
	};

	if (command_run(&r->assistant.project, &command, err) < 0)
		return -1;
	log_warning("the host had ended with its terminal; it runs in the background now");
	return 0;
}

static int host_bring_back(struct host_rebuild *r, const struct running *host,
	const char *build, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(running_release) struct running now = RUNNING_INIT;

	if (running_find(&r->assistant, &now, &ignored) == 0 && now.pid &&
		running_restart(&r->assistant, &now, &ignored) == 0)
		return 0;
	end_host(host);
	return host_wait(r) ? 0 : start_in_background(r, build, err);
}

/* `why` becomes the error: what happened, and the state now. */
static int build_take_back(struct host_rebuild *r, const struct running *host,
	struct error *why, struct error *err)
{
	CLEANUP(error_release) struct error worse = ERROR_INIT;
	CLEANUP(freep) char *build = NULL;

	if (r->options.one_way) {
		error_set(err, ERROR_FAILED, "the new build does not work: %s", why->message);
		return error_hint(err, "there is no way back; 'nanoclaw logs' says more");
	}
	host_rebuild_say(r, "going back: %s", why->message);
	if (builds_switch_back(&r->builds, why->message, &build, &worse) < 0 ||
		host_bring_back(r, host, build, &worse) < 0) {
		error_set(err, ERROR_FAILED, "%s; and the rollback failed: %s", why->message,
			worse.message);
		return error_hint(err, "'nanoclaw run' starts the host");
	}
	r->switched = r->restarted = false;
	error_set(err, ERROR_FAILED, "the new build was rolled back: %s", why->message);
	return error_hint(err,
		"the host runs the previous build again; 'nanoclaw logs' says more, and 'nanoclaw undo' undoes the last change to the source");
}

/* --- all of it ----------------------------------------------------------------- */

/* A host from before there were builds starts again with its old program. */
static bool host_is_new_build(struct host_rebuild *r)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(running_release) struct running now = RUNNING_INIT;
	CLEANUP(freep) char *build = NULL;

	if (running_find(&r->assistant, &now, &ignored) < 0 || !now.pid)
		return true; /* watch_host() reports what is wrong */
	build = now.program ? builds_name_of(&r->builds, now.program) : NULL;
	return build && !strcmp(build, r->source.name);
}

int watch_run(struct host_rebuild *rebuild, const struct running *before, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	int64_t seconds;
	int result;

	if (settings_number(&rebuild->assistant.settings, SETTLE_SETTING, 1, SETTLE_MAX,
		    SETTLE_SECONDS, &seconds, err) < 0)
		return -1;
	if (!before->pid) {
		host_rebuild_say(
			rebuild, "no host is running; the next one starts with this build");
		return 0;
	}
	host_rebuild_say(rebuild, "restarting the host (pid %d)", before->pid);
	rebuild->restarted = true;
	if (running_restart(&rebuild->assistant, before, &why) < 0)
		return build_take_back(rebuild, before, &why, err);
	if (!host_is_new_build(rebuild)) {
		log_warning("the host (pid %d) is too old to change its program; stop it and "
			    "start it again",
			before->pid);
		return 0;
	}
	result = watch_host(rebuild, before, seconds, &why);
	if (result < 0)
		return build_take_back(rebuild, before, &why, err);
	if (!result)
		return builds_settle(&rebuild->builds, err);
	host_rebuild_say(rebuild, "the host was stopped; the next one starts with this build");
	return 0;
}
