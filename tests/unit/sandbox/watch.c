#include "../test.h"

#include "sandbox/internal.h"

static bool counts(const char *line)
{
	CLEANUP(string_array_release) struct string_array folders = {0};
	struct watch_mapping mapping;

	STRING_ARRAY_ADD(&folders, "/workspace/agent", "/home/node/.claude");
	if (!watch_mapping_read(&folders, line, &mapping))
		return false;
	assert_string_equal(mapping.range, "7f0c10000000-7f0c10001000");
	assert_int_equal(mapping.inode, 1234);
	return true;
}

#define LINE(device, path)                                                                     \
	"7f0c10000000-7f0c10001000 r--s 00000000 " device " 1234                     " path    \
	" (deleted)\n"

/* An upgrade replaces libraries below programs that run. */
static void a_deleted_file_counts_where_an_agent_can_write(void **state)
{
	(void)state;
	assert_true(counts(LINE("fe:00", "/workspace/agent/a b")));
	assert_true(counts(LINE("fe:00", "/home/node/.claude/projects/x")));
	assert_false(counts(LINE("fe:00", "/usr/lib/x86_64-linux-gnu/libc.so.6")));
	assert_false(counts(LINE("fe:00", "/opt/agent/0")));
	assert_false(counts(LINE("fe:00", "/workspace/agents/x")));
	assert_false(counts(LINE("00:01", "/memfd:/workspace/agent/x")));
	assert_false(counts("7f0c10000000-7f0c10001000 r--s 00000000 00:00 0 \n"));
	assert_false(counts("nonsense"));
}

/* btrfs has another device in this list than stat() says. */
static void the_device_does_not_matter(void **state)
{
	(void)state;
	assert_true(counts(LINE("00:2f", "/workspace/agent/x")));
}

TESTS(cmocka_unit_test(a_deleted_file_counts_where_an_agent_can_write),
	cmocka_unit_test(the_device_does_not_matter))
