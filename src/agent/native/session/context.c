#include "agent/native/session/context.h"

#include <ctype.h>
#include <string.h>

#include "agent/native/session/check.h"
#include "base/utf8.h"
#include "format/json.h"

/* Around each message and block there is a little that is not text. */
#define AROUND 6

#define MAX_RESERVE 16000
#define MAX_BEYOND  40000
#define MAX_FREED   20000
#define MAX_KEPT    20000

/* No vocabulary has longer tokens on average than this, for any kind of text. */
#define LEAST_BYTES 6

/* The tokens of an image hardly depend on its size in bytes. */
#define IMAGE_TOKENS 1500

static int64_t context_smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Tokens reserved for the answer. */
static int64_t context_reserve(int64_t window)
{
	return context_smaller(window / 4, MAX_RESERVE);
}

int64_t context_limit(int64_t window)
{
	return (window - context_reserve(window)) * 95 / 100;
}

/* --- guessing ---------------------------------------------------------------- */

/* Bytes for ten tokens, by the kind of text: prose and code, JSON and listings, base64. */
static int context_density(const char *text, size_t len)
{
	size_t marks = 0;
	size_t run = 0;
	size_t longest = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		marks += isdigit(c) || ispunct(c);
		run = c > ' ' && c < 0x80 && (isalnum(c) || strchr("+/=_-", c)) ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	if (longest > 200 && longest * 2 > len)
		return 12;
	return marks * 4 > len ? 20 : 30;
}

int64_t context_guess_text(const char *text)
{
	size_t len = strlen(text);
	int64_t tokens = 0;

	/* In pieces: a text can begin as prose and continue as a listing. */
	for (size_t at = 0; at < len; at += 4096) {
		size_t piece = len - at < 4096 ? len - at : 4096;

		tokens += (int64_t)(piece * 10 + 9) / context_density(text + at, piece);
	}
	return tokens;
}

int64_t context_guess(const json_t *value)
{
	int64_t tokens = 0;
	const char *name;
	json_t *inside;
	size_t i;

	if (json_is_string(value))
		return context_guess_text(json_string_value(value)) + 1;
	if (json_is_array(value))
		json_array_foreach(value, i, inside)
			tokens += context_guess(inside);
	if (json_is_object(value)) {
		tokens += AROUND;
		json_object_foreach((json_t *)(uintptr_t)value, name, inside) {
			if (!strcmp(name, "image"))
				tokens += IMAGE_TOKENS;
			else
				tokens += context_guess(inside) + (int64_t)strlen(name) / 3 + 1;
		}
	}
	return tokens + (json_is_number(value) ? 2 : 0);
}

static int64_t context_guess_from(const struct history *history, size_t from, size_t to)
{
	int64_t tokens = 0;

	for (size_t i = from; i < to; i++)
		tokens += context_guess(json_array_get(history->messages, i));
	return tokens;
}

int64_t context_raw_size(const struct history *history, int64_t fixed)
{
	return fixed + context_guess_from(history, 0, json_array_size(history->messages));
}

int64_t context_size(const struct history *history, int64_t fixed)
{
	size_t count = json_array_size(history->messages);

	if (history->known_upto && history->known_upto <= count)
		return history->known + (int64_t)((double)context_guess_from(
							  history, history->known_upto, count) *
						  history->factor);
	return (int64_t)((double)context_raw_size(history, fixed) * history->factor);
}

/* Bytes of texts; names and marks of JSON are left out. */
static int64_t context_bytes(const json_t *value)
{
	int64_t bytes = 0;
	const char *name;
	json_t *inside;
	size_t i;

	if (json_is_string(value))
		return (int64_t)json_string_length(value);
	if (json_is_array(value))
		json_array_foreach(value, i, inside)
			bytes += context_bytes(inside);
	if (json_is_object(value))
		json_object_foreach((json_t *)(uintptr_t)value, name, inside)
			if (strcmp(name, "image") != 0 && strcmp(name, "type") != 0)
				bytes += context_bytes(inside);
	return bytes;
}

int64_t context_least(const struct history *history, int64_t fixed)
{
	int64_t bytes = 0;
	json_t *message;
	json_t *block;
	size_t i;
	size_t k;

	json_array_foreach(history->messages, i, message) {
		bytes += context_bytes(json_object_get(message, "text")) +
			 context_bytes(json_object_get(message, "results"));
		json_array_foreach(json_object_get(message, "content"), k, block)
			bytes += context_bytes(json_object_get(block, "text")) +
				 context_bytes(json_object_get(block, "input"));
	}
	return fixed / 2 + bytes / LEAST_BYTES;
}

/* --- old results ------------------------------------------------------------- */

static bool context_is(const json_t *message, const char *role)
{
	return !strcmp(json_member(message, "role"), role);
}

/* The first message of the last two turns. */
static size_t context_recent(const struct history *history)
{
	size_t at = history->turn_at;

	while (at > 0 && !context_is(json_array_get(history->messages, at - 1), "user"))
		at--;
	return at ? at - 1 : 0;
}

json_t *context_old_results(const struct history *history, int64_t window, bool all)
{
	CLEANUP(json_decrefp) json_t *ids = json_array();
	size_t count = json_array_size(history->messages);
	size_t end = all ? (count ? count - 1 : 0) : context_recent(history);
	int64_t spared = all ? 0 : context_smaller(window / 4, MAX_BEYOND);
	int64_t freed = 0;

	/* From the newest: those are spared first. */
	for (size_t i = end; i-- > 0;) {
		json_t *results =
			json_object_get(json_array_get(history->messages, i), "results");

		for (size_t k = json_array_size(results); k-- > 0;) {
			json_t *result = json_array_get(results, k);
			int64_t tokens = context_guess(result);

			spared -= tokens;
			if (spared >= 0 || tokens < 150)
				continue;
			json_array_append(ids, json_object_get(result, "id"));
			freed += tokens;
		}
	}
	if (!freed || (!all && freed < context_smaller(window / 10, MAX_FREED)))
		return NULL;
	return TAKE(ids);
}

/* --- summaries --------------------------------------------------------------- */

/* Does the conversation begin with a summary? */
static bool context_is_summary(const struct history *history)
{
	return !strncmp(json_member(json_array_get(history->messages, 0), "text"),
		CONTEXT_SUMMARY, strlen(CONTEXT_SUMMARY));
}

size_t context_cut(const struct history *history, int64_t window)
{
	int64_t left = context_smaller(window / 4, MAX_KEPT);
	size_t count = json_array_size(history->messages);
	size_t cut = history->turn_at;

	left -= (int64_t)((double)context_guess_from(history, cut, count) * history->factor);
	for (size_t i = cut; i-- > 1;) {
		left -= (int64_t)((double)context_guess_from(history, i, i + 1) *
				  history->factor);
		if (left < 0)
			break;
		if (context_is(json_array_get(history->messages, i), "user"))
			cut = i;
	}
	/* A summary alone is not summed up again. */
	return cut > 1 || (cut == 1 && !context_is_summary(history)) ? cut : 0;
}

static void context_write_limited(
	struct buf *out, const char *label, const char *text, size_t max)
{
	size_t len = strlen(text);
	struct view head = {text, len < max ? len : max};

	head.len = utf8_valid_len(head);
	buf_appendf(out, "%s: %.*s%s\n", label, VIEW_ARGS(head), head.len < len ? " …" : "");
}

static void context_write_message(struct buf *out, const json_t *message, size_t max)
{
	json_t *block;
	size_t i;

	if (context_is(message, "user"))
		context_write_limited(out, "PERSON", json_member(message, "text"), max);
	json_array_foreach(json_object_get(message, "content"), i, block) {
		CLEANUP(buf_release) struct buf input = BUF_INIT;

		if (!strcmp(json_member(block, "type"), "text"))
			context_write_limited(
				out, "ASSISTANT", json_member(block, "text"), max);
		if (strcmp(json_member(block, "type"), "tool_use") != 0)
			continue;
		buf_appendf(&input, "%s ", json_member(block, "name"));
		json_write_ours(json_object_get(block, "input"), false, &input);
		context_write_limited(out, "TOOL CALL", input.data, max / 2);
	}
	json_array_foreach(json_object_get(message, "results"), i, block)
		context_write_limited(out, "RESULT", json_member(block, "text"), max / 4);
}

void context_transcript(
	const struct history *history, size_t count, size_t max, struct buf *ret_text)
{
	/* Shorter and shorter pieces until everything fits; finally without the middle. */
	for (size_t piece = 16384;; piece /= 2) {
		buf_clear(ret_text);
		for (size_t i = 0; i < count; i++)
			context_write_message(
				ret_text, json_array_get(history->messages, i), piece);
		if (ret_text->len <= max || piece <= 64)
			break;
	}
	if (ret_text->len > max) {
		size_t end = ret_text->len - max / 2;
		CLEANUP(freep) char *tail = NULL;
		struct view head = {ret_text->data, max / 2};

		while (((unsigned char)ret_text->data[end] & 0xc0) == 0x80)
			end++;
		tail = xstrdup(ret_text->data + end);
		buf_set_len(ret_text, utf8_valid_len(head));
		buf_appendf(ret_text, "\n…\n%s", tail);
	}
}
