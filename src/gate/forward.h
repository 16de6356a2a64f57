/*
 * One request of an agent to the API of its model, and the answer.
 *
 * The request goes to the address of the gate, whatever host it names, and only below its
 * path. The gate drops these headers: credentials of any kind, cookies, hop-by-hop headers,
 * names with an underscore (some servers take it for a dash), and the request for a compressed
 * answer. It adds the real credential. TRACE and other methods that no API needs are refused,
 * because an answer must not repeat our request.
 *
 * Both bodies are streamed. If the API breaks off in the middle, the gate breaks off the agent's
 * connection, so that the agent sees an error and not an end. (The end of an answer without a
 * length or chunks is the end of its connection, so nobody can tell whether it is complete. The
 * Messages API does not answer like that.)
 */
#ifndef GATE_FORWARD_H
#define GATE_FORWARD_H

#include "gate/gate.h"

/* The head is the first `len` bytes of the link's input. */
void forward_start(struct link *link, const struct http_head *head, size_t len);

#endif
