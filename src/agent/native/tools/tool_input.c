#include "agent/native/tools/tool_input.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

static const json_t *input_get(const json_t *input, const char *name)
{
	const json_t *value = json_object_get(input, name);

	return json_is_null(value) ? NULL : value;
}

static int input_missing(const json_t *input, const char *name, struct error *err)
{
	CLEANUP(buf_release) struct buf given = BUF_INIT_MAX(200);
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)input, key, value) {
		buf_append_str(&given, given.len ? ", " : "; given: ");
		quote_append(&given, view_of(key));
	}
	return error_set(
		err, ERROR_INVALID, "the argument '%s' is missing%s", name, given.data);
}

int input_text(const json_t *input, const char *name, struct view *ret_text, struct error *err)
{
	const json_t *value = input_get(input, name);

	if (!value)
		return input_missing(input, name, err);
	if (!json_is_string(value))
		return error_set(
			err, ERROR_INVALID, "the argument '%s' must be a string", name);
	*ret_text = (struct view){json_string_value(value), json_string_length(value)};
	return 0;
}

int input_option(const json_t *input, const char *name, const char **value, struct error *err)
{
	struct view text;

	if (!input_get(input, name))
		return 0;
	if (input_text(input, name, &text, err) < 0)
		return -1;
	if (memchr(text.data, '\0', text.len))
		return error_set(err, ERROR_INVALID, "the argument '%s' has a NUL in it", name);
	*value = text.data;
	return 0;
}

int input_string(
	const json_t *input, const char *name, const char **ret_string, struct error *err)
{
	const char *value = NULL;

	if (input_option(input, name, &value, err) < 0)
		return -1;
	if (!value)
		return input_missing(input, name, err);
	*ret_string = value;
	return 0;
}

int input_flag(const json_t *input, const char *name, bool *value, struct error *err)
{
	const json_t *given = input_get(input, name);
	const char *word = json_string_value(given);

	if (!given)
		return 0;
	if (!json_is_boolean(given) &&
		!(word && (!strcmp(word, "true") || !strcmp(word, "false"))))
		return error_set(
			err, ERROR_INVALID, "the argument '%s' must be true or false", name);
	*value = word ? !strcmp(word, "true") : json_is_true(given);
	return 0;
}

int input_number(const json_t *input, const char *name, long long min, long long max,
	long long *value, struct error *err)
{
	const json_t *given = input_get(input, name);
	const char *word = json_string_value(given);
	char *end = NULL;
	double number = word ? strtod(word, &end) : json_number_value(given);

	if (!given)
		return 0;
	if ((!word && !json_is_number(given)) || (word && (end == word || *end)) ||
		number != number)
		return error_set(
			err, ERROR_INVALID, "the argument '%s' must be a number", name);
	*value = number < (double)min ? min : number > (double)max ? max : (long long)number;
	return 0;
}

static char *input_resolve(const char *folder, const char *path)
{
	const char *home = getenv("HOME");

	if (home && *home == '/' && path[0] == '~' && (path[1] == '/' || !path[1]))
		return xasprintf("%s%s", home, path + 1);
	if (*path == '/')
		return xstrdup(path);
	return *path ? xasprintf("%s/%s", folder, path) : xstrdup(folder);
}

static int input_any_path(const json_t *input, const char **ret_path, struct error *err)
{
	*ret_path = NULL;
	if (input_option(input, "path", ret_path, err) < 0 ||
		(!*ret_path && input_option(input, "file_path", ret_path, err) < 0))
		return -1;
	if (*ret_path && strlen(*ret_path) >= PATH_MAX)
		return error_set(
			err, ERROR_INVALID, "the path is longer than %d bytes", PATH_MAX);
	return 0;
}

int input_path(const json_t *input, const char *folder, char **ret_path, struct error *err)
{
	const char *path;

	if (input_any_path(input, &path, err) < 0)
		return -1;
	if (!path || !*path)
		return input_missing(input, "path", err);
	*ret_path = input_resolve(folder, path);
	return 0;
}

int input_folder(const json_t *input, const char *folder, char **ret_path, struct error *err)
{
	const char *path;

	if (input_any_path(input, &path, err) < 0)
		return -1;
	*ret_path = input_resolve(folder, path ? path : "");
	return 0;
}
