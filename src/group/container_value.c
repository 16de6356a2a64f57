#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "group/container_value.h"

static void append_place(
	struct container_reading *reading, struct json_span span, struct buf *out)
{
	size_t line;
	size_t column;

	json_span_place(reading->text, span.start, &line, &column);
	buf_appendf(out, "%s:%zu:%zu: ", reading->shown, line, column);
}

void container_fault(
	struct container_reading *reading, struct json_span span, const char *format, ...)
{
	va_list args;

	if (++reading->fault_count > CONTAINER_MAX_FAULTS)
		return;
	if (reading->faults.len)
		buf_append_char(&reading->faults, '\n');
	append_place(reading, span, &reading->faults);
	va_start(args, format);
	buf_appendv(&reading->faults, format, args);
	va_end(args);
}

void container_unknown(struct container_reading *reading, struct json_span_item item,
	const struct container_value *value)
{
	struct container *container = reading->container;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *like = container_setting_like(value->what);

	if (container->warnings.count >= CONTAINER_MAX_FAULTS)
		return;
	append_place(reading, item.key, &text);
	buf_appendf(&text, "'%s' is not known, and has no effect", value->what);
	if (like)
		buf_appendf(&text, ": did you mean '%s'?", like);
	string_array_add(&container->warnings, text.data);
}

bool container_is(struct container_reading *reading, const struct container_value *value,
	json_type type, const char *kind)
{
	if (json_typeof(value->json) == type)
		return true;
	container_fault(reading, value->span, "'%s' must be %s", value->what, kind);
	return false;
}

char *container_text(
	struct container_reading *reading, const struct container_value *value, size_t max)
{
	size_t len;

	if (!container_is(reading, value, JSON_STRING, "text"))
		return NULL;
	len = json_string_length(value->json);
	if (len && len <= max && !memchr(json_string_value(value->json), '\0', len))
		return xstrdup(json_string_value(value->json));
	if (!len)
		container_fault(reading, value->span, "'%s' is empty", value->what);
	else if (len > max)
		container_fault(
			reading, value->span, "'%s' has more than %zu bytes", value->what, max);
	else
		container_fault(reading, value->span, "'%s' has a zero byte", value->what);
	return NULL;
}

uint64_t container_number(struct container_reading *reading,
	const struct container_value *value, uint64_t least, uint64_t most)
{
	double number = json_number_value(value->json);

	if (json_is_number(value->json) && number >= (double)least && number <= (double)most &&
		floor(number) == number)
		return (uint64_t)number;
	container_fault(reading, value->span,
		"'%s' must be a whole number from %" PRIu64 " to %" PRIu64, value->what, least,
		most);
	return 0;
}

static void visit_member(struct container_reading *reading,
	const struct container_value *parent, const char *key, json_t *json,
	struct json_span_item item, container_visit *visit, void *data)
{
	CLEANUP(freep) char *name = utf8_excerpt(view_of(key));
	CLEANUP(freep)
	char *what = parent->what ? xasprintf("%s.%s", parent->what, name) : xstrdup(name);
	struct container_value value = {json, item.value, what};

	visit(reading, key, item, &value, data);
}

static void visit_element(struct container_reading *reading,
	const struct container_value *parent, size_t index, json_t *json,
	struct json_span_item item, container_visit *visit, void *data)
{
	CLEANUP(freep) char *what = xasprintf("%s[%zu]", parent->what, index);
	struct container_value value = {json, item.value, what};

	visit(reading, NULL, item, &value, data);
}

void container_each(struct container_reading *reading, const struct container_value *parent,
	container_visit *visit, void *data)
{
	struct json_span_item item = json_span_first(reading->text, parent->span);
	const char *key;
	json_t *json;
	size_t i;

	if (json_is_array(parent->json)) {
		json_array_foreach(parent->json, i, json) {
			visit_element(reading, parent, i, json, item, visit, data);
			item = json_span_next(reading->text, item);
		}
		return;
	}
	json_object_foreach(parent->json, key, json) {
		visit_member(reading, parent, key, json, item, visit, data);
		item = json_span_next(reading->text, item);
	}
}
