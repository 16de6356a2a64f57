#include "host/ops/group_calls.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "format/json.h"
#include "host/base/auditing.h"
#include "host/base/call_rate.h"
#include "host/ops/operations.h"
#include "loop/line_server.h"

/* In an entry of the log. */
#define MAX_ARGUMENTS 8

#define TOO_MANY "too many calls"

/* --- the log ----------------------------------------------------------------- */

static void audit_call(const struct operations_desk *desk, const struct worker *worker,
	const char *what, enum audit_outcome outcome, const char *detail)
{
	auditing_add(desk->auditing, &(struct audit_entry){
					     .group = worker->folder,
					     .turn = worker->turn.id,
					     .kind = AUDIT_TOOL,
					     .what = what,
					     .outcome = outcome,
					     .detail = detail && *detail ? detail : NULL,
				     });
}

static void append_excerpt(struct buf *out, struct view text)
{
	CLEANUP(freep) char *excerpt = utf8_excerpt(text);

	buf_append_str(out, excerpt);
}

static void append_arguments(
	struct buf *out, const struct operation *operation, json_t *arguments)
{
	const char *name;
	json_t *value;
	int count = 0;

	json_object_foreach(arguments, name, value) {
		const struct argument *argument =
			operation ? operation_argument(operation, name) : NULL;

		if (!strcmp(name, "op") || !strcmp(name, "id"))
			continue;
		if (out->len)
			buf_append_char(out, ' ');
		if (++count > MAX_ARGUMENTS) {
			buf_append_str(out, "…");
			return;
		}
		append_excerpt(out, view_of(name));
		buf_append_char(out, '=');
		if (json_is_array(value) || (argument && argument->secret)) {
			buf_append_str(out, "[…]");
		} else if (json_is_object(value)) {
			buf_append_str(out, "{…}");
		} else if (json_is_string(value)) {
			buf_append_char(out, '"');
			append_excerpt(out, (struct view){json_string_value(value),
						    json_string_length(value)});
			buf_append_char(out, '"');
		} else if (json_is_number(value)) {
			buf_appendf(out, "%.15g", json_number_value(value));
		} else {
			buf_append_str(out, json_is_null(value)   ? "null"
					    : json_is_true(value) ? "true"
								  : "false");
		}
	}
}

static void audit_reply(const struct operations_desk *desk, struct worker *worker,
	json_t *request, const json_t *reply)
{
	CLEANUP(buf_release) struct buf detail = BUF_INIT;
	const char *error = json_string_value(json_object_get(reply, "error"));
	const char *kind = json_string_value(json_object_get(reply, "kind"));
	enum audit_outcome outcome = AUDIT_REFUSED;
	json_t *arguments;
	const struct operation *operation = operations_find(request, &arguments);

	if (json_is_true(json_object_get(reply, "ok")))
		outcome = AUDIT_DONE;
	else if (kind && !strcmp(kind, "failed"))
		outcome = AUDIT_FAILED;

	append_arguments(&detail, operation, arguments);
	if (error) {
		buf_append_str(&detail, detail.len ? ": " : "");
		buf_append_str(&detail, error);
	}
	/* Names that are made up would be without number. */
	audit_call(desk, worker, operation ? operation->name : "unknown", outcome, detail.data);
}

/* --- too many ---------------------------------------------------------------- */

static void note_refused(const struct operations_desk *desk, struct worker *worker)
{
	CLEANUP(freep) char *detail = NULL;

	if (!worker->calls_refused)
		return;
	detail = xasprintf("%" PRIu64 " of them were refused", worker->calls_refused);
	worker->calls_refused = 0;
	audit_call(desk, worker, TOO_MANY, AUDIT_REFUSED, detail);
}

static json_t *busy_reply(int64_t wait_ms)
{
	CLEANUP(freep)
	char *error = xasprintf(TOO_MANY ": there may be %d at once, and %d in a second",
		CALL_RATE_BURST, CALL_RATE_PER_SECOND);
	int64_t seconds = (wait_ms + 999) / 1000;
	CLEANUP(freep)
	char *hint = xasprintf(
		"try again in %" PRId64 " second%s", seconds, seconds == 1 ? "" : "s");

	return json_build("ok:b error:s hint:s kind:s retryAfterMs:I type:s", 0, error, hint,
		"busy", wait_ms, "reply");
}

/* --- calls ------------------------------------------------------------------- */

static json_t *invalid_reply(const char *message)
{
	return json_build("ok:b error:s kind:s type:s", 0, message, "invalid", "reply");
}

/* The client looks for its own id in the reply. */
static json_t *reply_to(const json_t *request, json_t *reply)
{
	json_t *id = json_object_get(request, "id");

	if (json_is_string(id) || json_is_number(id))
		json_object_set(reply, "id", id);
	return reply;
}

json_t *group_calls_take(struct worker *worker, struct view line, void *data)
{
	struct operations_desk *desk = data;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *request = NULL;
	struct actor actor = {ACTOR_GROUP, worker->folder, worker};
	int64_t wait_ms =
		rate_limit_take(&worker->rate, &call_rate, (int64_t)(uv_hrtime() / 1000000));
	json_t *reply;

	if (json_read(line, "request", LINE_CLIENT_MAX, &request, &err) < 0 ||
		!json_is_object(request))
		reply = invalid_reply("this is not a JSON object");
	else if (wait_ms)
		reply = reply_to(request, busy_reply(wait_ms));
	else if (auditing_check(desk->auditing, &err) < 0)
		return reply_to(request, invalid_reply(err.message));
	else
		reply = operations_call(desk, &actor, request);
	if (wait_ms) {
		worker->calls_refused++;
		return reply;
	}
	note_refused(desk, worker);
	audit_reply(desk, worker, request, reply);
	return reply;
}

void group_calls_end(struct worker *worker, void *data)
{
	const struct operations_desk *desk = data;

	note_refused(desk, worker);
}
