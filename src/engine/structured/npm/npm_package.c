#include <stdarg.h>
#include <string.h>

#include "engine/structured/npm/npm.h"
#include "format/json_span.h"

const char *const npm_section_names[NPM_SECTION_COUNT] = {
	[NPM_DEPENDENCIES] = "dependencies",
	[NPM_OPTIONAL] = "optionalDependencies",
	[NPM_DEV] = "devDependencies",
	[NPM_PEER] = "peerDependencies",
};

/* --- reading -------------------------------------------------------------------- */

static const char *type_name(json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "a list";
	case JSON_STRING:
		return "a string";
	case JSON_NULL:
		return "null";
	case JSON_TRUE:
	case JSON_FALSE:
		return "a boolean";
	default:
		return "a number";
	}
}

int npm_package_error(const char *name, struct view text, const char *const *keys,
	struct error *err, const char *format, ...)
{
	CLEANUP(buf_release) struct buf message = BUF_INIT;
	size_t line;
	size_t column;
	va_list args;

	json_place(text, keys, &line, &column);
	va_start(args, format);
	buf_appendv(&message, format, args);
	va_end(args);
	error_set(err, ERROR_INVALID, "%s:%zu:%zu: %s", name, line, column, message.data);
	return error_hint(err, "correct '%s', then try again", name);
}

int npm_package_parse(
	const char *name, struct view text, struct npm_package *ret_package, struct error *err)
{
	const char *const keys[] = {npm_section_names[NPM_DEPENDENCIES], NULL};
	CLEANUP(json_decrefp) json_t *json = NULL;
	json_t *dependencies;

	if (!text.len)
		json = json_object();
	else if (json_read(text, name, STRUCTURED_MAX_FILE, &json, err) < 0)
		return error_hint(err, "correct '%s', then try again", name);
	if (!json)
		out_of_memory();
	dependencies = json_object_get(json, keys[0]);
	if (!json_is_object(json))
		return npm_package_error(name, text, &keys[1], err,
			"'%s' must be an object, not %s", name, type_name(json));
	if (dependencies && !json_is_object(dependencies))
		return npm_package_error(name, text, keys, err,
			"'dependencies' must be an object of names and ranges, not %s",
			type_name(dependencies));
	*ret_package = (struct npm_package){
		.json = TAKE(json),
		.style = text.len ? json_style_detect(text) : JSON_STYLE_DEFAULT,
	};
	return 0;
}

void npm_package_release(struct npm_package *package)
{
	json_decref(package->json);
	*package = NPM_PACKAGE_INIT;
}

/* --- sections ------------------------------------------------------------------- */

json_t *npm_section(json_t *package, enum npm_section section)
{
	json_t *found = json_object_get(package, npm_section_names[section]);

	return json_is_object(found) ? found : NULL;
}

const char *npm_spec_of(json_t *package, enum npm_section section, const char *name)
{
	json_t *value = json_object_get(npm_section(package, section), name);
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

const char *npm_installed_spec(json_t *package, const char *name)
{
	static const enum npm_section order[] = {NPM_OPTIONAL, NPM_DEPENDENCIES, NPM_DEV};
	const char *spec = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(order) && !spec; i++)
		spec = npm_spec_of(package, order[i], name);
	return spec;
}

bool npm_installs(json_t *package, const char *name)
{
	for (int section = 0; section < NPM_PEER; section++)
		if (json_object_get(npm_section(package, (enum npm_section)section), name))
			return true;
	return false;
}

void npm_set_member(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_nocheck(object, key, value) < 0)
		out_of_memory();
}

void npm_set_spec(json_t *package, enum npm_section section, const char *name, const char *spec)
{
	CLEANUP(json_decrefp) json_t *value = json_string_nocheck(spec);
	CLEANUP(json_decrefp) json_t *made = json_object();

	if (!npm_section(package, section))
		npm_set_member(package, npm_section_names[section], made);
	npm_set_member(npm_section(package, section), name, value);
}

void npm_remove_spec(json_t *package, enum npm_section section, const char *name)
{
	json_object_del(npm_section(package, section), name);
}

/* --- writing -------------------------------------------------------------------- */

bool npm_same_style(const struct json_style *a, const struct json_style *b)
{
	return view_equal(a->indent, b->indent) && view_equal(a->newline, b->newline);
}

void npm_package_write(json_t *package, const struct json_style *style, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct json_style shown;
	struct view rest;

	json_write_npm(package, style, &text);
	shown = json_style_detect(view_of_buf(&text));
	if (npm_same_style(&shown, style)) {
		buf_append(out, text.data, text.len);
		return;
	}
	/* npm looks at the white space after the first bracket. */
	rest = view_of_buf(&text);
	rest = view_slice(rest, 1, rest.len);
	while (rest.len && strchr(" \t\r\n", rest.data[0]))
		rest = view_slice(rest, 1, rest.len);
	buf_append_char(out, '{');
	if (style->newline.len) {
		buf_append(out, style->newline.data, style->newline.len);
		buf_append(out, style->indent.data, style->indent.len);
	} else {
		buf_append_char(out, ' ');
	}
	buf_append(out, rest.data, rest.len);
}
