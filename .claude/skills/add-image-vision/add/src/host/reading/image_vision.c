/* Images, by a command or a model that sees, with OpenAI's /v1/chat/completions. */
#include <nettle/base64.h>
#include <string.h>

#include "format/json.h"
#include "host/reading/reader.h"

#define MODEL "gpt-4o-mini"
#define QUESTION                                                                                \
	"Describe this image for somebody who cannot see it, in a few sentences. Repeat every " \
	"text in it word for word."
#define MAX_TOKENS 1000

static bool image_takes(const struct attachment_arrival *about)
{
	if (about->kind && !strcmp(about->kind, "sticker"))
		return false;
	return (about->kind && !strcmp(about->kind, "image")) ||
	       reader_is_type(about, "image/");
}

static const char *image_text(const json_t *reply)
{
	const json_t *choice = json_array_get(json_object_get(reply, "choices"), 0);

	return json_string_value(
		json_object_get(json_object_get(choice, "message"), "content"));
}

/* Only what servers know; the type is what a stranger's program says. */
static const char *image_type(const struct reading_file *file)
{
	static const char *const types[] = {"image/gif", "image/png", "image/webp"};

	for (size_t i = 0; file->type && i < ARRAY_SIZE(types); i++)
		if (!strcmp(file->type, types[i]))
			return types[i];
	return "image/jpeg";
}

static char *image_url(const struct reading_file *file)
{
	size_t len = BASE64_ENCODE_RAW_LENGTH(file->content.len);
	CLEANUP(freep) char *encoded = xmalloc(len + 1);

	base64_encode_raw(encoded, file->content.len, (const uint8_t *)file->content.data);
	encoded[len] = '\0';
	return xasprintf("data:%s;base64,%s", image_type(file), encoded);
}

static int image_ask(struct reading *reading, const struct reader_server *server,
	const struct reading_file *file, struct error *err)
{
	CLEANUP(freep) char *url = image_url(file);

	return reading_ask(reading, server, "/chat/completions",
		&(struct http_call_request){
			.json = json_pack(
				"{s:s, s:i, s:[{s:s, s:[{s:s, s:s}, {s:s, s:{s:s}}]}]}",
				"model", server->model ? server->model : MODEL, "max_tokens",
				MAX_TOKENS, "messages", "role", "user", "content", "type",
				"text", "text", QUESTION, "type", "image_url", "image_url",
				"url", url),
		},
		image_text, err);
}

READER(image_vision) = {
	.name = "image-vision",
	.setting = "DESCRIBE_IMAGES",
	.takes = image_takes,
	.ask = image_ask,
};
