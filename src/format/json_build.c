#include "format/json.h"

#include <assert.h>
#include <stdint.h>

#include "base/alloc.h"

void json_put_list(json_t *object, const char *shape, va_list values)
{
	struct view rest = view_of(shape), member;

	while (view_next(&rest, ' ', &member)) {
		CLEANUP(freep) char *name = NULL;
		const char *text;
		json_t *value;

		assert(member.len > 2 && member.data[member.len - 2] == ':');
		name = xmemdupz(member.data, member.len - 2);
		switch (member.data[member.len - 1]) {
		case 's':
			value = json_text_or_null(va_arg(values, const char *));
			break;
		case 'S':
			text = va_arg(values, const char *);
			value = text ? json_text(view_of(text)) : NULL;
			break;
		case 'v':
			value = json_text(va_arg(values, struct view));
			break;
		case 'b':
			value = json_boolean(va_arg(values, int));
			break;
		case 'i':
			value = json_integer(va_arg(values, int));
			break;
		case 'I':
			value = json_integer(va_arg(values, int64_t));
			break;
		case 'f':
			value = json_real(va_arg(values, double));
			break;
		case 'O':
			value = json_incref(va_arg(values, json_t *));
			break;
		default:
			assert(member.data[member.len - 1] == 'o');
			value = va_arg(values, json_t *);
		}
		if (value)
			json_object_set_new(object, name, value);
	}
}

void json_put(json_t *object, const char *shape, ...)
{
	va_list values;

	va_start(values, shape);
	json_put_list(object, shape, values);
	va_end(values);
}

json_t *json_build(const char *shape, ...)
{
	json_t *object = json_object();
	va_list values;

	va_start(values, shape);
	json_put_list(object, shape, values);
	va_end(values);
	return object;
}

void json_add(json_t *array, const char *shape, ...)
{
	json_t *object = json_object();
	va_list values;

	va_start(values, shape);
	json_put_list(object, shape, values);
	va_end(values);
	json_array_append_new(array, object);
}

void json_add_text(json_t *array, const char *text)
{
	json_array_append_new(array, json_text_or_null(text));
}

const char *json_member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}
