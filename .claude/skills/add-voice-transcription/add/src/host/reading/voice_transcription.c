/* Voice messages, by a command or a server with OpenAI's /v1/audio/transcriptions. */
#include <string.h>

#include "format/json.h"
#include "host/reading/reader.h"

#define MODEL "whisper-1"

static bool voice_takes(const struct attachment_arrival *about)
{
	return (about->kind && !strcmp(about->kind, "voice")) ||
	       reader_is_type(about, "audio/");
}

static const char *voice_text(const json_t *reply)
{
	return json_string_value(json_object_get(reply, "text"));
}

static void voice_add_field(
	struct buf *body, const char *boundary, const char *name, const char *value)
{
	buf_appendf(body, "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n",
		boundary, name, value);
}

static int voice_ask(struct reading *reading, const struct reader_server *server,
	const struct reading_file *file, struct error *err)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	/* It begins with the hash of the content, which the content cannot contain. */
	CLEANUP(freep) char *boundary = xasprintf("nanoclaw-%.64s", file->name);
	CLEANUP(freep) char *type = xasprintf("multipart/form-data; boundary=%s", boundary);

	voice_add_field(&body, boundary, "model", server->model ? server->model : MODEL);
	voice_add_field(&body, boundary, "response_format", "json");
	buf_appendf(&body,
		"--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\n",
		boundary, file->name);
	buf_append(&body, file->content.data, file->content.len);
	buf_appendf(&body, "\r\n--%s--\r\n", boundary);
	return reading_ask(reading, server, "/audio/transcriptions",
		&(struct http_call_request){
			.http = {.content_type = type},
			.body = view_of_buf(&body),
		},
		voice_text, err);
}

READER(voice_transcription) = {
	.name = "voice-transcription",
	.setting = "TRANSCRIBE",
	.takes = voice_takes,
	.ask = voice_ask,
};
