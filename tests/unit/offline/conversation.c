/*
 * What a person says to the offline agent and what it answers, from the table in conversation.txt.
 */
#include <string.h>

#include "../test.h"
#include "agent/offline/offline.h"
#include "fs/file.h"
#include "tempdir.h"

#define TABLE "tests/unit/offline/conversation.txt"

/* The answer, in one line. */
static char *answer_to(struct offline *offline, struct view text)
{
	CLEANUP(freep)
	char *prompt =
		xasprintf("<messages>\n<message sender=\"Ann\" "
			  "time=\"2026-11-16T10:00:00.000Z\">%.*s</message>\n</messages>",
			VIEW_ARGS(text));
	char *answer = offline_answer(offline, view_of(prompt));

	for (char *c = answer; (c = strchr(c, '\n'));)
		*c = '|';
	return answer;
}

static void every_message_of_the_table_gets_its_answer(void **state)
{
	struct tempdir *dir = *state;
	struct offline offline = {.folder = dir->fd, .name = "Andy", .trigger = "@Andy"};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf table = BUF_INIT;
	struct view rest, line;
	int wrong = 0;

	assert_int_equal(file_read(SOURCE_ROOT "/" TABLE, 1024 * 1024, &table, &err), 0);
	rest = view_of_buf(&table);
	while (view_next(&rest, '\n', &line)) {
		const char *arrow = memmem(line.data, line.len, "=>", 2);
		CLEANUP(freep) char *answer = NULL;
		struct view text, wanted;

		if (!arrow || line.data[0] == '#')
			continue;
		text = view_trim(view_slice(line, 0, (size_t)(arrow - line.data)));
		wanted = view_trim(view_slice(line, (size_t)(arrow - line.data) + 2, line.len));
		answer = answer_to(&offline, text);
		if (view_equal(view_of(answer), wanted))
			continue;
		print_message("# %.*s\n#   wanted: %.*s\n#   got:    %s\n", VIEW_ARGS(text),
			VIEW_ARGS(wanted), answer);
		wrong++;
	}
	offline_release(&offline);
	assert_int_equal(wrong, 0);
}

TESTS(IN_TEMPDIR(every_message_of_the_table_gets_its_answer))
