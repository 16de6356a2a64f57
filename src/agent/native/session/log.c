#include "agent/native/session/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/json.h"
#include "format/line_reader.h"
#include "fs/file.h"
#include "fs/sys.h"

#define SUFFIX ".jsonl"
#define CHUNK  ((size_t)64 * 1024)

struct log {
	int fd;
	int folder; /* until the file's name is certain to be on the disk; then -1 */
	off_t size;
	log_function function; /* while it is read */
	void *data;
	off_t good; /* how far whole lines go */
};

/* --- names ------------------------------------------------------------------- */

bool log_is_session(const char *session)
{
	size_t len = strspn(
		session, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

	return len && len <= LOG_MAX_SESSION && !session[len] && session[0] != '-';
}

char *log_new_session(void)
{
	unsigned char r[16];

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r))
		return NULL;
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);
	return xasprintf("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
			 "%02x%02x%02x%02x%02x%02x",
		r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12],
		r[13], r[14], r[15]);
}

void log_recent(const char *folder, size_t max, struct string_array *ret_sessions)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	file_names_newest(AT_FDCWD, folder, S_IFREG, &names);
	for (size_t i = 0; i < names.count && ret_sessions->count < max; i++) {
		struct view name = view_of(names.list[i]);
		CLEANUP(freep) char *session = NULL;

		if (!view_ends_with(name, SUFFIX))
			continue;
		session = xmemdupz(name.data, name.len - strlen(SUFFIX));
		if (log_is_session(session))
			string_array_add(ret_sessions, session);
	}
}

/* --- reading ----------------------------------------------------------------- */

static bool log_take_line(struct view line, bool too_long, void *data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *record = NULL;
	struct log *log = data;

	if (!too_long && json_read(line, "record", LOG_MAX_RECORD, &record, &ignored) == 0 &&
		json_is_object(record))
		log->function(log->data, record);
	return true;
}

static int log_read(struct log *log, const char *session, struct error *err)
{
	CLEANUP(line_reader_release) struct line_reader lines;
	CLEANUP(freep) char *bytes = xmalloc(CHUNK);
	ssize_t n;

	line_reader_init(&lines, LOG_MAX_RECORD);
	while ((n = pread(log->fd, bytes, CHUNK, log->size)) > 0) {
		const char *last = memrchr(bytes, '\n', (size_t)n);

		if (last)
			log->good = log->size + (last - bytes) + 1;
		log->size += n;
		line_reader_feed(&lines, bytes, (size_t)n, log_take_line, log);
	}
	if (n < 0)
		return error_errno(err, "cannot read the log of session '%s'", session);
	if (log->good < log->size && sys.truncate(log->fd, log->good) < 0)
		return error_errno(err, "cannot repair the log of session '%s'", session);
	log->size = log->good;
	return 0;
}

/* --- opening ----------------------------------------------------------------- */

static int log_open_folder(const char *folder, enum log_mode mode, struct error *err)
{
	int fd;

	if (mode != LOG_EXISTING && sys.mkdir(AT_FDCWD, folder, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create '%s'", folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return error_set(err, ERROR_INVALID, "there are no sessions in '%s'", folder);
	return fd < 0 ? error_errno(err, "cannot open '%s'", folder) : fd;
}

static int log_open_file(int dir, const char *session, enum log_mode mode, struct error *err)
{
	static const int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
	CLEANUP(freep) char *name = xasprintf("%s" SUFFIX, session);
	CLEANUP(closep) int fd = mode == LOG_NEW ? -1 : openat(dir, name, flags);

	if (fd < 0 && mode == LOG_EXISTING)
		return error_set(err, ERROR_INVALID, "there is no session '%s'", session);
	if (fd < 0) {
		fd = sys.create(dir, name, flags | O_CREAT | O_EXCL, 0600);
		if (fd < 0) {
			int kind = errno == EEXIST ? ERROR_INVALID : ERROR_FAILED;

			error_errno(err, "cannot create the log of session '%s'", session);
			err->kind = kind;
			return -1;
		}
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return error_set(
			err, ERROR_BUSY, "another process has the session '%s'", session);
	return TAKE_FD(fd);
}

int log_open(const char *folder, const char *session, enum log_mode mode, log_function function,
	void *data, struct log **ret_log, struct error *err)
{
	CLEANUP(closep) int dir = -1;
	struct log *log;
	int fd;

	if (!log_is_session(session))
		return error_set(err, ERROR_INVALID, "this is not the name of a session");
	dir = log_open_folder(folder, mode, err);
	fd = dir < 0 ? -1 : log_open_file(dir, session, mode, err);
	if (fd < 0)
		return -1;
	log = xcalloc(1, sizeof(*log));
	*log = (struct log){
		.fd = fd, .folder = TAKE_FD(dir), .function = function, .data = data};
	if (log_read(log, session, err) < 0) {
		log_close(log);
		return -1;
	}
	*ret_log = log;
	return 0;
}

void log_close(struct log *log)
{
	if (!log)
		return;
	closep(&log->fd);
	closep(&log->folder);
	free(log);
}

/* --- adding ------------------------------------------------------------------ */

static int log_sync(struct log *log)
{
	if (sys.sync(log->fd) < 0 || (log->folder >= 0 && sys.sync(log->folder) < 0))
		return -1;
	closep(&log->folder);
	log->folder = -1;
	return 0;
}

int log_add(struct log *log, json_t *record, bool durable, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = record;
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(owned, false, &line);
	buf_append_char(&line, '\n');
	if (line.len > LOG_MAX_RECORD)
		return error_set(err, ERROR_FAILED, "a record is too long for the log");
	if (sys_write_all(log->fd, line.data, line.len) < 0 || (durable && log_sync(log) < 0)) {
		error_errno(err, "cannot write the log of the session");
		sys.truncate(log->fd, log->size);
		return -1;
	}
	log->size += (off_t)line.len;
	return 0;
}
