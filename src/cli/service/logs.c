#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/output.h"
#include "format/json.h"
#include "format/line_reader.h"
#include "fs/beneath.h"
#include "proc/log_file.h"
#include "time/timestamp.h"

#define USUAL_LAST 200
#define MOST_LAST  100000
#define LOG_READ   ((size_t)16 * 1024 * 1024)

struct lines {
	struct view *list;
	size_t count;
	size_t cap;
};

/* Splits "2026-11-17T08:30:00.123Z text"; the time is empty if the line has none. */
static struct view split_time(struct view line, struct view *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view time = {"", 0};
	int64_t ms;

	*ret_text = line;
	if (line.len < TIMESTAMP_SIZE || line.data[TIMESTAMP_SIZE - 1] != ' ')
		return time;
	time = view_slice(line, 0, TIMESTAMP_SIZE - 1);
	if (timestamp_parse(time, &ms, &ignored) < 0)
		return (struct view){"", 0};
	*ret_text = view_slice(line, TIMESTAMP_SIZE, line.len);
	return time;
}

static void log_line_print(const struct cli *cli, struct view line)
{
	struct view text;
	struct view time = split_time(line, &text);
	CLEANUP(freep) char *shown = output_line(text);
	CLEANUP(freep) char *utc = xmemdupz(time.data, time.len);
	char local[LOCAL_TIME_SIZE];

	local_time(utc, local);
	if (time.len)
		printf("%s%.*s%s  ", output_color(cli, COLOR_DIM), LOCAL_SECONDS, local,
			output_color(cli, COLOR_RESET));
	printf("%s\n", shown);
}

/* --- following ------------------------------------------------------------- */

static bool print_new(struct view line, bool too_long, void *data)
{
	(void)too_long;
	log_line_print(data, line);
	fflush(stdout);
	return true;
}

/* Print the lines added to the file, which may have been replaced. */
static void print_added(struct cli *cli, int folder, int *file, struct line_reader *reader)
{
	char chunk[65536];
	struct stat here, there;
	ssize_t got;

	for (;;) {
		while (*file >= 0 && (got = read(*file, chunk, sizeof(chunk))) > 0)
			line_reader_feed(reader, chunk, (size_t)got, print_new, cli);
		if (fstatat(folder, LOG_FILE, &there, AT_SYMLINK_NOFOLLOW) < 0 ||
			(*file >= 0 && fstat(*file, &here) == 0 && here.st_ino == there.st_ino))
			return;
		closep(file);
		*file = openat(folder, LOG_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (*file < 0)
			return;
	}
}

static int log_follow(struct cli *cli, int folder, int *file, struct error *err)
{
	CLEANUP(line_reader_release) struct line_reader reader;
	CLEANUP(closep) int watch = inotify_init1(IN_CLOEXEC);
	CLEANUP(freep) char *path = xasprintf("/proc/self/fd/%d", folder);
	char events[4096];

	line_reader_init(&reader, LOG_READ);
	if (watch < 0 ||
		inotify_add_watch(watch, path, IN_CREATE | IN_MODIFY | IN_MOVED_TO) < 0) {
		if (errno == ENOSPC)
			errno = EMFILE; /* no room for watches is no full disk */
		return error_errno(err, "cannot watch '%s'", LOG_FOLDER);
	}
	for (;;) {
		print_added(cli, folder, file, &reader);
		if (ferror(stdout) ||
			(read(watch, events, sizeof(events)) < 0 && errno != EINTR))
			return EXIT_DONE;
	}
}

/* --- the last lines ----------------------------------------------------------- */

static void lines_add(struct lines *lines, struct view text)
{
	struct view line;

	while (view_next(&text, '\n', &line)) {
		GROW(lines->list, lines->count, lines->cap);
		lines->list[lines->count++] = line;
	}
}

/* `*ret_file` is the current file, read to its end, or -1. */
static void read_files(int folder, struct buf *earlier, struct buf *now, int *ret_file)
{
	static const char *const names[] = {LOG_EARLIER, LOG_FILE};
	struct buf *texts[] = {earlier, now};
	ssize_t got;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(closep)
		int fd = openat(folder, names[i], O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

		do {
			buf_reserve(texts[i], 65536);
			got = fd < 0 ? 0 : read(fd, texts[i]->data + texts[i]->len, 65536);
			buf_set_len(texts[i], texts[i]->len + (got > 0 ? (size_t)got : 0));
		} while (got > 0 && texts[i]->len < LOG_READ);
		if (i)
			*ret_file = TAKE_FD(fd);
	}
}

static int run_logs(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(buf_release) struct buf earlier = BUF_INIT;
	CLEANUP(buf_release) struct buf now = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int file = -1;
	struct lines lines = {0};
	CLEANUP(json_decrefp) json_t *list = json_array();
	int64_t last = USUAL_LAST;

	if (arguments_number(args, "last", 0, MOST_LAST, &last, err) < 0 ||
		assistant_find(&assistant, err) < 0)
		return -1;
	if (beneath_path_open_dir(assistant.project.root, LOG_FOLDER, &folder, &missing) == 0)
		read_files(folder, &earlier, &now, &file);
	lines_add(&lines, view_of_buf(&earlier));
	lines_add(&lines, view_of_buf(&now));
	for (size_t i = lines.count > (size_t)last ? lines.count - (size_t)last : 0;
		i < lines.count; i++)
		if (cli->json) {
			struct view text;
			struct view time = split_time(lines.list[i], &text);

			json_add(list, "time:o text:v",
				time.len ? json_text(time) : json_null(), text);
		} else {
			log_line_print(cli, lines.list[i]);
		}
	if (cli->json)
		output_success("lines:O", list);
	else if (!lines.count && !arguments_flag(args, "follow"))
		printf("no host has run here yet\n");
	free(lines.list);
	fflush(stdout);
	if (!arguments_flag(args, "follow") || cli->json)
		return EXIT_DONE;
	if (folder < 0) {
		error_set(err, ERROR_FAILED, "no host has run here yet");
		return error_hint(err, "'nanoclaw start' starts one");
	}
	return log_follow(cli, folder, &file, err);
}

static const struct option options[] = {
	{'f', "follow", NULL, "keep printing what the host writes, until Ctrl-C"},
	{'n', "last", "N", "the last N lines (200)"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw logs -f", "watch the host at work"},
	{0},
};

COMMAND(logs) = {
	.name = "logs",
	.summary = "show what the host wrote, with local times",
	.description =
		"The host writes to 'logs/host.log', however it was started. '--json' gives the\n"
		"times in UTC. What an agent wrote to its standard error is in\n"
		"'groups/FOLDER/logs'.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run_logs,
};
