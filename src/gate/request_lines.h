/*
 * The headers of a request to the API: those of the agent, without what forward.c says is
 * dropped, and with the real credential.
 *
 *	CLEANUP(request_lines_release) struct request_lines lines = {0};
 *
 *	request_lines_fill(head, &credential, &lines);	lines.list ends with NULL
 *
 * A key may be among them: releasing overwrites them.
 */
#ifndef GATE_REQUEST_LINES_H
#define GATE_REQUEST_LINES_H

#include "gate/credentials.h"
#include "net/parse/http_head.h"

struct request_lines {
	char **list;
	size_t count;
	size_t cap;
};

void request_lines_release(struct request_lines *lines);
void request_lines_fill(const struct http_head *head, const struct credential *credential,
	struct request_lines *lines);

#endif
