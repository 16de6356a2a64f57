#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "channels/whatsapp_cloud/cloud.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "time/timestamp.h"

#define MOST_UNDER_WAY 20
#define MAX_CAPTION    1024
#define MAX_IMAGE      ((int64_t)5 * 1024 * 1024)
#define MAX_MEDIA      ((int64_t)16 * 1024 * 1024)

struct cloud_file {
	char *path;
	char *name;
	const char *type;
	const char *kind; /* how WhatsApp shows it */
};

/*
 * A text that has no receipt yet.
 *
 *	           due                 taken, and no step is left
 *	[waiting] -----> [under way] ------------------------------> receipt
 *	                   |     ^
 *	         no answer |     | a status shows that this step was taken
 *	                   v     |
 *	                [in doubt] ---- no status for a while ----> lost: it is sent again
 *
 * Each step is a message to WhatsApp: the text, unless it is the caption of the first file, and each
 * file, which is uploaded before. `biz_opaque_callback_data` is the key for the last step, and
 * "KEY#N" for the Nth before it.
 */
struct cloud_sending {
	struct cloud_sending *next;
	struct cloud *cloud;
	struct cloud_call *call; /* NULL: it waits or is in doubt, until `due` */
	int64_t due;
	bool in_doubt;
	bool after_part; /* it waits for the status of the part before it */
	enum outbox_action action;
	char *key;
	char *jid;
	char *content;
	char *reply_to; /* NULL: no message */
	char *target;   /* of a reaction; else NULL */
	struct cloud_file *files;
	size_t file_count;
	bool captioned; /* the text is the caption of the first file */
	char *media;    /* the id of the file of this step, when it is uploaded; else NULL */
	size_t step;
	size_t steps;
};

static void sending_remove(struct cloud_sending *sending)
{
	struct cloud_sending **at = &sending->cloud->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->cloud->sending_count--;
	free(sending->key);
	free(sending->jid);
	free(sending->content);
	free(sending->reply_to);
	free(sending->target);
	free(sending->media);
	for (size_t i = 0; i < sending->file_count; i++) {
		free(sending->files[i].path);
		free(sending->files[i].name);
	}
	free(sending->files);
	free(sending);
}

/* Nothing may be done with the channel after this: it may be gone. */
static void sending_done(struct cloud_sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct cloud *cloud = sending->cloud;
	const struct channel_events *events = cloud->channel.events;

	events->receipt(&cloud->channel, sending->key, receipt, detail, later);
	sending_remove(sending);
	if (cloud->turned_away) {
		cloud->turned_away = false;
		events->ready(&cloud->channel, NULL);
	}
	if (cloud->closing && !cloud->sendings) {
		uv_timer_stop(&cloud->timer);
		cloud_finish(cloud);
	}
}

/* --- waiting ----------------------------------------------------------------- */

static void sending_go_on(struct cloud_sending *sending);

/* The next one whose time has come. It may be the last thing that the channel does. */
static void send_due(uv_timer_t *timer);

static void send_wait(struct cloud *cloud)
{
	int64_t first = INT64_MAX;
	int64_t now = timestamp_steady();

	for (struct cloud_sending *sending = cloud->sendings; sending; sending = sending->next)
		if (!sending->call && sending->due < first)
			first = sending->due;
	if (first == INT64_MAX)
		uv_timer_stop(&cloud->send_timer);
	else
		uv_timer_start(&cloud->send_timer, send_due,
			first > now ? (uint64_t)(first - now) : 0, 0);
}

static void sending_wait(struct cloud_sending *sending, int64_t due)
{
	sending->due = due;
	send_wait(sending->cloud);
}

static void send_due(uv_timer_t *timer)
{
	struct cloud *cloud = timer->data;
	struct cloud_sending *sending = cloud->sendings;

	while (sending && (sending->call || sending->due > timestamp_steady()))
		sending = sending->next;
	uv_timer_start(timer, send_due, 0, 0); /* for the next one, unless the channel ends */
	if (!sending)
		send_wait(cloud);
	else if (sending->in_doubt)
		sending_done(sending, RECEIPT_LOST, "WhatsApp has not answered", 0);
	else
		sending_go_on(sending);
}

/* --- replies ----------------------------------------------------------------- */

static void sending_took_step(struct cloud_sending *sending, const char *id)
{
	struct cloud *cloud = sending->cloud;
	struct cloud_chat *chat = cloud_chat_get(cloud, sending->jid);

	backoff_reset(&chat->limited);
	sending->in_doubt = false;
	free(sending->media);
	sending->media = NULL;
	if (++sending->step < sending->steps)
		sending_go_on(sending);
	else
		sending_done(sending, RECEIPT_SENT, id, 0);
}

/* It may have arrived. If so, a status will tell. */
static void sending_doubt(struct cloud_sending *sending, const char *why)
{
	struct cloud *cloud = sending->cloud;

	sending->in_doubt = true;
	cloud_connect_check(cloud, why);
	sending_wait(sending, timestamp_steady() + cloud->status_ms);
}

/* True: it has its receipt, or waits for it. `did`: something may have happened. */
static bool sending_hindered(
	struct cloud_sending *sending, const struct cloud_reply *reply, bool did)
{
	struct cloud *cloud = sending->cloud;
	int64_t wait;

	switch (reply->outcome) {
	case CLOUD_UNANSWERED:
		if (did) {
			sending_doubt(sending, reply->error);
		} else {
			cloud_connect_check(cloud, reply->error);
			sending_done(sending, RECEIPT_FAILED, reply->error, 0);
		}
		return true;
	case CLOUD_NO_TOKEN:
		cloud_connect_refused(cloud, reply->error);
		sending_done(sending, RECEIPT_LOST, reply->error, 0);
		return true;
	case CLOUD_LATER:
		wait = backoff_next(&cloud_chat_get(cloud, sending->jid)->limited);
		if (reply->retry_after_ms > 0)
			wait = reply->retry_after_ms;
		sending_done(sending, RECEIPT_LATER, reply->error, timestamp_clock() + wait);
		return true;
	case CLOUD_BUSY:
		sending_done(sending, RECEIPT_FAILED, reply->error, 0);
		return true;
	case CLOUD_REFUSED:
		sending_done(sending, RECEIPT_REFUSED, reply->error, 0);
		return true;
	case CLOUD_DONE:
		return false;
	}
	return false;
}

static void take_sent(void *data, const struct cloud_reply *reply)
{
	struct cloud_sending *sending = data;
	const json_t *messages = json_object_get(reply->document, "messages");
	const char *id = cloud_text(json_array_get(messages, 0), "id");
	struct cloud_chat *chat;

	sending->call = NULL;
	if (sending_hindered(sending, reply, true))
		return;
	chat = cloud_chat_get(sending->cloud, sending->jid);
	free(chat->taken_key);
	chat->taken_key = xstrdup(sending->key);
	chat->taken_at = timestamp_steady();
	cloud_connect_expect(sending->cloud);
	sending_took_step(sending, id);
}

static void take_uploaded(void *data, const struct cloud_reply *reply)
{
	struct cloud_sending *sending = data;
	const char *id = cloud_text(reply->document, "id");

	sending->call = NULL;
	if (sending_hindered(sending, reply, false))
		return;
	if (!id) {
		sending_done(sending, RECEIPT_FAILED, "WhatsApp gives no id for the file", 0);
		return;
	}
	sending->media = xstrdup(id);
	sending_go_on(sending);
}

/* --- requests ---------------------------------------------------------------- */

static json_t *sending_message(const struct cloud_sending *sending)
{
	const char *id = cloud_chat_id(sending->jid);
	bool is_group = view_starts_with(view_of(id), "group:");
	bool is_phone = strspn(id, "0123456789") == strlen(id);
	bool is_last = sending->step + 1 == sending->steps;
	CLEANUP(freep)
	char *callback = is_last ? xstrdup(sending->key)
				 : xasprintf("%s#%zu", sending->key, sending->step);
	json_t *message = json_pack("{s:s, s:s, s:s, s:s}", "messaging_product", "whatsapp",
		"recipient_type", is_group ? "group" : "individual",
		is_phone || is_group ? "to" : "recipient",
		is_group ? id + strlen("group:") : id, "biz_opaque_callback_data", callback);

	if (sending->reply_to && !sending->step)
		json_object_set_new(message, "context",
			json_pack("{s:s}", "message_id", sending->reply_to));
	return message;
}

static void sending_post(struct cloud_sending *sending, const char *kind, json_t *content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *message = sending_message(sending);

	json_object_set_new(message, "type", json_string(kind));
	json_object_set_new(message, kind, content);
	if (cloud_call(&sending->cloud->api,
		    &(struct cloud_request){"POST", "messages", .json = message}, take_sent,
		    sending, &sending->call, &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
}

static void sending_upload(struct cloud_sending *sending, const struct cloud_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
	struct http_multipart *form;
	struct stat st;
	int fd;

	if (relpath_parse(view_of(file->path), &place, &err) < 0 ||
		beneath_open_file(sending->cloud->root, &place, &fd, &st, &err) < 0) {
		sending_done(sending, RECEIPT_REFUSED, err.message, 0);
		return;
	}
	form = http_multipart_new();
	http_multipart_text(form, "messaging_product", view_of("whatsapp"));
	http_multipart_text(form, "type", view_of(file->type));
	http_multipart_file(form, "file", file->name, file->type, fd, st.st_size);
	if (cloud_call(&sending->cloud->api,
		    &(struct cloud_request){"POST", "media", .form = form}, take_uploaded,
		    sending, &sending->call, &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
}

static json_t *sending_text(const struct cloud_sending *sending)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	markup_render(view_of(sending->content), MARKUP_WHATSAPP, &text);
	return json_text(view_of_buf(&text));
}

/* The next step. */
static void sending_go_on(struct cloud_sending *sending)
{
	bool text_first = *sending->content && !sending->captioned;
	bool sends_text = text_first && !sending->step;
	const struct cloud_file *file = sending->files && !sends_text
						? sending->files + (sending->step - text_first)
						: NULL;
	json_t *content;

	if (sending->action == OUTBOX_REACT) {
		sending_post(sending, "reaction",
			json_pack("{s:s, s:o}", "message_id", sending->target, "emoji",
				json_text(view_of(sending->content))));
	} else if (sends_text) {
		sending_post(sending, "text",
			json_pack(
				"{s:o, s:b}", "body", sending_text(sending), "preview_url", 0));
	} else if (!sending->media) {
		sending_upload(sending, file);
	} else {
		content = json_pack("{s:s}", "id", sending->media);
		if (!strcmp(file->kind, "document"))
			json_object_set_new(
				content, "filename", json_text(view_of(file->name)));
		if (sending->captioned && !sending->step)
			json_object_set_new(content, "caption", sending_text(sending));
		sending_post(sending, file->kind, content);
	}
}

/* --- statuses ---------------------------------------------------------------- */

/* The part before is there: the next one may follow. */
static void send_next_part(struct cloud *cloud, const char *key)
{
	for (struct cloud_chat *chat = cloud->chats; chat; chat = chat->next) {
		if (!chat->taken_key || strcmp(chat->taken_key, key) != 0)
			continue;
		free(chat->taken_key);
		chat->taken_key = NULL;
		for (struct cloud_sending *sending = cloud->sendings; sending;
			sending = sending->next)
			if (sending->after_part && !strcmp(sending->jid, chat->jid))
				sending_wait(sending, 0);
	}
}

void cloud_send_status(
	struct cloud *cloud, const char *callback, const char *id, const char *error)
{
	size_t len = strcspn(callback, "#");
	CLEANUP(freep) char *key = xmemdupz(callback, len);
	const struct channel_events *events = cloud->channel.events;
	struct cloud_sending *sending = cloud->sendings;
	bool is_last = !callback[len];
	size_t step;

	send_next_part(cloud, key);
	while (sending && strcmp(sending->key, key) != 0)
		sending = sending->next;
	if (!sending) {
		if (error || is_last)
			events->receipt(&cloud->channel, key,
				error ? RECEIPT_REFUSED : RECEIPT_SENT, error ? error : id, 0);
		return;
	}
	step = is_last ? sending->steps - 1 : strtoul(callback + len + 1, NULL, 10);
	if (!error && (step < sending->step || step >= sending->steps))
		return;
	/* It is as good as the answer of a call that is still under way. */
	if (sending->call)
		cloud_call_cancel(sending->call);
	sending->call = NULL;
	sending->step = step;
	if (error)
		sending_done(sending, RECEIPT_REFUSED, error, 0);
	else
		sending_took_step(sending, id);
}

/* --- rows -------------------------------------------------------------------- */

/* Types that WhatsApp takes; with the kind "document", any other file is offered as one, too. */
static void file_classify(struct cloud_file *file, int64_t size)
{
	static const struct {
		const char *ending;
		const char *type;
		const char *kind;
		int64_t max; /* beyond it, it is a document */
	} types[] = {
		{"aac", "audio/aac", "audio", MAX_MEDIA},
		{"amr", "audio/amr", "audio", MAX_MEDIA},
		{"m4a", "audio/mp4", "audio", MAX_MEDIA},
		{"mp3", "audio/mpeg", "audio", MAX_MEDIA},
		{"ogg", "audio/ogg", "audio", MAX_MEDIA},
		{"opus", "audio/ogg", "audio", MAX_MEDIA},
		{"jpeg", "image/jpeg", "image", MAX_IMAGE},
		{"jpg", "image/jpeg", "image", MAX_IMAGE},
		{"png", "image/png", "image", MAX_IMAGE},
		{"3gp", "video/3gpp", "video", MAX_MEDIA},
		{"mp4", "video/mp4", "video", MAX_MEDIA},
		{"csv", "text/plain", "document", INT64_MAX},
		{"doc", "application/msword", "document", INT64_MAX},
		{"docx",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
			"document", INT64_MAX},
		{"json", "text/plain", "document", INT64_MAX},
		{"md", "text/plain", "document", INT64_MAX},
		{"pdf", "application/pdf", "document", INT64_MAX},
		{"ppt", "application/vnd.ms-powerpoint", "document", INT64_MAX},
		{"pptx",
			"application/vnd.openxmlformats-officedocument.presentationml.presentation",
			"document", INT64_MAX},
		{"txt", "text/plain", "document", INT64_MAX},
		{"xls", "application/vnd.ms-excel", "document", INT64_MAX},
		{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			"document", INT64_MAX},
	};
	const char *dot = strrchr(file->name, '.');

	file->type = "application/octet-stream";
	file->kind = "document";
	for (size_t i = 0; dot && i < ARRAY_SIZE(types); i++)
		if (!strcasecmp(dot + 1, types[i].ending)) {
			file->type = types[i].type;
			if (size <= types[i].max)
				file->kind = types[i].kind;
		}
}

static void sending_add_files(struct cloud_sending *sending, const struct outbox_row *row)
{
	sending->file_count = row->attachments.count;
	sending->files = xcalloc(sending->file_count + 1, sizeof(*sending->files));
	for (size_t i = 0; i < sending->file_count; i++) {
		const struct attachment *about = &row->attachments.list[i];
		struct cloud_file *file = &sending->files[i];
		const char *stored = about->file ? about->file : "";

		file->path = attachment_path(about->group_folder, stored);
		file->name = xstrdup(about->name ? about->name : stored);
		file_classify(file, about->size);
	}
	/* A short text is the caption of a file that can have one. */
	sending->captioned =
		sending->file_count && *sending->content &&
		strcmp(sending->files[0].kind, "audio") != 0 &&
		markup_length(view_of(sending->content), MARKUP_CHARACTERS) <= MAX_CAPTION;
	sending->steps = sending->file_count +
			 (!sending->file_count || (*sending->content && !sending->captioned));
}

static struct cloud_sending *sending_new(struct cloud *cloud, const struct outbox_row *row)
{
	struct cloud_sending *sending = xcalloc(1, sizeof(*sending));

	sending->cloud = cloud;
	sending->action = row->action;
	sending->key = xstrdup(row->key);
	sending->jid = xstrdup(row->chat_jid);
	sending->content = xstrdup(row->content);
	sending->reply_to = row->reply_to && row->part == 1 ? xstrdup(row->reply_to) : NULL;
	sending->target = row->target ? xstrdup(row->target) : NULL;
	sending_add_files(sending, row);
	sending->next = cloud->sendings;
	cloud->sendings = sending;
	cloud->sending_count++;
	return sending;
}

enum channel_sent cloud_send(struct channel *channel, const struct outbox_row *row)
{
	struct cloud *cloud = (struct cloud *)channel;
	struct cloud_chat *chat = cloud_chat_get(cloud, row->chat_jid);
	int64_t now = timestamp_steady();
	struct cloud_sending *sending;

	if (channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (cloud->sending_count >= MOST_UNDER_WAY) {
		cloud->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	sending = sending_new(cloud, row);
	if (row->action == OUTBOX_REACT && !sending->target) {
		sending_done(sending, RECEIPT_REFUSED, "it is not about a message", 0);
	} else if (row->again && now < cloud->sure_at) {
		sending_wait(sending, cloud->sure_at);
	} else if (row->part > 1 && chat->taken_key &&
		   now < chat->taken_at + cloud->status_ms) {
		/* WhatsApp keeps no order among texts that it gets at the same time. */
		sending->after_part = true;
		sending_wait(sending, chat->taken_at + cloud->status_ms);
	} else {
		sending_go_on(sending);
	}
	return CHANNEL_TAKEN;
}

void cloud_send_end(struct cloud *cloud)
{
	uv_timer_stop(&cloud->send_timer);
	while (cloud->sendings) {
		if (cloud->sendings->call)
			cloud_call_cancel(cloud->sendings->call);
		sending_remove(cloud->sendings);
	}
}
