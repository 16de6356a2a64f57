#include "host/turn/progress.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "host/base/auditing.h"
#include "host/chat/context.h"
#include "host/chat/delivery.h"
#include "host/turn/worker.h"
#include "proc/log.h"
#include "time/timestamp.h"

/* Of a text that is shown in a chat, in bytes. */
#define MOST_TEXT 1000
#define MOST_LINE 200

void progress_release(struct progress *progress)
{
	free(progress->said);
	*progress = (struct progress){0};
}

void progress_begin(struct progress *progress)
{
	free(progress->said);
	progress->said = NULL;
	progress->count = 0;
}

static void add_step(struct progress *progress, struct store *store, const struct turn *turn,
	enum step_kind kind, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(text));

	if (progress->count++ >= TURN_MAX_STEPS)
		return;
	if (turn_step_add(store, turn->id, kind, shown, timestamp_clock(), &err) < 0)
		log_warning("turn t%lld: %s", (long long)turn->id, err.message);
}

/* `tool` is "NAME INPUT". */
static void add_to_audit(struct progress *progress, struct auditing *auditing,
	const struct turn *turn, const char *tool)
{
	static const struct rate_rule rule = {.count = 600, .period_ms = 60000, .burst = 300};
	static const char own[] = "mcp__" CONTAINER_OWN_SERVER "__";
	size_t len = strcspn(tool, " ");
	CLEANUP(freep) char *name = xmemdupz(tool, len);
	CLEANUP(freep) char *detail = NULL;

	if (!strncmp(name, own, strlen(own)))
		return;
	if (rate_limit_take(&progress->rate, &rule, timestamp_clock())) {
		progress->left_out++;
		return;
	}
	tool += len + (tool[len] == ' ');
	detail = progress->left_out
			 ? xasprintf("%s (%u before it are left out)", tool, progress->left_out)
			 : xstrdup(tool);
	progress->left_out = 0;
	auditing_add(auditing, &(struct audit_entry){
				       .group = turn->group_folder,
				       .turn = turn->id,
				       .kind = AUDIT_AGENT,
				       .what = name,
				       .outcome = AUDIT_ASKED,
				       .detail = detail,
			       });
}

/* As much of a text as one message shows; "" if that is nothing. To be freed. */
static char *progress_text(const struct channel *channel, const char *said)
{
	bool edits = channel->abilities & CHANNEL_EDIT;
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(freep) char *stripped = context_strip(said);
	CLEANUP(freep) char *text = NULL;
	struct view rest = view_of(stripped);
	struct view shown = rest;
	size_t most = edits ? MOST_TEXT : MOST_LINE;

	if (!edits)
		view_next(&rest, '\n', &shown);
	if (shown.len > most)
		shown.len = utf8_valid_len((struct view){shown.data, most});
	text = xasprintf("%.*s%s", VIEW_ARGS(shown), shown.len < strlen(stripped) ? " …" : "");
	channel_split(channel, view_of(text), &parts);
	return xstrdup(parts.count && *stripped ? parts.list[0] : "");
}

static void progress_show(struct worker *worker, const char *said)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct installation *inst = worker->desk->inst;
	const struct turn *turn = &worker->turn;
	const struct channel *channel = installation_channel(inst, turn->chat_jid);
	int64_t wait = inst->limits.progress_seconds;
	int64_t due = timestamp_clock() + worker->turn_began - (int64_t)uv_now(&inst->loop);
	CLEANUP(freep) char *text = NULL;

	if (!wait || turn->run || !channel || !channel_is_followed(channel))
		return;
	if (!(channel->abilities & CHANNEL_EDIT) && wait < inst->limits.progress_line_seconds)
		wait = inst->limits.progress_line_seconds;
	text = progress_text(channel, said);
	if (!*text)
		return;
	if (outbox_progress_show(inst->store, turn->id, text, due + wait * 1000, &err) < 0)
		log_warning("turn t%lld: %s", (long long)turn->id, err.message);
	else
		delivery_wake(worker->desk->delivery, turn->chat_jid);
}

void progress_note(struct worker *worker, const struct stream_event *event)
{
	struct progress *progress = &worker->progress;
	struct store *store = worker->desk->inst->store;
	const struct turn *turn = &worker->turn;
	struct view rest = view_of(event->tools ? event->tools : "");
	struct view tool;

	if (event->kind != STREAM_TEXT)
		return;
	if (*event->text) {
		free(progress->said);
		progress->said = xstrdup(event->text);
	}
	while (view_next(&rest, '\n', &tool)) {
		CLEANUP(freep) char *text = xmemdupz(tool.data, tool.len);

		if (progress->said) {
			add_step(progress, store, turn, STEP_SAID, progress->said);
			progress_show(worker, progress->said);
		}
		free(progress->said);
		progress->said = NULL;
		add_step(progress, store, turn, STEP_TOOL, text);
		add_to_audit(progress, worker->desk->auditing, turn, text);
	}
}
