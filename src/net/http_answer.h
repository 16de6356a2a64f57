/*
 * The head of an HTTP response: its status and headers.
 *
 *	struct http_answer answer;
 *
 *	if (http_answer_parse(head, &answer) < 0)
 *		… it is not proper HTTP …
 *	type = http_answer_header(&answer, "content-type");
 */
#ifndef NET_HTTP_ANSWER_H
#define NET_HTTP_ANSWER_H

#include "net/parse/http_head.h"

#define HTTP_ANSWER_MAX ((size_t)64 * 1024)

/* The views are in the bytes that were parsed. */
struct http_answer {
	int status;
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t count;
};

/* Lines end in LF or CR LF. -1: more than HTTP_HEADERS_MAX headers, or odd characters in one. */
int http_answer_parse(struct view head, struct http_answer *ret_answer);

/* The first header of this name; `data` is NULL without one. */
struct view http_answer_header(const struct http_answer *answer, const char *name);

#endif
