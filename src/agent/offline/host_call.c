#include "agent/offline/host_call.h"

#include <string.h>

#include "agent/host_socket.h"
#include "format/json.h"
#include "format/json_lines.h"

#define MAX_REPLY ((size_t)4 * 1024 * 1024)

static int reply_as_error(const json_t *reply, struct error *err)
{
	const char *why = json_member(reply, "error");
	const char *hint = json_member(reply, "hint");
	bool invalid = !strcmp(json_member(reply, "kind"), "invalid");

	error_set(err, invalid ? ERROR_INVALID : ERROR_FAILED, "%s",
		*why ? why : "the host refused");
	return *hint ? error_hint(err, "%s", hint) : -1;
}

int host_call(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = request;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(buf_release) struct buf input = BUF_INIT_MAX(MAX_REPLY);
	CLEANUP(closep) int fd = host_socket_connect(err);
	int found;

	if (fd < 0)
		return -1;
	if (json_lines_send(fd, TAKE(owned)) < 0)
		return error_errno(err, "cannot reach the host");
	while ((found = json_lines_take(&input, "the host's reply", &reply, err)) == 0)
		if (json_lines_read(fd, &input, 0) <= 0)
			return error_set(err, ERROR_FAILED, "the host did not answer");
	if (found < 0)
		return -1;
	if (!json_is_true(json_object_get(reply, "ok")))
		return reply_as_error(reply, err);
	*ret_reply = TAKE(reply);
	return 0;
}
