#include "host/reading/readings.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "fs/beneath.h"
#include "host/reading/reading.h"
#include "ledger/attachments.h"
#include "proc/log.h"
#include "time/backoff.h"
#include "time/timestamp.h"

#define READINGS_MAX   2
#define READING_TRIES  3
#define RETRY_MS       1000
#define WATCH_MS       1000
#define STORE_RETRY_MS 5000
#define GROUPS_LOOKED  64

#define CUT "\n[the text goes on in the file]"

struct readings {
	struct installation *inst;
	struct sandboxes *sandboxes;
	struct readings_handlers handlers;
	struct reading list[READINGS_MAX];
	char *last;       /* the group whose file was begun last: the others come first */
	uv_timer_t timer; /* while something is read, or waits for a sandbox to be known */
	bool stopping;
};

const char *readings_reader(
	const struct installation *inst, const struct attachment_arrival *about)
{
	const struct reader *reader = reader_for(&inst->settings, about);

	return reader ? reader->name : NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void readings_timer_came(uv_timer_t *timer);

void reading_clear(struct reading *reading)
{
	struct readings *readings = reading->readings;

	attachment_release(&reading->about);
	buf_release(&reading->content);
	buf_release(&reading->text);
	buf_release(&reading->errors);
	free(reading->program);
	free(reading->killed);
	*reading = (struct reading){
		.readings = readings,
		.inst = readings->inst,
		.sandboxes = readings->sandboxes,
		.content = BUF_INIT,
		.text = BUF_INIT,
		.errors = BUF_INIT,
	};
}

/* If the store failed, the file is read again a little later. */
static void reading_recorded(struct reading *reading, int failed, const struct error *err)
{
	struct readings *readings = reading->readings;

	if (failed < 0)
		log_error("a file of '%s': %s", reading->about.group_folder, err->message);
	reading_clear(reading);
	if (failed < 0)
		uv_timer_start(&readings->timer, readings_timer_came, STORE_RETRY_MS, WATCH_MS);
	else
		readings->handlers.ended(readings->handlers.media);
}

void reading_fail(struct reading *reading, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	log_warning("group '%s': %s has no text of a file: %s", reading->about.group_folder,
		reading->about.reader, why);
	reading_recorded(reading,
		attachment_unreadable(reading->inst->store, reading->about.id, why, &err),
		&err);
}

void reading_again(struct reading *reading, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int failures = reading->about.failures;

	if (failures + 1 >= READING_TRIES) {
		reading_fail(reading, why);
		return;
	}
	log_note("%s: %s; it is tried again", reading->about.reader, why);
	reading_recorded(reading,
		attachment_read_later(reading->inst->store, reading->about.id,
			timestamp_clock() + backoff_ms(RETRY_MS, 4, failures, LONGEST_RETRY_MS),
			&err),
		&err);
}

void reading_end(struct reading *reading, struct view text, bool cut)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf kept = BUF_INIT;
	struct view rest = view_trim(text);

	while (rest.len && kept.len < ATTACHMENT_MAX_TEXT) {
		uint32_t character = 0;
		size_t len = utf8_decode(rest, &character);

		if (character)
			buf_append(&kept, rest.data, len);
		else
			buf_append_str(&kept, UTF8_REPLACEMENT);
		rest = view_slice(rest, len ? len : 1, rest.len);
	}
	if (!kept.len) {
		reading_fail(reading, "no text was found in it");
		return;
	}
	if (cut || rest.len)
		buf_append_str(&kept, CUT);
	reading_recorded(reading,
		attachment_read(reading->inst->store, &reading->about, kept.data, &err), &err);
}

/* --- the beginning ----------------------------------------------------------- */

static int reading_start(
	struct reading *reading, const struct reader *reader, struct error *err)
{
	const struct settings *settings = &reading->inst->settings;
	const char *command = reader_command(reader, settings);
	struct reader_server server = reader_server(reader, settings);
	struct reading_file file = {.name = reading->about.file, .type = reading->about.type};
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;
	CLEANUP(freep)
	char *path = attachment_path(reading->about.group_folder, reading->about.file);

	if (!command && !server.url)
		return error_set(err, ERROR_INVALID, "%s is not set", reader->setting);
	if (relpath_parse(view_of(path), &below, err) < 0 ||
		beneath_read(reading->inst->root, &below,
			(size_t)reading->inst->limits.media_file_megabytes * 1024 * 1024,
			&reading->content, err) < 0)
		return -1;
	if (command)
		return reading_run(reading, command, err);
	file.content = view_of_buf(&reading->content);
	return reader->ask(reading, &server, &file, err);
}

static void reading_begin(struct reading *reading, struct attachment *about)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct reader *reader = reader_named(about->reader);

	reading->about = *about;
	*about = (struct attachment){0};
	if (!reader)
		reading_fail(reading, "the skill that read such files was removed");
	else if (reading_start(reading, reader, &err) < 0)
		reading_fail(reading, err.message);
	else
		buf_clear(&reading->content);
}

static struct reading *reading_unused(struct readings *readings, const char *folder)
{
	struct reading *unused = NULL;

	for (size_t i = 0; i < READINGS_MAX; i++) {
		if (!readings->list[i].about.id)
			unused = &readings->list[i];
		else if (!strcmp(readings->list[i].about.group_folder, folder))
			return NULL;
	}
	return unused;
}

void readings_work(struct readings *readings)
{
	CLEANUP(attachment_list_release) struct attachment_list unread = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (readings->stopping)
		return;
	if (attachments_to_read(readings->inst->store, timestamp_clock(), readings->last,
		    GROUPS_LOOKED, &unread, &err) < 0) {
		log_error("files of messages: %s", err.message);
		return;
	}
	if (!unread.count)
		return;
	uv_timer_start(&readings->timer, readings_timer_came, WATCH_MS, WATCH_MS);
	/* A program needs a sandbox, which is not known yet; the timer tries again. */
	if (!sandboxes_known(readings->sandboxes, &SANDBOX_WISH_OWN))
		return;
	for (size_t i = 0; i < unread.count; i++) {
		struct reading *unused = reading_unused(readings, unread.list[i].group_folder);

		if (!unused)
			continue;
		free(readings->last);
		readings->last = xstrdup(unread.list[i].group_folder);
		reading_begin(unused, &unread.list[i]);
	}
}

/* --- the loop ---------------------------------------------------------------- */

static void readings_timer_came(uv_timer_t *timer)
{
	struct readings *readings = timer->data;
	struct watch seen = WATCH_INIT;
	bool busy = false;

	watch_look(&seen);
	for (size_t i = 0; i < READINGS_MAX; i++) {
		busy |= readings->list[i].about.id != 0;
		reading_watch(&readings->list[i], &seen);
	}
	watch_release(&seen);
	if (!busy)
		uv_timer_stop(timer);
	readings_work(readings);
}

bool readings_stopping(const struct readings *readings)
{
	return readings->stopping;
}

struct readings *readings_new(struct installation *inst, struct sandboxes *sandboxes,
	const struct readings_handlers *handlers)
{
	struct readings *readings = xcalloc(1, sizeof(*readings));

	readings->inst = inst;
	readings->sandboxes = sandboxes;
	readings->handlers = *handlers;
	for (size_t i = 0; i < READINGS_MAX; i++) {
		readings->list[i].readings = readings;
		reading_clear(&readings->list[i]);
	}
	uv_timer_init(&inst->loop, &readings->timer);
	readings->timer.data = readings;
	return readings;
}

void readings_stop(struct readings *readings)
{
	if (!readings || readings->stopping)
		return;
	readings->stopping = true;
	for (size_t i = 0; i < READINGS_MAX; i++)
		if (readings->list[i].about.id)
			reading_stop(&readings->list[i]);
	uv_close((uv_handle_t *)&readings->timer, NULL);
}

void readings_free(struct readings *readings)
{
	if (readings)
		free(readings->last);
	free(readings);
}
