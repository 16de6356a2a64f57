#include "host/turn/progress.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "host/base/auditing.h"
#include "proc/log.h"
#include "time/timestamp.h"

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

void progress_note(struct progress *progress, struct store *store, struct auditing *auditing,
	const struct turn *turn, const struct stream_event *event)
{
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

		if (progress->said)
			add_step(progress, store, turn, STEP_SAID, progress->said);
		free(progress->said);
		progress->said = NULL;
		add_step(progress, store, turn, STEP_TOOL, text);
		add_to_audit(progress, auditing, turn, text);
	}
}
