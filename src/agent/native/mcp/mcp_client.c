#include "agent/native/mcp/mcp_client.h"

#include <stdlib.h>
#include <string.h>

#include "agent/native/mcp/mcp_config.h"
#include "agent/native/mcp/mcp_link.h"
#include "agent/native/mcp/mcp_peer.h"
#include "format/json.h"
#include "time/timestamp.h"

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

/* Those whose time is over. */
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
			json_array_append_new(
				list, json_pack("{s:s, s:o, s:O}", "name", tools->list[t].full,
					      "description",
					      json_text(view_of(tools->list[t].description)),
					      "input_schema", tools->list[t].schema));
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
