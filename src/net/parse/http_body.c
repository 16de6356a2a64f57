#include "net/parse/http_body.h"

#define MAX_DIGITS 15

static int body_refuse(struct http_fault *fault, int status, const char *why)
{
	*fault = (struct http_fault){status, why};
	return -1;
}

void http_body_init(struct http_body *body, const struct http_head *head, uint64_t max)
{
	*body = (struct http_body){.framing = head->framing, .room = max};
	if (head->framing == HTTP_CHUNKED) {
		body->state = HTTP_BODY_SIZE;
	} else {
		body->left = head->framing == HTTP_LENGTH ? head->length : 0;
		body->state = body->left ? HTTP_BODY_DATA : HTTP_BODY_DONE;
	}
}

bool http_body_is_done(const struct http_body *body)
{
	return body->state == HTTP_BODY_DONE;
}

/* --- chunks ------------------------------------------------------------------ */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static int body_take_size(struct http_body *body, char c, struct http_fault *fault)
{
	int digit = digit_of(c);

	if (c == '\r' && body->digits) {
		body->state = HTTP_BODY_SIZE_END;
		return 0;
	}
	if (digit < 0 || body->digits == MAX_DIGITS)
		return body_refuse(fault, 400, "the size of a chunk is not a number");
	body->left = body->left * 16 + (unsigned)digit;
	body->digits++;
	return 0;
}

/* Expects one character after the size or after a chunk. */
static int body_expect(struct http_body *body, char c, char wanted, enum http_body_state next,
	struct http_fault *fault)
{
	if (c != wanted)
		return body_refuse(fault, 400, "a chunk does not end where its size says");
	body->state = next;
	if (next == HTTP_BODY_SIZE) {
		body->left = 0;
		body->digits = 0;
	}
	return 0;
}

static int body_take_trailer(struct http_body *body, char c, struct http_fault *fault)
{
	struct view one = {&c, 1};

	if (++body->trailers > HTTP_TRAILERS_MAX)
		return body_refuse(fault, 431, "the trailers of the body are too long");
	if (body->state == HTTP_BODY_TRAILER && c == '\r') {
		body->state = HTTP_BODY_END_LF;
		return 0;
	}
	if (c == '\r' && body->colon) {
		body->state = HTTP_BODY_TRAILER_LF;
		return 0;
	}
	if (body->state == HTTP_BODY_TRAILER)
		body->colon = false;
	if (body->colon ? !http_is_value(one)
			: !http_is_token(one) && (c != ':' || body->state == HTTP_BODY_TRAILER))
		return body_refuse(fault, 400, "a trailer of the body is not a header");
	body->colon |= c == ':';
	body->state = HTTP_BODY_TRAILER_IN;
	return 0;
}

/* Takes one byte outside of the chunks' data. */
static int body_take_framing(struct http_body *body, char c, struct http_fault *fault)
{
	switch (body->state) {
	case HTTP_BODY_SIZE:
		return body_take_size(body, c, fault);
	case HTTP_BODY_SIZE_END:
		if (body->left > body->room)
			return body_refuse(fault, 413, "the body of the request is too large");
		return body_expect(
			body, c, '\n', body->left ? HTTP_BODY_DATA : HTTP_BODY_TRAILER, fault);
	case HTTP_BODY_DATA_CR:
		return body_expect(body, c, '\r', HTTP_BODY_DATA_LF, fault);
	case HTTP_BODY_DATA_LF:
		return body_expect(body, c, '\n', HTTP_BODY_SIZE, fault);
	case HTTP_BODY_TRAILER_LF:
		return body_expect(body, c, '\n', HTTP_BODY_TRAILER, fault);
	case HTTP_BODY_END_LF:
		return body_expect(body, c, '\n', HTTP_BODY_DONE, fault);
	default:
		return body_take_trailer(body, c, fault);
	}
}

/* --- data -------------------------------------------------------------------- */

static int body_take_data(
	struct http_body *body, struct view bytes, struct view *piece, struct http_fault *fault)
{
	size_t len = bytes.len < body->left ? bytes.len : (size_t)body->left;

	if (body->left > body->room)
		return body_refuse(fault, 413, "the body of the request is too large");
	*piece = view_slice(bytes, 0, len);
	body->left -= len;
	body->room -= len;
	if (!body->left)
		body->state =
			body->framing == HTTP_CHUNKED ? HTTP_BODY_DATA_CR : HTTP_BODY_DONE;
	return 0;
}

ssize_t http_body_take(struct http_body *body, struct view bytes, struct view *ret_piece,
	struct http_fault *ret_fault)
{
	size_t used = 0;

	*ret_piece = (struct view){bytes.data, 0};
	while (used < bytes.len && body->state != HTTP_BODY_DONE) {
		if (body->state == HTTP_BODY_DATA) {
			if (body_take_data(body, view_slice(bytes, used, bytes.len), ret_piece,
				    ret_fault) < 0)
				return -1;
			return (ssize_t)(used + ret_piece->len);
		}
		if (body_take_framing(body, bytes.data[used], ret_fault) < 0)
			return -1;
		used++;
	}
	return (ssize_t)used;
}
