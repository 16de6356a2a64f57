/*
 * The files of a skill as they were when it was applied, in one file:
 * .nanoclaw/applied/SKILL.
 *
 * They are the ancestor when a later version of the skill is merged; by then the package on
 * the disk may be gone or changed.
 *
 *	nanoclaw-pack 1 HASH-OF-THE-REST
 *	add 755 120 src/channels/telegram.ts
 *	modify 644 3400 src/index.ts
 *
 *	…the contents, one after the other
 */
#ifndef ENGINE_PACKAGE_PACK_H
#define ENGINE_PACKAGE_PACK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "engine/disk/project.h"
#include "engine/package/manifest.h"
#include "engine/package/package.h"
#include "fs/relpath.h"

enum pack_part {
	PACK_ADD,
	PACK_MODIFY,
	PACK_MANIFEST, /* manifest.yaml itself */
};

struct pack_entry {
	enum pack_part part;
	struct relpath path;
	mode_t mode;
	size_t start; /* in `contents` */
	size_t len;
};

struct pack {
	struct pack_entry *entries;
	size_t count;
	size_t cap;
	struct buf contents;
};

#define PACK_INIT ((struct pack){.contents = BUF_INIT})

void pack_add(struct pack *pack, enum pack_part part, const struct relpath *path, mode_t mode,
	struct view content);
void pack_write(const struct pack *pack, struct buf *out);
int pack_parse(struct view text, struct pack *ret_pack, struct error *err);

/* The pack that a package would get if it were applied now. */
int pack_of_package(const struct package *package, struct pack *ret_pack, struct error *err);

/* The name of the manifest in a package, and in its pack. */
#define PACK_MANIFEST_NAME "manifest.yaml"

/* The entry, or NULL. */
const struct pack_entry *pack_find(
	const struct pack *pack, enum pack_part part, const struct relpath *path);
struct view pack_content(const struct pack *pack, const struct pack_entry *entry);

/* The entry as a file; `ret_file` must be empty. */
struct tx_file;
void pack_read_file(
	const struct pack *pack, const struct pack_entry *entry, struct tx_file *ret_file);

/* The path of a skill's pack. */
int pack_path(const char *skill, struct relpath *ret_path, struct error *err);

/* Read the pack of an applied skill; an empty one if it does not exist. */
int pack_load(const struct project *project, const char *skill, struct pack *ret_pack,
	struct error *err);

/* The manifest in a pack; an empty one if it has none. */
int pack_read_manifest(
	const struct pack *pack, struct manifest *ret_manifest, struct error *err);

/* The manifest of an applied skill from its pack; an empty one if it has none. */
int pack_load_manifest(const struct project *project, const char *skill,
	struct manifest *ret_manifest, struct error *err);

/* Stage the files as a package, for package_load_staged(). */
struct transaction;
int pack_stage(const struct pack *pack, struct transaction *tx, const struct relpath *folder,
	struct error *err);

void pack_release(struct pack *pack);

#endif
