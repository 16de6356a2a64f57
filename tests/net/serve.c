/*
 * serve [--any-user] [--patient] [--port N | --socket NAME]: a web server (net/http_server.h) that does as the path says,
 * and prints its port, then what happens, in lines.
 *
 *	/echo		method, target and body come back
 *	/large		8 MiB
 *	/later		answered at the next /now, which prints "gone" if nobody waits for it
 *	/pieces		stays open: each /piece sends one to all; /end ends them
 *	/flood		pieces until the client is disconnected
 *	/stop		the server closes with everything that is open
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/http_server.h"

#define MAX_OPEN 64

static struct http_server *server;
static struct http_exchange *later[MAX_OPEN], *open_ones[MAX_OPEN];
static size_t later_count, open_count;

static void say(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
}

static void ended(struct http_exchange *exchange, void *data)
{
	(void)data;
	for (size_t i = 0; i < open_count; i++)
		if (open_ones[i] == exchange) {
			open_ones[i] = open_ones[--open_count];
			break;
		}
	say("ended");
}

static void handle(struct http_exchange *exchange, void *data)
{
	const struct http_head *head = http_exchange_head(exchange);
	static char large[8 * 1024 * 1024];

	(void)data;
	if (view_starts_with(head->target, "/echo")) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		buf_appendf(&text, "%.*s %.*s %.*s", VIEW_ARGS(head->method),
			VIEW_ARGS(head->target), VIEW_ARGS(http_exchange_body(exchange)));
		http_exchange_answer(exchange, 200, "x-a: b\r\n", view_of_buf(&text));
	} else if (view_equal_str(head->target, "/large")) {
		memset(large, 'x', sizeof(large));
		http_exchange_answer(exchange, 200, NULL, (struct view){large, sizeof(large)});
	} else if (view_equal_str(head->target, "/later") && later_count < MAX_OPEN) {
		later[later_count++] = exchange;
		say("waiting");
	} else if (view_equal_str(head->target, "/now")) {
		while (later_count)
			http_exchange_answer(later[--later_count], 200, NULL, view_of("late"));
		http_exchange_answer(exchange, 204, NULL, view_of(""));
	} else if (view_equal_str(head->target, "/pieces") && open_count < MAX_OPEN) {
		open_ones[open_count++] = exchange;
		http_exchange_begin(exchange, 200, NULL, ended, NULL);
	} else if (view_equal_str(head->target, "/flood")) {
		http_exchange_begin(exchange, 200, NULL, ended, NULL);
		for (int i = 0; i < 8; i++)
			http_exchange_send(exchange, (struct view){large, sizeof(large)});
		say("flooded");
	} else if (view_equal_str(head->target, "/piece")) {
		for (size_t i = 0; i < open_count; i++)
			http_exchange_send(open_ones[i], view_of("piece\n"));
		http_exchange_answer(exchange, 204, NULL, view_of(""));
	} else if (view_equal_str(head->target, "/end")) {
		while (open_count)
			http_exchange_end(open_ones[--open_count]);
		http_exchange_answer(exchange, 204, NULL, view_of(""));
	} else if (view_equal_str(head->target, "/stop")) {
		http_server_close(server);
		http_exchange_answer(exchange, 204, NULL, view_of(""));
		while (later_count)
			http_exchange_answer(later[--later_count], 200, NULL, view_of("late"));
	} else {
		http_exchange_refuse(exchange, 404, "there is no such page");
	}
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct http_server_options options = {
		.loop = uv_default_loop(),
		.max_body = 1024,
		.max_connections = 8,
		.request_timeout = 300,
		.request = handle,
		.folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--any-user"))
			options.any_user = true;
		else if (!strcmp(argv[i], "--patient"))
			options.request_timeout = 60000;
		else if (!strcmp(argv[i], "--socket"))
			options.name = argv[++i];
		else if (!strcmp(argv[i], "--port"))
			options.port = (uint16_t)strtoul(argv[++i], NULL, 10);
	}
	signal(SIGPIPE, SIG_IGN);
	if (http_server_open(&options, &server, &err) < 0) {
		say(err.message);
	} else {
		printf("%u\n", options.name ? 0 : http_server_port(server));
		fflush(stdout);
	}
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	uv_loop_close(uv_default_loop());
	closep(&options.folder);
	return 0;
}
