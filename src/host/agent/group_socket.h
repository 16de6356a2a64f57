/*
 * The socket of a group: how its agent calls the host.
 *
 * While the agent of a group runs, data/run/group-FOLDER.sock is open. It is mounted into the
 * agent's sandbox, and the path there is in its environment as NANOCLAW_SOCKET. A line is a
 * request, and gets one line back:
 *
 *	{"id":1,"op":"send_message","text":"still at it"}
 *	{"id":1,"ok":true,"type":"reply"}
 *	{"id":2,"op":"register_group","jid":"…","name":"…"}
 *	{"id":2,"ok":false,"type":"reply","kind":"…","error":"…"}
 *
 * Only the socket identifies the caller, never the content of a line. rights.h defines what each
 * caller may do; group_calls.h limits how often, and writes the audit log.
 */
#ifndef HOST_AGENT_GROUP_SOCKET_H
#define HOST_AGENT_GROUP_SOCKET_H

#include <jansson.h>

#include "host/base/installation.h"

struct group_socket;

/* A line arrived; returns the reply, never NULL. */
typedef json_t *group_socket_call(struct view line, void *data);

/* `task` is NULL for the group itself. */
int group_socket_open(struct installation *inst, const char *group, const char *task,
	group_socket_call *call, void *data, struct group_socket **ret_socket,
	struct error *err);
void group_socket_close(struct group_socket *socket);

/* The unique part of its name: "family", "family.12". */
const char *group_socket_name(const struct group_socket *socket);

/* The socket itself, open (O_PATH), for a mount. */
int group_socket_file(const struct group_socket *socket, int *ret_fd, struct error *err);

#endif
