#include "host/agent/group_log.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "fs/beneath.h"
#include "fs/sys.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define NAME  "agent.log"
#define OLDER "agent.log.1"

static int open_log(int dir, int *ret_fd, struct stat *ret_stat)
{
	/* Without O_NONBLOCK a FIFO of this name would hold us up. */
	CLEANUP(closep)
	int fd = sys.create(
		dir, NAME, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0600);

	/* A file with a second name may not be ours. */
	if (fd < 0 || fstat(fd, ret_stat) < 0 || !S_ISREG(ret_stat->st_mode) ||
		ret_stat->st_nlink != 1)
		return -1;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static void log_append(int dir, const struct buf *entry)
{
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (open_log(dir, &fd, &st) < 0)
		return;
	if (st.st_size >= GROUP_LOG_MAX) {
		closep(&fd);
		fd = -1;
		sys.rename(dir, NAME, dir, OLDER, 0);
		if (open_log(dir, &fd, &st) < 0)
			return;
	}
	sys_write_all(fd, entry->data, entry->len);
}

void group_log(int root, const char *folder, struct view text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *name = xasprintf("groups/%s/logs", folder);
	CLEANUP(buf_release) struct buf entry = BUF_INIT;
	CLEANUP(closep) int dir = -1;
	char time[TIMESTAMP_SIZE];
	struct view line;

	timestamp_format(timestamp_clock(), time);
	while (view_next(&text, '\n', &line))
		if (view_trim(line).len)
			buf_appendf(&entry, "%s  %.*s\n", time, VIEW_ARGS(line));
	if (!entry.len)
		return;
	if (relpath_parse(view_of(name), &path, &err) < 0 ||
		beneath_open_dir(root, &path, &dir, &err) < 0)
		log_debug("no log for '%s': %s", folder, err.message);
	else
		log_append(dir, &entry);
}
