#include "host/ops/operation.h"

#include <string.h>

#include "base/utf8.h"
#include "format/json.h"

/* How many unknown arguments a message names. */
#define MAX_NAMED 5

const struct operation *operation_find(const char *name)
{
	for (const struct operation *o = operation_table; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

const struct argument *operation_argument(const struct operation *operation, const char *name)
{
	for (const struct argument *a = operation->arguments; a->name; a++)
		if (!strcmp(a->name, name))
			return a;
	return NULL;
}

static void check_unknown(
	const struct operation *operation, const json_t *given, struct buf *faults)
{
	const char *before = " (it has ";
	const char *name;
	json_t *value;
	int count = 0;

	json_object_foreach((json_t *)(uintptr_t)given, name, value) {
		const struct argument *argument = operation_argument(operation, name);
		CLEANUP(freep) char *shown = NULL;

		if ((argument && !argument->direct) || ++count > MAX_NAMED)
			continue;
		shown = utf8_excerpt(view_of(name));
		buf_appendf(
			faults, "%sthere is no argument '%s'", faults->len ? "; " : "", shown);
	}
	if (!count)
		return;
	for (const struct argument *a = operation->arguments; a->name; a++) {
		if (a->direct)
			continue;
		buf_appendf(faults, "%s'%s'", before, a->name);
		before = ", ";
	}
	buf_append_str(faults, operation->arguments[0].name ? ")" : " (it has none)");
}

int operation_read(const struct operation *operation, const json_t *given, bool model,
	json_t **ret_arguments, struct error *err)
{
	CLEANUP(json_decrefp) json_t *arguments = json_object();
	CLEANUP(buf_release) struct buf faults = BUF_INIT;

	for (const struct argument *a = operation->arguments; a->name; a++) {
		json_t *value = model && a->direct ? NULL : json_object_get(given, a->name);
		json_t *read = NULL;

		if (!model && a->type != ARGUMENT_ANY && json_is_null(value))
			value = NULL;
		if (value)
			read = argument_read(a, value, model, &faults);
		else if (a->required)
			buf_appendf(&faults, "%s'%s' is missing (%s)", faults.len ? "; " : "",
				a->name, a->description);
		if (read)
			json_object_set_new(arguments, a->name, read);
	}
	if (model)
		check_unknown(operation, given, &faults);
	if (faults.len)
		return error_set(err, ERROR_INVALID, "%s", faults.data);
	*ret_arguments = TAKE(arguments);
	return 0;
}

const char *call_text(const struct call *call, const char *name)
{
	return json_string_value(json_object_get(call->arguments, name));
}

bool call_flag(const struct call *call, const char *name)
{
	return json_is_true(json_object_get(call->arguments, name));
}

bool call_is_own(const struct call *call, const char *folder)
{
	return call->actor->kind == ACTOR_GROUP && !strcmp(call->actor->folder, folder);
}

int call_group(const struct call *call, struct group *ret_group, struct error *err)
{
	const char *word = call_text(call, "group");
	enum right elsewhere = call->operation->elsewhere;

	if (!word)
		word = call->actor->folder;
	if (!word)
		return error_set(err, ERROR_INVALID, "'group' is missing");
	if (store_group_find(call->store, word, ret_group, err) < 0)
		return -1;
	if (elsewhere && !(ret_group->folder && call_is_own(call, ret_group->folder)) &&
		rights_require(call->store, call->actor, elsewhere, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(call->registry, word, err);
}
