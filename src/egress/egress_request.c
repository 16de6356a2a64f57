#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "egress/internal.h"

#define SCHEME "http://"

bool egress_request_split(struct view target, struct view *ret_authority, struct view *ret_path)
{
	size_t start = strlen(SCHEME);
	size_t end = start;

	if (target.len < start || strncasecmp(target.data, SCHEME, start) != 0)
		return false;
	while (end < target.len && target.data[end] != '/' && target.data[end] != '?')
		end++;
	*ret_authority = view_slice(target, start, end);
	*ret_path = view_slice(target, end, target.len);
	return true;
}

/* For this hop alone; or we write it ourselves. */
static bool header_is_dropped(const struct http_head *head, struct view name)
{
	return http_is_for_hop(head->headers, head->count, name) ||
	       http_name_is(name, "host") || http_name_is(name, "content-length");
}

void egress_request_write(const struct http_head *head, const struct host_target *target,
	struct view path, struct buf *out)
{
	bool slash = !path.len || path.data[0] != '/';
	CLEANUP(freep) char *host = host_target_text(target);

	/* ":80" is not said: there are servers that do not expect it. */
	if (target->port == 80)
		*strrchr(host, ':') = '\0';
	buf_appendf(out, "%.*s %s%.*s HTTP/1.%d\r\n", VIEW_ARGS(head->method), slash ? "/" : "",
		VIEW_ARGS(path), head->minor);
	buf_appendf(out, "Host: %s\r\n", host);
	for (size_t i = 0; i < head->count; i++) {
		const struct http_header *header = &head->headers[i];

		if (!header_is_dropped(head, header->name))
			buf_appendf(out, "%.*s: %.*s\r\n", VIEW_ARGS(header->name),
				VIEW_ARGS(header->value));
	}
	if (head->framing == HTTP_LENGTH)
		buf_appendf(out, "Content-Length: %llu\r\n", (unsigned long long)head->length);
	else if (head->framing == HTTP_CHUNKED)
		buf_append_str(out, "Transfer-Encoding: chunked\r\n");
	buf_append_str(out, "Connection: close\r\n\r\n");
}

int egress_request_body(struct egress_connection *c, struct http_fault *ret_fault)
{
	while (!http_body_is_done(&c->body) && c->up.len < EGRESS_CHUNK) {
		struct view input = link_input(c->link);
		struct view piece = {NULL, 0};
		ssize_t used;

		if (!input.len)
			return 0;
		used = http_body_take(&c->body,
			view_slice(
				input, 0, input.len < EGRESS_CHUNK ? input.len : EGRESS_CHUNK),
			&piece, ret_fault);
		if (used < 0)
			return -1;
		if (piece.len && c->is_chunked)
			buf_appendf(&c->up, "%zx\r\n", piece.len);
		buf_append(&c->up, piece.data, piece.len);
		if (piece.len && c->is_chunked)
			buf_append_str(&c->up, "\r\n");
		link_consume(c->link, (size_t)used);
	}
	if (http_body_is_done(&c->body) && !c->body_ended) {
		c->body_ended = true;
		if (c->is_chunked)
			buf_append_str(&c->up, "0\r\n\r\n");
	}
	return 0;
}
