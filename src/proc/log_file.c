#include "proc/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "time/timestamp.h"

#define LOG_MAX ((off_t)4 * 1024 * 1024)

static int folder = -1;
static int file = -1;
static bool takes_streams;

static int log_file_create(void)
{
	return sys.create(folder, LOG_FILE,
		O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

static void log_file_use(int fd)
{
	struct stat a, b;

	closep(&file);
	file = fd;
	/* In a host that has become another program, standard error is the file already. */
	if (fstat(fd, &a) == 0 && fstat(STDERR_FILENO, &b) == 0 && a.st_dev == b.st_dev &&
		a.st_ino == b.st_ino)
		takes_streams = true;
	if (takes_streams && (dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0))
		takes_streams = false;
}

/* If the file cannot be replaced, keep writing to it. */
static void rotate_when_full(void)
{
	struct stat st;
	int fresh;

	if (fstat(file, &st) < 0 || st.st_size < LOG_MAX)
		return;
	sys.rename(folder, LOG_FILE, folder, LOG_EARLIER, 0);
	fresh = log_file_create();
	if (fresh >= 0)
		log_file_use(fresh);
}

int log_file_open(int root, struct error *err)
{
	int fd;

	if (file >= 0)
		return 0;
	if (sys.mkdir(root, LOG_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", LOG_FOLDER);
	if (beneath_path_open_dir(root, LOG_FOLDER, &folder, err) < 0)
		return -1;
	fd = log_file_create();
	if (fd < 0)
		return error_errno(err, "cannot open '%s/%s'", LOG_FOLDER, LOG_FILE);
	log_file_use(fd);
	rotate_when_full();
	return 0;
}

bool log_file_is_open(void)
{
	return file >= 0;
}

void log_file_take_streams(void)
{
	takes_streams = true;
}

bool log_file_add(struct view lines)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	char time[TIMESTAMP_SIZE];
	struct view line;

	if (file < 0)
		return false;
	rotate_when_full();
	timestamp_format(timestamp_clock(), time);
	while (view_next(&lines, '\n', &line))
		buf_appendf(&text, "%s %.*s\n", time, VIEW_ARGS(line));
	/* If the disk is full, standard error remains. */
	return sys.write(file, text.data, text.len) == (ssize_t)text.len && takes_streams;
}
