#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "proc/foreground.h"

static struct foreground_end run(const char *command, const char *const *arguments)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct foreground_end end = {0};

	if (foreground_run(command, arguments, NULL, &end, &err) < 0)
		fail_msg("%s", err.message);
	return end;
}

#define RUN(command, ...) run(command, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void the_end_of_the_program_is_told(void **state)
{
	(void)state;
	assert_int_equal(RUN("true").exit_code, 0);
	assert_int_equal(RUN("exit 3").exit_code, 3);
	assert_int_equal(RUN("no-such-program-anywhere 2> /dev/null").exit_code, 127);
	assert_int_equal(RUN("kill -TERM $$").exit_code, -1);
	assert_int_equal(RUN("kill -TERM $$").signal, SIGTERM);
}

static void arguments_are_not_read_by_the_shell(void **state)
{
	(void)state;
	assert_int_equal(RUN("test \"$1\" = '$(exit 9)' && test \"$2\" = 'a  b' && test $# = 2",
				 "$(exit 9)", "a  b")
				 .exit_code,
		0);
}

/* Ctrl-C goes to the whole group: the program ends of it, and we do not. */
static void what_is_typed_is_for_the_program(void **state)
{
	struct sigaction before, after;

	(void)state;
	sigaction(SIGINT, NULL, &before);
	assert_int_equal(RUN("kill -INT $PPID; exit 4").exit_code, 4);
	assert_int_equal(RUN("kill -INT $$").signal, SIGINT);
	assert_int_equal(RUN("kill -QUIT $PPID; exit 5").exit_code, 5);
	sigaction(SIGINT, NULL, &after);
	assert_true(before.sa_handler == after.sa_handler);
}

static void the_program_is_in_our_group(void **state)
{
	char group[32];

	(void)state;
	snprintf(group, sizeof(group), "%d", (int)getpgrp());
	assert_int_equal(
		RUN("test \"$(cut -d ' ' -f 5 /proc/$$/stat)\" = \"$1\"", group).exit_code, 0);
}

TESTS(cmocka_unit_test(the_end_of_the_program_is_told),
	cmocka_unit_test(arguments_are_not_read_by_the_shell),
	cmocka_unit_test(what_is_typed_is_for_the_program),
	cmocka_unit_test(the_program_is_in_our_group))
