/*
 * The connection to the host, through the socket of this group (NANOCLAW_SOCKET). It opens on first
 * use, and again after the host has closed it.
 *
 *	struct host_link link = HOST_LINK_INIT;
 *
 *	host_link_send(&link, question, err)
 *	… when link.fd can be read:
 *	while ((more = host_link_read(&link, &reply, err)) > 0)
 *		…
 */
#ifndef AGENT_MCP_HOST_LINK_H
#define AGENT_MCP_HOST_LINK_H

#include <jansson.h>

#include "base/buf.h"
#include "base/error.h"

#define HOST_LINK_MAX_REPLY    ((size_t)8 * 1024 * 1024)
#define HOST_LINK_MAX_QUESTION ((size_t)1024 * 1024)

struct host_link {
	int fd; /* -1: not connected */
	struct buf input;
};

#define HOST_LINK_INIT                                                                         \
	((struct host_link){.fd = -1, .input = BUF_INIT_MAX(HOST_LINK_MAX_REPLY)})

/* `question` is released. */
int host_link_send(struct host_link *link, json_t *question, struct error *err);

/* 1: a reply; 0: nothing yet; -1: the link has ended. Does not block. */
int host_link_read(struct host_link *link, json_t **ret_reply, struct error *err);

void host_link_close(struct host_link *link);

#endif
