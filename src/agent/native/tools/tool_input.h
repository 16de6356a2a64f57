/*
 * The arguments of a call.
 *
 * Models are not exact: a number or a truth value may come as a string, and arguments that a tool
 * does not know are left alone. If a required argument is missing, the error lists the given ones.
 */
#ifndef AGENT_NATIVE_TOOLS_TOOL_INPUT_H
#define AGENT_NATIVE_TOOLS_TOOL_INPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

/* Text of any kind; required. */
int input_text(const json_t *input, const char *name, struct view *ret_text, struct error *err);

/* The same without NUL, as a C string; not NULL. */
int input_string(
	const json_t *input, const char *name, const char **ret_string, struct error *err);

/* Leaves the value unchanged if the member is missing. */
int input_option(const json_t *input, const char *name, const char **value, struct error *err);
int input_flag(const json_t *input, const char *name, bool *value, struct error *err);

/* A whole number; one outside of the bounds becomes the nearest bound, a fraction is cut off. */
int input_number(const json_t *input, const char *name, long long min, long long max,
	long long *value, struct error *err);

/*
 * A path below the working folder, or an absolute one, to be freed; "~/" is the home folder.
 * Also accepts "file_path", which models know from other tools.
 */
int input_path(const json_t *input, const char *folder, char **ret_path, struct error *err);

/* The same, with the working folder as the default. */
int input_folder(const json_t *input, const char *folder, char **ret_path, struct error *err);

#endif
