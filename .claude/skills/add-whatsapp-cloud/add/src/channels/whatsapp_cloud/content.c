#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/whatsapp_cloud/cloud.h"

/* A name or type of a file, which its sender chose; NULL for NULL. */
static char *clean_text(const char *text)
{
	if (!text)
		return NULL;
	return strlen(text) <= ATTACHMENT_MAX_NAME && utf8_all_printable(view_of(text))
		       ? xstrdup(text)
		       : utf8_excerpt(view_of(text));
}

/* Is it one of these, with the file in a field of the same name? */
static bool read_file(const json_t *message, const char *type, struct cloud_content *content)
{
	static const char *const types[] = {"audio", "document", "image", "sticker", "video"};
	const json_t *file = json_object_get(message, type);
	const char *caption = cloud_text(file, "caption");
	bool is_voice = json_is_true(json_object_get(file, "voice"));
	size_t i = 0;

	while (i < ARRAY_SIZE(types) && strcmp(types[i], type) != 0)
		i++;
	if (i == ARRAY_SIZE(types) || !cloud_text(file, "id"))
		return false;
	content->has_file = true;
	content->file_name = clean_text(cloud_text(file, "filename"));
	content->file_type = clean_text(cloud_text(file, "mime_type"));
	/* "audio/ogg; codecs=opus" */
	if (content->file_type)
		content->file_type[strcspn(content->file_type, ";")] = '\0';
	content->file = (struct attachment_arrival){
		.kind = is_voice ? "voice" : types[i],
		.name = content->file_name,
		.type = content->file_type,
		.source = cloud_text(file, "id"),
	};
	buf_append_str(&content->text, caption ? caption : "");
	return true;
}

static void append_location(const json_t *message, struct buf *text)
{
	const json_t *place = json_object_get(message, "location");
	const char *name = cloud_text(place, "name");
	const char *address = cloud_text(place, "address");

	buf_appendf(text, "[location: %.6f, %.6f%s%s%s%s]",
		json_number_value(json_object_get(place, "latitude")),
		json_number_value(json_object_get(place, "longitude")), name ? ", " : "",
		name ? name : "", address ? ", " : "", address ? address : "");
}

static void append_contacts(const json_t *message, struct buf *text)
{
	json_t *contact;
	size_t i;

	json_array_foreach(json_object_get(message, "contacts"), i, contact) {
		const char *name =
			cloud_text(json_object_get(contact, "name"), "formatted_name");
		json_t *phone;
		size_t j;

		buf_appendf(text, "%s[contact: %s", i ? "\n" : "", name ? name : "");
		json_array_foreach(json_object_get(contact, "phones"), j, phone) {
			const char *number = cloud_text(phone, "phone");

			if (number)
				buf_appendf(text, ", %s", number);
		}
		buf_append_char(text, ']');
	}
}

/* The choice of a button or a row of a list, or the values of a form. */
static void append_choice(const json_t *message, struct buf *text)
{
	const json_t *choice = json_object_get(message, "interactive");
	const char *title = cloud_text(json_object_get(choice, "button_reply"), "title");
	const char *values = cloud_text(json_object_get(choice, "nfm_reply"), "response_json");

	if (!title)
		title = cloud_text(json_object_get(choice, "list_reply"), "title");
	if (title)
		buf_append_str(text, title);
	else
		buf_appendf(text, "[form: %s]", values ? values : "");
}

/* Meta's reason, if it says that it does not pass a message on. */
static void append_unsupported(const json_t *message, const char *type, struct buf *text)
{
	const char *inner = cloud_text(json_object_get(message, "unsupported"), "type");
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(inner ? inner : type));

	buf_appendf(
		text, "[a message of the type '%s', which WhatsApp does not pass on]", shown);
}

void cloud_content_read(const json_t *message, struct cloud_content *ret_content)
{
	const char *type = cloud_text(message, "type");
	const char *body = cloud_text(json_object_get(message, "text"), "body");
	const char *button = cloud_text(json_object_get(message, "button"), "text");
	const json_t *reaction = json_object_get(message, "reaction");
	const char *emoji = cloud_text(reaction, "emoji");
	struct buf *text = &ret_content->text;

	*text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	if (!type)
		type = "unknown";
	if (read_file(message, type, ret_content))
		return;
	if (body)
		buf_append_str(text, body);
	else if (button)
		buf_append_str(text, button);
	else if (reaction)
		buf_append_str(text, emoji ? emoji : "");
	else if (json_object_get(message, "location"))
		append_location(message, text);
	else if (json_object_get(message, "contacts"))
		append_contacts(message, text);
	else if (json_object_get(message, "interactive"))
		append_choice(message, text);
	else
		append_unsupported(message, type, text);
}

void cloud_content_release(struct cloud_content *content)
{
	buf_release(&content->text);
	free(content->file_name);
	free(content->file_type);
}
