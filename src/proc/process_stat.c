#include "proc/process_stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/view.h"
#include "fs/file.h"

#define MAX_STAT         4096
#define PARENT_FIELD     4
#define START_TIME_FIELD 22

/* "12 (name, which may hold anything) S 1 …": the third field follows the name. */
static uint64_t stat_field(pid_t pid, int number)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%d/stat", (int)pid);
	CLEANUP(freep) char *digits = NULL;
	struct view rest;
	struct view field = {0};
	const char *end;

	if (file_read(path, MAX_STAT, &text, &ignored) < 0)
		return 0;
	end = strrchr(text.data, ')');
	if (!end || strlen(end) < 2)
		return 0;
	rest = view_of(end + 2);
	for (int i = 2; i < number; i++)
		if (!view_next(&rest, ' ', &field))
			return 0;
	digits = xmemdupz(field.data, field.len);
	return strtoull(digits, NULL, 10);
}

pid_t process_parent(pid_t pid)
{
	return (pid_t)stat_field(pid, PARENT_FIELD);
}

uint64_t process_start_time(pid_t pid)
{
	return stat_field(pid, START_TIME_FIELD);
}
