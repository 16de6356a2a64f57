/*
 * The whole installation in one file: the store, groups/, data/, and of .env the settings that hold
 * no secret (settings_is_plain()), or all of it if asked.
 *
 * The file is a tar archive compressed by gzip, which any tar reads; its first member is the
 * manifest (backup_manifest.h). The members are compressed while they are read, into an unnamed
 * file; then the manifest, which is complete only now, is written to the archive, and the
 * members after it. So only the list needs memory, and each file is read once.
 *
 * It can be made while the host runs. The store is a snapshot, taken first: every group
 * in it has its folder, because folders are made before rows and removed after them.
 * If an agent changes a file during the backup, the backup has the version that was read.
 *
 * It does not contain logs, sockets and other special files, links that lead out (the links of a
 * sandbox are created again for each agent), temporary files, and unreadable files. No link is
 * followed.
 */
#ifndef HOST_BACKUP_BACKUP_H
#define HOST_BACKUP_BACKUP_H

#include <stdbool.h>

#include "base/error.h"
#include "host/backup/backup_manifest.h"

struct backup_request {
	int root;
	const char *root_path;
	const char *file; /* as the user typed it */
	bool with_secrets;
	bool replace;          /* replace an existing file; otherwise its errnum is EEXIST */
	bool prove;            /* restore it on trial (restore_try()) before it gets its name */
	const char *temporary; /* until then, nobody else's; what is there goes; NULL: any */
};

/* A file that was left out, and why. */
struct backup_omission {
	char *path;
	const char *reason;
	bool lost; /* it could not be read; the others are never in a backup */
};

struct backup_result {
	struct backup_manifest manifest;
	struct backup_omission *omissions;
	size_t omission_count;
	size_t omission_cap;
	size_t withheld; /* settings that are in it by name only */
	uint64_t size;   /* of the archive */
	int64_t time;    /* of the file, in seconds */
	char *fault;     /* why restore will refuse it; NULL: it will not */
};

#define BACKUP_RESULT_INIT ((struct backup_result){0})

void backup_result_release(struct backup_result *result);

int backup_make(const struct backup_request *request, struct backup_result *ret_result,
	struct error *err);

#endif
