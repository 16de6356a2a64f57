/*
 * The tools of the host, called through its MCP server and, as a hostile agent would, through
 * the socket of a group itself.
 *
 *	mcp HOST AGENT BRIDGE MCP [CLAIM]
 *
 * The groups have agents that idle, so that their sockets are open. A client that connects to
 * one of them acts as that group, and nothing that it sends changes that.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "format/json.h"
#include "host/base/call_rate.h"
#include "host/base/registry.h"
#include "ledger/audit.h"

#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_MAX_KB (600 * 1024)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMORY_MAX_KB (600 * 1024)
#endif
#endif
#ifndef MEMORY_MAX_KB
#define MEMORY_MAX_KB (48 * 1024)
#endif

#define BURST 10000

static char **programs;

/* --- a project with three groups --------------------------------------------- */

static void wake(struct driver *d, const char *group)
{
	CLEANUP(freep)
	char *answer =
		driver_run(d, (const char *const[]){"send", group, "x", "--wait", NULL}, NULL);

	if (strcmp(answer, "x\n") != 0)
		driver_fail(d, "the agent of '%s' does not answer: %s", group, answer);
}

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_IDLE_SECONDS", "86400");
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
	driver_start_ready(d);
	wake(d, "main");
	wake(d, "g1");
	wake(d, "g2");
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* --- lines ------------------------------------------------------------------- */

/* A program or socket that talks in lines. */
struct peer {
	struct driver *d;
	pid_t pid;
	int in; /* to it */
	int out;
	struct buf input;
	int number;
};

static void peer_say(struct peer *peer, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(peer->in, text, len);

		if (n < 0)
			driver_fail(peer->d, "cannot write to the server");
		text += n;
		len -= (size_t)n;
	}
}

/* The next line, to be freed; NULL at the end. */
static char *peer_hear(struct peer *peer)
{
	char *newline;
	char *line;

	while (!(newline = memchr(peer->input.data, '\n', peer->input.len))) {
		size_t room = buf_reserve(&peer->input, 65536);
		ssize_t n = read(peer->out, peer->input.data + peer->input.len, room);

		if (n <= 0)
			return NULL;
		buf_set_len(&peer->input, peer->input.len + (size_t)n);
	}
	line = xmemdupz(peer->input.data, (size_t)(newline - peer->input.data));
	memmove(peer->input.data, newline + 1,
		peer->input.len - (size_t)(newline + 1 - peer->input.data));
	buf_set_len(&peer->input, peer->input.len - strlen(line) - 1);
	return line;
}

/* Ask, and hear the answer. */
static char *peer_ask(struct peer *peer, const char *line)
{
	CLEANUP(freep) char *text = xasprintf("%s\n", line);
	char *answer;

	peer_say(peer, text);
	answer = peer_hear(peer);
	return answer ? answer : xstrdup("(it has ended)");
}

static void peer_close(struct peer *peer)
{
	close(peer->in);
	if (peer->out != peer->in)
		close(peer->out);
	if (peer->pid)
		waitpid(peer->pid, NULL, 0);
	buf_release(&peer->input);
}

/* The socket of a group itself. */
static struct peer peer_socket(struct driver *d, const char *group)
{
	CLEANUP(freep) char *name = xasprintf("group-%s.sock", group);
	int fd = driver_connect(d, name);

	if (fd < 0)
		driver_fail(d, "the socket of '%s' is not there", group);
	return (struct peer){.d = d, .in = fd, .out = fd, .input = BUF_INIT};
}

static void __attribute__((noreturn))
become_server(struct driver *d, const char *group, int in, int out)
{
	CLEANUP(freep) char *folder = xasprintf("%s/data/run", d->root);
	CLEANUP(freep) char *socket = xasprintf("group-%s.sock", group);
	CLEANUP(freep) char *program = realpath(programs[4], NULL);

	/* Not by its whole path, which may be too long for a socket. */
	if (chdir(folder) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		setenv("NANOCLAW_SOCKET", socket, 1))
		_exit(99);
	execl(program, "nanoclaw-mcp", (char *)NULL);
	_exit(99);
}

/* The MCP server of a group, with a session. */
static struct peer peer_server(struct driver *d, const char *group)
{
	int to[2];
	int from[2];
	struct peer peer = {.d = d, .input = BUF_INIT};

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) || (peer.pid = fork()) < 0)
		driver_fail(d, "cannot start the server");
	if (!peer.pid)
		become_server(d, group, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	peer.in = to[1];
	peer.out = from[0];
	free(peer_ask(&peer,
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
		"\"protocolVersion\":\"2025-11-25\"}}"));
	return peer;
}

/* --- tools ------------------------------------------------------------------- */

static char *call(struct peer *peer, const char *tool, const char *arguments)
{
	CLEANUP(freep)
	char *line = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
			       "\"params\":{\"name\":\"%s\",\"arguments\":%s}}",
		++peer->number, tool, arguments);

	return peer_ask(peer, line);
}

struct expected {
	const char *tool;
	const char *arguments;
	const char *part; /* of the text */
	bool fails;
};

static bool calls_give(struct peer *peer, const struct expected *list, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *answer = call(peer, list[i].tool, list[i].arguments);
		const char *flag = list[i].fails ? "\"isError\":true" : "\"isError\":false";

		if (strstr(answer, list[i].part) && strstr(answer, flag))
			continue;
		printf("# %s %s: no '%s' with %s in\n", list[i].tool, list[i].arguments,
			list[i].part, flag);
		tap_note(answer);
		ok = false;
	}
	return ok;
}

static bool has_tools(struct peer *peer, const char *const *names, size_t count)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *answer = NULL;
	CLEANUP(freep)
	char *line =
		peer_ask(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"l\",\"method\":\"tools/list\"}");
	const json_t *tools;

	if (json_read(view_of(line), "answer", SIZE_MAX, &answer, &err) < 0)
		driver_fail(peer->d, "%s", err.message);
	tools = json_object_get(json_object_get(answer, "result"), "tools");
	if (json_array_size(tools) != count) {
		tap_note(line);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const char *name =
			json_string_value(json_object_get(json_array_get(tools, i), "name"));

		if (strcmp(name, names[i]) != 0) {
			printf("# '%s' instead of '%s'\n", name, names[i]);
			return false;
		}
	}
	return true;
}

#define TASK_ARGUMENTS(more)                                                                   \
	"{\"prompt\":\"p\",\"schedule_type\":\"cron\",\"schedule_value\":\"0 9 * * *\"" more "}"

static bool main_has_every_tool(void)
{
	static const char *const names[] = {"cancel_task", "edit_message", "find_chats",
		"get_group_config", "get_task_runs", "list_channels", "list_groups",
		"list_tasks", "pause_task", "react", "register_group", "remember_globally",
		"remove_group", "resume_task", "schedule_task", "send_file", "send_message",
		"set_group", "set_group_config", "set_state", "update_task"};
	static const struct expected calls[] = {
		{"list_groups", "{}", "\\\"folder\\\":\\\"g2\\\"", false},
		{"find_chats", "{\"text\":\"\\u00e9\"}", "\\\"chats\\\":[]", false},
		{"register_group",
			"{\"jid\":\"test:9\",\"name\":\"New\",\"folder\":\"fresh\","
			"\"requires_trigger\":false,\"allow\":[\"ann\"]}",
			"\\\"folder\\\":\\\"fresh\\\"", false},
		{"send_message", "{\"text\":\"here\"}", "is on its way", false},
		{"send_message", "{\"text\":\"there\",\"group\":\"g1\"}", "is on its way",
			false},
		{"schedule_task", TASK_ARGUMENTS(""), "\\\"id\\\":\\\"1\\\"", false},
		{"schedule_task", TASK_ARGUMENTS(",\"group\":\"g1\",\"tz\":\"Europe/Berlin\""),
			"\\\"group\\\":\\\"g1\\\"", false},
		{"list_tasks", "{}", "\\\"id\\\":\\\"2\\\"", false},
		{"list_tasks", "{\"group\":\"main\",\"all\":true}",
			"\\\"group\\\":\\\"main\\\"", false},
		{"update_task", "{\"task_id\":\"2\",\"prompt\":\"other\"}",
			"\\\"prompt\\\":\\\"other\\\"", false},
		{"pause_task", "{\"task_id\":2}", "\\\"status\\\":\\\"paused\\\"", false},
		{"resume_task", "{\"task_id\":\"2\"}", "\\\"status\\\":\\\"active\\\"", false},
		{"get_task_runs", "{\"task_id\":\"2\",\"limit\":3}", "\\\"runs\\\":[]", false},
		{"cancel_task", "{\"task_id\":\"2\"}", "\\\"status\\\":\\\"cancelled\\\"",
			false},
		{"list_channels", "{}", "\\\"name\\\":\\\"test\\\"", false},
		{"get_group_config", "{\"group\":\"g2\"}", "\\\"config\\\":", false},
		{"set_group_config",
			"{\"group\":\"g2\",\"key\":\"skills\",\"value\":[\"welcome\"]}",
			"welcome", false},
		{"set_group_config",
			"{\"group\":\"g2\",\"key\":\"sandbox\",\"value\":\"docker\"}",
			"the group 'main' may not change", true},
		{"remove_group", "{\"group\":\"fresh\"}", "\\\"folder\\\":\\\"fresh\\\"",
			false},
		{"remove_group", "{\"group\":\"main\"}", "the main group cannot be removed",
			true},
		/* After this, idle agents are restarted. */
		{"remember_globally", "{\"text\":\"Fridays are free.\"}", "\\\"added\\\":true",
			false},
	};
	struct driver d;
	struct peer peer;
	bool ok;

	begin(&d);
	peer = peer_server(&d, "main");
	ok = has_tools(&peer, names, ARRAY_SIZE(names));
	ok = calls_give(&peer, calls, ARRAY_SIZE(calls)) && ok;
	peer_close(&peer);
	ok = driver_number(&d, "SELECT count(*) FROM outbox WHERE content = 'there'"
			       " AND group_folder = 'g1'") == 1 &&
	     ok;
	return end(&d) && ok;
}

static bool another_group_has_its_own_and_nothing_else(void)
{
	static const char *const names[] = {"cancel_task", "edit_message", "get_task_runs",
		"list_groups", "list_tasks", "pause_task", "react", "resume_task",
		"schedule_task", "send_file", "send_message", "set_state", "update_task"};
	static const struct expected calls[] = {
		{"list_groups", "{}", "\\\"folder\\\":\\\"g1\\\"", false},
		{"send_message", "{\"text\":\"here\"}", "is on its way", false},
		{"schedule_task", TASK_ARGUMENTS(""), "\\\"group\\\":\\\"g1\\\"", false},
		{"list_tasks", "{}", "\\\"id\\\":\\\"2\\\"", false},
		{"update_task", "{\"task_id\":\"2\",\"missed\":\"all\"}",
			"\\\"missed\\\":\\\"all\\\"", false},
		{"pause_task", "{\"task_id\":\"2\"}", "\\\"status\\\":\\\"paused\\\"", false},
		{"resume_task", "{\"task_id\":\"2\"}", "\\\"status\\\":\\\"active\\\"", false},
		{"get_task_runs", "{\"task_id\":\"2\"}", "\\\"runs\\\":[]", false},
		{"cancel_task", "{\"task_id\":\"2\"}", "\\\"status\\\":\\\"cancelled\\\"",
			false},
		/* Operations on other groups. */
		{"send_file", "{\"path\":\"CLAUDE.md\",\"group\":\"main\"}", "", true},
		{"edit_message", "{\"text\":\"x\",\"group\":\"main\"}", "", true},
		{"send_message", "{\"text\":\"x\",\"group\":\"main\"}",
			"may not send messages to other groups", true},
		{"send_message", "{\"text\":\"x\",\"group\":\"mai\"}",
			"may not send messages to other groups", true},
		{"schedule_task", TASK_ARGUMENTS(",\"group\":\"g3\""),
			"may not manage the tasks of other groups", true},
		{"schedule_task", TASK_ARGUMENTS(",\"group\":\"main\""),
			"may not manage the tasks of other groups", true},
		{"list_tasks", "{\"group\":\"main\"}", "may not manage the tasks", true},
		{"update_task", "{\"task_id\":\"1\",\"prompt\":\"x\"}", "there is no task '1'",
			true},
		{"pause_task", "{\"task_id\":1}", "there is no task '1'", true},
		{"resume_task", "{\"task_id\":\"1\"}", "there is no task '1'", true},
		{"cancel_task", "{\"task_id\":\"1\"}", "there is no task '1'", true},
		{"get_task_runs", "{\"task_id\":\"1\"}", "there is no task '1'", true},
		{"find_chats", "{}", "may not look for chats", true},
		{"register_group", "{\"jid\":\"test:8\",\"name\":\"n\"}",
			"may not register groups", true},
		{"remove_group", "{\"group\":\"g2\"}", "may not remove groups", true},
		{"remember_globally", "{\"text\":\"x\"}", "may not write the global memory",
			true},
		{"list_channels", "{}", "may not see the channels", true},
		{"get_group_config", "{\"group\":\"g1\"}", "may not see or change", true},
		{"set_group_config", "{\"group\":\"g1\",\"key\":\"skills\",\"value\":\"all\"}",
			"may not see or change", true},
		/* An error tells the model how to correct the call. */
		{"schedule_task",
			"{\"prompt\":\"p\",\"schedule_type\":\"cron\",\"schedule_value\":"
			"\"0 25 * * *\"}",
			"schedule_task was not done: ", true},
		{"schedule_task",
			"{\"prompt\":\"p\",\"schedule_type\":\"once\",\"schedule_value\":"
			"\"2001-01-01T00:00\"}",
			"is in the past", true},
		{"send_message", "{\"text\":\"x\",\"is_main\":true,\"folder\":\"main\"}",
			"there is no argument 'is_main'", true},
	};
	struct driver d;
	struct peer main_peer;
	struct peer peer;
	bool ok;

	begin(&d);
	main_peer = peer_server(&d, "main");
	peer = peer_server(&d, "g1");
	free(call(&main_peer, "schedule_task", TASK_ARGUMENTS("")));
	ok = has_tools(&peer, names, ARRAY_SIZE(names));
	ok = calls_give(&peer, calls, ARRAY_SIZE(calls)) && ok;
	peer_close(&peer);
	peer_close(&main_peer);
	ok = driver_number(&d, "SELECT count(*) FROM scheduled_tasks WHERE id = '1'"
			       " AND status = 'active' AND prompt = 'p'") == 1 &&
	     driver_number(&d, "SELECT count(*) FROM registered_groups") == 3 &&
	     driver_number(&d, "SELECT count(*) FROM outbox WHERE content = 'x'"
			       " AND kind = 'message'") == 0 &&
	     ok;
	ok = end(&d) && ok;
	return ok;
}

/* --- the socket itself ------------------------------------------------------- */

static bool replies(struct peer *peer, const char *line, const char *part)
{
	CLEANUP(freep) char *answer = peer_ask(peer, line);

	if (strstr(answer, part))
		return true;
	printf("# %.200s: no '%s' in\n", line, part);
	tap_note(answer);
	return false;
}

static bool nothing_that_is_said_makes_a_group_another(void)
{
	static const char *const forged[] = {
		"{\"op\":\"find_chats\",\"is_main\":true}",
		"{\"op\":\"find_chats\",\"isMain\":1,\"folder\":\"main\",\"kind\":\"person\"}",
		"{\"op\":\"register_group\",\"jid\":\"t:1\",\"name\":\"n\",\"folder\":\"main\"}",
		"{\"op\":\"register_group\",\"jid\":\"t:1\",\"name\":\"n\",\"agent\":\"sh\"}",
		"{\"op\":\"remove_group\",\"group\":\"g2\",\"actor\":{\"kind\":0}}",
		"{\"op\":\"send_message\",\"text\":\"forged\",\"group\":\"main\"}",
		"{\"op\":\"send_message\",\"text\":\"forged\",\"group\":\"test:2\"}",
		"{\"op\":\"send_message\",\"text\":\"forged\",\"group\":\"local:main\"}",
		"{\"op\":\"send_message\",\"text\":\"forged\",\"group\":\"MAIN\"}",
		("{\"op\":\"schedule_task\",\"prompt\":\"forged\",\"schedule_type\":\"interval\","
		 "\"schedule_value\":\"1h\",\"group\":\"main\"}"),
		"{\"op\":\"list_tasks\",\"group\":\"g2\"}",
		"{\"op\":\"write_global_memory\",\"text\":\"forged\"}",
		"{\"op\":\"remember_globally\",\"text\":\"forged\"}",
		"{\"op\":\"set_group_config\",\"key\":\"sandbox\",\"value\":\"docker\"}",
		"{\"op\":\"host_status\"}",
		"{\"op\":\"write_audit\"}",
		"{\"op\":\"compose\"}",
		"{\"op\":\"assign_skill\",\"skill\":\"s\",\"group\":\"g1\"}",
		"{\"op\":\"import_skill\",\"text\":\"forged\"}",
		"{\"op\":\"no_such_thing\"}",
		"{\"op\":5}",
		"{\"op\":\"send_message\\u0000\",\"text\":\"forged\"}",
		"{\"op\":\"send_message\",\"text\":{\"a\":[]}}",
		"{\"op\":\"send_message\",\"text\":\"\"}",
		"{\"op\":\"pause_task\",\"task_id\":[1]}",
		"{\"op\":\"pause_task\",\"task_id\":-1e99}",
		"[\"op\",\"send_message\"]",
		"\"send_message\"",
		"{\"op\":\"send_message\",\"op\":\"find_chats\",\"text\":\"forged\"}",
		"{",
	};
	struct driver d;
	struct peer peer;
	bool ok = true;

	begin(&d);
	peer = peer_socket(&d, "g1");
	for (size_t i = 0; i < ARRAY_SIZE(forged); i++)
		ok = replies(&peer, forged[i], "\"ok\":false") && ok;
	ok = replies(&peer, "{\"op\":\"get_rights\",\"folder\":\"main\",\"group\":\"main\"}",
		     "\"rights\":[\"send\",\"tasks\"]") &&
	     ok;
	peer_close(&peer);
	ok = driver_number(&d, "SELECT (SELECT count(*) FROM outbox WHERE content = 'forged')"
			       " + (SELECT count(*) FROM scheduled_tasks)") == 0 &&
	     driver_number(&d, "SELECT count(*) FROM registered_groups") == 3 && ok;
	ok = driver_stop(&d) == 0 && ok;
	/* All of them are in the log, none as done. */
	ok = driver_number(&d, "SELECT count(*) FROM audit WHERE group_folder = 'g1'"
			       " AND outcome <> 'done'") == ARRAY_SIZE(forged) &&
	     driver_number(&d, "SELECT count(*) FROM audit WHERE outcome = 'done'"
			       " AND what <> 'get_rights'") == 0 &&
	     driver_number(&d, "SELECT count(*) FROM audit WHERE outcome = 'refused'"
			       " AND what IN ('assign_skill', 'import_skill')") == 2 &&
	     ok;
	driver_release(&d);
	return ok;
}

static bool command_is(struct driver *d, const char *group, const char *key, const char *value)
{
	int code;

	free(driver_run(
		d, (const char *const[]){"group", "config", group, key, value, NULL}, &code));
	return code == 0;
}

/* A stranger has talked its agent into these calls. */
static bool main_cannot_change_what_bounds_an_agent(void)
{
	static const char *const sets[] = {
		"\"agent\",\"value\":\"/bin/sh\"",
		"\"agent\",\"value\":null",
		"\"mounts\",\"value\":[{\"hostPath\":\"/etc\"}]",
		"\"mounts\",\"value\":null",
		"\"limits\",\"value\":{\"processes\":100000}",
		"\"limits\",\"value\":null",
		"\"limits.processes\",\"value\":100000",
		"\"limits.memoryMegabytes\",\"value\":1000000",
		"\"limits.diskMegabytes\",\"value\":1000000",
		"\"limits.turnSeconds\",\"value\":86400",
		"\"network\",\"value\":{\"hosts\":[\"*\"]}",
		"\"network.hosts\",\"value\":[\"evil.example\"]",
		"\"sandbox\",\"value\":\"landlock\"",
		"\"budget\",\"value\":null",
		"\"budget.dailyDollars\",\"value\":1000000",
		"\"Limits\",\"value\":{}",
		"\"skills.limits\",\"value\":{}",
		"\"\",\"value\":{\"limits\":{}}",
	};
	static const char *const others[] = {
		("{\"op\":\"register_group\",\"jid\":\"test:9\",\"name\":\"n\","
		 "\"folder\":\"main\"}"),
		("{\"op\":\"register_group\",\"jid\":\"test:9\",\"name\":\"n\","
		 "\"folder\":\"main\",\"by_person\":true}"),
		("{\"op\":\"register_group\",\"jid\":\"test:9\",\"name\":\"main\","
		 "\"requires_trigger\":false}"),
		("{\"op\":\"register_group\",\"jid\":\"local:main\",\"name\":\"n\","
		 "\"folder\":\"g9\"}"),
		("{\"op\":\"register_group\",\"jid\":\"test:9\",\"name\":\"n\","
		 "\"agent\":\"/bin/sh\"}"),
		"{\"op\":\"remove_group\",\"group\":\"main\"}",
		"{\"op\":\"remove_group\",\"group\":\"local:main\"}",
	};
	struct driver d;
	struct peer peer;
	bool ok = true;

	begin(&d);
	peer = peer_socket(&d, "main");
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (int other = 0; other < 2; other++) {
			CLEANUP(freep)
			char *line = xasprintf(
				"{\"op\":\"set_group_config\",\"group\":\"%s\",\"key\":%s}",
				other ? "g1" : "main", sets[i]);

			ok = replies(&peer, line, "\"ok\":false") && ok;
		}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ok = replies(&peer, others[i], "\"ok\":false") && ok;
	/* A group that is removed and registered again would have lost its bounds. */
	ok = command_is(&d, "g2", "limits.processes", "50") &&
	     replies(&peer, "{\"op\":\"remove_group\",\"group\":\"g2\"}", "\"ok\":false") &&
	     replies(&peer, "{\"op\":\"remove_group\",\"group\":\"test:2\"}", "\"ok\":false") &&
	     ok;
	peer_close(&peer);
	ok = driver_number(&d, "SELECT count(*) FROM registered_groups WHERE is_main"
			       " AND jid = 'local:main'") == 1 &&
	     ok;
	ok = driver_stop(&d) == 0 && ok;
	driver_release(&d);
	return ok;
}

static bool main_adds_groups_up_to_a_limit(void)
{
	struct driver d;
	struct peer peer;
	bool ok = true;

	begin(&d);
	peer = peer_socket(&d, "main");
	for (int i = 0; i < REGISTRY_MAX_BY_AGENTS; i++) {
		CLEANUP(freep)
		char *line = xasprintf("{\"op\":\"register_group\",\"jid\":\"local:n%d\","
				       "\"name\":\"n%d\",\"folder\":\"n%d\"}",
			i, i, i);

		/* Three are there already. */
		ok = replies(&peer, line,
			     i < REGISTRY_MAX_BY_AGENTS - 3
				     ? "\"ok\":true"
				     : "an agent can add groups only up to") &&
		     ok;
	}
	peer_close(&peer);
	free(driver_run(
		&d, (const char *const[]){"group", "add", "test:9", "nine", NULL}, NULL));
	ok = driver_number(&d, "SELECT count(*) FROM registered_groups") ==
		     REGISTRY_MAX_BY_AGENTS + 1 &&
	     ok;
	return end(&d) && ok;
}

static bool keys_of_other_groups_are_hidden(void)
{
	struct driver d;
	struct peer peer;
	bool ok;

	begin(&d);
	ok = command_is(&d, "g1", "mcpServers.x",
		     "{\"command\":\"x\",\"env\":{\"K\":\"sesame\"}}") &&
	     command_is(&d, "main", "mcpServers.y",
		     "{\"command\":\"y\",\"env\":{\"K\":\"open\"}}");
	wake(&d, "main"); /* by its new agent */
	peer = peer_socket(&d, "main");
	ok = replies(&peer, "{\"op\":\"get_group_config\",\"group\":\"g1\"}",
		     "{\"K\":\"(hidden)\"}") &&
	     replies(&peer,
		     "{\"op\":\"set_group_config\",\"group\":\"g1\",\"key\":\"skills\",\"value\":[]}",
		     "{\"K\":\"(hidden)\"}") &&
	     replies(&peer, "{\"op\":\"get_group_config\"}", "{\"K\":\"open\"}") && ok;
	peer_close(&peer);
	return end(&d) && ok;
}

static void append_text(struct buf *line, char c, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_append_char(line, c);
}

/* Its platform is away: nothing is sent meanwhile. */
static bool what_waits_to_be_sent_has_a_limit(void)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct driver d;
	struct peer peer;
	bool ok = true;
	bool refused = false;

	begin(&d);
	peer = peer_socket(&d, "main");
	ok = replies(&peer, "{\"op\":\"register_group\",\"jid\":\"away:1\",\"name\":\"away\"}",
		"\"ok\":true");
	buf_append_str(&line, "{\"op\":\"send_message\",\"group\":\"away\",\"text\":\"");
	append_text(&line, 'x', (size_t)250 * 1024);
	buf_append_str(&line, "\"}");
	for (int i = 0; i < 40 && !refused; i++) {
		CLEANUP(freep) char *answer = peer_ask(&peer, line.data);

		refused = strstr(answer, "wait to be sent");
	}
	ok = ok && refused &&
	     replies(&peer, "{\"op\":\"send_message\",\"text\":\"hello\"}", "\"ok\":true");
	peer_close(&peer);
	ok = driver_number(&d, "SELECT sum(length(content)) < 5000000 FROM outbox") == 1 && ok;
	ok = driver_stop(&d) == 0 && ok;
	driver_release(&d);
	return ok;
}

/* A list of many would hold up everybody else. */
static bool tasks_with_much_text_have_a_limit(void)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	CLEANUP(freep) char *list = NULL;
	struct driver d;
	struct peer peer;
	bool refused = false;
	bool ok;

	begin(&d);
	peer = peer_socket(&d, "g1");
	buf_append_str(&line, "{\"op\":\"schedule_task\",\"schedule_type\":\"cron\","
			      "\"schedule_value\":\"0 9 1 1 *\",\"prompt\":\"");
	append_text(&line, 'x', 60000);
	buf_append_str(&line, "\"}");
	for (int i = 0; i < 20 && !refused; i++) {
		CLEANUP(freep) char *answer = peer_ask(&peer, line.data);

		refused = strstr(answer, "more than 1 MiB of text");
	}
	list = peer_ask(&peer, "{\"op\":\"list_tasks\"}");
	ok = refused && strlen(list) < 100000 &&
	     replies(&peer,
		     "{\"op\":\"schedule_task\",\"schedule_type\":\"cron\","
		     "\"schedule_value\":\"0 9 1 1 *\",\"prompt\":\"short\"}",
		     "\"ok\":true");
	buf_clear(&line);
	buf_append_str(&line, "{\"op\":\"update_task\",\"task_id\":\"18\",\"prompt\":\"");
	append_text(&line, 'x', 60000);
	buf_append_str(&line, "\"}");
	ok = replies(&peer, line.data, "more than 1 MiB of text") && ok;
	peer_close(&peer);
	return end(&d) && ok;
}

static bool what_is_too_long_is_refused(void)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct driver d;
	struct peer peer;
	bool ok;

	begin(&d);
	peer = peer_server(&d, "g1");
	buf_append_str(&line, "{\"text\":\"");
	append_text(&line, 'x', 65537);
	buf_append_str(&line, "\"}");
	ok = calls_give(&peer,
		&(struct expected){"send_message", line.data,
			"'text' must have at most 65536 characters, and has 65537", true},
		1);
	/* A line that is longer than any may be, and then one that is right. */
	buf_clear(&line);
	append_text(&line, 'y', (size_t)3 * 1024 * 1024);
	ok = replies(&peer, line.data, "\"code\":-32700") && ok;
	ok = calls_give(&peer,
		     &(struct expected){"list_tasks", "{}", "\\\"tasks\\\":[]", false}, 1) &&
	     ok;
	peer_close(&peer);
	/* The host knows the bounds by itself. */
	peer = peer_socket(&d, "g1");
	buf_clear(&line);
	buf_append_str(&line, "{\"op\":\"send_message\",\"text\":\"");
	append_text(&line, 'x', (size_t)300 * 1024);
	buf_append_str(&line, "\"}");
	ok = replies(&peer, line.data, "\"ok\":false") && ok;
	buf_clear(&line);
	append_text(&line, '[', 5000);
	ok = replies(&peer, line.data, "\"ok\":false") && ok;
	peer_close(&peer);
	wake(&d, "g1");
	return end(&d) && ok;
}

/* --- many -------------------------------------------------------------------- */

/* The requests of a burst that have got an answer, and how many of these were good. */
struct burst {
	struct peer peer;
	struct buf out;
	size_t sent; /* bytes */
	int answers;
	int good;
};

static void burst_begin(struct burst *burst, struct peer peer, bool server)
{
	*burst = (struct burst){.peer = peer, .out = BUF_INIT};
	for (int i = 0; i < BURST; i++)
		buf_appendf(&burst->out,
			server ? "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
				 "\"params\":{\"name\":\"list_groups\"}}\n"
			       : "{\"id\":%d,\"op\":\"list_groups\"}\n",
			i);
	fcntl(peer.in, F_SETFL, O_NONBLOCK);
	fcntl(peer.out, F_SETFL, O_NONBLOCK);
}

static void burst_read(struct burst *burst)
{
	struct buf *input = &burst->peer.input;
	size_t room = buf_reserve(input, 65536);
	ssize_t n = read(burst->peer.out, input->data + input->len, room);
	char *newline;

	if (n == 0)
		driver_fail(burst->peer.d, "the connection has ended in the burst");
	buf_set_len(input, input->len + (n > 0 ? (size_t)n : 0));
	while ((newline = memchr(input->data, '\n', input->len))) {
		size_t len = (size_t)(newline - input->data);

		*newline = '\0';
		burst->answers++;
		burst->good += strstr(input->data, "\"ok\":true") ||
			       strstr(input->data, "\"isError\":false");
		memmove(input->data, newline + 1, input->len - len - 1);
		buf_set_len(input, input->len - len - 1);
	}
}

static void burst_step(struct burst *burst, short in, short out)
{
	ssize_t n;

	if (in) {
		n = write(burst->peer.in, burst->out.data + burst->sent,
			burst->out.len - burst->sent);
		burst->sent += n > 0 ? (size_t)n : 0;
	}
	if (out)
		burst_read(burst);
}

/* All of them at once, as fast as the host accepts them. */
static void run_bursts(struct burst *bursts, size_t count)
{
	struct pollfd polls[8];
	bool open = true;

	while (open) {
		open = false;
		for (size_t i = 0; i < count; i++) {
			struct burst *b = &bursts[i];

			polls[2 * i] = (struct pollfd){
				b->sent < b->out.len ? b->peer.in : -1, POLLOUT, 0};
			polls[2 * i + 1] = (struct pollfd){
				b->answers < BURST ? b->peer.out : -1, POLLIN, 0};
			open = open || b->answers < BURST;
		}
		if (!open || poll(polls, 2 * count, -1) < 0)
			continue;
		for (size_t i = 0; i < count; i++)
			burst_step(&bursts[i], polls[2 * i].revents, polls[2 * i + 1].revents);
	}
}

static int64_t rows(struct driver *d, const char *group, const char *outcome)
{
	CLEANUP(freep)
	char *sql = xasprintf("SELECT count(*) FROM audit WHERE group_folder = '%s'"
			      " AND what = 'list_groups' AND outcome = '%s'",
		group, outcome);

	return driver_number(d, sql);
}

/* The number of refused calls, from the log. */
static int64_t refused(struct driver *d, const char *group)
{
	CLEANUP(freep)
	char *sql = xasprintf("SELECT coalesce(sum(CAST(detail AS INTEGER)), 0) FROM audit"
			      " WHERE group_folder = '%s' AND what = 'too many calls'",
		group);

	return driver_number(d, sql);
}

/* Each was answered; each is accounted for in the log, which keeps the latest of many. */
static bool is_in_order(struct driver *d, const struct burst *burst, const char *group)
{
	int64_t done = rows(d, group, "done");
	bool all = burst->good <= AUDIT_ROWS_OF_WHAT ? done == burst->good
						     : done >= AUDIT_ROWS_OF_WHAT;

	if (burst->answers == BURST && burst->good >= CALL_RATE_BURST && all &&
		refused(d, group) == BURST - burst->good)
		return true;
	printf("# %s: %d answers, %d good, %d noted as done, %d as refused\n", group,
		burst->answers, burst->good, (int)done, (int)refused(d, group));
	return false;
}

static bool bursts_of_two_groups_stop_nobody(bool server)
{
	struct driver d;
	struct burst bursts[2];
	long memory;
	bool ok;

	begin(&d);
	burst_begin(&bursts[0], server ? peer_server(&d, "g1") : peer_socket(&d, "g1"), server);
	burst_begin(&bursts[1], server ? peer_server(&d, "g2") : peer_socket(&d, "g2"), server);
	/* Meanwhile the host serves another group. */
	burst_step(&bursts[0], POLLOUT, 0);
	burst_step(&bursts[1], POLLOUT, 0);
	wake(&d, "main");
	run_bursts(bursts, 2);
	memory = driver_memory(&d);
	wake(&d, "g1");
	wake(&d, "g2");
	for (size_t i = 0; i < 2; i++) {
		buf_release(&bursts[i].out);
		peer_close(&bursts[i].peer);
	}
	ok = driver_stop(&d) == 0;
	ok = is_in_order(&d, &bursts[0], "g1") && is_in_order(&d, &bursts[1], "g2") && ok;
	if (memory > MEMORY_MAX_KB)
		printf("# the host has %ld KiB\n", memory);
	driver_release(&d);
	return ok && memory <= MEMORY_MAX_KB;
}

static bool ten_thousand_calls_at_once_stop_nobody(void)
{
	return bursts_of_two_groups_stop_nobody(true);
}

static bool nor_do_they_through_the_socket_itself(void)
{
	return bursts_of_two_groups_stop_nobody(false);
}

static bool who_does_not_read_is_not_read_from(void)
{
	struct driver d;
	struct burst burst;
	bool ok;
	int still = 0;

	begin(&d);
	burst_begin(&burst, peer_socket(&d, "g1"), false);
	/* Until the host accepts no more, however often it serves another group. */
	while (still < 3) {
		size_t before = burst.sent;

		burst_step(&burst, POLLOUT, 0);
		wake(&d, "g2");
		still = burst.sent == before ? still + 1 : 0;
	}
	ok = driver_memory(&d) <= MEMORY_MAX_KB;
	run_bursts(&burst, 1);
	ok = burst.answers == BURST && ok;
	buf_release(&burst.out);
	peer_close(&burst.peer);
	return end(&d) && ok;
}

static bool the_log_is_shown_by_a_command(void)
{
	static const char *const words[] = {"audit", "g1", "--kind", "tool", NULL};
	struct driver d;
	struct peer peer;
	bool ok;

	begin(&d);
	peer = peer_server(&d, "g1");
	free(call(&peer, "send_message", "{\"text\":\"good morning\"}"));
	free(call(&peer, "find_chats", "{}"));
	free(call(&peer, "send_message", "{\"txt\":1}"));
	peer_close(&peer);
	for (int running = 1; running >= 0; running--) {
		CLEANUP(freep) char *shown = NULL;

		if (!running)
			driver_stop(&d);
		shown = driver_run(&d, words, NULL);
		ok = strstr(shown, "send_message  done     text=\"good morning\"") &&
		     strstr(shown, "find_chats    refused  the group 'g1' may not") &&
		     strstr(shown, "send_message  refused  txt=1: 'text' is missing");
		if (!ok) {
			tap_note(shown);
			break;
		}
	}
	driver_release(&d);
	return ok;
}

static const struct {
	const char *name;
	bool (*run)(void);
} claims[] = {
	{"main has every tool", main_has_every_tool},
	{"another group has its own, and nothing else",
		another_group_has_its_own_and_nothing_else},
	{"nothing that is said makes a group another",
		nothing_that_is_said_makes_a_group_another},
	{"the agent of main cannot change what bounds an agent, nor whose main is",
		main_cannot_change_what_bounds_an_agent},
	{"the agent of main adds groups up to a limit", main_adds_groups_up_to_a_limit},
	{"keys of other groups' servers are hidden from it", keys_of_other_groups_are_hidden},
	{"what is too long is refused", what_is_too_long_is_refused},
	{"tasks with much text have a limit", tasks_with_much_text_have_a_limit},
	{"what waits to be sent has a limit", what_waits_to_be_sent_has_a_limit},
	{"ten thousand calls at once stop nobody", ten_thousand_calls_at_once_stop_nobody},
	{"nor do they through the socket itself", nor_do_they_through_the_socket_itself},
	{"who does not read is not read from", who_does_not_read_is_not_read_from},
	{"the log is shown by a command", the_log_is_shown_by_a_command},
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc < 5)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		if (argc < 6 || !strcmp(argv[5], claims[i].name))
			tap_result(&tap, claims[i].run(), claims[i].name);
	return tap_end(&tap);
}
