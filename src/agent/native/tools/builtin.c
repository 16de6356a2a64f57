#include "agent/native/tools/builtin.h"

#include <string.h>

/* Sorted by name. All of this is in every request: keep it short. */
const struct builtin builtins[] = {
	{
		"bash",
		"Run a command with bash. Background processes end with it, unless started with "
		"setsid. Long output goes to a file.",
		"{\"type\":\"object\",\"properties\":{\"command\":{\"type\":\"string\"},"
		"\"timeout\":{\"type\":\"integer\",\"description\":\"seconds: 120, "
		"at most 600\"}},\"required\":[\"command\"]}",
		tool_bash,
		false,
	},
	{
		"edit",
		"Replace text in a file. old_string must match exactly and once; without line "
		"numbers.",
		"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
		"\"old_string\":{\"type\":\"string\"},\"new_string\":{\"type\":\"string\"},"
		"\"replace_all\":{\"type\":\"boolean\"}},"
		"\"required\":[\"path\",\"old_string\",\"new_string\"]}",
		tool_edit,
		false,
	},
	{
		"glob",
		"Find files by name: *, ?, [a-z], {a,b}, ** for any folders.",
		"{\"type\":\"object\",\"properties\":{\"pattern\":{\"type\":\"string\"},"
		"\"path\":{\"type\":\"string\",\"description\":\"folder\"},"
		"\"sort\":{\"enum\":[\"name\",\"time\"]}},\"required\":[\"pattern\"]}",
		tool_glob,
		true,
	},
	{
		"grep",
		"Search lines of files for an extended regular expression.",
		"{\"type\":\"object\",\"properties\":{\"pattern\":{\"type\":\"string\"},"
		"\"path\":{\"type\":\"string\"},"
		"\"glob\":{\"type\":\"string\",\"description\":\"only these files: *.c\"},"
		"\"output\":{\"enum\":[\"lines\",\"files\",\"count\"]},"
		"\"context\":{\"type\":\"integer\"},"
		"\"ignore_case\":{\"type\":\"boolean\"},\"literal\":{\"type\":\"boolean\"}},"
		"\"required\":[\"pattern\"]}",
		tool_grep,
		true,
	},
	{
		"read",
		"Read a file with line numbers, an image, or list a folder.",
		"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
		"\"offset\":{\"type\":\"integer\",\"description\":\"first line\"},"
		"\"limit\":{\"type\":\"integer\",\"description\":\"lines; default 2000\"}},"
		"\"required\":[\"path\"]}",
		tool_read,
		true,
	},
	{
		"write",
		"Write a whole file; folders are made.",
		"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
		"\"content\":{\"type\":\"string\"}},\"required\":[\"path\",\"content\"]}",
		tool_write,
		false,
	},
};

const size_t builtin_count = ARRAY_SIZE(builtins);

const struct builtin *builtin_find(const char *name)
{
	for (size_t i = 0; i < builtin_count; i++)
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}
