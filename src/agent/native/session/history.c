#include "agent/native/session/history.h"

#include <string.h>

#include "agent/native/session/check.h"
#include "base/utf8.h"
#include "format/json.h"

#define ID_RANGE UINT64_C(101559956668416) /* 36 to the 9th */
#define KEPT     120                       /* bytes at both ends of an old result */

/* A count below this share of the estimate does not cover the whole prompt. */
#define MISSING_PART 0.6

/* Different sessions have different ids, so that keys made of them are different, too. */
static uint64_t history_hash(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash;
}

void history_init(struct history *history, const char *session)
{
	*history = (struct history){
		.messages = json_array(),
		.begun = json_object(),
		.first_id = history_hash(session) % ID_RANGE,
		.factor = 1,
	};
}

void history_release(struct history *history)
{
	json_decref(history->messages);
	json_decref(history->begun);
	json_decref(history->quirks);
	free(history->turn_text);
	free(history->answer);
	free(history->model);
}

/* --- calls ------------------------------------------------------------------- */

void history_id(
	const struct history *history, size_t ahead, char ret_id[static HISTORY_ID_SIZE])
{
	uint64_t number = (history->first_id + history->calls + ahead) % ID_RANGE;

	ret_id[HISTORY_ID_SIZE - 1] = '\0';
	for (size_t i = HISTORY_ID_SIZE - 1; i-- > 0; number /= 36)
		ret_id[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
}

static json_t *history_last(const struct history *history, size_t back)
{
	size_t count = json_array_size(history->messages);

	return back < count ? json_array_get(history->messages, count - 1 - back) : NULL;
}

static bool history_has_result(const json_t *results, const char *id)
{
	json_t *result;
	size_t i;

	json_array_foreach(json_object_get(results, "results"), i, result)
		if (!strcmp(json_member(result, "id"), id))
			return true;
	return false;
}

json_t *history_open_calls(const struct history *history)
{
	const json_t *last = history_last(history, 0);
	const json_t *results = !strcmp(json_member(last, "role"), "results") ? last : NULL;
	const json_t *asked = results ? history_last(history, 1) : last;
	json_t *calls = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(asked, "content"), i, block)
		if (!strcmp(json_member(block, "type"), "tool_use") &&
			!history_has_result(results, json_member(block, "id")))
			json_array_append(calls, block);
	return calls;
}

bool history_has_begun(const struct history *history, const char *id)
{
	return json_object_get(history->begun, id) != NULL;
}

/* --- records ----------------------------------------------------------------- */

static size_t history_place(const json_t *asked, const char *id)
{
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(asked, "content"), i, block)
		if (!strcmp(json_member(block, "id"), id))
			return i;
	return SIZE_MAX;
}

/* Results arrive in any order and are stored in the order of their calls. */
static void history_take_result(struct history *history, json_t *record)
{
	json_t *last = history_last(history, 0);
	json_t *result = json_copy(record);
	const json_t *asked;
	json_t *results;
	size_t at;

	json_object_del(result, "type");
	json_object_del(history->begun, json_member(record, "id"));
	if (strcmp(json_member(last, "role"), "results") != 0) {
		json_array_append_new(history->messages,
			json_pack("{s:s, s:[]}", "role", "results", "results"));
		last = history_last(history, 0);
	}
	asked = history_last(history, 1);
	results = json_object_get(last, "results");
	for (at = json_array_size(results); at > 0; at--)
		if (history_place(asked, json_member(json_array_get(results, at - 1), "id")) <=
			history_place(asked, json_member(result, "id")))
			break;
	json_array_insert_new(results, at, result);
}

/* Give a result to each call that is still open. */
static void history_close_turn(struct history *history)
{
	json_t *calls = history_open_calls(history);
	json_t *call;
	size_t i;

	json_array_foreach(calls, i, call) {
		const char *id = json_member(call, "id");
		CLEANUP(json_decrefp)
		json_t *result = json_build("id:s text:s is_error:b", id,
			history_has_begun(history, id) ? CHECK_MAY_HAVE_HAPPENED
						       : CHECK_NO_RESULT,
			1);

		history_take_result(history, result);
	}
	json_decref(calls);
	if (!strcmp(json_member(history_last(history, 0), "role"), "results"))
		json_array_append_new(history->messages,
			json_pack("{s:s, s:[{s:s, s:s}]}", "role", "assistant", "content",
				"type", "text", "text", CHECK_INTERRUPTED));
	json_object_clear(history->begun);
}

static void history_take_turn(struct history *history, json_t *record)
{
	history_close_turn(history);
	free(history->turn_text);
	free(history->answer);
	history->answer = NULL;
	history->turn_text = xstrdup(json_member(record, "text"));
	history->turn_at = json_array_size(history->messages);
	history->turns++;
	json_add(history->messages, "role:s text:O", "user", json_object_get(record, "text"));
}

void history_use_model(struct history *history, const char *model)
{
	if (history->model && !strcmp(history->model, model))
		return;
	free(history->model);
	history->model = xstrdup(model);
	json_decref(history->quirks);
	history->quirks = NULL;
	history->largest = 0;
	history->known_upto = 0;
	history->factor = 1;
}

static void history_take_answer(struct history *history, json_t *record)
{
	const json_t *usage = json_object_get(record, "usage");
	double input = json_number_value(json_object_get(usage, "input"));
	double output = json_number_value(json_object_get(usage, "output"));
	double estimate = json_number_value(json_object_get(record, "estimate"));
	json_t *message = json_copy(record);
	json_t *block;
	size_t i;

	history_use_model(history, json_member(record, "model"));
	json_object_del(message, "type");
	json_object_del(message, "usage");
	json_object_del(message, "estimate");
	json_object_set_new(message, "role", json_string("assistant"));
	json_array_append_new(history->messages, message);
	json_array_foreach(json_object_get(record, "content"), i, block)
		history->calls += !strcmp(json_member(block, "type"), "tool_use");
	history->known_upto = 0;
	if ((int64_t)input > history->largest)
		history->largest = (int64_t)input;
	if (input < estimate * history->factor * MISSING_PART)
		return; /* it has not counted all of it */
	/* A count from the server beats our estimate, but a jump is ignored. */
	if (estimate >= 200)
		history->factor = history->factor * 0.5 +
				  (input / estimate > 3 ? 3 : input / estimate) * 0.5;
	history->known = (int64_t)(input + output);
	history->known_upto = json_array_size(history->messages);
}

/* Replaces a result by a line that describes it. */
static void history_prune_result(json_t *result)
{
	const char *text = json_member(result, "text");
	size_t len = strlen(text);
	size_t end = len > KEPT ? len - KEPT : 0;
	struct view head = {text, len < KEPT ? len : KEPT};

	while (end < len && ((unsigned char)text[end] & 0xc0) == 0x80)
		end++;
	head.len = utf8_valid_len(head);
	json_object_del(result, "image");
	json_object_del(result, "image_type");
	if (len <= (size_t)3 * KEPT)
		return;
	json_object_set_new(result, "text",
		json_sprintf("[An old result of %zu bytes, left out to save room. It began: "
			     "%.*s … and ended: %s]",
			len, VIEW_ARGS(head), text + end));
}

static bool history_is_named(const json_t *ids, const json_t *result)
{
	json_t *id;
	size_t i;

	json_array_foreach(ids, i, id)
		if (json_equal(id, json_object_get(result, "id")))
			return true;
	return false;
}

static void history_take_prune(struct history *history, const json_t *record)
{
	json_t *message;
	json_t *result;
	size_t i;
	size_t k;

	json_array_foreach(history->messages, i, message)
		json_array_foreach(json_object_get(message, "results"), k, result)
			if (history_is_named(json_object_get(record, "ids"), result))
				history_prune_result(result);
	history->known_upto = 0;
}

static void history_take_summary(struct history *history, json_t *record)
{
	double wanted = json_number_value(json_object_get(record, "from"));
	size_t count = json_array_size(history->messages);
	size_t from = wanted < 0 ? 0 : wanted > (double)count ? count : (size_t)wanted;

	for (size_t i = 0; i < from; i++)
		json_array_remove(history->messages, 0);
	json_array_insert_new(history->messages, 0,
		json_build("role:s text:O", "user", json_object_get(record, "text")));
	history->turn_at = history->turn_at >= from ? history->turn_at - from + 1 : 0;
	history->known_upto = 0;
}

json_t *history_preview(const struct history *history, json_t *summary)
{
	struct history copy = *history;

	copy.messages = json_copy(history->messages);
	history_take_summary(&copy, summary);
	return copy.messages;
}

void history_take(void *data, json_t *record)
{
	struct history *history = data;
	const char *type = json_member(record, "type");
	json_t *quirks = json_object_get(record, "quirks");

	if (!strcmp(type, "turn") && json_is_string(json_object_get(record, "text"))) {
		history_take_turn(history, record);
	} else if (!strcmp(type, "answer")) {
		history_take_answer(history, record);
	} else if (!strcmp(type, "go-on")) {
		json_add(history->messages, "role:s text:s", "user", HISTORY_GO_ON);
	} else if (!strcmp(type, "run")) {
		json_object_set_new(history->begun, json_member(record, "id"), json_true());
	} else if (!strcmp(type, "result")) {
		history_take_result(history, record);
	} else if (!strcmp(type, "prune")) {
		history_take_prune(history, record);
	} else if (!strcmp(type, "summary") &&
		   json_is_string(json_object_get(record, "text"))) {
		history_take_summary(history, record);
	} else if (!strcmp(type, "learned")) {
		history_use_model(history, json_member(record, "model"));
		if (json_is_object(quirks)) {
			json_decref(history->quirks);
			history->quirks = json_incref(quirks);
		}
	} else if (!strcmp(type, "repair")) {
		check_repair(history->messages);
		history->known_upto = 0;
		history->turn_at = json_array_size(history->messages) - 1;
		while (history->turn_at > 0 &&
			strcmp(json_member(json_array_get(history->messages, history->turn_at),
				       "role"),
				"user") != 0)
			history->turn_at--;
	} else if (!strcmp(type, "end")) {
		free(history->answer);
		history->answer = xstrdup(json_member(record, "text"));
	}
}

int history_add(struct history *history, struct log *log, json_t *record, bool durable,
	struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = record;

	if (log && log_add(log, json_incref(owned), durable, err) < 0)
		return -1;
	history_take(history, owned);
	return 0;
}
