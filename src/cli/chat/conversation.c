#include "cli/chat/conversation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "format/json.h"
#include "time/timestamp.h"

void conversation_release(struct conversation *conversation)
{
	free(conversation->folder);
	free(conversation->name);
}

/* The folder of a group that is named somehow; the store is read beside the host. */
static int find_folder(
	struct assistant *assistant, const char *word, char **ret_folder, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if ((!assistant->store && store_open(assistant->project.path, STORE_READ,
					  &assistant->store, err) < 0) ||
		assistant_group(assistant, word, &group, err) < 0)
		return -1;
	*ret_folder = TAKE(group.folder);
	return 0;
}

int conversation_open(struct assistant *assistant, const char *word,
	struct conversation *ret_conversation, struct error *err)
{
	if (assistant_find(assistant, err) < 0 ||
		client_require(assistant->project.root, &assistant->client, err) < 0)
		return -1;
	assistant->running = true;
	if (find_folder(assistant, word, &ret_conversation->folder, err) < 0)
		return -1;
	ret_conversation->client = &assistant->client;
	ret_conversation->name = xstrdup(settings_assistant(&assistant->settings));
	return 0;
}

static char *new_id(void)
{
	uint64_t random = 0;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		random = (uint64_t)timestamp_clock();
	return xasprintf("l%016" PRIx64, random);
}

int conversation_post(
	struct conversation *conversation, const char *text, char **ret_id, struct error *err)
{
	CLEANUP(freep) char *id = new_id();
	json_t *line = json_build(
		"type:s chat:s id:s text:s", "message", conversation->folder, id, text);

	if (conversation->unstored)
		json_array_append(conversation->unstored, line);
	if (client_send(conversation->client, line, err) < 0)
		return -1;
	if (ret_id)
		*ret_id = TAKE(id);
	return 0;
}

int conversation_say(struct conversation *conversation, const char *text, int64_t *ret_seq,
	char **ret_id, struct error *err)
{
	CLEANUP(freep) char *id = NULL;
	CLEANUP(json_decrefp) json_t *line = NULL;
	const char *type;

	if (conversation_post(conversation, text, &id, err) < 0 ||
		client_receive(conversation->client, &line, err) < 0)
		return -1;
	type = json_string_value(json_object_get(line, "type"));
	if (!type || strcmp(type, "ack") != 0) {
		const char *why = json_string_value(json_object_get(line, "error"));

		return error_set(err, ERROR_FAILED, "%s", why ? why : "the host refused it");
	}
	*ret_seq = (int64_t)json_number_value(json_object_get(line, "seq"));
	if (ret_id)
		*ret_id = TAKE(id);
	return 0;
}

int conversation_attach(struct conversation *conversation, struct error *err)
{
	json_t *line;
	size_t i;

	if (client_send(conversation->client,
		    json_build("type:s chat:s", "attach", conversation->folder), err) < 0)
		return -1;
	json_array_foreach(conversation->unstored, i, line)
		if (client_send(conversation->client, json_incref(line), err) < 0)
			return -1;
	return 0;
}

/* The host has taken message `id`, or refused it. */
static void unstored_forget(struct conversation *conversation, const char *id)
{
	json_t *line;
	size_t i;

	json_array_foreach(conversation->unstored, i, line)
		if (id && !strcmp(id, json_member(line, "id"))) {
			json_array_remove(conversation->unstored, i);
			return;
		}
}

/* 1: message `seq` is settled; 0: something else came. */
static int line_hear(struct conversation *conversation, int64_t seq, heard_function function,
	void *data, struct error *err)
{
	CLEANUP(json_decrefp) json_t *line = NULL;
	const char *type;

	if (client_receive(conversation->client, &line, err) < 0)
		return -1;
	type = json_string_value(json_object_get(line, "type"));
	if (type && !strcmp(type, "send")) {
		const char *key = json_string_value(json_object_get(line, "key"));
		const char *text = json_string_value(json_object_get(line, "text"));
		const char *kind = json_string_value(json_object_get(line, "kind"));

		/* Pass it on, and acknowledge it. */
		if (!key || !text || !kind)
			return 0;
		function(&(struct heard){text, kind,
				 (int64_t)json_number_value(json_object_get(line, "upto")),
				 (int)json_number_value(json_object_get(line, "part"))},
			data);
		return client_send(
			conversation->client, json_build("type:s key:s", "receipt", key), err);
	}
	if (type && (!strcmp(type, "ack") || !strcmp(type, "error")))
		unstored_forget(conversation, json_member(line, "id"));
	if (!seq && type && !strcmp(type, "typing"))
		function(
			&(struct heard){
				.text = json_is_true(json_object_get(line, "on")) ? "on" : "",
				.kind = "typing"},
			data);
	if (type && !strcmp(type, "error")) {
		const char *why = json_string_value(json_object_get(line, "error"));

		function(&(struct heard){.text = why ? why : "refused", .kind = "error"}, data);
	}
	if (type && !strcmp(type, "settled") &&
		(int64_t)json_number_value(json_object_get(line, "seq")) == seq) {
		const char *state = json_string_value(json_object_get(line, "state"));

		if (state && *state)
			return 1;
		return error_set(err, ERROR_FAILED,
			"the group '%s' was removed before it answered", conversation->folder);
	}
	return 0;
}

int conversation_wait(struct conversation *conversation, int64_t seq, heard_function function,
	void *data, struct error *err)
{
	int result =
		client_send(conversation->client, json_build("type:s seq:I", "wait", seq), err);

	while (!result)
		result = line_hear(conversation, seq, function, data, err);
	return result < 0 ? -1 : 0;
}

int conversation_listen(struct conversation *conversation, heard_function function, void *data,
	struct error *err)
{
	return line_hear(conversation, 0, function, data, err);
}
