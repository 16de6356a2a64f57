/*
 * talk [OPTION]... URL: a WebSocket (ws:// or wss://, net/stream/websocket.h) or a stream
 * (tcp://HOST:PORT or tls://HOST:PORT, net/stream/stream.h). Prints what happens, and does what it
 * reads in lines:
 *
 *	open			it is open
 *	text TEXT, binary N	a message, or bytes of a stream; long ones as "N bytes SUM"
 *	closed CODE WHY		or "closed WHY" of a stream
 *
 *	send TEXT		as text, or bytes of a stream
 *	fill N			a binary message of N bytes; says "not sent" if it is not
 *	flood			messages of 64 KiB until one is not sent; says "full"
 *	close CODE		or "close" of a stream: after what is queued
 *	drop			at once; says "dropped"
 *	stop			until it gets SIGCONT
 *	get URL			an HTTP request in the same network; says "got STATUS"
 *
 *	--echo			every message is sent back
 *	--ca=FILE --header=LINE --protocol=P
 *	--max=N			of a message, or of a stream's queue
 *	--connect=MS --idle=MS --ping=MS
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "format/line_reader.h"
#include "loop/stream.h"
#include "net/http_call.h"
#include "net/stream/stream.h"
#include "net/stream/websocket.h"

static struct websocket_options options;
static struct net_stream_options stream_options;
static const char *headers[2];
static bool echo;

static struct network *network;
static struct websocket *websocket;
static struct net_stream *stream;
static struct line_reader lines;
static uv_pipe_t input;

/* --- what happens ------------------------------------------------------------ */

static void stop_input(void)
{
	websocket = NULL;
	stream = NULL;
	uv_close((uv_handle_t *)&input, NULL);
}

static bool say(enum websocket_kind kind, struct view message)
{
	return websocket ? websocket_send(websocket, kind, message)
			 : net_stream_write(stream, message);
}

static void print_message(const char *kind, struct view message)
{
	unsigned sum = 0;

	for (size_t i = 0; i < message.len; i++)
		sum = sum * 31 + (unsigned char)message.data[i];
	if (message.len > 200 || strcmp(kind, "text") != 0)
		printf("%s %zu bytes %u\n", kind, message.len, sum);
	else
		printf("%s %.*s\n", kind, VIEW_ARGS(message));
}

static void take_message(void *data, enum websocket_kind kind, struct view message)
{
	(void)data;
	if (echo)
		say(kind, message);
	else
		print_message(kind == WEBSOCKET_TEXT ? "text" : "binary", message);
}

static void has_closed(void *data, int code, const char *why)
{
	(void)data;
	printf("closed %d %s\n", code, why);
	stop_input();
}

static void take_bytes(void *data, struct view bytes)
{
	take_message(data, WEBSOCKET_TEXT, bytes);
}

static void has_ended(void *data, const char *why)
{
	(void)data;
	printf("closed %s\n", why ? why : "by the server");
	stop_input();
}

/* --- what it is told --------------------------------------------------------- */

static void send_filled(size_t len)
{
	char *bytes = xmalloc(len ? len : 1);

	memset(bytes, 'x', len);
	if (!say(WEBSOCKET_BINARY, (struct view){bytes, len}))
		puts("not sent");
	free(bytes);
}

static void flood(void)
{
	static char bytes[65536];

	while (say(WEBSOCKET_BINARY, (struct view){bytes, sizeof(bytes)}))
		;
	puts("full");
}

static void close_it(int code)
{
	if (websocket) {
		websocket_close(websocket, code);
	} else {
		net_stream_finish(stream);
		puts("finished");
		stop_input();
	}
}

static void drop_it(void)
{
	puts("dropped");
	if (websocket)
		websocket_drop(websocket);
	else
		net_stream_close(stream);
	stop_input();
}

static void take_reply(void *data, const struct http_reply *reply, const char *why)
{
	(void)data;
	if (reply)
		printf("got %d\n", reply->status);
	else
		printf("got nothing: %s\n", why);
}

static void get(const char *url)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct http_call_request request = {.http = {.method = "GET", .url = url}};
	struct http_call *call;

	if (http_call(network, &request, take_reply, NULL, &call, &err) < 0)
		printf("error: %s\n", err.message);
}

static bool obey(struct view line, bool too_long, void *data)
{
	CLEANUP(freep) char *text = xmemdupz(line.data, line.len);

	(void)too_long;
	(void)data;
	if (!strncmp(text, "send ", 5))
		say(WEBSOCKET_TEXT, view_of(text + 5));
	else if (!strncmp(text, "fill ", 5))
		send_filled(strtoul(text + 5, NULL, 10));
	else if (!strcmp(text, "flood"))
		flood();
	else if (!strncmp(text, "close", 5))
		close_it((int)strtol(text + 5, NULL, 10));
	else if (!strcmp(text, "drop"))
		drop_it();
	else if (!strcmp(text, "stop"))
		raise(SIGSTOP);
	else if (!strncmp(text, "get ", 4))
		get(text + 4);
	return websocket || stream;
}

static void read_commands(uv_stream_t *from, ssize_t len, const uv_buf_t *chunk)
{
	if (len < 0)
		uv_read_stop(from);
	else
		line_reader_feed(&lines, chunk->base, (size_t)len, obey, NULL);
}

static void has_opened(void *data)
{
	(void)data;
	puts("open");
	uv_read_start((uv_stream_t *)&input, loop_chunk, read_commands);
}

/* --- the beginning ----------------------------------------------------------- */

static const struct websocket_handlers websocket_handlers = {
	.opened = has_opened,
	.message = take_message,
	.closed = has_closed,
};

static const struct net_stream_handlers stream_handlers = {
	.connected = has_opened,
	.bytes = take_bytes,
	.closed = has_ended,
};

static const struct option names[] = {
	{"ca", required_argument, NULL, 'a'},
	{"connect", required_argument, NULL, 'c'},
	{"echo", no_argument, NULL, 'e'},
	{"header", required_argument, NULL, 'h'},
	{"idle", required_argument, NULL, 'i'},
	{"max", required_argument, NULL, 'x'},
	{"ping", required_argument, NULL, 'p'},
	{"protocol", required_argument, NULL, 's'},
	{0},
};

static const char *ca_file;

static void read_option(int option)
{
	uint64_t number = optarg ? strtoull(optarg, NULL, 10) : 0;

	switch (option) {
	case 'a':
		ca_file = optarg;
		break;
	case 'c':
		options.connect_ms = stream_options.connect_ms = number;
		break;
	case 'e':
		echo = true;
		break;
	case 'h':
		headers[0] = optarg;
		break;
	case 'i':
		stream_options.idle_ms = number;
		break;
	case 'x':
		options.max_message = stream_options.max_queue = number;
		break;
	case 'p':
		options.ping_ms = number;
		break;
	case 's':
		options.protocol = optarg;
		break;
	default:
		exit(2);
	}
}

static int start(char *url, struct error *err)
{
	char *colon;

	if (*url == 'w') {
		options.url = url;
		options.headers = headers;
		return websocket_open(
			network, &options, &websocket_handlers, NULL, &websocket, err);
	}
	stream_options.plain = !strncmp(url, "tcp:", 4);
	stream_options.host = url + 6;
	colon = strrchr(url, ':');
	*colon = '\0';
	stream_options.port = (unsigned)strtoul(colon + 1, NULL, 10);
	return net_stream_open(network, &stream_options, &stream_handlers, NULL, &stream, err);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int option;

	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((option = getopt_long(argc, argv, "", names, NULL)) >= 0)
		read_option(option);
	if (optind != argc - 1)
		return 2;
	line_reader_init(&lines, 65536);
	uv_pipe_init(uv_default_loop(), &input, 0);
	uv_pipe_open(&input, STDIN_FILENO);
	network_new(&(struct network_options){uv_default_loop(), ca_file}, &network);
	if (start(argv[optind], &err) < 0) {
		printf("error: %s\n", err.message);
		stop_input();
	}
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	network_close(network);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	line_reader_release(&lines);
	return uv_loop_close(uv_default_loop()) ? 1 : 0;
}
