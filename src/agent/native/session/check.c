#include "agent/native/session/check.h"

#include <string.h>

#include "base/view.h"
#include "format/json.h"

#define ID_LEN       9
#define NAME_MAX_LEN 64

static bool check_is(const json_t *object, const char *name, const char *wanted)
{
	return !strcmp(json_member(object, name), wanted);
}

static bool check_is_blank(const char *text)
{
	return !view_trim(view_of(text)).len;
}

/* Rules 3 and 4, except the uniqueness of ids. */
static bool check_is_call(const json_t *block)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *name = json_member(block, "name");
	const char *id = json_member(block, "id");
	size_t len = strspn(name, letters);

	return check_is(block, "type", "tool_use") && len && len <= NAME_MAX_LEN &&
	       !name[len] && strlen(id) == ID_LEN && strspn(id, letters) == ID_LEN &&
	       !strpbrk(id, "_-") && json_is_object(json_object_get(block, "input"));
}

static bool check_is_block(const json_t *block)
{
	const char *type = json_member(block, "type");

	if (!strcmp(type, "text"))
		return !check_is_blank(json_member(block, "text"));
	if (!strcmp(type, "tool_use"))
		return check_is_call(block);
	if (!strcmp(type, "thinking"))
		return json_is_string(json_object_get(block, "thinking")) &&
		       json_is_string(json_object_get(block, "signature"));
	if (!strcmp(type, "redacted_thinking"))
		return json_is_string(json_object_get(block, "data"));
	if (!strcmp(type, "reasoning"))
		return json_is_string(json_object_get(block, "field")) &&
		       (json_is_string(json_object_get(block, "text")) ||
			       json_is_array(json_object_get(block, "value")));
	return false;
}

static bool check_is_result(const json_t *result)
{
	return json_is_object(result) && json_is_string(json_object_get(result, "text")) &&
	       (!json_object_get(result, "image") ||
		       (json_is_string(json_object_get(result, "image")) &&
			       json_is_string(json_object_get(result, "image_type"))));
}

/* --- checking ---------------------------------------------------------------- */

static int check_fault(struct error *err, size_t i, const char *why)
{
	return error_set(err, ERROR_FAILED, "message %zu: %s", i, why);
}

static int check_assistant(const json_t *message, size_t i, json_t *ids, struct error *err)
{
	bool speaks = false;
	json_t *block;
	size_t k;

	json_array_foreach(json_object_get(message, "content"), k, block) {
		if (!check_is_block(block))
			return check_fault(err, i, "a block is not whole");
		if (check_is(block, "type", "tool_use")) {
			if (json_object_get(ids, json_member(block, "id")))
				return check_fault(err, i, "an id is used twice");
			json_object_set_new(ids, json_member(block, "id"), json_true());
		}
		speaks |=
			check_is(block, "type", "text") || check_is(block, "type", "tool_use");
	}
	return speaks ? 0 : check_fault(err, i, "it says nothing");
}

/* Rule 5. */
static int check_results(
	const json_t *asked, const json_t *message, size_t i, struct error *err)
{
	const json_t *results = json_object_get(message, "results");
	size_t count = 0;
	json_t *block;
	size_t k;

	json_array_foreach(json_object_get(asked, "content"), k, block) {
		const json_t *result;

		if (!check_is(block, "type", "tool_use"))
			continue;
		result = json_array_get(results, count++);
		if (!check_is_result(result) ||
			!check_is(result, "id", json_member(block, "id")))
			return check_fault(err, i, "a call has no result");
	}
	return count && count == json_array_size(results)
		       ? 0
		       : check_fault(err, i, "a result has no call");
}

static bool check_has_calls(const json_t *message)
{
	json_t *block;
	size_t k;

	json_array_foreach(json_object_get(message, "content"), k, block)
		if (check_is(block, "type", "tool_use"))
			return true;
	return false;
}

/* Whether a message may follow another: rules 1, 5 and 6. */
static bool check_may_follow(const json_t *before, const json_t *message)
{
	bool after_person = check_is(before, "role", "user");
	bool after_results = check_is(before, "role", "results");
	bool after_calls = check_is(before, "role", "assistant") && check_has_calls(before);

	if (check_is(message, "role", "results"))
		return after_calls;
	if (after_calls)
		return false;
	if (check_is(message, "role", "assistant"))
		return after_person || after_results;
	return check_is(message, "role", "user") && !after_results;
}

int check_messages(const json_t *messages, struct error *err)
{
	json_t *ids = json_object();
	const json_t *before = NULL;
	json_t *message;
	int result = 0;
	size_t i;

	json_array_foreach(messages, i, message) {
		if (!check_may_follow(before, message))
			result = check_fault(err, i, "it is out of order");
		else if (check_is(message, "role", "user"))
			result = check_is_blank(json_member(message, "text"))
					 ? check_fault(err, i, "it is blank")
					 : 0;
		else if (check_is(message, "role", "assistant"))
			result = check_assistant(message, i, ids, err);
		else
			result = check_results(before, message, i, err);
		if (result < 0)
			break;
		before = message;
	}
	json_decref(ids);
	if (result == 0 && (!before || check_is(before, "role", "assistant")))
		return error_set(err, ERROR_FAILED, "there is no message to answer");
	return result;
}

/* --- mending ----------------------------------------------------------------- */

/* Keeps the good blocks, and calls with new ids; NULL if nothing is left. */
static json_t *check_mend_assistant(json_t *message, json_t *ids)
{
	json_t *good = json_array();
	bool speaks = false;
	json_t *block;
	json_t *copy;
	size_t k;

	json_array_foreach(json_object_get(message, "content"), k, block) {
		bool is_call = check_is(block, "type", "tool_use");

		if (!check_is_block(block) ||
			(is_call && json_object_get(ids, json_member(block, "id"))))
			continue;
		if (is_call)
			json_object_set_new(ids, json_member(block, "id"), json_true());
		speaks |= is_call || check_is(block, "type", "text");
		json_array_append(good, block);
	}
	if (!speaks) {
		json_decref(good);
		return NULL;
	}
	copy = json_copy(message);
	json_object_set_new(copy, "content", good);
	return copy;
}

/* The results of these calls, out of a message that may be anything, or NULL. */
static json_t *check_mend_results(const json_t *asked, const json_t *message)
{
	json_t *results = json_array();
	json_t *block;
	json_t *result;
	size_t k;
	size_t n;

	json_array_foreach(json_object_get(asked, "content"), k, block) {
		json_t *found = NULL;

		if (!check_is(block, "type", "tool_use"))
			continue;
		json_array_foreach(json_object_get(message, "results"), n, result)
			if (!found && check_is_result(result) &&
				check_is(result, "id", json_member(block, "id")))
				found = result;
		if (found)
			json_array_append(results, found);
		else
			json_add(results, "id:O text:s is_error:b",
				json_object_get(block, "id"), CHECK_NO_RESULT, 1);
	}
	return json_build("role:s results:o", "results", results);
}

static json_t *check_last(const json_t *messages)
{
	return json_array_get(messages, json_array_size(messages) - 1);
}

static void check_say(json_t *messages, const char *role)
{
	json_array_append_new(
		messages, !strcmp(role, "user")
				  ? json_build("role:s text:s", role, CHECK_INTERRUPTED)
				  : json_pack("{s:s, s:[{s:s, s:s}]}", "role", role, "content",
					    "type", "text", "text", CHECK_INTERRUPTED));
}

/* Insert whatever has to precede a message of this role. */
static void check_lead_up(json_t *good, const char *role)
{
	const json_t *last = check_last(good);

	if (check_is(last, "role", "assistant") && check_has_calls(last))
		json_array_append_new(good, check_mend_results(last, NULL));
	last = check_last(good);
	if (!strcmp(role, "user") && check_is(last, "role", "results"))
		check_say(good, "assistant");
	if (!strcmp(role, "assistant") && (!last || check_is(last, "role", "assistant")))
		check_say(good, "user");
}

static void check_mend(json_t *good, json_t *ids, json_t *message)
{
	const json_t *last = check_last(good);

	if (check_is(message, "role", "results")) {
		if (check_is(last, "role", "assistant") && check_has_calls(last))
			json_array_append_new(good, check_mend_results(last, message));
	} else if (check_is(message, "role", "assistant")) {
		json_t *mended = check_mend_assistant(message, ids);

		if (!mended)
			return;
		check_lead_up(good, "assistant");
		json_array_append_new(good, mended);
	} else if (check_is(message, "role", "user") &&
		   !check_is_blank(json_member(message, "text"))) {
		check_lead_up(good, "user");
		json_array_append(good, message);
	}
}

void check_repair(json_t *messages)
{
	json_t *good = json_array();
	json_t *ids = json_object();
	json_t *message;
	size_t i;

	json_array_foreach(messages, i, message)
		check_mend(good, ids, message);
	if (check_has_calls(check_last(good)))
		json_array_append_new(good, check_mend_results(check_last(good), NULL));
	else if (!json_array_size(good) || check_is(check_last(good), "role", "assistant"))
		check_say(good, "user");
	json_array_clear(messages);
	json_array_extend(messages, good);
	json_decref(good);
	json_decref(ids);
}
