/*
 * The manifest of a backup, with a correct checksum: an accepted manifest has no path outside
 * the project, and writing it gives the same bytes.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "fs/relpath.h"
#include "host/backup/backup_manifest.h"

static void check_path(const struct backup_entry *entry)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert(relpath_parse(view_of(entry->path), &path, &err) == 0);
	assert(!strcmp(entry->path, BACKUP_STORE) || !strcmp(entry->path, BACKUP_ENV) ||
		!strncmp(entry->path, BACKUP_GROUPS, strlen(BACKUP_GROUPS)) ||
		!strncmp(entry->path, BACKUP_DATA, strlen(BACKUP_DATA)));
	assert(entry->kind != TAR_LINK || entry->target[0] != '/');
	assert(entry->mode <= 0777);
}

FUZZ_TARGET(backup_manifest)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_manifest_release)
	struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf again = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	buf_append(&text, data, len);
	hash = hash_of(view_of_buf(&text));
	hash_to_hex(&hash, hex);
	buf_appendf(&text, "sha256 %s\n", hex);
	if (backup_manifest_read(view_of_buf(&text), &manifest, &err) < 0)
		return 0;
	for (size_t i = 0; i < manifest.count; i++)
		check_path(&manifest.entries[i]);
	backup_manifest_write(&manifest, &again);
	assert(view_equal(view_of_buf(&text), view_of_buf(&again)));
	return 0;
}
