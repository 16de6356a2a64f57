/*
 * Bring a backup (backup.h) back.
 *
 * First the archive is read to its end: every header is compared with what the manifest
 * says it must be, every file is written to store/restore/stage and its checksum compared,
 * and the store there is checked and brought to the present version. Only then is anything
 * replaced, all of it together (restore_switch.h).
 *
 * Nothing in the archive is believed: what the manifest may say is checked by
 * backup_manifest_check(), and an archive that differs from it in a single byte is refused.
 */
#ifndef HOST_BACKUP_RESTORE_H
#define HOST_BACKUP_RESTORE_H

#include "base/error.h"
#include "host/backup/backup_manifest.h"

struct restore_request {
	int root;
	const char *root_path;
	const char *file;
};

/*
 * With the lock of the store and that of backups. ERROR_INVALID: the archive is damaged,
 * or is none. `*ret_manifest` says what came of it.
 */
int restore_file(const struct restore_request *request, struct backup_manifest *ret_manifest,
	struct error *err);

#endif
