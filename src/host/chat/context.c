#include "host/chat/context.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "channels/local/local.h"
#include "host/base/media_file.h"
#include "ledger/attachments.h"
#include "ledger/task_runs.h"
#include "ledger/tasks.h"

#define EARLIER_MAX 200                  /* bytes of a message that another refers to */
#define TEXTS_MAX   ((size_t)128 * 1024) /* of the texts of files in a turn */

void context_escape(struct view text, struct buf *out)
{
	while (text.len) {
		uint32_t character = 0;
		size_t len = utf8_decode(text, &character);

		if (!len || (character < ' ' && character != '\n' && character != '\t') ||
			character == 0x7f || (character >= 0xfffe && character <= 0xffff))
			buf_append_str(out, UTF8_REPLACEMENT);
		else if (character == '&')
			buf_append_str(out, "&amp;");
		else if (character == '<')
			buf_append_str(out, "&lt;");
		else if (character == '>')
			buf_append_str(out, "&gt;");
		else if (character == '"')
			buf_append_str(out, "&quot;");
		else if (character == '\'')
			buf_append_str(out, "&apos;");
		else
			buf_append(out, text.data, len);
		text = view_slice(text, len ? len : 1, text.len);
	}
}

/* In an attribute a newline would become a space, and could hide what follows. */
static void escape_name(const char *name, struct buf *out)
{
	CLEANUP(buf_release) struct buf flat = BUF_INIT;

	for (; *name; name++)
		buf_append_char(&flat, *name == '\n' || *name == '\t' ? ' ' : *name);
	context_escape(view_of_buf(&flat), out);
}

/*
 * The beginning of the message that this one refers to, behind the name of its sender. Texts of
 * the assistant have an attribute of their own: anybody can be called "you".
 */
static void add_reference(const struct turn_message *message, struct buf *out)
{
	size_t len = message->earlier ? strlen(message->earlier) : 0;
	bool own = message->earlier && !message->earlier_name;
	CLEANUP(freep) char *start = NULL;

	if (len > EARLIER_MAX)
		len = utf8_valid_len((struct view){message->earlier, EARLIER_MAX});
	start = message->earlier ? xmemdupz(message->earlier, len) : NULL;
	buf_appendf(out, "\" %s%s=\"",
		!strcmp(message->reference, "reply")  ? "reply_to"
		: !strcmp(message->reference, "edit") ? "edit_of"
						      : "reaction_to",
		own ? "_you" : "");
	if (!start) {
		buf_append_str(out, "an earlier message");
		return;
	}
	if (!own) {
		escape_name(message->earlier_name, out);
		buf_append_str(out, ": ");
	}
	escape_name(start, out);
	if (message->earlier[len])
		buf_append_str(out, "\u2026");
}

static void add_attribute(const char *name, const char *value, struct buf *out)
{
	if (!value)
		return;
	buf_appendf(out, " %s=\"", name);
	escape_name(value, out);
	buf_append_char(out, '"');
}

/* The text of a voice message is the message. */
static bool is_spoken(const struct attachment *file)
{
	return file->kind && !strcmp(file->kind, "voice");
}

struct formatting {
	struct store *store;
	struct buf *out;
	struct error *err;
	size_t text_left; /* bytes of texts of files that fit into the turn */
	bool failed;
};

static void add_attachment(struct attachment *file, struct formatting *formatting)
{
	CLEANUP(freep)
	char *path = file->file ? xasprintf(MEDIA_INSIDE "/%s", file->file) : NULL;
	struct buf *out = formatting->out;

	buf_append_str(out, "\n<attachment");
	add_attribute("kind", file->kind, out);
	add_attribute("name", file->name, out);
	add_attribute("type", file->type, out);
	if (file->size)
		buf_appendf(out, " size=\"%" PRId64 "\"", file->size);
	add_attribute("path", path, out);
	if (!path && file->pending)
		buf_append_str(out, " missing=\"not fetched yet\"");
	else if (!path && !file->text)
		add_attribute("missing",
			file->error        ? file->error
			: file->text_error ? file->text_error
					   : "not fetched",
			out);
	else if (file->reader && !file->text)
		add_attribute("text_missing",
			file->text_error ? file->text_error : "not read yet", out);
	else if (!file->text && is_spoken(file)) /* no agent can listen */
		add_attribute("text_missing",
			"the skill 'voice-transcription' reads it: nanoclaw skill apply "
			"voice-transcription",
			out);
	if (!file->text) {
		buf_append_str(out, "/>");
	} else if (is_spoken(file)) {
		buf_append_str(out, " transcribed=\"yes\"/>");
	} else {
		buf_append_char(out, '>');
		context_escape(view_of(file->text), out);
		buf_append_str(out, "</attachment>");
	}
}

/* A text that no longer fits is left out, with a note for the agent. */
static void limit_text(struct attachment *file, struct formatting *formatting)
{
	size_t len = file->text ? strlen(file->text) : 0;

	if (len > formatting->text_left) {
		free(file->text);
		file->text = NULL;
		free(file->text_error);
		file->text_error = xstrdup("the files of this turn have too much text");
		return;
	}
	formatting->text_left -= len;
}

static void add_attachments(const struct turn_message *message, struct formatting *formatting)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct buf *out = formatting->out;
	bool written = *message->content;

	if (attachments_of_message(formatting->store, message->seq, &files, formatting->err) <
		0)
		formatting->failed = true;
	for (size_t i = 0; i < files.count; i++) {
		limit_text(&files.list[i], formatting);
		if (!files.list[i].text || !is_spoken(&files.list[i]))
			continue;
		buf_append_str(out, written ? "\n" : "");
		context_escape(view_of(files.list[i].text), out);
		written = true;
	}
	for (size_t i = 0; i < files.count; i++)
		add_attachment(&files.list[i], formatting);
}

/*
 * The owner at the terminal, or a channel and its id of somebody. Only the terminal's channel is
 * called that, so nobody else can be the owner, whatever they call themselves.
 */
static void add_origin(const struct turn_message *message, struct buf *out)
{
	if (!strcmp(message->channel, LOCAL_CHANNEL)) {
		buf_append_str(out, "owner");
		return;
	}
	escape_name(message->channel, out);
	buf_append_char(out, ':');
	escape_name(message->sender, out);
}

static void add_message(const struct turn_message *message, void *data)
{
	struct formatting *formatting = data;
	struct buf *out = formatting->out;

	if (formatting->failed)
		return;
	buf_append_str(out, "<message sender=\"");
	escape_name(message->sender_name, out);
	buf_append_str(out, "\" from=\"");
	add_origin(message, out);
	buf_append_str(out, "\" time=\"");
	escape_name(message->timestamp, out);
	if (message->thread) {
		buf_append_str(out, "\" thread=\"");
		escape_name(message->thread, out);
	}
	if (message->reference)
		add_reference(message, out);
	buf_append_str(out, message->wants_answer ? "\">" : "\" context=\"yes\">");
	context_escape(view_of(message->content), out);
	add_attachments(message, formatting);
	buf_append_str(out, "</message>\n");
}

static int format_task(
	struct store *store, int64_t run_id, struct buf *ret_text, struct error *err)
{
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (task_run_get(store, run_id, &run, err) < 0 ||
		store_task_get(store, run.task_id, &task, err) < 0)
		return -1;
	buf_append_str(ret_text, "<scheduled_task id=\"");
	escape_name(task.id, ret_text);
	buf_append_str(ret_text, "\" due=\"");
	escape_name(run.scheduled_for, ret_text);
	buf_append_str(ret_text, "\" tz=\"");
	escape_name(task.tz, ret_text);
	buf_append_str(ret_text, "\">");
	context_escape(view_of(task.prompt), ret_text);
	buf_append_str(ret_text, "</scheduled_task>");
	return 0;
}

int context_format(
	struct store *store, const struct turn *turn, struct buf *ret_text, struct error *err)
{
	struct formatting formatting = {store, ret_text, err, TEXTS_MAX, false};

	if (turn->run)
		return format_task(store, turn->run, ret_text, err);
	buf_append_str(ret_text, "<messages>\n");
	if (turn_messages(store, turn, add_message, &formatting, err) < 0 || formatting.failed)
		return -1;
	buf_append_str(ret_text, "</messages>");
	return 0;
}

char *context_strip(const char *answer)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view trimmed;
	const char *open;

	while ((open = strstr(answer, "<internal>"))) {
		const char *close = strstr(open, "</internal>");

		if (!close)
			break;
		buf_append(&out, answer, (size_t)(open - answer));
		answer = close + strlen("</internal>");
	}
	buf_append_str(&out, answer);
	trimmed = view_trim(view_of_buf(&out));
	return xmemdupz(trimmed.data, trimmed.len);
}
