#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "channels/whatsapp_cloud/cloud.h"
#include "format/json.h"
#include "net/webhook.h"
#include "proc/log.h"

/* Meta's own limit is 3 MB. */
#define MAX_BODY      ((size_t)4 * 1024 * 1024)
#define MAX_CHALLENGE 200

/* --- messages ---------------------------------------------------------------- */

/* What is about the sender of a message; NULL: nothing. */
static const json_t *contact_of(const json_t *value, const char *phone, const char *user)
{
	const json_t *contacts = json_object_get(value, "contacts");
	json_t *contact;
	size_t i;

	json_array_foreach(contacts, i, contact) {
		const char *its_phone = cloud_text(contact, "wa_id");
		const char *its_user = cloud_text(contact, "user_id");

		if ((phone && its_phone && !strcmp(phone, its_phone)) ||
			(user && its_user && !strcmp(user, its_user)))
			return contact;
	}
	return NULL;
}

/* The number is shown as "+1 555-0100" in some places, and as "15550100" in others. */
static bool is_same_number(const char *a, const char *b)
{
	for (; a && b; a++, b++) {
		while (*a && !isdigit((unsigned char)*a))
			a++;
		while (*b && !isdigit((unsigned char)*b))
			b++;
		if (*a != *b)
			return false;
		if (!*a)
			return true;
	}
	return false;
}

/*
 * A person who has another number goes on in the same group. Only this kind of note from WhatsApp
 * says so; others, such as one about a person's keys, have a number in them, too.
 */
static bool take_move(struct cloud *cloud, const json_t *message, const char *jid)
{
	const json_t *system = json_object_get(message, "system");
	const char *type = cloud_text(message, "type");
	const char *kind = cloud_text(system, "type");
	const char *number = cloud_text(system, "wa_id");
	CLEANUP(freep) char *new_jid = NULL;

	if (!system)
		return false;
	if (!number)
		number = cloud_text(system, "new_wa_id");
	if (number && type && !strcmp(type, "system") && kind &&
		!strcmp(kind, "user_changed_number") && !json_object_get(message, "group_id")) {
		new_jid = xasprintf("%s%s", CLOUD_PREFIX, number);
		cloud->channel.events->moved(&cloud->channel, jid, new_jid);
	}
	return true;
}

static void take_message(struct cloud *cloud, const json_t *value, const json_t *message)
{
	CLEANUP(cloud_content_release) struct cloud_content content = {0};
	struct channel *channel = &cloud->channel;
	const char *id = cloud_text(message, "id");
	const char *phone = cloud_text(message, "from");
	const char *user = cloud_text(message, "from_user_id");
	const char *group = cloud_text(message, "group_id");
	const char *sender = phone && *phone ? phone : user;
	const char *time = cloud_text(message, "timestamp");
	const json_t *context = json_object_get(message, "context");
	const char *replied = cloud_text(context, "id");
	const char *reacted = cloud_text(json_object_get(message, "reaction"), "message_id");
	const char *profile_name =
		cloud_text(json_object_get(contact_of(value, phone, user), "profile"), "name");
	const char *number =
		cloud_text(json_object_get(value, "metadata"), "display_phone_number");
	CLEANUP(freep)
	char *jid = xasprintf("%s%s%s", CLOUD_PREFIX, group ? "group:" : "",
		group    ? group
		: sender ? sender
			 : "");
	CLEANUP(freep)
	char *name = profile_name && *profile_name ? utf8_excerpt(view_of(profile_name)) : NULL;
	int64_t seq;

	if (!id || !*id || strlen(id) > CHANNEL_MAX_ID || !sender || !cloud_chat_id(jid)) {
		log_warning("a message from WhatsApp cannot be read, and is passed over");
		return;
	}
	if (take_move(cloud, message, jid))
		return;
	cloud_content_read(message, &content);
	cloud_chat_heard(cloud, jid, id);
	channel->events->message(channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = id,
			.sender = sender,
			.sender_name = name ? name : sender,
			.text = view_of_buf(&content.text),
			.time = time ? strtoll(time, NULL, 10) * 1000 : 0,
			.chat_name = group ? NULL : name,
			.chat_kind = group ? CHAT_GROUP : CHAT_DIRECT,
			.mentions_me = is_same_number(cloud_text(context, "from"), number),
			.reference = reacted   ? REFERENCE_REACTION
				     : replied ? REFERENCE_REPLY
					       : REFERENCE_NONE,
			.refers_to = reacted ? reacted : replied,
			.attachments = &content.file,
			.attachment_count = content.has_file,
		},
		&seq);
}

/* --- statuses ---------------------------------------------------------------- */

/* In a group, each member has a status: one who cannot be reached does not undo the others. */
static void take_status(struct cloud *cloud, const json_t *status)
{
	const char *callback = cloud_text(status, "biz_opaque_callback_data");
	const char *id = cloud_text(status, "id");
	const char *kind = cloud_text(status, "status");
	const char *whose = cloud_text(status, "recipient_type");
	CLEANUP(freep) char *reason = NULL;

	if (!callback || !id || !kind)
		return;
	if (!strcmp(kind, "failed")) {
		if (whose && !strcmp(whose, "group"))
			return;
		reason =
			cloud_error_words(json_array_get(json_object_get(status, "errors"), 0));
	}
	cloud_send_status(cloud, callback, id, reason);
}

/* --- what is posted ---------------------------------------------------------- */

/* A business has one webhook for all its numbers. */
static bool is_for_us(const struct cloud *cloud, const json_t *value)
{
	const char *phone_id =
		cloud_text(json_object_get(value, "metadata"), "phone_number_id");

	return phone_id && !strcmp(phone_id, cloud->api.phone_id);
}

static void take_change(struct cloud *cloud, const json_t *change)
{
	const char *field = cloud_text(change, "field");
	const json_t *value = json_object_get(change, "value");
	json_t *item;
	size_t i;

	if (!field || strcmp(field, "messages") != 0 || !is_for_us(cloud, value))
		return;
	json_array_foreach(json_object_get(value, "errors"), i, item) {
		CLEANUP(freep) char *words = cloud_error_words(item);

		log_warning("WhatsApp reports: %s", words);
	}
	json_array_foreach(json_object_get(value, "messages"), i, item)
		take_message(cloud, value, item);
	json_array_foreach(json_object_get(value, "statuses"), i, item)
		take_status(cloud, item);
}

static int take_posted(void *data, struct view body)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	struct cloud *cloud = data;
	struct channel *channel = &cloud->channel;
	json_t *entry;
	json_t *change;
	size_t i;
	size_t j;

	if (cloud->closing)
		return -1;
	cloud_connect_heard(cloud, true);
	/* It is signed, and would be no better the next time. */
	if (json_read(body, "what WhatsApp posted", MAX_BODY, &document, &err) < 0) {
		log_warning("a message from WhatsApp cannot be read, and is passed over: %s",
			err.message);
		return 0;
	}
	channel->events->begin(channel->host);
	json_array_foreach(json_object_get(document, "entry"), i, entry)
		json_array_foreach(json_object_get(entry, "changes"), j, change)
			take_change(cloud, change);
	return channel->events->commit(channel->host);
}

static void take_forged(void *data)
{
	struct cloud *cloud = data;

	if (!cloud->closing)
		cloud_connect_heard(cloud, false);
}

/* Meta asks once, when the webhook is entered there, whether it is ours. */
static void take_question(void *data, struct http_exchange *exchange, struct view query)
{
	struct cloud *cloud = data;
	CLEANUP(freep) char *mode = webhook_parameter(query, "hub.mode");
	CLEANUP(freep) char *token = webhook_parameter(query, "hub.verify_token");
	CLEANUP(freep) char *challenge = webhook_parameter(query, "hub.challenge");
	struct hash given = hash_of(view_of(token ? token : ""));
	struct hash right = hash_of(view_of(cloud->verify_token));

	if (!mode || strcmp(mode, "subscribe") != 0 || !hash_equal_secret(&given, &right)) {
		http_exchange_refuse(exchange, 403, "WHATSAPP_VERIFY_TOKEN is another one");
	} else if (!challenge || strlen(challenge) > MAX_CHALLENGE ||
		   !http_is_token(view_of(challenge))) {
		http_exchange_refuse(exchange, 400, "there is no challenge");
	} else {
		log_note("WhatsApp has found the webhook");
		http_exchange_answer(
			exchange, 200, "Content-Type: text/plain\r\n", view_of(challenge));
	}
}

int cloud_inbox_open(struct cloud *cloud, uv_loop_t *loop, uint16_t port, const char *secret,
	struct error *err)
{
	if (webhook_open(
		    &(struct webhook_options){
			    .loop = loop,
			    .port = port,
			    .path = "/webhook/whatsapp",
			    .header = "x-hub-signature-256",
			    .prefix = "sha256=",
			    .secret = secret,
			    .max_body = MAX_BODY,
			    .take = take_posted,
			    .get = take_question,
			    .forged = take_forged,
			    .data = cloud,
		    },
		    &cloud->webhook, err) < 0)
		return -1;
	log_note("WhatsApp's webhook is http://127.0.0.1:%u/webhook/whatsapp",
		webhook_port(cloud->webhook));
	return 0;
}
