/*
 * ask [OPTION]... URL: an HTTP call (net/http_call.h), or with --pieces a transfer whose body is
 * passed on in pieces (net/http.h). Prints "STATUS BODY", or "failed: WHY", for each time.
 *
 *	--method=M --header=LINE --body=TEXT --json=TEXT --follow
 *	--file=PATH		a form with a text and this file, whose size may be claimed: --size=N
 *	--connect=MS --idle=MS --total=MS	timeouts
 *	--max=N			of the response's body
 *	--ca=FILE		certificates to trust
 *	--times=N		one after the other, on one network
 *	--show=HEADER		prints its value before the body
 *	--cancel		when the response begins; prints "cancelled"
 */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http_call.h"

#define MAX_HEADERS 16

static struct {
	struct http_call_request request;
	const char *headers[MAX_HEADERS + 1];
	const char *ca_file;
	const char *json;
	const char *file;
	int64_t size;
	const char *show;
	bool pieces;
	bool cancel;
	long times;
} options = {.times = 1};

static struct network *network;
static struct http_transfer *transfer;
static uv_idle_t later;

static void ask(void);

static void next_time(void)
{
	if (--options.times > 0)
		ask();
}

static void print_body(struct view body)
{
	if (body.len > 200)
		printf("%zu bytes", body.len);
	else
		printf("%.*s", VIEW_ARGS(body));
}

/* --- calls ------------------------------------------------------------------- */

static void take_reply(void *data, const struct http_reply *reply, const char *why)
{
	(void)data;
	if (!reply) {
		printf("failed: %s\n", why);
	} else {
		struct view shown =
			http_answer_header(reply->answer, options.show ? options.show : "");

		printf("%d ", reply->status);
		if (options.show)
			printf("[%.*s] ", VIEW_ARGS(shown));
		print_body(reply->body);
		printf("\n");
	}
	fflush(stdout);
	next_time();
}

/* --- transfers --------------------------------------------------------------- */

static enum http_giving give_nothing(void *data, char *bytes, size_t room, size_t *ret_len)
{
	(void)data;
	(void)bytes;
	(void)room;
	*ret_len = 0;
	return HTTP_GIVE_BYTES;
}

static void cancel_now(uv_idle_t *handle)
{
	uv_close((uv_handle_t *)handle, NULL);
	http_cancel(transfer);
	printf("cancelled\n");
}

static bool take_answer(void *data, const struct http_answer *answer)
{
	(void)data;
	printf("%d", answer->status);
	if (options.cancel) {
		uv_idle_init(uv_default_loop(), &later);
		uv_idle_start(&later, cancel_now);
	}
	return true;
}

static bool take_piece(void *data, struct view piece)
{
	(void)data;
	printf(" +");
	print_body(piece);
	return true;
}

static void transfer_done(void *data, const char *why)
{
	(void)data;
	printf(why ? " failed: %s\n" : " done\n", why);
	next_time();
}

static const struct http_handlers handlers = {
	.give = give_nothing,
	.answer = take_answer,
	.bytes = take_piece,
	.done = transfer_done,
};

static struct http_multipart *make_form(void)
{
	struct http_multipart *form = http_multipart_new();
	int file = open(options.file, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (file < 0 || fstat(file, &st) < 0)
		exit(2);
	http_multipart_text(form, "text", view_of("two\nlines"));
	http_multipart_file(form, "files[0]", "a \"name\".txt", NULL, file,
		options.size ? options.size : st.st_size);
	return form;
}

static void ask(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct http_call *call;
	int result;

	if (options.json)
		options.request.json = json_loads(options.json, 0, NULL);
	if (options.file)
		options.request.form = make_form();
	result = options.pieces
			 ? http_start(network, &options.request.http, &handlers, NULL,
				   &transfer, &err)
			 : http_call(network, &options.request, take_reply, NULL, &call, &err);
	if (result < 0)
		printf("failed: %s\n", err.message);
}

static const struct option names[] = {
	{"body", required_argument, NULL, 'b'},
	{"ca", required_argument, NULL, 'a'},
	{"cancel", no_argument, NULL, 'C'},
	{"connect", required_argument, NULL, 'c'},
	{"file", required_argument, NULL, 'F'},
	{"follow", no_argument, NULL, 'f'},
	{"header", required_argument, NULL, 'h'},
	{"idle", required_argument, NULL, 'i'},
	{"json", required_argument, NULL, 'j'},
	{"max", required_argument, NULL, 'x'},
	{"method", required_argument, NULL, 'm'},
	{"pieces", no_argument, NULL, 'p'},
	{"show", required_argument, NULL, 's'},
	{"size", required_argument, NULL, 'S'},
	{"times", required_argument, NULL, 'n'},
	{"total", required_argument, NULL, 't'},
	{0},
};

static void read_option(int option)
{
	struct http_request *http = &options.request.http;
	uint64_t number = optarg ? strtoull(optarg, NULL, 10) : 0;
	size_t headers = 0;

	switch (option) {
	case 'b':
		options.request.body = view_of(optarg);
		break;
	case 'a':
		options.ca_file = optarg;
		break;
	case 'C':
		options.cancel = options.pieces = true;
		break;
	case 'c':
		http->connect_ms = number;
		break;
	case 'F':
		options.file = optarg;
		break;
	case 'S':
		options.size = (int64_t)number;
		break;
	case 'f':
		http->follow_redirects = true;
		break;
	case 'h':
		while (options.headers[headers])
			headers++;
		if (headers < MAX_HEADERS)
			options.headers[headers] = optarg;
		break;
	case 'i':
		http->idle_ms = number;
		break;
	case 'j':
		options.json = optarg;
		break;
	case 'x':
		options.request.max_body = number;
		break;
	case 'm':
		http->method = optarg;
		break;
	case 'p':
		options.pieces = true;
		break;
	case 's':
		options.show = optarg;
		break;
	case 'n':
		options.times = (long)number;
		break;
	case 't':
		http->total_ms = number;
		break;
	default:
		exit(2);
	}
}

int main(int argc, char **argv)
{
	int option;

	signal(SIGPIPE, SIG_IGN);
	options.request.http.method = "GET";
	options.request.http.headers = options.headers;
	while ((option = getopt_long(argc, argv, "", names, NULL)) >= 0)
		read_option(option);
	if (optind != argc - 1)
		return 2;
	options.request.http.url = argv[optind];
	network_new(&(struct network_options){uv_default_loop(), options.ca_file}, &network);
	ask();
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	network_close(network);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	return uv_loop_close(uv_default_loop()) ? 1 : 0;
}
