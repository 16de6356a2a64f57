#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#include "agent/native/tools/output_file.h"

static void output_and_errors_come_in_order(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash", "{'command':'echo one; echo two >&2; printf three'}");
	assert_string_equal(bench.text.data, "one\ntwo\nthree\n");
	assert_false(bench.is_error);
}

static void a_failing_command_is_an_error_with_its_exit_code(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash", "{'command':'echo no; exit 3'}");
	assert_string_equal(bench.text.data, "no\n(exit code 3)");
	assert_true(bench.is_error);
	bench_call(&bench, "bash", "{'command':'kill -9 $$'}");
	bench_says(&bench, true, "(ended by signal 9)");
	bench_call(&bench, "bash", "{'command':'true'}");
	bench_says(&bench, false, "(no output)");
}

static void it_starts_in_the_folder_with_nothing_on_standard_input(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash", "{'command':'cat; touch here; pwd -P'}");
	bench_says(&bench, false, bench.dir->path);
	assert_true(tempdir_exists(bench.dir->fd, "here"));
}

static void bad_arguments_start_nothing(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash", "{'cmd':'ls'}");
	bench_says(&bench, true, "the argument 'command' is missing; given: 'cmd'");
	bench_call(&bench, "bash", "{'command':['ls']}");
	bench_says(&bench, true, "must be a string");
	bench_call(&bench, "bash", "{'command':'a\\u0000b'}");
	bench_says(&bench, true, "NUL");
	bench_call(&bench, "bash", "{'command':'ls','timeout':'soon'}");
	bench_says(&bench, true, "'timeout' must be a number");
	bench_call(&bench, "bash", "[]");
	bench_says(&bench, true, "must be an object");
	bench_call(&bench, "bush", "{}");
	bench_says(&bench, true, "did you mean 'bash'?");
}

/* Whether the process of this number, which the test started, is gone or a zombie. */
static bool is_gone(const char *pid_text)
{
	char path[64];
	char state_line[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", strtol(pid_text, NULL, 10));
	file = fopen(path, "re");
	if (!file)
		return true;
	if (!fgets(state_line, sizeof(state_line), file))
		state_line[0] = '\0';
	fclose(file);
	return !*state_line || strstr(state_line, ") Z");
}

static void wait_until_gone(const char *pid_text)
{
	for (int tries = 0; tries < 60000 && !is_gone(pid_text); tries++)
		poll(NULL, 0, 1);
	assert_true(is_gone(pid_text));
}

static void processes_in_the_background_do_not_hold_it_up_and_end_with_it(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash", "{'command':'sleep 1000 & echo $!'}");
	assert_false(bench.is_error);
	wait_until_gone(bench.text.data);
	bench_call(
		&bench, "bash", "{'command':'(trap : TERM; sleep 1000) >/dev/null & echo $!'}");
	wait_until_gone(bench.text.data);
}

static void the_whole_group_ends_when_the_time_is_over(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "bash",
		"{'command':'sleep 1000 & echo $!; trap : TERM; wait; wait','timeout':1}");
	bench_says(&bench, true, "(ended after 1 seconds");
	wait_until_gone(bench.text.data);
}

static void a_command_ends_with_the_agent(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *pid = NULL;
	pid_t agent;

	bench_open(&bench, state);
	agent = fork();
	if (!agent) {
		bench_call(&bench, "bash",
			"{'command':'echo $$ >new; mv new pid; while :; do sleep 1; done'}");
		_exit(0);
	}
	for (int tries = 0; tries < 60000 && !pid; tries++) {
		poll(NULL, 0, 1);
		pid = tempdir_get(bench.dir->fd, "pid");
	}
	assert_non_null(pid);
	assert_false(is_gone(pid));
	kill(agent, SIGKILL);
	waitpid(agent, NULL, 0);
	wait_until_gone(pid);
}

static struct tools *to_cancel;

static void on_alarm(int number)
{
	(void)number;
	tools_cancel(to_cancel);
}

static void cancelling_ends_a_command_and_all_that_follow(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	struct itimerval soon = {.it_value = {.tv_usec = 100000}};

	bench_open(&bench, state);
	to_cancel = bench.tools;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &soon, NULL);
	bench_call(&bench, "bash", "{'command':'echo $$; sleep 1000'}");
	bench_says(&bench, true, "the turn was cancelled");
	wait_until_gone(bench.text.data);
	bench_call(&bench, "write", "{'path':'a','content':'b'}");
	bench_says(&bench, true, "not done");
	assert_false(tempdir_exists(bench.dir->fd, "a"));
	tools_resume(bench.tools);
	bench_call(&bench, "bash", "{'command':'echo again'}");
	bench_says(&bench, false, "again");
	signal(SIGALRM, SIG_DFL);
}

static void long_output_is_in_a_file_with_its_ends_shown(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *outputs = NULL;
	char *path;
	char *end;
	struct stat st;

	bench_open(&bench, state);
	outputs = xasprintf("%s/outputs", bench.dir->path);
	bench.config.outputs = outputs;
	bench.config.result_max = 4096;
	bench_reopen(&bench);
	bench_call(&bench, "bash", "{'command':'seq 1 100000; exit 7'}");
	bench_says(&bench, true, "\n99999\n100000\n(exit code 7)");
	assert_memory_equal(bench.text.data, "1\n2\n3\n", 6);
	assert_true(bench.text.len <= 4096);
	path = strstr(bench.text.data, outputs);
	assert_non_null(path);
	end = strchr(path, '\'');
	assert_non_null(end);
	*end = '\0';
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 588895);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void output_without_end_is_bounded_in_memory_and_on_disk(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *outputs = NULL;
	CLEANUP(freep) char *names = NULL;

	bench_open(&bench, state);
	outputs = xasprintf("%s/outputs", bench.dir->path);
	bench.config.outputs = outputs;
	bench_reopen(&bench);
	bench_call(&bench, "bash", "{'command':'head -c 40000000 /dev/zero'}");
	bench_says(&bench, false, "the first 16 MB is in");
	assert_true(bench.text.len <= 50 * 1024);
	for (int i = 0; i < OUTPUT_FILE_KEPT + 3; i++)
		bench_call(&bench, "bash", "{'command':'seq 1 20000'}");
	int dir = openat(bench.dir->fd, "outputs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	names = tempdir_list(dir);
	close(dir);
	int count = 0;

	for (char *c = names; *c; c++)
		count += *c == '\n';
	assert_int_equal(count, OUTPUT_FILE_KEPT);
}

static void bytes_that_are_not_text_become_text(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(
		&bench, "bash", "{'command':'head -c 30000 /dev/urandom; echo; echo the end'}");
	bench_says(&bench, false, "the end");
	assert_true(bench.text.len <= 50 * 1024);
}

TESTS(IN_TEMPDIR(output_and_errors_come_in_order),
	IN_TEMPDIR(a_failing_command_is_an_error_with_its_exit_code),
	IN_TEMPDIR(it_starts_in_the_folder_with_nothing_on_standard_input),
	IN_TEMPDIR(bad_arguments_start_nothing),
	IN_TEMPDIR(processes_in_the_background_do_not_hold_it_up_and_end_with_it),
	IN_TEMPDIR(the_whole_group_ends_when_the_time_is_over),
	IN_TEMPDIR(a_command_ends_with_the_agent),
	IN_TEMPDIR(cancelling_ends_a_command_and_all_that_follow),
	IN_TEMPDIR(long_output_is_in_a_file_with_its_ends_shown),
	IN_TEMPDIR(output_without_end_is_bounded_in_memory_and_on_disk),
	IN_TEMPDIR(bytes_that_are_not_text_become_text))
