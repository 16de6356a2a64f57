#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench.h"

/* --- read -------------------------------------------------------------------- */

static void lines_have_numbers_and_can_be_chosen(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	tempdir_put(bench.dir->fd, "f", "one\ntwo\nthree\nfour");
	assert_string_equal(bench_call(&bench, "read", "{'path':'f'}"),
		"     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour\n");
	bench_call(&bench, "read", "{'file_path':'f','offset':'2','limit':2}");
	assert_string_equal(bench.text.data,
		"     2\ttwo\n     3\tthree\n… (lines 2 to 3 of a file of 18 bytes; offset 4 "
		"continues)\n");
	bench_call(&bench, "read", "{'path':'f','offset':9}");
	bench_says(&bench, false, "there is no line 9: the file has 4 lines");
	tempdir_put(bench.dir->fd, "empty", "");
	bench_call(&bench, "read", "{'path':'empty'}");
	bench_says(&bench, false, "the file is empty");
	bench_call(&bench, "read", "{'path':'nothing'}");
	bench_says(&bench, true, "no such file");
}

static void a_long_file_says_how_to_go_on(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	bench_open(&bench, state);
	for (int i = 0; i < 3000; i++)
		buf_appendf(&text, "line %d\n", i);
	tempdir_put(bench.dir->fd, "f", text.data);
	bench_call(&bench, "read", "{'path':'f'}");
	bench_says(&bench, false, "offset 2001 continues");
	bench.config.result_max = 1024;
	bench_reopen(&bench);
	bench_call(&bench, "read", "{'path':'f'}");
	assert_true(bench.text.len <= 1024);
	bench_says(&bench, false, "(lines 1 to ");
}

static void a_long_line_is_cut(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	bench_open(&bench, state);
	buf_append_repeated(&text, 'x', 1000000);
	buf_append_str(&text, "\nlast\n");
	tempdir_put(bench.dir->fd, "f", text.data);
	bench_call(&bench, "read", "{'path':'f'}");
	bench_says(&bench, false, "(998000 more bytes)\n     2\tlast\n");
}

static void what_is_no_file_is_refused_without_waiting(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	bench_open(&bench, state);
	tempdir_fifo(bench.dir->fd, "fifo");
	tempdir_symlink("fifo", bench.dir->fd, "link");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", bench.dir->path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	bench_call(&bench, "read", "{'path':'fifo'}");
	bench_says(&bench, true, "is a pipe, not a file");
	bench_call(&bench, "read", "{'path':'link'}");
	bench_says(&bench, true, "is a pipe, not a file");
	bench_call(&bench, "read", "{'path':'socket'}");
	bench_says(&bench, true, "is a socket, not a file");
	bench_call(&bench, "read", "{'path':'/dev/zero'}");
	bench_says(&bench, true, "is a device, not a file");
	bench_call(&bench, "write", "{'path':'fifo','content':'x'}");
	bench_says(&bench, true, "is not a file");
	bench_call(&bench, "edit", "{'path':'fifo','old_string':'x','new_string':'y'}");
	bench_says(&bench, true, "is a pipe, not a file");
	bench_call(&bench, "grep", "{'path':'fifo','pattern':'x'}");
	bench_says(&bench, true, "is a pipe, not a file");
	bench_call(&bench, "grep", "{'pattern':'x'}");
	bench_says(&bench, false, "no line matches");
}

static void a_file_of_ten_gigabytes_is_read_from_its_start(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(closep) int fd = -1;

	bench_open(&bench, state);
	tempdir_put(bench.dir->fd, "f", "first\nsecond\n");
	fd = openat(bench.dir->fd, "f", O_WRONLY | O_CLOEXEC);
	if (ftruncate(fd, 10LL << 30) < 0)
		return; /* this file system has none of this size */
	bench_call(&bench, "read", "{'path':'f','limit':1}");
	bench_says(&bench, true, "a binary file of 10737418240 bytes");
	bench_call(&bench, "edit", "{'path':'f','old_string':'first','new_string':'1'}");
	bench_says(&bench, true, "larger than");
	bench_call(&bench, "grep", "{'pattern':'first'}");
	bench_says(&bench, false, "no line matches");
}

static void images_are_for_models_that_take_them(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	tempdir_put_bytes(bench.dir->fd, "a.png", "\x89PNG\r\n\x1a\n\0\0\0\0", 12);
	bench_call(&bench, "read", "{'path':'a.png'}");
	bench_says(&bench, true, "a binary file, image/png of 12 bytes");
	bench.config.images = true;
	bench_reopen(&bench);
	bench_call(&bench, "read", "{'path':'a.png'}");
	bench_says(&bench, false, "an image, image/png, 12 bytes");
	assert_string_equal(bench.image_type, "image/png");
	assert_string_equal(bench.image.data, "iVBORw0KGgoAAAAA");
}

static void a_folder_is_listed(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	tempdir_mkdir(bench.dir->fd, "sub");
	tempdir_put(bench.dir->fd, "a\nb", "");
	tempdir_symlink("sub", bench.dir->fd, "zlink");
	bench_call(&bench, "read", "{'path':'.'}");
	assert_string_equal(bench.text.data, "a folder with 3 entries:\na\\nb\nsub/\nzlink/\n");
}

static void files_of_the_kernel_can_be_read(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(&bench, "read", "{'path':'/proc/self/status','limit':1}");
	bench_says(&bench, false, "Name:");
	bench_call(&bench, "read", "{'path':'/proc/self/mem'}");
	bench_says(&bench, true, "cannot read");
}

/* --- write ------------------------------------------------------------------- */

static void a_file_is_written_with_its_folders(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *content = NULL;

	bench_open(&bench, state);
	bench_call(&bench, "write", "{'path':'a/b/c.txt','content':'text'}");
	bench_says(&bench, false, "created ");
	content = tempdir_get(bench.dir->fd, "a/b/c.txt");
	assert_string_equal(content, "text");
	bench_call(&bench, "write", "{'path':'a/b','content':'text'}");
	bench_says(&bench, true, "is not a file");
	bench_call(&bench, "write", "{'path':'a/b/c.txt/d','content':'text'}");
	bench_says(&bench, true, "cannot write");
	bench_call(&bench, "write", "{'path':'n/','content':'text'}");
	bench_says(&bench, true, "is the name of a folder");
	bench_call(&bench, "write", "{'path':'n/m/..','content':'text'}");
	bench_says(&bench, true, "is the name of a folder");
	assert_false(tempdir_exists(bench.dir->fd, "n"));
	bench_call(&bench, "write", "{'path':'x\\u0000y','content':'text'}");
	bench_says(&bench, true, "NUL");
}

static void mode_and_link_of_a_file_stay(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *content = NULL;
	CLEANUP(freep) char *target = NULL;
	struct stat st;

	bench_open(&bench, state);
	tempdir_put(bench.dir->fd, "tool", "#!/bin/sh\n");
	assert_int_equal(fchmodat(bench.dir->fd, "tool", 0751, 0), 0);
	tempdir_symlink("tool", bench.dir->fd, "link");
	bench_call(&bench, "write", "{'path':'link','content':'new'}");
	bench_says(&bench, false, "replaced ");
	content = tempdir_get(bench.dir->fd, "tool");
	assert_string_equal(content, "new");
	target = tempdir_get_link(bench.dir->fd, "link");
	assert_string_equal(target, "tool");
	assert_int_equal(fstatat(bench.dir->fd, "tool", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
	tempdir_symlink("nowhere", bench.dir->fd, "broken");
	bench_call(&bench, "write", "{'path':'broken','content':'new'}");
	bench_says(&bench, true, "a link that leads nowhere");
}

/* --- edit -------------------------------------------------------------------- */

static void an_edit_needs_one_exact_match(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *content = NULL;

	bench_open(&bench, state);
	tempdir_put(bench.dir->fd, "f", "a\nb\na\n  c\n");
	bench_call(&bench, "edit", "{'path':'f','old_string':'a','new_string':'x'}");
	bench_says(&bench, true, "occurs 2 times, on lines 1, 3");
	bench_call(&bench, "edit", "{'path':'f','old_string':'b\\n','new_string':'x\\n'}");
	bench_says(&bench, false, "replaced 1 match, line 2 in ");
	bench_call(&bench, "edit",
		"{'path':'f','old_string':'a','new_string':'','replace_all':true}");
	bench_says(&bench, false, "replaced 2 matches, lines 1, 3");
	content = tempdir_get(bench.dir->fd, "f");
	assert_string_equal(content, "\nx\n\n  c\n");
	bench_call(&bench, "edit", "{'path':'f','old_string':'\\tc\\n','new_string':'d'}");
	bench_says(&bench, true, "its first line is on line 4, perhaps with other spaces");
	bench_call(&bench, "edit", "{'path':'f','old_string':'','new_string':'d'}");
	bench_says(&bench, true, "old_string is empty");
	bench_call(&bench, "edit", "{'path':'f','old_string':'x','new_string':'x'}");
	bench_says(&bench, true, "are the same");
	tempdir_put(bench.dir->fd, "f", "aaa");
	bench_call(&bench, "edit", "{'path':'f','old_string':'aa','new_string':'x'}");
	bench_says(&bench, true, "occurs 2 times");
	tempdir_put(bench.dir->fd, "f", "a\r\nb\r\n");
	bench_call(&bench, "edit", "{'path':'f','old_string':'a\\nb','new_string':'x'}");
	bench_says(&bench, true, "end in \\r\\n");
}

static void a_long_match_many_times_over_takes_no_time(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf input = BUF_INIT;

	bench_open(&bench, state);
	buf_append_repeated(&text, 'a', 8 << 20);
	tempdir_put(bench.dir->fd, "f", text.data);
	buf_append_str(&input, "{'path':'f','new_string':'b','old_string':'");
	buf_append(&input, text.data, 1 << 19);
	buf_append_str(&input, "'}");
	bench_call(&bench, "edit", input.data);
	bench_says(&bench, true, "occurs 100 times or more, on lines 1, 1, 1");
	bench_call(&bench, "read", "{'path':'f'}");
	bench_says(&bench, false, "more bytes)");
}

/* --- glob and grep ----------------------------------------------------------- */

static void make_tree(struct bench *bench)
{
	int fd = bench->dir->fd;

	tempdir_mkdir(fd, "src");
	tempdir_mkdir(fd, "src/deep");
	tempdir_mkdir(fd, ".git");
	tempdir_put(fd, "top.c", "int top;\nint other;\n");
	tempdir_put(fd, "src/a.c", "int a;\n// TODO one\nint b;\n");
	tempdir_put(fd, "src/deep/b.h", "// todo two\n");
	tempdir_put(fd, ".git/config", "TODO\n");
	tempdir_put_bytes(fd, "binary", "TODO\0\n", 6);
}

static void paths_are_found_by_pattern(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *absolute = NULL;

	bench_open(&bench, state);
	make_tree(&bench);
	assert_string_equal(bench_call(&bench, "glob", "{'pattern':'*.c'}"), "top.c\n");
	assert_string_equal(bench_call(&bench, "glob", "{'pattern':'**/*.{c,h}'}"),
		"src/a.c\nsrc/deep/b.h\ntop.c\n");
	assert_string_equal(bench_call(&bench, "glob", "{'pattern':'*','path':'src'}"),
		"src/a.c\nsrc/deep/\n");
	assert_string_equal(
		bench_call(&bench, "glob", "{'pattern':'../src/de*/*','path':'src'}"),
		"src/../src/deep/b.h\n");
	assert_string_equal(
		bench_call(&bench, "glob", "{'pattern':'.git/*'}"), ".git/config\n");
	bench_call(&bench, "glob", "{'pattern':'*.rs'}");
	bench_says(&bench, false, "no file matches");
	absolute = xasprintf("{'pattern':'%s/src/*.c'}", bench.dir->path);
	bench_call(&bench, "glob", absolute);
	bench_says(&bench, false, "src/a.c");
	bench_call(&bench, "glob", "{'pattern':'*','path':'missing'}");
	bench_says(&bench, true, "no such file");
	assert_int_equal(futimens(openat(bench.dir->fd, "top.c", O_WRONLY),
				 (struct timespec[]){{.tv_sec = 1}, {.tv_sec = 1}}),
		0);
	bench_call(&bench, "glob", "{'pattern':'**/*.c','sort':'time'}");
	assert_string_equal(bench.text.data, "src/a.c\ntop.c\n");
}

static void lines_are_found_by_pattern(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	make_tree(&bench);
	assert_string_equal(
		bench_call(&bench, "grep", "{'pattern':'TODO'}"), "src/a.c:2:// TODO one\n");
	assert_string_equal(
		bench_call(&bench, "grep",
			"{'pattern':'t\\\\w\\\\wo\\\\s+(?:one|two)','ignore_case':true,"
			"'output':'files'}"),
		"src/a.c\nsrc/deep/b.h\n");
	assert_string_equal(
		bench_call(&bench, "grep", "{'pattern':'int','output':'count','glob':'*.c'}"),
		"src/a.c:2\ntop.c:2\n");
	assert_string_equal(bench_call(&bench, "grep", "{'pattern':'TODO','context':1}"),
		"src/a.c-1-int a;\nsrc/a.c:2:// TODO one\nsrc/a.c-3-int b;\n");
	assert_string_equal(bench_call(&bench, "grep", "{'pattern':'top;','path':'top.c'}"),
		"top.c:1:int top;\n");
	bench_call(&bench, "grep", "{'pattern':'a(b'}");
	bench_says(&bench, true, "not a regular expression");
	bench_call(&bench, "grep", "{'pattern':'a(?=b)'}");
	bench_says(&bench, true, "'(?'");
	bench_call(&bench, "grep", "{'pattern':'a(b','literal':true}");
	bench_says(&bench, false, "no line matches");
	bench_call(&bench, "grep", "{'pattern':'x','output':'all'}");
	bench_says(&bench, true, "'lines', 'files' or 'count'");
}

/*
 * A sanitizer reserves so much address space that the worker's own limit has no effect; this
 * limit, which the worker inherits, counts only writable memory.
 */
static void limit_data(struct rlimit *before)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages;
	struct rlimit limit;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages), 1);
	fclose(file);
	assert_int_equal(getrlimit(RLIMIT_DATA, before), 0);
	limit = *before;
	limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (512U << 20);
	assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
}

static void patterns_that_explode_do_no_harm(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct rlimit before;

	bench_open(&bench, state);
	limit_data(&before);
	buf_append_repeated(&text, 'a', 5000);
	tempdir_put(bench.dir->fd, "f", text.data);
	bench_call(&bench, "grep", "{'pattern':'(((a{1,255}){1,255}){1,255}){1,255}'}");
	bench_says(&bench, true, "grep: ");
	assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
	bench_call(&bench, "grep", "{'pattern':'(a*)*b'}");
	bench_says(&bench, false, "no line matches");
	buf_clear(&text);
	buf_append_str(&text, "{'pattern':'");
	buf_append_repeated(&text, '(', 4000);
	buf_append_repeated(&text, ')', 4000);
	buf_append_str(&text, "'}");
	bench_call(&bench, "grep", text.data);
	bench_says(&bench, true, "longer than");
	bench_call(&bench, "glob",
		"{'pattern':'{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'}");
	bench_says(&bench, true, "more than 64 texts");
	bench_call(&bench, "glob", "{'pattern':'**/**/**/**/**/**/**/*a*a*a*a*a*a*a*a*b'}");
	bench_says(&bench, false, "no file matches");
	bench_call(&bench, "bash", "{'command':'echo alive'}");
	bench_says(&bench, false, "alive");
}

static void a_folder_of_many_files_is_bounded(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	bench_call(
		&bench, "bash", "{'command':'mkdir m; cd m; seq -f %06g 30000 | xargs touch'}");
	assert_false(bench.is_error);
	bench_call(&bench, "read", "{'path':'m'}");
	bench_says(&bench, false, "a folder with 30000 entries");
	assert_true(bench.text.len <= 50 * 1024);
	bench_call(&bench, "glob", "{'pattern':'m/*'}");
	bench_says(&bench, false, " more; the order is that of these first ones)");
	bench_call(&bench, "grep", "{'pattern':'x'}");
	bench_says(&bench, false, "no line matches");
	bench_call(&bench, "bash", "{'command':'rm -r m'}");
}

static void folders_that_cannot_be_read_are_left_out(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_open(&bench, state);
	make_tree(&bench);
	assert_int_equal(fchmodat(bench.dir->fd, "src", 0, 0), 0);
	assert_int_equal(fchmodat(bench.dir->fd, ".", 0755, 0), 0);
	tempdir_be_nobody();
	bench_call(&bench, "glob", "{'pattern':'**/*.c'}");
	tempdir_be_root();
	assert_string_equal(bench.text.data, "top.c\n");
	assert_int_equal(fchmodat(bench.dir->fd, "src", 0755, 0), 0);
}

/* --- all --------------------------------------------------------------------- */

static void count_done(void *data, size_t index, const struct tool_result *result)
{
	unsigned *seen = data;

	assert_false(*seen & 1U << index);
	*seen |= 1U << index;
	assert_false(result->is_error);
}

static void many_calls_that_read_all_end(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(json_decrefp) json_t *input = json_pack("{s:s}", "pattern", "int");
	struct tool_call calls[20];
	unsigned seen = 0;

	bench_open(&bench, state);
	make_tree(&bench);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i] = (struct tool_call){"x", i % 2 ? "grep" : "glob", input};
	tools_run(bench.tools, calls, ARRAY_SIZE(calls), count_done, &seen);
	assert_int_equal(seen, (1U << ARRAY_SIZE(calls)) - 1);
}

static int repeat(void *data, const json_t *input, struct tool_result *result)
{
	assert_string_equal(data, "data");
	buf_append_str(&result->text, json_string_value(json_object_get(input, "prompt")));
	return json_object_get(input, "fail") ? -1 : 0;
}

static void the_description_is_short_sorted_and_always_the_same(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(json_decrefp) json_t *first = NULL;
	CLEANUP(json_decrefp) json_t *second = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *tool;
	const char *before = "";
	size_t i;

	bench_open(&bench, state);
	bench.config.subagent = repeat;
	bench.config.data = (void *)(uintptr_t) "data";
	bench_reopen(&bench);
	first = tools_describe(bench.tools);
	second = tools_describe(bench.tools);
	assert_true(json_equal(first, second));
	json_array_foreach(first, i, tool) {
		const char *name = json_string_value(json_object_get(tool, "name"));

		assert_true(strcmp(before, name) < 0);
		assert_true(json_is_object(json_object_get(tool, "input_schema")));
		before = name;
	}
	json_write_ours(first, false, &text);
	assert_true(text.len <= 2500);
	assert_true(tools_is_read_only(bench.tools, "grep"));
	assert_false(tools_is_read_only(bench.tools, "bash"));
	assert_false(tools_is_read_only(bench.tools, "unknown"));
	bench_call(&bench, "agent", "{'prompt':'hello'}");
	bench_says(&bench, false, "hello");
	bench_call(&bench, "agent", "{'prompt':'hello','fail':1}");
	bench_says(&bench, true, "hello");
}

TESTS(IN_TEMPDIR(lines_have_numbers_and_can_be_chosen),
	IN_TEMPDIR(a_long_file_says_how_to_go_on), IN_TEMPDIR(a_long_line_is_cut),
	IN_TEMPDIR(what_is_no_file_is_refused_without_waiting),
	IN_TEMPDIR(a_file_of_ten_gigabytes_is_read_from_its_start),
	IN_TEMPDIR(images_are_for_models_that_take_them), IN_TEMPDIR(a_folder_is_listed),
	IN_TEMPDIR(files_of_the_kernel_can_be_read),
	IN_TEMPDIR(a_file_is_written_with_its_folders),
	IN_TEMPDIR(mode_and_link_of_a_file_stay), IN_TEMPDIR(an_edit_needs_one_exact_match),
	IN_TEMPDIR(a_long_match_many_times_over_takes_no_time),
	IN_TEMPDIR(paths_are_found_by_pattern), IN_TEMPDIR(lines_are_found_by_pattern),
	IN_TEMPDIR(patterns_that_explode_do_no_harm),
	IN_TEMPDIR(a_folder_of_many_files_is_bounded),
	IN_TEMPDIR(folders_that_cannot_be_read_are_left_out),
	IN_TEMPDIR(many_calls_that_read_all_end),
	IN_TEMPDIR(the_description_is_short_sorted_and_always_the_same))
