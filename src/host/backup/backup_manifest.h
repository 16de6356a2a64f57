/*
 * What is in a backup: its first member, MANIFEST, a text.
 *
 *	nanoclaw-backup 1
 *	version 0.1.0			of the program
 *	created 2026-11-16T04:10:38.723Z
 *	schema 2			of the store
 *	setting NAME			a name in .env, one line each
 *	file 600 TIME SIZE SHA256 store/nanoclaw.db
 *	folder 755 TIME groups
 *	link TIME groups/main/a b	a symbolic link, and where it leads
 *	sha256 HASH			of all lines before
 *
 * The members follow in the order of their lines. Words are separated by one space; in a path, the
 * percent sign and every byte that is not a visible ASCII character are %XX.
 *
 * backup_manifest_read() accepts a manifest (else ERROR_INVALID) only if it is byte for byte what
 * backup_manifest_write() would write, and if:
 *
 *  M1. It holds store/nanoclaw.db, and besides that only .env, and what is below
 *	groups/ and data/, but not data/run.
 *  M2. Each path is there once, and is a relative path in the sense of fs/relpath.h.
 *  M3. The folder of each member is a folder further up in the list. So none is below a
 *	link or a file.
 *  M4. A link leads to something in the same folder at the top, groups or data:
 *	backup_link_stays().
 *  M5. Sizes and numbers have limits.
 */
#ifndef HOST_BACKUP_BACKUP_MANIFEST_H
#define HOST_BACKUP_BACKUP_MANIFEST_H

#include <stdbool.h>

#include "archive/tar.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/string_array.h"
#include "base/view.h"

#define MANIFEST_NAME        "MANIFEST"
#define MANIFEST_MAX_SIZE    ((size_t)256 * 1024 * 1024)
#define MANIFEST_MAX_ENTRIES ((size_t)1000 * 1000)
#define BACKUP_MAX_BYTES     (UINT64_C(1) << 50)

#define BACKUP_STORE  "store/nanoclaw.db"
#define BACKUP_ENV    ".env"
#define BACKUP_GROUPS "groups"
#define BACKUP_DATA   "data"

struct backup_entry {
	enum tar_kind kind;
	char *path;
	char *target;
	mode_t mode;
	int64_t time;
	uint64_t size;
	struct hash hash; /* of a file */
};

struct backup_manifest {
	char *version;
	char *created;
	int schema;
	struct string_array settings; /* names */
	struct backup_entry *entries;
	size_t count;
	size_t cap;
};

#define BACKUP_MANIFEST_INIT ((struct backup_manifest){0})

void backup_manifest_release(struct backup_manifest *manifest);

/* Copies its arguments. */
void backup_manifest_add(struct backup_manifest *manifest, const struct backup_entry *entry);

void backup_manifest_write(const struct backup_manifest *manifest, struct buf *out);
int backup_manifest_read(
	struct view text, struct backup_manifest *ret_manifest, struct error *err);

/* The bytes of all files. */
uint64_t backup_manifest_bytes(const struct backup_manifest *manifest);

/*
 * Does a link at `path` with this target stay in the folder at the top? The target is
 * "../" some times, and then names without any "..": so it does even if names in it
 * are links themselves.
 */
bool backup_link_stays(const char *path, const char *target);

/* The member as tar knows it; its views point into the entry. */
struct tar_member backup_member(const struct backup_entry *entry);

#endif
