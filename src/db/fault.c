#include "db/fault.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/statvfs.h>

/* Less than SQLite needs for the files beside the database. */
#define NO_ROOM ((uint64_t)64 * 1024)

/*
 * On a full disk the file of the write-ahead log's index cannot be made, which SQLite calls an I/O
 * error, or a file that cannot be opened, mostly without an errno.
 */
static bool disk_is_full(sqlite3 *db, int code)
{
	CLEANUP(freep) char *folder = NULL;
	const char *path = sqlite3_db_filename(db, "main");
	int errnum = sqlite3_system_errno(db);
	const char *slash;
	struct statvfs room;

	if (code == SQLITE_FULL)
		return true;
	if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)
		return false;
	if (errnum == ENOSPC || errnum == EDQUOT)
		return true;
	slash = path ? strrchr(path, '/') : NULL;
	folder = slash ? xmemdupz(path, (size_t)(slash - path) + 1) : xstrdup(".");
	return statvfs(folder, &room) == 0 &&
	       ((uint64_t)room.f_bavail * room.f_frsize < NO_ROOM ||
		       (room.f_files && !room.f_favail));
}

int database_damaged(const char *what, const char *fault, struct error *err)
{
	error_set(err, ERROR_INVALID, "%s: it is damaged: %s", what, fault);
	err->errnum = EBADMSG;
	return error_hint(
		err, "'nanoclaw doctor' names the newest backup, and how to restore it");
}

int database_fail(sqlite3 *db, const char *what, struct error *err)
{
	int code = sqlite3_errcode(db) & 0xff;

	if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
		return database_damaged(what, sqlite3_errmsg(db), err);
	if (disk_is_full(db, code)) {
		errno = ENOSPC;
		return error_errno(err, "%s", what);
	}
	return error_set(err, code == SQLITE_BUSY ? ERROR_BUSY : ERROR_FAILED, "%s: %s", what,
		sqlite3_errmsg(db));
}
