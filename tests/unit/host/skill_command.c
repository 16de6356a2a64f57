#include "../test.h"

#include <string.h>

#include "host/base/trigger.h"
#include "userskill/text/command_text.h"

static void a_command_is_one_word_behind_a_slash(void **state)
{
	static const struct {
		const char *text;
		const char *name; /* NULL: not a command */
		const char *words;
	} table[] = {
		{"/plan", "plan", ""},
		{"  /plan \n", "plan", ""},
		{"/Plan Tomorrow  at 8", "plan", "Tomorrow  at 8"},
		{"/plan\nfor two", "plan", "for two"},
		{"/a-b_9 x", "a-b_9", "x"},
		{"/usr/bin is full", NULL, NULL},
		{"/", NULL, NULL},
		{"/ plan", NULL, NULL},
		{"//plan", NULL, NULL},
		{"/9lives", NULL, NULL},
		{"/plan!", NULL, NULL},
		{"/pl\xc3\xa4n", NULL, NULL},
		{"plan", NULL, NULL},
		{"say /plan", NULL, NULL},
		{"/abcdefghijklmnopqrstuvwxyzabcdefg", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct command_text command;

		assert_int_equal(command_text_read(view_of(table[i].text), &command),
			table[i].name != NULL);
		if (!table[i].name)
			continue;
		assert_string_equal(command.name, table[i].name);
		assert_true(view_equal_str(command.words, table[i].words));
	}
}

static void the_trigger_may_stand_before_it(void **state)
{
	static const char *const table[][2] = {
		{"@Andy /plan", "/plan"},
		{"@andy, /plan x ", "/plan x"},
		{"@Andyman /plan", "@Andyman /plan"},
		{" /plan", "/plan"},
		{"@Andy", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		assert_true(view_equal_str(
			trigger_rest("@Andy", view_of(table[i][0])), table[i][1]));
}

TESTS(cmocka_unit_test(a_command_is_one_word_behind_a_slash),
	cmocka_unit_test(the_trigger_may_stand_before_it))
