#include "host/ops/argument.h"

#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <string.h>

#include "base/utf8.h"
#include "format/json.h"

static size_t max_of(const struct argument *argument)
{
	return argument->max ? argument->max : ARGUMENT_USUAL_MAX;
}

/* --- the schema -------------------------------------------------------------- */

static json_t *text_schema(const struct argument *argument)
{
	json_t *schema =
		json_build("type:s minLength:i maxLength:I", "string", 1, max_of(argument));
	json_t *words = json_array();

	for (size_t i = 0; argument->words && argument->words[i]; i++)
		json_array_append_new(words, json_string(argument->words[i]));
	if (argument->words) {
		json_object_clear(schema);
		json_object_update_new(
			schema, json_pack("{s:s, s:O}", "type", "string", "enum", words));
	}
	if (argument->pattern)
		json_put(schema, "pattern:s", argument->pattern);
	json_decref(words);
	return schema;
}

json_t *argument_schema(const struct argument *argument)
{
	json_t *schema = NULL;

	switch (argument->type) {
	case ARGUMENT_TEXT:
		schema = text_schema(argument);
		break;
	case ARGUMENT_ID:
		schema = json_pack("{s:[s, s], s:i, s:I, s:i}", "type", "string", "integer",
			"minLength", 1, "maxLength", (json_int_t)max_of(argument), "minimum",
			0);
		break;
	case ARGUMENT_NUMBER:
		schema = json_build("type:s minimum:I maximum:I", "integer", argument->least,
			argument->most);
		break;
	case ARGUMENT_FLAG:
		schema = json_build("type:s", "boolean");
		break;
	case ARGUMENT_TEXTS:
		schema = json_build("type:s maxItems:i items:o", "array", ARGUMENT_MAX_TEXTS,
			text_schema(argument));
		break;
	case ARGUMENT_ANY:
		schema = json_object();
		break;
	}
	json_put(schema, "description:s", argument->description);
	return schema;
}

/* --- the check --------------------------------------------------------------- */

static bool argument_fault(struct buf *faults, const struct argument *argument,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool argument_fault(
	struct buf *faults, const struct argument *argument, const char *format, ...)
{
	va_list args;

	buf_appendf(faults, "%s'%s' ", faults->len ? "; " : "", argument->name);
	va_start(args, format);
	buf_appendv(faults, format, args);
	va_end(args);
	return false;
}

static bool matches_pattern(const char *pattern, const char *text)
{
	regex_t regex;
	bool found;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	found = !regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return found;
}

static bool check_words(const struct argument *argument, const char *text, struct buf *faults)
{
	CLEANUP(buf_release) struct buf list = BUF_INIT;

	for (size_t i = 0; argument->words[i]; i++) {
		if (!strcmp(argument->words[i], text))
			return true;
		buf_appendf(&list, "%s'%s'", i ? ", " : "", argument->words[i]);
	}
	return argument_fault(faults, argument, "must be one of %s", list.data);
}

static bool check_text(
	const struct argument *argument, const json_t *value, bool model, struct buf *faults)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);
	size_t most = max_of(argument);
	size_t characters = 0;

	if (!text)
		return argument_fault(faults, argument, "must be a string");
	if (strlen(text) != len)
		return argument_fault(
			faults, argument, "must not have the character U+0000 in it");
	if (!len && !(argument->empty && !model))
		return argument_fault(faults, argument, "must not be empty");
	if (!model)
		return len <= most * ARGUMENT_DIRECT_FACTOR ||
		       argument_fault(faults, argument,
			       "must have at most %zu bytes, and has %zu",
			       most * ARGUMENT_DIRECT_FACTOR, len);
	if (argument->words)
		return check_words(argument, text, faults);
	for (size_t i = 0; i < len; i++)
		characters += ((unsigned char)text[i] & 0xc0) != 0x80;
	if (characters > most)
		return argument_fault(faults, argument,
			"must have at most %zu characters, and has %zu", most, characters);
	if (argument->pattern && !matches_pattern(argument->pattern, text))
		return argument_fault(
			faults, argument, "must match the pattern %s", argument->pattern);
	return true;
}

static bool is_whole(const json_t *value)
{
	double number = json_number_value(value);

	return json_is_number(value) && number == floor(number) && fabs(number) < 1e15;
}

static bool check_value(
	const struct argument *argument, const json_t *value, bool model, struct buf *faults)
{
	switch (argument->type) {
	case ARGUMENT_TEXT:
	case ARGUMENT_ID:
		return check_text(argument, value, model, faults);
	case ARGUMENT_NUMBER:
		return (is_whole(value) &&
			       json_number_value(value) >= (double)argument->least &&
			       json_number_value(value) <= (double)argument->most) ||
		       argument_fault(faults, argument,
			       "must be a whole number from %" PRId64 " to %" PRId64
			       ", not in quotes",
			       argument->least, argument->most);
	case ARGUMENT_FLAG:
		return json_is_boolean(value) ||
		       argument_fault(faults, argument, "must be true or false, not in quotes");
	case ARGUMENT_TEXTS:
		if (!json_is_array(value) ||
			(model && json_array_size(value) > ARGUMENT_MAX_TEXTS))
			return argument_fault(faults, argument,
				"must be a list of at most %d strings", ARGUMENT_MAX_TEXTS);
		for (size_t i = 0; i < json_array_size(value); i++)
			if (!check_text(argument, json_array_get(value, i), model, faults))
				return false;
		return true;
	case ARGUMENT_ANY:
		break;
	}
	return true;
}

json_t *argument_read(
	const struct argument *argument, json_t *value, bool model, struct buf *faults)
{
	if ((argument->type == ARGUMENT_ID || (argument->type == ARGUMENT_TEXT && !model)) &&
		is_whole(value) && json_number_value(value) >= 0)
		return json_sprintf("%.0f", json_number_value(value));
	return check_value(argument, value, model, faults) ? json_incref(value) : NULL;
}
