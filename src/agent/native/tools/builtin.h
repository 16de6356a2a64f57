/*
 * A tool of the agent's own: a row in builtin.c, and a function in a file of its name.
 *
 * The function appends to `result->text`. The caller enforces UTF-8 and the limit afterwards, but
 * the function itself reports what it leaves out. An error becomes a result with is_error.
 */
#ifndef AGENT_NATIVE_TOOLS_BUILTIN_H
#define AGENT_NATIVE_TOOLS_BUILTIN_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/native/tools/tools.h"
#include "base/error.h"

/* Where a tool works. */
struct tool_place {
	const char *folder; /* absolute */
	int dirfd;          /* the same, open */
	const char *outputs;
	size_t max;    /* bytes of a result */
	bool images;   /* the model accepts images */
	int cancelled; /* becomes readable when the call is to end */
};

typedef int (*tool_function)(const struct tool_place *place, const json_t *input,
	struct tool_result *result, struct error *err);

struct builtin {
	const char *name;
	const char *description;
	const char *schema; /* JSON */
	tool_function run;
	bool reads; /* runs in a process of its own, beside others */
};

extern const struct builtin builtins[];
extern const size_t builtin_count;

const struct builtin *builtin_find(const char *name);

int tool_bash(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);
int tool_edit(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);
int tool_glob(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);
int tool_grep(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);
int tool_read(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);
int tool_write(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err);

#endif
