/*
 * One request of an agent to the API of its model, and the answer.
 *
 * The request goes to the address of the gate, whatever host it names, and only below its
 * path. Of its headers are dropped: credentials of any kind and cookies, those for one hop
 * only, those with an underscore in their name (some servers take that for a dash), and the
 * wish for a compressed answer. The real credential is put in. TRACE and other methods that
 * an API does not need are refused: an answer must not tell what we have sent.
 *
 * Both bodies go through as they come, chunk by chunk. When the API breaks off in the middle,
 * the agent's connection is broken off, so that it is an error there, too, and not an end. (An
 * answer that comes neither with its length nor in chunks ends with its connection, and nobody
 * can tell whether that was all. The Messages API does not answer so.)
 */
#ifndef GATE_FORWARD_H
#define GATE_FORWARD_H

#include "gate/gate.h"

/* The head is what the input of the link begins with, `len` bytes. */
void forward_start(struct link *link, const struct http_head *head, size_t len);

#endif
