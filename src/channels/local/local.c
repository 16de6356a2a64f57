#include "channels/local/local.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "channels/channel.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "ledger/groups.h"
#include "loop/line_server.h"
#include "time/timestamp.h"

/* A client waits for the answer to one message at a time. */
struct visitor {
	struct line_client *client;
	struct visitor *next;
	char *chat; /* the JID that it is attached to, or NULL */
	int64_t waits_for;
};

/* Something that was shown to clients, and has no receipt yet. */
struct shown {
	struct shown *next;
	char *key;
	char *chat;
};

struct local {
	struct channel channel;
	struct line_server *server;
	struct visitor *visitors;
	struct shown *shown;
	char *person;
	int root;
	const char *root_path;
};

static struct local *local_of(const struct channel *channel)
{
	return (struct local *)(uintptr_t)channel;
}

/* --- visitors ---------------------------------------------------------------- */

static struct visitor *visitor_of(struct local *local, struct line_client *client)
{
	struct visitor *visitor = line_client_data(client);

	if (visitor)
		return visitor;
	visitor = xcalloc(1, sizeof(*visitor));
	visitor->client = client;
	visitor->next = local->visitors;
	local->visitors = visitor;
	line_client_set_data(client, visitor);
	return visitor;
}

static bool is_attended(const struct local *local, const char *chat)
{
	for (const struct visitor *v = local->visitors; v; v = v->next)
		if (v->chat && !strcmp(v->chat, chat))
			return true;
	return false;
}

/* Removes an entry from the shown list, by key or by chat; NULL if there is none. */
static struct shown *take_shown(struct local *local, const char *key, const char *chat)
{
	for (struct shown **at = &local->shown; *at; at = &(*at)->next) {
		struct shown *shown = *at;

		if ((key && !strcmp(shown->key, key)) || (chat && !strcmp(shown->chat, chat))) {
			*at = shown->next;
			return shown;
		}
	}
	return NULL;
}

static void free_shown(struct shown *shown)
{
	free(shown->key);
	free(shown->chat);
	free(shown);
}

/* The last client has left, and may not have shown these messages. */
static void give_back(struct local *local, const char *chat)
{
	struct shown *shown;

	while ((shown = take_shown(local, NULL, chat))) {
		local->channel.events->receipt(&local->channel, shown->key, RECEIPT_LOST,
			"the terminal was closed", 0);
		free_shown(shown);
	}
}

static void visitor_gone(struct line_client *client, void *data)
{
	struct local *local = data;
	struct visitor *visitor = line_client_data(client);

	if (!visitor)
		return;
	for (struct visitor **at = &local->visitors; *at; at = &(*at)->next)
		if (*at == visitor) {
			*at = visitor->next;
			break;
		}
	if (visitor->chat && !is_attended(local, visitor->chat))
		give_back(local, visitor->chat);
	free(visitor->chat);
	free(visitor);
	line_client_set_data(client, NULL);
}

/* --- messages from clients --------------------------------------------------- */

static const char *line_field(const json_t *line, const char *name)
{
	const json_t *value = json_object_get(line, name);
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

static void line_complain(struct line_client *client, const json_t *line, const char *what)
{
	const char *id = line_field(line, "id");

	line_client_send(client, json_build("type:s id:s error:s", "error", id, what));
}

static char *line_chat(const json_t *line, struct error *err)
{
	const char *folder = line_field(line, "chat");

	if (!folder)
		folder = GROUP_MAIN;
	if (group_check_folder(folder, err) < 0)
		return NULL;
	return xasprintf("%s%s", LOCAL_PREFIX, folder);
}

static void take_message(struct local *local, struct line_client *client, const json_t *line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *chat = line_chat(line, &err);
	const char *id = line_field(line, "id");
	const char *text = line_field(line, "text");
	const struct channel_events *events = local->channel.events;
	enum channel_arrival arrival;
	int64_t seq = 0;

	if (!chat || !id || !*id || strlen(id) > CHANNEL_MAX_ID || !text || !*text) {
		line_complain(
			client, line, chat ? "a message needs an id and a text" : err.message);
		return;
	}
	events->begin(local->channel.host);
	arrival = events->message(&local->channel,
		&(struct channel_message){
			.chat_jid = chat,
			.id = id,
			.sender = "owner",
			.sender_name = local->person,
			.text = view_of(text),
			.chat_kind = CHAT_DIRECT,
		},
		&seq);
	if (events->commit(local->channel.host) < 0) {
		CLEANUP(freep)
		char *what = xasprintf("the message could not be stored: %s",
			events->reason(local->channel.host));

		line_complain(client, line, what);
	} else if (arrival != ARRIVAL_STORED)
		line_complain(client, line,
			arrival == ARRIVAL_IGNORED ? "there is no such group"
						   : "the message is too long");
	else
		line_client_send(client, json_build("type:s id:s seq:I", "ack", id, seq));
}

static void visitor_attach(struct local *local, struct line_client *client, const json_t *line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *chat = line_chat(line, &err);
	struct visitor *visitor = visitor_of(local, client);

	if (!chat) {
		line_complain(client, line, err.message);
		return;
	}
	free(visitor->chat);
	visitor->chat = TAKE(chat);
	local->channel.events->ready(&local->channel, visitor->chat);
}

static void take_receipt(struct local *local, const json_t *line)
{
	const char *key = line_field(line, "key");
	struct shown *shown = key ? take_shown(local, key, NULL) : NULL;

	if (!shown)
		return;
	local->channel.events->receipt(&local->channel, shown->key, RECEIPT_SENT, NULL, 0);
	free_shown(shown);
}

/* Sending can disconnect a client that does not read; its visitor is freed then. */
static void tell_if_settled(struct local *local, struct visitor *visitor)
{
	CLEANUP(freep)
	char *state = local->channel.events->message_state(&local->channel, visitor->waits_for);
	int64_t seq;

	if (!strcmp(state, "received") || !strcmp(state, "claimed") ||
		!strcmp(state, "answered"))
		return;
	seq = visitor->waits_for;
	visitor->waits_for = 0;
	line_client_send(
		visitor->client, json_build("type:s seq:I state:s", "settled", seq, state));
}

static void wait_for(struct local *local, struct line_client *client, const json_t *line)
{
	struct visitor *visitor = visitor_of(local, client);
	double seq = json_number_value(json_object_get(line, "seq"));

	if (!(seq >= 1 && seq < 9e15)) {
		line_complain(client, line, "'wait' needs the number of a message");
		return;
	}
	visitor->waits_for = (int64_t)seq;
	tell_if_settled(local, visitor);
}

static void visitor_line(struct line_client *client, struct view text, void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *line = NULL;
	struct local *local = data;
	const char *type;

	if (json_read(text, "line", LINE_CLIENT_MAX, &line, &err) < 0) {
		line_client_send(
			client, json_build("type:s error:s", "error", "this is not JSON"));
		return;
	}
	type = line_field(line, "type");
	if (!type)
		line_complain(client, line, "a line needs a type");
	else if (!strcmp(type, "message"))
		take_message(local, client, line);
	else if (!strcmp(type, "attach"))
		visitor_attach(local, client, line);
	else if (!strcmp(type, "receipt"))
		take_receipt(local, line);
	else if (!strcmp(type, "ping"))
		line_client_send(client, json_build("type:s", "pong"));
	else if (!strcmp(type, "wait"))
		wait_for(local, client, line);
	else if (!strcmp(type, "request"))
		line_client_send(client, local->channel.events->request(&local->channel, line));
	else
		line_complain(client, line, "unknown type of line");
}

/* --- the channel ------------------------------------------------------------- */

const char *local_group(const char *jid)
{
	size_t len = strlen(LOCAL_PREFIX);

	return strncmp(jid, LOCAL_PREFIX, len) ? NULL : jid + len;
}

static bool local_owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return local_group(jid);
}

/* A terminal shows where the files of a text are. */
static json_t *shown_text(const struct local *local, const struct outbox_row *row)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_append_str(&text, row->content);
	for (size_t i = 0; i < row->attachments.count; i++) {
		const struct attachment *file = &row->attachments.list[i];
		CLEANUP(freep)
		char *path = attachment_path(file->group_folder, file->file ? file->file : "");

		buf_appendf(&text, "%s[file %s: %s/%s]", text.len ? "\n" : "",
			file->name ? file->name : "", local->root_path, path);
	}
	return json_text(view_of_buf(&text));
}

static enum channel_sent show_text(struct channel *channel, const struct outbox_row *row)
{
	struct local *local = local_of(channel);
	struct shown *shown;

	if (!is_attended(local, row->chat_jid))
		return CHANNEL_NOT_NOW;
	shown = xcalloc(1, sizeof(*shown));
	shown->key = xstrdup(row->key);
	shown->chat = xstrdup(row->chat_jid);
	shown->next = local->shown;
	local->shown = shown;
	for (struct visitor *v = local->visitors, *next; v; v = next) {
		next = v->next;
		if (v->chat && !strcmp(v->chat, row->chat_jid))
			line_client_send(v->client,
				json_build(
					"type:s chat:s key:s kind:s part:i parts:i text:o upto:I",
					"send", local_group(row->chat_jid), row->key,
					outbox_kind_name(row->kind), row->part, row->parts,
					shown_text(local, row), row->last_seq));
	}
	return CHANNEL_TAKEN;
}

static void chat_settled(struct channel *channel, const char *jid, int64_t seq)
{
	struct local *local = local_of(channel);

	(void)jid;
	for (struct visitor *v = local->visitors, *next; v; v = next) {
		next = v->next;
		if (v->waits_for && v->waits_for <= seq)
			tell_if_settled(local, v);
	}
}

static void show_typing(struct channel *channel, const char *jid, bool on)
{
	struct local *local = local_of(channel);

	for (struct visitor *v = local->visitors, *next; v; v = next) {
		next = v->next;
		if (v->chat && !strcmp(v->chat, jid))
			line_client_send(v->client, json_build("type:s on:b", "typing", on));
	}
}

static void close_local(struct channel *channel)
{
	struct local *local = local_of(channel);
	struct shown *shown;

	line_server_close(local->server);
	while ((shown = local->shown)) {
		local->shown = shown->next;
		free_shown(shown);
	}
	free(local->person);
	channel_release(channel);
	free(local);
}

int local_open_folder(int root, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(LOCAL_FOLDER), &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE, &parent, err) < 0)
		return -1;
	if (sys.mkdir(parent, relpath_base(&path), 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", LOCAL_FOLDER);
	if (beneath_open_dir(root, &path, &fd, err) < 0)
		return -1;
	if (sys.chmod(fd, 0700) < 0)
		return error_errno(err, "cannot make private: '%s'", LOCAL_FOLDER);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static char *name_of_person(void)
{
	const struct passwd *entry = getpwuid(geteuid());

	return xstrdup(entry && *entry->pw_name ? entry->pw_name : "owner");
}

static int local_again(void *data, int *ret_folder, struct error *err)
{
	const struct local *local = data;

	return local_open_folder(local->root, ret_folder, err);
}

static const struct line_server_handlers handlers = {
	.line = visitor_line, .gone = visitor_gone, .again = local_again};

static int open_local(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(local) = {
	.name = LOCAL_CHANNEL,
	.open = open_local,
	.close = close_local,
	.owns_jid = local_owns_jid,
	.send = show_text,
	.typing = show_typing,
	.settled = chat_settled,
};

static int open_local(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	struct local *local;

	if (local_open_folder(setup->root, &folder, err) < 0)
		return -1;
	local = xcalloc(1, sizeof(*local));
	channel_init(&local->channel, &channel_kind_local, LOCAL_CHANNEL, setup);
	local->channel.abilities = CHANNEL_TYPING | CHANNEL_FILES;
	local->person = name_of_person();
	local->root = setup->root;
	local->root_path = setup->root_path;
	if (line_server_open(setup->loop, folder, LOCAL_SOCKET, &handlers, local,
		    &local->server, err) < 0) {
		free(local->person);
		channel_release(&local->channel);
		free(local);
		return -1;
	}
	setup->add(setup->host, &local->channel);
	channel_set_state(&local->channel, CHANNEL_CONNECTED, NULL);
	return 0;
}
