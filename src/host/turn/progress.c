#include "host/turn/progress.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "proc/log.h"
#include "time/timestamp.h"

void progress_release(struct progress *progress)
{
	free(progress->said);
	*progress = (struct progress){0};
}

void progress_begin(struct progress *progress)
{
	progress_release(progress);
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

void progress_note(struct progress *progress, struct store *store, const struct turn *turn,
	const struct stream_event *event)
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
	}
}
