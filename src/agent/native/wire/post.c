#include "agent/native/wire/post.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "net/http_answer.h"
#include "net/parse/http_body.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

#define TCP_PREFIX "tcp:"
#define CHUNK      ((size_t)16 * 1024)
#define ALIVE_MS   60000

void post_answer_release(struct post_answer *answer)
{
	buf_release(&answer->body);
}

/* --- the connection ---------------------------------------------------------- */

static int post_open_tcp(const char *address, struct error *err)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	const char *colon = strrchr(address, ':');
	CLEANUP(freep)
	char *host = xmemdupz(address, colon ? (size_t)(colon - address) : strlen(address));
	CLEANUP(closep) int fd = -1;
	long port = colon ? strtol(colon + 1, NULL, 10) : 0;
	int on = 1;

	if (port < 1 || port > 65535 || inet_pton(AF_INET, host, &to.sin_addr) != 1)
		return error_set(
			err, ERROR_INVALID, "'%s' is not an address with a port", address);
	to.sin_port = htons((uint16_t)port);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0) {
		error_errno(err, "cannot connect to '%s'", address);
		err->kind = ERROR_INVALID;
		return -1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return TAKE_FD(fd);
}

static int post_open(const char *address, struct error *err)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	CLEANUP(closep) int fd = -1;

	if (!strncmp(address, TCP_PREFIX, strlen(TCP_PREFIX)))
		return post_open_tcp(address + strlen(TCP_PREFIX), err);
	if (strlen(address) >= sizeof(to.sun_path))
		return error_set(err, ERROR_INVALID, "the path '%s' is too long", address);
	memcpy(to.sun_path, address, strlen(address) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0) {
		error_errno(err, "cannot connect to '%s'", address);
		err->kind = ERROR_INVALID;
		return -1;
	}
	return TAKE_FD(fd);
}

/* 1: ready; 0: timed out; -1: asked to stop. */
static int post_wait(const struct post *post, int fd, short events, int64_t patience)
{
	struct pollfd poll_fd = {.fd = fd, .events = events};
	int64_t end = timestamp_steady() + patience;
	int64_t left;

	while ((left = end - timestamp_steady()) > 0) {
		int ready;

		if (post->stop && *post->stop)
			return -1;
		ready = poll(&poll_fd, 1, (int)(left < ALIVE_MS ? left : ALIVE_MS));
		if (ready > 0)
			return 1;
		if (ready == 0 && post->alive)
			post->alive(post->data);
	}
	return 0;
}

/* --- the request ------------------------------------------------------------- */

/* A server may answer, and close, before it has read everything: then its answer counts. */
static void post_write(const struct post *post, int fd, struct view bytes)
{
	while (bytes.len && post_wait(post, fd, POLLOUT, post->stall_ms) > 0) {
		ssize_t n = send(fd, bytes.data, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return;
		if (n > 0)
			bytes = view_slice(bytes, (size_t)n, bytes.len);
	}
}

static void post_write_request(const struct post *post, int fd)
{
	CLEANUP(buf_release) struct buf head = BUF_INIT;

	buf_appendf(&head,
		"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Accept: text/event-stream, application/json\r\nUser-Agent: nanoclaw/%s\r\n"
		"%s%sConnection: close\r\nContent-Length: %zu\r\n\r\n",
		post->path, NANOCLAW_VERSION, post->header ? post->header : "",
		post->header ? "\r\n" : "", post->body.len);
	/* In one piece if it is short. */
	if (post->body.len < 4 * CHUNK) {
		buf_append(&head, post->body.data, post->body.len);
		post_write(post, fd, view_of_buf(&head));
		return;
	}
	post_write(post, fd, view_of_buf(&head));
	post_write(post, fd, post->body);
}

/* --- the answer -------------------------------------------------------------- */

struct post_reader {
	const struct post *post;
	struct post_answer *answer;
	void (*piece)(struct view bytes, bool is_stream, void *data);
	void *data;
	int fd;
	struct buf input; /* the head, and the bytes read along with it */
	struct http_body body;
	bool begun;      /* something has come */
	bool to_the_end; /* neither length nor chunks: it lasts until the connection ends */
};

/* > 0: the number of bytes read; 0: the end of the stream; -1: broken, or too slow. */
static ssize_t post_read(struct post_reader *reader, char *bytes, size_t room)
{
	for (;;) {
		ssize_t n;

		if (post_wait(reader->post, reader->fd, POLLIN,
			    reader->begun ? reader->post->stall_ms : reader->post->first_ms) <=
			0)
			return -1;
		reader->begun = true;
		n = recv(reader->fd, bytes, room, MSG_DONTWAIT);
		if (n >= 0 || (errno != EAGAIN && errno != EINTR))
			return n;
	}
}

/* The offset after the empty line; 0: it has not come yet. */
static size_t post_end_of_head(const struct buf *input)
{
	for (size_t i = 0; i + 1 < input->len; i++) {
		if (input->data[i] != '\n')
			continue;
		if (input->data[i + 1] == '\n')
			return i + 2;
		if (i + 2 < input->len && input->data[i + 1] == '\r' &&
			input->data[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

/* How the body ends. -1: that cannot be known. */
static int post_frame(struct post_reader *reader, const struct http_answer *head)
{
	struct view coding = http_answer_header(head, "transfer-encoding");
	struct view length = http_answer_header(head, "content-length");
	struct http_head framing = {.framing = HTTP_NO_BODY};

	if (coding.data && !http_name_is(coding, "chunked"))
		return -1;
	if (coding.data) {
		framing.framing = HTTP_CHUNKED;
	} else if (length.data) {
		framing.framing = HTTP_LENGTH;
		for (size_t i = 0; i < length.len; i++) {
			if (length.data[i] < '0' || length.data[i] > '9' ||
				framing.length > POST_MAX_STREAM)
				return -1;
			framing.length = framing.length * 10 + (uint64_t)(length.data[i] - '0');
		}
	}
	reader->to_the_end = !coding.data && !length.data;
	http_body_init(&reader->body, &framing, POST_MAX_STREAM);
	return 0;
}

static int post_read_head(struct post_reader *reader, struct error *err)
{
	struct post_answer *answer = reader->answer;
	struct buf *input = &reader->input;
	struct http_answer head;
	struct timespec now;
	struct view type;
	size_t end;

	for (;;) {
		while (!(end = post_end_of_head(input))) {
			size_t room = buf_reserve(input, CHUNK);
			ssize_t n =
				room ? post_read(reader, input->data + input->len, room) : -1;

			if (n <= 0)
				return error_set(err, ERROR_FAILED,
					"the connection ended before an answer");
			buf_set_len(input, input->len + (size_t)n);
		}
		if (http_answer_parse((struct view){input->data, end}, &head) < 0 ||
			!head.status)
			return error_set(err, ERROR_FAILED, "the answer is not proper HTTP");
		if (head.status / 100 != 1)
			break;
		memmove(input->data, input->data + end, input->len - end); /* "100 Continue" */
		buf_set_len(input, input->len - end);
	}
	if (post_frame(reader, &head) < 0)
		return error_set(err, ERROR_FAILED, "the answer is not proper HTTP");
	clock_gettime(CLOCK_REALTIME, &now);
	type = http_answer_header(&head, "content-type");
	answer->status = head.status;
	answer->is_stream = type.data && memmem(type.data, type.len, "event-stream", 12);
	answer->retry_after_ms = retry_after_ms(
		http_answer_header(&head, "retry-after"), (int64_t)now.tv_sec * 1000);
	memmove(input->data, input->data + end, input->len - end);
	buf_set_len(input, input->len - end);
	return 0;
}

static void post_give(struct post_reader *reader, struct view bytes)
{
	if (reader->answer->status == 200)
		reader->piece(bytes, reader->answer->is_stream, reader->data);
	else
		buf_append(&reader->answer->body, bytes.data, bytes.len);
}

/* False: the bytes do not fit the announced body. */
static bool post_take(struct post_reader *reader, struct view bytes)
{
	if (reader->to_the_end) {
		post_give(reader, bytes);
		return true;
	}
	while (bytes.len && !http_body_is_done(&reader->body)) {
		struct http_fault fault;
		struct view piece = {0};
		ssize_t used = http_body_take(&reader->body, bytes, &piece, &fault);

		if (used < 0)
			return false;
		if (piece.len)
			post_give(reader, piece);
		bytes = view_slice(bytes, (size_t)used, bytes.len);
	}
	return true;
}

static void post_read_body(struct post_reader *reader)
{
	uint64_t total = reader->input.len;
	bool good = post_take(reader, view_of_buf(&reader->input));
	char bytes[CHUNK];

	while (good && (reader->to_the_end || !http_body_is_done(&reader->body))) {
		ssize_t n = post_read(reader, bytes, sizeof(bytes));

		if (n <= 0) {
			reader->answer->whole = n == 0 && reader->to_the_end;
			return;
		}
		total += (uint64_t)n;
		good = total <= POST_MAX_STREAM &&
		       post_take(reader, (struct view){bytes, (size_t)n});
	}
	reader->answer->whole = good;
}

int post_send(const struct post *post,
	void (*piece)(struct view bytes, bool is_stream, void *data), void *data,
	struct post_answer *ret_answer, struct error *err)
{
	CLEANUP(closep) int fd = post_open(post->address, err);
	struct post_reader reader = {
		.post = post,
		.answer = ret_answer,
		.piece = piece,
		.data = data,
		.fd = fd,
		.input = BUF_INIT_MAX(HTTP_ANSWER_MAX),
	};
	int result;

	if (fd < 0)
		return -1;
	post_write_request(post, fd);
	result = post_read_head(&reader, err);
	if (result == 0)
		post_read_body(&reader);
	buf_release(&reader.input);
	return result;
}
