#include "agent/native/mcp/mcp_client.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "agent/native/mcp/mcp_link.h"
#include "agent/native/mcp/mcp_peer.h"
#include "base/error.h"
#include "base/string_array.h"
#include "format/json.h"
#include "fs/file.h"
#include "time/timestamp.h"

/*
 * mcp.json, the list of MCP servers:
 *
 *	{"mcpServers": {"NAME": {"type": "stdio", "command": "…", "args": […], "env": {…}}}}
 *
 * Keys that are not known are left alone. A server of another type, or one that is not written as
 * above, has a `problem` and no words.
 */

#define MCP_SERVERS_MAX 64

struct mcp_config_server {
	char *name;
	char *problem;              /* or NULL */
	struct string_array words;  /* the command and its arguments */
	struct string_array values; /* "NAME=value", beside our environment */
};

struct mcp_config {
	struct mcp_config_server *servers; /* sorted by name */
	size_t count;
};

#define MCP_CONFIG_MAX ((size_t)4 * 1024 * 1024)

static void mcp_config_release(struct mcp_config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		struct mcp_config_server *server = &config->servers[i];

		free(server->name);
		free(server->problem);
		string_array_release(&server->words);
		string_array_release(&server->values);
	}
	free(config->servers);
	*config = (struct mcp_config){0};
}

/* A string without NUL, or NULL. */
static const char *config_string(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

/* Returns the fault, or NULL. */
static const char *config_read_server(json_t *json, struct mcp_config_server *server)
{
	const char *type = config_string(json_object_get(json, "type"));
	const char *command = config_string(json_object_get(json, "command"));
	json_t *args = json_object_get(json, "args");
	json_t *env = json_object_get(json, "env");
	const char *key;
	json_t *value;
	size_t i;

	if (type && strcmp(type, "stdio") != 0)
		return "its type is not 'stdio', the only type that this agent supports";
	if (!command || !*command)
		return "it has no 'command'";
	if ((args && !json_is_array(args)) || (env && !json_is_object(env)))
		return "its 'args' or 'env' is not a list or an object";
	string_array_add(&server->words, command);
	json_array_foreach(args, i, value) {
		if (!config_string(value))
			return "one of its 'args' is not a string";
		string_array_add(&server->words, config_string(value));
	}
	json_object_foreach(env, key, value) {
		if (!config_string(value) || !*key || strchr(key, '='))
			return "one of its 'env' is not a string, or its name is not one";
		string_array_addf(&server->values, "%s=%s", key, config_string(value));
	}
	return NULL;
}

static int config_compare(const void *a, const void *b)
{
	return strcmp(((const struct mcp_config_server *)a)->name,
		((const struct mcp_config_server *)b)->name);
}

/* Fails if the file cannot be read or is not JSON. */
static int mcp_config_read(const char *path, struct mcp_config *ret_config, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct mcp_config config = {0};
	json_t *servers;
	json_t *value;
	const char *key;

	if (file_read(path, MCP_CONFIG_MAX, &text, err) < 0 ||
		json_read(view_of_buf(&text), path, MCP_CONFIG_MAX, &json, err) < 0)
		return -1;
	servers = json_object_get(json, "mcpServers");
	if (!json_is_object(servers) || json_object_size(servers) > MCP_SERVERS_MAX)
		return error_set(err, ERROR_INVALID,
			"%s: 'mcpServers' must be an object with at most %d servers", path,
			MCP_SERVERS_MAX);
	config.servers = xcalloc(json_object_size(servers) + 1, sizeof(*config.servers));
	json_object_foreach(servers, key, value) {
		struct mcp_config_server *server = &config.servers[config.count++];
		const char *problem = config_read_server(value, server);

		server->name = xstrdup(key);
		server->problem = problem ? xstrdup(problem) : NULL;
	}
	qsort(config.servers, config.count, sizeof(*config.servers), config_compare);
	*ret_config = config;
	return 0;
}

/* For one server to start, or to list its tools again. */
#define MCP_START_MS 60000
#define MCP_LIST_MS  15000

/* For servers to end by themselves. */
#define MCP_END_MS 1000

struct mcp_running {
	void *call;
	int64_t deadline;
	bool restarted; /* the server, for this call */
};

struct mcp_server {
	struct mcp_client *client;
	const struct mcp_config_server *config;
	struct mcp_link link;
	struct mcp_peer peer;
	int64_t list_deadline; /* INT64_MAX: it does not list */
	struct mcp_running *calls;
	size_t count;
	size_t cap;
};

struct mcp_client {
	struct mcp_options options;
	struct mcp_config config;
	struct mcp_server *servers;
};

/* --- one server -------------------------------------------------------------- */

static void server_send(void *data, struct view line)
{
	struct mcp_server *server = data;

	mcp_link_send(&server->link, line);
}

static void server_answered(void *data, void *call, const json_t *result, const char *failure)
{
	struct mcp_server *server = data;
	CLEANUP(freep) char *note = NULL;
	CLEANUP(freep) char *words = NULL;
	size_t i = 0;

	while (server->calls[i].call != call)
		i++;
	if (server->calls[i].restarted)
		note = xasprintf("(the MCP server '%s' had ended and was started again)",
			server->peer.name);
	if (failure)
		words = xasprintf("the MCP server '%s': %s", server->peer.name, failure);
	server->calls[i] = server->calls[--server->count];
	server->client->options.answered(call, result, words, note);
}

static const struct mcp_wire server_wire = {server_send, server_answered};

static bool server_take_line(struct view line, bool too_long, void *data)
{
	struct mcp_server *server = data;

	mcp_peer_line(&server->peer, line, too_long);
	return server->link.runs;
}

/* Pass the end of the process on to the protocol, and the other way round. */
static void server_settle(struct mcp_server *server)
{
	if (server->peer.state == MCP_CLOSED)
		mcp_link_kill(&server->link, server->peer.problem);
	if (!server->link.runs && server->peer.state != MCP_CLOSED) {
		CLEANUP(freep) char *words = mcp_link_last_words(&server->link);
		CLEANUP(freep) char *why = xasprintf("it has ended (%s)", words);

		mcp_peer_end(&server->peer, why);
	}
	if (!mcp_peer_lists(&server->peer))
		server->list_deadline = INT64_MAX;
	else if (server->list_deadline == INT64_MAX)
		server->list_deadline = timestamp_steady() + MCP_LIST_MS;
}

static void server_start(struct mcp_server *server)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct mcp_config_server *config = server->config;

	if (config->problem)
		error_set(&err, ERROR_INVALID, "%s", config->problem);
	if (err.message || mcp_link_start(&server->link, &config->words, &config->values,
				   server->client->options.folder, &err) < 0) {
		free(server->peer.problem);
		server->peer.problem = xstrdup(err.message);
		return;
	}
	server->list_deadline = timestamp_steady() + MCP_START_MS;
	mcp_peer_begin(&server->peer);
}

/* Calls that have timed out. */
static void server_expire(struct mcp_server *server)
{
	int64_t now = timestamp_steady();

	for (size_t i = server->count; i-- > 0;)
		if (now >= server->calls[i].deadline)
			mcp_peer_cancel(&server->peer, server->calls[i].call,
				"it did not answer in time; the call was cancelled, but it may "
				"have been done");
	if (now < server->list_deadline)
		return;
	mcp_link_kill(&server->link, "it did not answer in time");
	server_settle(server);
}

static int64_t server_deadline(const struct mcp_server *server)
{
	int64_t deadline = server->list_deadline;

	for (size_t i = 0; i < server->count; i++)
		if (server->calls[i].deadline < deadline)
			deadline = server->calls[i].deadline;
	return deadline;
}

/* --- all of them ------------------------------------------------------------- */

void mcp_client_wait(
	struct mcp_client *client, struct pollfd *fds, size_t count, int64_t most_ms)
{
	size_t servers = client->config.count;
	CLEANUP(freep)
	struct pollfd *all = xcalloc(count + servers * MCP_LINK_FDS, sizeof(*all));
	int64_t wait = most_ms;

	if (count)
		memcpy(all, fds, count * sizeof(*all));
	for (size_t i = 0; i < servers; i++) {
		int64_t deadline = server_deadline(&client->servers[i]);

		mcp_link_fds(&client->servers[i].link, &all[count + i * MCP_LINK_FDS]);
		if (deadline != INT64_MAX && deadline - timestamp_steady() < wait)
			wait = deadline - timestamp_steady();
	}
	poll(all, count + servers * MCP_LINK_FDS, wait > 0 ? (int)wait : 0);
	for (size_t i = 0; i < count; i++)
		fds[i].revents = all[i].revents;
	for (size_t i = 0; i < servers; i++) {
		struct mcp_server *server = &client->servers[i];

		mcp_link_turn(&server->link, &all[count + i * MCP_LINK_FDS], server_take_line,
			server);
		server_settle(server);
		server_expire(server);
	}
}

static bool client_starts(const struct mcp_client *client)
{
	for (size_t i = 0; i < client->config.count; i++)
		if (client->servers[i].peer.state == MCP_STARTING ||
			client->servers[i].peer.state == MCP_LISTING)
			return true;
	return false;
}

static void client_await_start(struct mcp_client *client)
{
	int64_t deadline = timestamp_steady() + client->options.start_ms;
	struct pollfd cancelled = {.fd = client->options.cancelled, .events = POLLIN};

	while (client_starts(client) && timestamp_steady() < deadline && !cancelled.revents)
		mcp_client_wait(client, &cancelled, 1, deadline - timestamp_steady());
}

int mcp_client_open(
	const struct mcp_options *options, struct mcp_client **ret_client, struct error *err)
{
	struct mcp_config config;
	struct mcp_client *client;

	if (mcp_config_read(options->path, &config, err) < 0)
		return -1;
	client = xcalloc(1, sizeof(*client));
	client->options = *options;
	client->config = config;
	client->servers = xcalloc(config.count + 1, sizeof(*client->servers));
	for (size_t i = 0; i < config.count; i++) {
		struct mcp_server *server = &client->servers[i];

		server->client = client;
		server->config = &client->config.servers[i];
		server->link = MCP_LINK_INIT;
		server->list_deadline = INT64_MAX;
		mcp_peer_init(&server->peer, server->config->name, &server_wire, server);
		server_start(server);
	}
	client_await_start(client);
	*ret_client = client;
	return 0;
}

static bool client_runs(const struct mcp_client *client)
{
	for (size_t i = 0; i < client->config.count; i++)
		if (client->servers[i].link.runs)
			return true;
	return false;
}

static void client_ask_to_end(struct mcp_client *client, void (*ask)(struct mcp_link *link))
{
	int64_t deadline = timestamp_steady() + MCP_END_MS;

	for (size_t i = 0; i < client->config.count; i++)
		ask(&client->servers[i].link);
	while (client_runs(client) && timestamp_steady() < deadline)
		mcp_client_wait(client, NULL, 0, deadline - timestamp_steady());
}

void mcp_client_close(struct mcp_client *client)
{
	if (!client)
		return;
	client_ask_to_end(client, mcp_link_hang_up);
	client_ask_to_end(client, mcp_link_terminate);
	for (size_t i = 0; i < client->config.count; i++) {
		mcp_link_release(&client->servers[i].link);
		mcp_peer_release(&client->servers[i].peer);
		free(client->servers[i].calls);
	}
	free(client->servers);
	mcp_config_release(&client->config);
	free(client);
}

bool mcp_client_busy(const struct mcp_client *client)
{
	for (size_t i = 0; i < client->config.count; i++)
		if (client->servers[i].count ||
			(client->servers[i].peer.state == MCP_READY &&
				mcp_peer_lists(&client->servers[i].peer)))
			return true;
	return false;
}

/* --- tools ------------------------------------------------------------------- */

static const struct mcp_tool *client_find(
	const struct mcp_client *client, const char *name, struct mcp_server **ret_server)
{
	for (size_t i = 0; i < client->config.count; i++) {
		struct mcp_server *server = &client->servers[i];

		for (size_t t = 0; t < server->peer.tools.count; t++) {
			const struct mcp_tool *tool = &server->peer.tools.list[t];

			if (strcmp(tool->full, name) != 0)
				continue;
			if (ret_server)
				*ret_server = server;
			return tool;
		}
	}
	return NULL;
}

bool mcp_client_has(const struct mcp_client *client, const char *name)
{
	return client_find(client, name, NULL);
}

bool mcp_client_is_read_only(const struct mcp_client *client, const char *name)
{
	const struct mcp_tool *tool = client_find(client, name, NULL);

	return tool && tool->read_only;
}

void mcp_client_describe(const struct mcp_client *client, json_t *list)
{
	for (size_t i = 0; i < client->config.count; i++) {
		const struct mcp_tools *tools = &client->servers[i].peer.tools;

		for (size_t t = 0; t < tools->count; t++)
			json_add(list, "name:s description:s input_schema:O",
				tools->list[t].full, tools->list[t].description,
				tools->list[t].schema);
	}
}

void mcp_client_problems(const struct mcp_client *client, struct buf *out)
{
	for (size_t i = 0; i < client->config.count; i++) {
		const struct mcp_peer *peer = &client->servers[i].peer;
		const char *problem = peer->problem;

		if (!problem && peer->state != MCP_READY && !peer->tools.count)
			problem = "it has not started yet";
		if (problem)
			buf_appendf(out, "The MCP server '%s' is not available: %s.\n",
				peer->name, problem);
	}
}

void mcp_client_instructions(const struct mcp_client *client, struct buf *out)
{
	for (size_t i = 0; i < client->config.count; i++) {
		const struct mcp_peer *peer = &client->servers[i].peer;

		if (peer->instructions && *peer->instructions)
			buf_appendf(out, "## %s\n%s\n", peer->name, peer->instructions);
	}
}

/* --- calls ------------------------------------------------------------------- */

void mcp_client_call(struct mcp_client *client, const char *name, const json_t *input,
	const char *key, void *call)
{
	struct mcp_server *server = NULL;
	CLEANUP(freep) char *tool = xstrdup(client_find(client, name, &server)->name);
	bool restarts = server->peer.state == MCP_CLOSED;

	if (restarts)
		server_start(server);
	GROW(server->calls, server->count, server->cap);
	server->calls[server->count++] = (struct mcp_running){
		call, timestamp_steady() + client->options.call_ms, restarts};
	if (server->peer.state == MCP_CLOSED)
		server_answered(server, call, NULL, server->peer.problem);
	else
		mcp_peer_call(&server->peer, tool, input, key, call);
}

void mcp_client_cancel(struct mcp_client *client, const char *why)
{
	for (size_t i = 0; i < client->config.count; i++)
		for (size_t c = client->servers[i].count; c-- > 0;)
			mcp_peer_cancel(&client->servers[i].peer,
				client->servers[i].calls[c].call, why);
}
