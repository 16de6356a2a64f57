/*
 * Bring a backup (backup.h) back.
 *
 * First the whole archive is read: every header is compared with the manifest, every file is
 * written to store/restore/stage and its checksum compared, and the store there is checked and
 * migrated to the current version. Only then is anything replaced, all of it together
 * (restore_switch.h).
 *
 * Nothing in the archive is trusted: backup_manifest_read() checks the manifest, and an archive
 * that differs from its manifest in a single byte is refused.
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
 * With the lock of the store and that of backups. ERROR_INVALID: the archive is damaged, or not an
 * archive. `*ret_manifest` is what was restored.
 */
int restore_file(const struct restore_request *request, struct backup_manifest *ret_manifest,
	struct error *err);

/*
 * Restore it on trial, also while a host runs: everything but the replacing, in a folder of its own,
 * which is removed afterwards. With the lock of backups.
 */
int restore_try(const struct restore_request *request, struct error *err);

#endif
