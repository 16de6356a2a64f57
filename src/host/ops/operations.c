#include "host/ops/operations.h"

#include <string.h>

#include "base/utf8.h"
#include "format/json.h"
#include "host/base/installation.h"
#include "host/base/watchers.h"
#include "host/ops/tools.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define CALL_TOOL "call_tool"

static const char *name_in(const json_t *request, const char *member)
{
	const json_t *value = json_object_get(request, member);
	const char *name = json_string_value(value);

	return name && strlen(name) == json_string_length(value) ? name : NULL;
}

static bool is_tool_call(const json_t *request)
{
	const char *name = name_in(request, "op");

	return name && !strcmp(name, CALL_TOOL);
}

const struct operation *operations_find(const json_t *request, json_t **ret_arguments)
{
	bool tool = is_tool_call(request);
	const char *name = name_in(request, tool ? "tool" : "op");
	const struct operation *operation = name ? operation_find(name) : NULL;

	*ret_arguments =
		tool ? json_object_get(request, "arguments") : (json_t *)(uintptr_t)request;
	return operation && (!tool || operation->title) ? operation : NULL;
}

/* L8: the key of a model's call comes from the program that makes it, and not from the model. */
static void take_key(struct call *call, json_t *key)
{
	CLEANUP(buf_release) struct buf faults = BUF_INIT;
	const struct argument *argument = operation_argument(call->operation, "key");
	json_t *read = key && argument && argument->direct
			       ? argument_read(argument, key, false, &faults)
			       : NULL;

	if (read)
		json_put(call->arguments, "key:o", read);
}

static int check_and_run(struct call *call, const json_t *request, const json_t *given,
	bool model, struct error *err)
{
	const struct operation *operation = call->operation;
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (operation->live && !call->host)
		return error_set(err, ERROR_FAILED, "the assistant's host is not running here");
	if (operation->right &&
		rights_require(call->store, call->actor, operation->right, err) < 0)
		return -1;
	if (operation_read(operation, given, model, &call->arguments, err) < 0)
		return -1;
	if (model)
		take_key(call, json_object_get(request, "key"));
	if (!operation->commit)
		return operation->run(call, err);
	if (txn_begin(&txn, call->store, err) < 0 || operation->run(call, err) < 0)
		return -1;
	return txn_commit(&txn, operation->commit, err);
}

static void reply_set_error(json_t *reply, const struct error *err)
{
	const char *kind = err->kind == ERROR_INVALID ? "invalid"
			   : err->kind == ERROR_BUSY  ? "busy"
						      : "failed";

	json_object_clear(reply);
	json_put(reply, "error:s kind:s", err->message, kind);
	if (err->hint)
		json_put(reply, "hint:s", err->hint);
}

static void reply_set_unknown(json_t *reply, const json_t *request)
{
	const char *tool = is_tool_call(request) ? name_in(request, "tool") : NULL;
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(tool ? tool : ""));
	CLEANUP(freep)
	char *error = tool ? xasprintf("Unknown tool: %s", shown)
			   : xstrdup("this operation is not known");

	json_put(reply, "error:s kind:s", error, tool ? "unknown" : "invalid");
}

static json_t *call_operation(struct call *call, const json_t *request)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool model = is_tool_call(request);
	json_t *id = json_object_get(request, "id");
	json_t *given;
	bool ok = false;

	call->operation = operations_find(request, &given);
	call->reply = json_object();
	call->now = timestamp_clock();
	if (!call->operation)
		reply_set_unknown(call->reply, request);
	else if (check_and_run(call, request, given, model, &err) < 0)
		reply_set_error(call->reply, &err);
	else
		ok = true;
	if (ok && call->host &&
		(call->operation->effect != OPERATION_READS || call->operation->commit) &&
		watchers_wanted(call->host->inst->watchers))
		watchers_send(call->host->inst->watchers,
			json_build("type:s operation:s", "changed", call->operation->name));
	json_decref(call->arguments);
	json_put(call->reply, "ok:b type:s", ok, "reply");
	if (json_is_string(id) || json_is_number(id))
		json_object_set(call->reply, "id", id);
	if (model && call->operation)
		tools_complete(call->operation, call->reply);
	return call->reply;
}

json_t *operations_call(
	struct operations_desk *host, const struct actor *actor, const json_t *request)
{
	return call_operation(
		&(struct call){
			.actor = actor,
			.registry = &host->inst->registry,
			.settings = &host->inst->settings,
			.store = host->inst->store,
			.host = host,
		},
		request);
}

json_t *operations_call_alone(const struct registry *registry, const struct settings *settings,
	const struct actor *actor, const json_t *request)
{
	return call_operation(
		&(struct call){
			.actor = actor,
			.registry = registry,
			.settings = settings,
			.store = registry->store,
		},
		request);
}
