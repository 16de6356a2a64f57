/*
 * The head of an HTTP/1.1 request, read strictly.
 *
 * A request comes from a program that may be hostile, and is passed on to a server with our key.
 * So every parser must understand it in the same way: anything that the standard leaves open, or
 * allows for compatibility with old programs, is refused, not repaired.
 *
 *	struct http_head head;
 *	struct http_fault fault;
 *	ssize_t len = http_head_parse(bytes, &head, &fault);
 *
 *	len < 0		not a request: answer with `fault`, and close
 *	len == 0	it is not whole yet: come again with more
 *	len > 0		that many bytes are the head; what follows is the body, or the next one
 *
 * For example, these are refused: lines that do not end in CR LF, or contain CR, LF or NUL,
 * lines that continue on the next one, spaces before a colon, names that are not tokens, more
 * than one Host, Content-Length or Transfer-Encoding, a length together with chunks, any coding
 * except "chunked", chunks in HTTP/1.0, and heads of more than HTTP_HEAD_MAX bytes or
 * HTTP_HEADERS_MAX headers.
 */
#ifndef NET_PARSE_HTTP_HEAD_H
#define NET_PARSE_HTTP_HEAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/view.h"

#define HTTP_HEAD_MAX    ((size_t)32 * 1024)
#define HTTP_HEADERS_MAX 100

/* A fault of a request, as reported to its sender. */
struct http_fault {
	int status;      /* 400 and so on */
	const char *why; /* a constant */
};

/* The form of a request's target. */
enum http_form {
	HTTP_ORIGIN,    /* "/v1/messages" */
	HTTP_ABSOLUTE,  /* "http://example.com/" */
	HTTP_AUTHORITY, /* "example.com:443", of CONNECT and of nothing else */
};

enum http_framing {
	HTTP_NO_BODY,
	HTTP_LENGTH,
	HTTP_CHUNKED,
};

struct http_header {
	struct view name;
	struct view value; /* without white space around it */
};

/* The views are in the bytes that were parsed. */
struct http_head {
	struct view method;
	struct view target;
	enum http_form form;
	int minor; /* HTTP/1.MINOR: 0 or 1 */
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t count;
	struct view host; /* from the header; empty if missing, which only HTTP/1.0 allows */
	enum http_framing framing;
	uint64_t length;       /* with HTTP_LENGTH */
	bool keep_alive;       /* may another request follow? */
	bool expects_continue; /* is the body held back until "100 Continue"? */
};

ssize_t http_head_parse(
	struct view bytes, struct http_head *ret_head, struct http_fault *ret_fault);

/* Compares names of headers and methods, ignoring case. */
bool http_name_is(struct view name, const char *wanted);

/* Are all characters allowed in names of headers and methods? */
bool http_is_token(struct view text);

/* Is the text free of characters that any parser could take for a line end? */
bool http_is_value(struct view text);

/*
 * Is `word` one of those in a header's value, which are separated by commas? Case does not
 * matter.
 */
bool http_value_has(struct view value, const char *word);

/*
 * Is this a hop-by-hop header (Connection, Transfer-Encoding and the like), or does a Connection
 * header name it as one? Such headers are not passed on.
 */
bool http_is_for_hop(const struct http_header *headers, size_t count, struct view name);

/* Of a request of ours: "name: value", ends in NULL, or is NULL. None may break its line. */
int http_headers_check(const char *const *headers, struct error *err);

#endif
