#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forbid.h"
#include "proc/process.h"
#include "tempdir.h"

/* --- running a line of shell --------------------------------------------------- */

#define CAPTURE ((struct process_stream){PROCESS_CAPTURE, 4096})

static struct process_request shell(const char *const argv[4])
{
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = argv;
	request.output = CAPTURE;
	request.errors = CAPTURE;
	return request;
}

/* Valid in the block of the caller, as every compound literal. */
#define SHELL(script) shell((const char *const[4]){"sh", "-c", (script), NULL})

static struct process_result run(const struct process_request *request)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_result result = PROCESS_RESULT_INIT;

	if (process_run(request, &result, &err) < 0)
		fail_msg("%s", err.message);
	return result;
}

/* Returns the errnum. */
static int run_in_vain(const struct process_request *request, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_result result = PROCESS_RESULT_INIT;

	result.exit_code = 77;
	assert_int_equal(process_run(request, &result, &err), -1);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_non_null(strstr(err.message, why));
	assert_int_equal(result.exit_code, 77);
	return err.errnum;
}

#define RESULT CLEANUP(process_result_release) struct process_result

/* A shell that starts the tests in the background has some of these ignored. */
static void __attribute__((constructor)) take_signals(void)
{
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
}

static void assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* --- results ------------------------------------------------------------------- */

static void both_streams_and_the_exit_code_come_back(void **state)
{
	struct process_request request = SHELL("echo out; echo err >&2; exit 3");
	RESULT result = run(&request);

	(void)state;
	assert_int_equal(result.exit_code, 3);
	assert_int_equal(result.signal, 0);
	assert_false(result.timed_out);
	assert_string_equal(result.output.data, "out\n");
	assert_string_equal(result.errors.data, "err\n");
	assert_true(result.duration_ms >= 0);
	assert_no_children();
}

static void streams_put_together_keep_their_order(void **state)
{
	struct process_request request = SHELL("echo 1; echo 2 >&2; echo 3");

	(void)state;
	request.errors.mode = PROCESS_WITH_OUTPUT;
	RESULT result = run(&request);
	assert_string_equal(result.output.data, "1\n2\n3\n");
	assert_string_equal(result.errors.data, "");
}

static void discarded_output_goes_nowhere(void **state)
{
	struct process_request request = SHELL("echo 1; echo 2 >&2");

	(void)state;
	request.output.mode = request.errors.mode = PROCESS_DISCARD;
	RESULT result = run(&request);
	assert_string_equal(result.output.data, "");
	assert_int_equal(result.exit_code, 0);
}

static void a_signal_that_ends_it_is_told(void **state)
{
	struct process_request request = SHELL("kill -9 $$");
	RESULT result = run(&request);

	(void)state;
	assert_int_equal(result.exit_code, -1);
	assert_int_equal(result.signal, SIGKILL);
	assert_false(result.timed_out);
}

static void bytes_of_any_kind_come_through(void **state)
{
	struct process_request request = SHELL("printf 'a\\000b\\377'");
	RESULT result = run(&request);

	(void)state;
	assert_int_equal(result.output.len, 4);
	assert_memory_equal(result.output.data, "a\0b\xff", 4);
}

/* --- input --------------------------------------------------------------------- */

static void it_reads_what_it_is_given_and_then_the_end(void **state)
{
	size_t len = 3 * 1000 * 1000;
	CLEANUP(freep) char *input = xmalloc(len);
	struct process_request request = SHELL("cat | wc -c; cat");

	(void)state;
	memset(input, 'x', len);
	request.input = (struct view){input, len};
	RESULT result = run(&request);
	assert_int_equal(strtol(result.output.data, NULL, 10), len);
}

static void without_input_there_is_none(void **state)
{
	struct process_request request = SHELL("cat; echo end");
	RESULT result = run(&request);

	(void)state;
	assert_string_equal(result.output.data, "end\n");
}

static void input_that_nobody_reads_does_no_harm(void **state)
{
	size_t len = 1000 * 1000;
	CLEANUP(freep) char *input = xcalloc(1, len);
	struct process_request request = SHELL("exec <&-; exit 0");

	(void)state;
	request.input = (struct view){input, len};
	RESULT result = run(&request);
	assert_int_equal(result.exit_code, 0);
}

/* --- limits of output ---------------------------------------------------------- */

static void of_100_megabytes_the_tail_is_kept(void **state)
{
	struct process_request request =
		SHELL("head -c 104857600 /dev/zero | tr '\\0' x; printf 'the end'");

	(void)state;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, 64 * 1024};
	RESULT result = run(&request);
	assert_int_equal(result.output.len, 64 * 1024);
	assert_true(result.output_cut);
	assert_false(result.errors_cut);
	assert_string_equal(result.output.data + 64 * 1024 - 8, "xthe end");
	assert_true(result.output.cap <= 512 * 1024);
}

static void a_tail_that_fits_is_all_there(void **state)
{
	struct process_request request = SHELL("printf 12345");

	(void)state;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, 5};
	RESULT result = run(&request);
	assert_string_equal(result.output.data, "12345");
	assert_false(result.output_cut);
}

static void output_of_the_maximum_fits_and_one_byte_more_is_an_error(void **state)
{
	struct process_request fits = SHELL("printf 12345");
	struct process_request more = SHELL("printf 123456");
	struct process_request endless = SHELL("yes");

	(void)state;
	fits.output.max = more.output.max = 5;
	endless.errors.mode = PROCESS_WITH_OUTPUT;
	RESULT result = run(&fits);
	assert_string_equal(result.output.data, "12345");
	assert_int_equal(run_in_vain(&more, "'sh' wrote more than 5 bytes"), EFBIG);
	assert_int_equal(run_in_vain(&endless, "wrote more than 4096 bytes"), EFBIG);
	assert_no_children();
}

/* --- the end ------------------------------------------------------------------- */

static void a_program_that_takes_too_long_is_ended(void **state)
{
	struct process_request request = SHELL("echo before; exec sleep 1000");

	(void)state;
	request.timeout_ms = 100;
	RESULT result = run(&request);
	assert_true(result.timed_out);
	assert_int_equal(result.exit_code, -1);
	assert_int_equal(result.signal, SIGTERM);
	assert_true(result.duration_ms >= 100);
	assert_no_children();
}

/*
 * The program itself says when it is ready to be ended, by a signal to us: a
 * timeout might pass before it has set its trap.
 */
static void a_program_that_ignores_sigterm_is_killed(void **state)
{
	struct process_request request =
		SHELL("trap '' TERM; kill -INT $PPID; while :; do :; done");

	(void)state;
	request.grace_ms = 50;
	assert_int_equal(run_in_vain(&request, "because we got SIGINT"), EINTR);
	assert_no_children();
}

static void a_stopped_program_is_ended_without_the_grace_period(void **state)
{
	struct process_request request = SHELL("kill -STOP $$; exit 0");

	(void)state;
	request.timeout_ms = 100;
	request.grace_ms = 1000 * 1000;
	RESULT result = run(&request);
	assert_true(result.timed_out);
	assert_int_equal(result.signal, SIGTERM);
}

static void a_program_may_tidy_up_in_the_grace_period(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("trap 'echo tidy >f; exit 4' TERM;"
					       "kill -INT $PPID; while :; do :; done");
	CLEANUP(freep) char *text = NULL;

	request.cwd_fd = temp->fd;
	request.grace_ms = 1000 * 1000;
	assert_int_equal(run_in_vain(&request, "because we got SIGINT"), EINTR);
	text = tempdir_get(temp->fd, "f");
	assert_non_null(text);
	assert_string_equal(text, "tidy\n");
}

/*
 * Whether a process that holds the FIFO open for writing is still there is seen
 * by its end, without asking for process numbers that may be used again.
 */
static void assert_all_writers_end(int fifo)
{
	char c;

	assert_int_equal(fcntl(fifo, F_SETFL, 0), 0);
	assert_int_equal(read(fifo, &c, 1), 0);
}

static void children_of_the_program_end_with_it_on_a_timeout(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request =
		SHELL("exec 9>life; (trap '' TERM; sleep 1000) & exec sleep 1000");
	CLEANUP(closep) int fifo = -1;

	tempdir_fifo(temp->fd, "life");
	fifo = openat(temp->fd, "life", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	request.cwd_fd = temp->fd;
	request.timeout_ms = 100;
	request.grace_ms = 50;
	RESULT result = run(&request);
	assert_true(result.timed_out);
	assert_all_writers_end(fifo);
}

static void a_daemon_that_holds_the_pipe_does_not_hold_us(void **state)
{
	struct tempdir *temp = *state;
	/* The daemon ends when it can read from the FIFO, which it gets open. */
	struct process_request request =
		SHELL("exec 8<life; setsid sh -c 'read x <&8' & echo started; exit 0");
	CLEANUP(closep) int fifo = -1;

	tempdir_fifo(temp->fd, "life");
	fifo = openat(temp->fd, "life", O_RDWR | O_CLOEXEC);
	request.cwd_fd = temp->fd;
	request.timeout_ms = 60 * 1000;
	RESULT result = run(&request);
	assert_false(result.timed_out);
	assert_int_equal(result.exit_code, 0);
	assert_string_equal(result.output.data, "started\n");
	assert_int_equal(write(fifo, "\n", 1), 1);
}

static void a_daemon_that_goes_on_writing_does_not_hold_us(void **state)
{
	struct process_request request = SHELL("yes & echo started; exit 0");

	(void)state;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, 1000};
	request.end_group = true;
	request.timeout_ms = 60 * 1000;
	RESULT result = run(&request);
	assert_false(result.timed_out);
	assert_int_equal(result.exit_code, 0);
}

static void what_is_left_of_the_group_is_ended_when_asked_for(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("exec 9>life; sleep 1000 & exit 0");
	CLEANUP(closep) int fifo = -1;

	tempdir_fifo(temp->fd, "life");
	fifo = openat(temp->fd, "life", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	request.cwd_fd = temp->fd;
	request.end_group = true;
	RESULT result = run(&request);
	assert_int_equal(result.exit_code, 0);
	assert_all_writers_end(fifo);
}

static void a_program_that_dies_with_us_runs_as_any_other(void **state)
{
	struct process_request request =
		SHELL("echo out; echo err >&2; cat; cut -d ' ' -f 5 /proc/$$/stat; echo $$");
	struct process_result result;
	long group, pid;

	(void)state;
	request.dies_with_us = true;
	request.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	request.input = view_of("in\n");
	result = run(&request);
	assert_int_equal(result.exit_code, 0);
	assert_int_equal(sscanf(result.output.data, "out\nerr\nin\n%ld\n%ld", &group, &pid), 2);
	assert_int_equal(group, pid);
	process_result_release(&result);
}

static void a_program_that_dies_with_us_does_so_when_we_are_killed(void **state)
{
	const struct tempdir *temp = *state;
	char byte;
	int fifo;
	pid_t pid;

	tempdir_fifo(temp->fd, "fifo");
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct error err = ERROR_INIT;
		struct process_result result = PROCESS_RESULT_INIT;
		struct process_request request = SHELL("exec sleep 1000 >fifo");

		request.dies_with_us = true;
		request.cwd_fd = temp->fd;
		process_run(&request, &result, &err);
		_exit(1);
	}
	/* Waits until the program has opened its end; that end is closed by its death. */
	fifo = openat(temp->fd, "fifo", O_RDONLY | O_CLOEXEC);
	assert_true(fifo >= 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(read(fifo, &byte, 1), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(fifo);
}

static void a_signal_to_us_ends_the_group_and_is_an_error(void **state)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		CLEANUP(freep)
		char *script = xasprintf("kill -%d $PPID; exec sleep 1000", signals[i]);
		struct process_request request = SHELL(script);

		assert_int_equal(run_in_vain(&request, "because we got SIG"), EINTR);
		assert_no_children();
	}
}

static void a_signal_that_we_ignore_stays_ignored(void **state)
{
	struct process_request request = SHELL("kill -HUP $PPID; echo on");

	(void)state;
	signal(SIGHUP, SIG_IGN);
	RESULT result = run(&request);
	signal(SIGHUP, SIG_DFL);
	assert_string_equal(result.output.data, "on\n");
}

/* --- how it is started --------------------------------------------------------- */

static void the_exit_code_is_seen_although_sigchld_is_ignored(void **state)
{
	struct process_request request = SHELL("exit 5");
	struct sigaction after;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	RESULT result = run(&request);
	sigaction(SIGCHLD, NULL, &after);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(result.exit_code, 5);
	assert_true(after.sa_handler == SIG_IGN);
}

/* The mask of this name in /proc/PID/status, without the two that are glibc's own. */
static unsigned long long signals_in(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	assert_non_null(at);
	return strtoull(at + strlen(name), NULL, 16) & ~(3ULL << 31);
}

static void it_starts_with_clean_signals_and_ours_come_back(void **state)
{
	struct process_request request = SHELL("exec grep ^Sig /proc/self/status");
	sigset_t blocked;
	sigset_t after;

	(void)state;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	RESULT result = run(&request);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &blocked, &after);
	assert_true(signals_in(result.output.data, "SigBlk:") == 0);
	assert_true(signals_in(result.output.data, "SigIgn:") == 0);
	assert_true(sigismember(&after, SIGUSR1));
	assert_false(sigismember(&after, SIGINT));
}

static void it_leads_a_group_of_its_own(void **state)
{
	struct process_request request = SHELL("set -- $(cat /proc/$$/stat); test \"$5\" = $$");
	RESULT result = run(&request);

	(void)state;
	assert_int_equal(result.exit_code, 0);
}

static void it_inherits_none_of_our_descriptors(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("ls /proc/self/fd");

	request.cwd_fd = temp->fd;
	request.argv = (const char *const[]){"ls", "/proc/self/fd", NULL};
	RESULT result = run(&request);
	/* 3 is the folder that ls reads. */
	assert_string_equal(result.output.data, "0\n1\n2\n3\n");
}

static void its_folder_is_given_by_path_or_by_descriptor(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("cat file");

	tempdir_put(temp->fd, "file", "here");
	request.cwd = temp->path;
	RESULT by_path = run(&request);
	assert_string_equal(by_path.output.data, "here");
	request.cwd = NULL;
	request.cwd_fd = temp->fd;
	RESULT by_fd = run(&request);
	assert_string_equal(by_fd.output.data, "here");
}

static void extra_environment_is_added_replaces_and_unsets(void **state)
{
	struct process_request request = SHELL("echo $ONE-$TWO-$THREE");

	(void)state;
	setenv("ONE", "1", 1);
	setenv("TWO", "2", 1);
	request.env = (const char *const[]){"TWO=two", "THREE=three", NULL};
	RESULT result = run(&request);
	assert_string_equal(result.output.data, "1-two-three\n");
	assert_string_equal(getenv("TWO"), "2");
	request.env = (const char *const[]){"ONE", NULL};
	RESULT without = run(&request);
	assert_string_equal(without.output.data, "-2-\n");
}

static void standard_streams_that_are_closed_here_work_there(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		RESULT result = PROCESS_RESULT_INIT;
		struct process_request request = SHELL("cat; echo out; echo err >&2");

		request.input = view_of("in ");
		close(0);
		close(1);
		close(2);
		if (process_run(&request, &result, &err) < 0)
			_exit(1);
		_exit(strcmp(result.output.data, "in out\n") ||
			strcmp(result.errors.data, "err\n"));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* --- what cannot be run -------------------------------------------------------- */

static void a_missing_program_is_named(void **state)
{
	struct process_request request = SHELL("");

	(void)state;
	request.argv = (const char *const[]){"no-such-program", NULL};
	assert_int_equal(
		run_in_vain(&request, "cannot run 'no-such-program': not found in PATH"),
		ENOENT);
	request.argv = (const char *const[]){"/no/such/program", NULL};
	assert_int_equal(run_in_vain(&request, "cannot run '/no/such/program'"), ENOENT);
	request.argv = (const char *const[]){"", NULL};
	assert_int_equal(run_in_vain(&request, "cannot run ''"), ENOENT);
	assert_no_children();
}

static void put_program(int dirfd, const char *name, const char *content)
{
	tempdir_put(dirfd, name, content);
	assert_int_equal(fchmodat(dirfd, name, 0755, 0), 0);
}

static void what_is_no_program_is_told_apart(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("");

	request.cwd_fd = temp->fd;
	tempdir_put(temp->fd, "text", "text");
	put_program(temp->fd, "orphan", "#!/no/such/interpreter\n");
	put_program(temp->fd, "data", "\x01\x02\x03");
	request.argv = (const char *const[]){"./text", NULL};
	assert_int_equal(run_in_vain(&request, "permission denied"), EACCES);
	request.argv = (const char *const[]){"./orphan", NULL};
	assert_int_equal(run_in_vain(&request, "interpreter"), ENOENT);
	request.argv = (const char *const[]){"./data", NULL};
	assert_int_equal(run_in_vain(&request, "xec format error"), ENOEXEC);
	request.argv = (const char *const[]){"sh", NULL};
	request.cwd = "/no/such/folder";
	assert_int_equal(
		run_in_vain(&request, "cannot enter folder '/no/such/folder'"), ENOENT);
}

static void programs_in_the_folder_are_not_found_through_path(void **state)
{
	struct tempdir *temp = *state;
	struct process_request request = SHELL("");

	put_program(temp->fd, "evil", "#!/bin/sh\necho evil\n");
	request.cwd_fd = temp->fd;
	request.argv = (const char *const[]){"evil", NULL};
	request.env = (const char *const[]){"PATH=:.:./:/usr/bin:", NULL};
	assert_int_equal(run_in_vain(&request, "not found in PATH"), ENOENT);
}

/* In a process that has no pidfd_open(): 0 if all is as it should be. */
static int run_without_pidfd(void)
{
	struct process_request brief = SHELL("echo out; exit 3");
	struct process_request endless = SHELL("sleep 1000");
	struct error err = ERROR_INIT;

	forbid_call(SYS_pidfd_open, EPERM);
	for (int i = 0; i < 50; i++) {
		RESULT result = PROCESS_RESULT_INIT;

		if (process_run(&brief, &result, &err) < 0 || result.exit_code != 3 ||
			strcmp(result.output.data, "out\n"))
			return 1;
	}
	endless.timeout_ms = 10;
	for (int i = 0; i < 3; i++) {
		RESULT result = PROCESS_RESULT_INIT;

		if (process_run(&endless, &result, &err) < 0 || !result.timed_out ||
			result.signal != SIGTERM)
			return 1;
	}
	return waitpid(-1, NULL, WNOHANG) < 0 ? 0 : 1;
}

static void a_filter_that_forbids_pidfd_open_changes_nothing(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0)
		_exit(run_without_pidfd());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

TESTS(cmocka_unit_test(both_streams_and_the_exit_code_come_back),
	cmocka_unit_test(streams_put_together_keep_their_order),
	cmocka_unit_test(discarded_output_goes_nowhere),
	cmocka_unit_test(a_signal_that_ends_it_is_told),
	cmocka_unit_test(bytes_of_any_kind_come_through),
	cmocka_unit_test(it_reads_what_it_is_given_and_then_the_end),
	cmocka_unit_test(without_input_there_is_none),
	cmocka_unit_test(input_that_nobody_reads_does_no_harm),
	cmocka_unit_test(of_100_megabytes_the_tail_is_kept),
	cmocka_unit_test(a_tail_that_fits_is_all_there),
	cmocka_unit_test(output_of_the_maximum_fits_and_one_byte_more_is_an_error),
	cmocka_unit_test(a_program_that_takes_too_long_is_ended),
	cmocka_unit_test(a_program_that_ignores_sigterm_is_killed),
	cmocka_unit_test(a_stopped_program_is_ended_without_the_grace_period),
	IN_TEMPDIR(a_program_may_tidy_up_in_the_grace_period),
	IN_TEMPDIR(children_of_the_program_end_with_it_on_a_timeout),
	IN_TEMPDIR(a_daemon_that_holds_the_pipe_does_not_hold_us),
	cmocka_unit_test(a_daemon_that_goes_on_writing_does_not_hold_us),
	IN_TEMPDIR(what_is_left_of_the_group_is_ended_when_asked_for),
	cmocka_unit_test(a_program_that_dies_with_us_runs_as_any_other),
	IN_TEMPDIR(a_program_that_dies_with_us_does_so_when_we_are_killed),
	cmocka_unit_test(a_signal_to_us_ends_the_group_and_is_an_error),
	cmocka_unit_test(a_signal_that_we_ignore_stays_ignored),
	cmocka_unit_test(the_exit_code_is_seen_although_sigchld_is_ignored),
	cmocka_unit_test(a_filter_that_forbids_pidfd_open_changes_nothing),
	cmocka_unit_test(it_starts_with_clean_signals_and_ours_come_back),
	cmocka_unit_test(it_leads_a_group_of_its_own),
	IN_TEMPDIR(it_inherits_none_of_our_descriptors),
	IN_TEMPDIR(its_folder_is_given_by_path_or_by_descriptor),
	cmocka_unit_test(extra_environment_is_added_replaces_and_unsets),
	cmocka_unit_test(standard_streams_that_are_closed_here_work_there),
	cmocka_unit_test(a_missing_program_is_named),
	IN_TEMPDIR(what_is_no_program_is_told_apart),
	IN_TEMPDIR(programs_in_the_folder_are_not_found_through_path))
