#include "engine/package/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "engine/disk/project.h"
#include "engine/disk/transaction.h"
#include "fs/beneath.h"

#define HEADER   "nanoclaw-pack 1 "
#define PACK_MAX ((size_t)4 * 1024 * 1024 * 1024)

static const char *const part_names[] = {
	[PACK_ADD] = "add",
	[PACK_MODIFY] = "modify",
	[PACK_MANIFEST] = "manifest",
};

void pack_add(struct pack *pack, enum pack_part part, const struct relpath *path, mode_t mode,
	struct view content)
{
	GROW(pack->entries, pack->count, pack->cap);
	pack->entries[pack->count++] = (struct pack_entry){
		.part = part,
		.path = relpath_copy(path),
		.mode = mode,
		.start = pack->contents.len,
		.len = content.len,
	};
	buf_append(&pack->contents, content.data, content.len);
}

void pack_write(const struct pack *pack, struct buf *out)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	for (size_t i = 0; i < pack->count; i++) {
		const struct pack_entry *entry = &pack->entries[i];

		buf_appendf(
			&body, "%s %o %zu ", part_names[entry->part], entry->mode, entry->len);
		escape_append(&body, entry->path.text);
		buf_append_char(&body, '\n');
	}
	buf_append_char(&body, '\n');
	buf_append(&body, pack->contents.data, pack->contents.len);
	hash = hash_of(view_of_buf(&body));
	hash_to_hex(&hash, hex);
	buf_appendf(out, HEADER "%s\n", hex);
	buf_append(out, body.data, body.len);
}

static int pack_damaged(struct error *err)
{
	error_set(err, ERROR_INVALID, "the files of an applied skill are damaged");
	return damage_hint(err);
}

static int parse_entry(struct pack *pack, struct view line, struct error *err)
{
	struct pack_entry entry = {.start = pack->count
						    ? pack->entries[pack->count - 1].start +
							      pack->entries[pack->count - 1].len
						    : 0};
	CLEANUP(freep) char *text = xmemdupz(line.data, line.len);
	CLEANUP(freep) char *path = NULL;
	char name[16];
	unsigned mode;
	int used = 0;

	if (sscanf(text, "%15s %o %zu %n", name, &mode, &entry.len, &used) != 3 || !used)
		return pack_damaged(err);
	for (size_t i = 0; i < ARRAY_SIZE(part_names); i++)
		if (!strcmp(name, part_names[i]))
			entry.part = (enum pack_part)i;
	entry.mode = (mode_t)mode;
	path = escape_undo(view_slice(line, (size_t)used, line.len));
	if (relpath_parse(view_of(path), &entry.path, err) < 0)
		return -1;
	GROW(pack->entries, pack->count, pack->cap);
	pack->entries[pack->count++] = entry;
	return 0;
}

int pack_parse(struct view text, struct pack *ret_pack, struct error *err)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct hash said, real;
	size_t total = 0;
	struct view line;

	if (!view_starts_with(text, HEADER) || !view_next(&text, '\n', &line) ||
		hash_from_hex(view_slice(line, strlen(HEADER), line.len), &said, &local) < 0)
		return pack_damaged(err);
	real = hash_of(text);
	if (!hash_equal(&said, &real))
		return pack_damaged(err);
	while (view_next(&text, '\n', &line) && line.len) {
		if (parse_entry(&pack, line, err) < 0)
			return -1;
		if (pack.entries[pack.count - 1].len > PACK_MAX)
			return pack_damaged(err);
		total += pack.entries[pack.count - 1].len;
	}
	if (total != text.len)
		return pack_damaged(err);
	buf_append(&pack.contents, text.data, text.len);
	*ret_pack = pack;
	pack = PACK_INIT;
	return 0;
}

int pack_of_package(const struct package *package, struct pack *ret_pack, struct error *err)
{
	const struct manifest *m = &package->manifest;
	CLEANUP(relpath_release) struct relpath name = relpath_of(PACK_MANIFEST_NAME);
	const struct manifest_paths *const both[] = {&m->adds, &m->modifies};

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const struct relpath *path = &both[i]->list[j].path;
			CLEANUP(buf_release) struct buf content = BUF_INIT;
			mode_t mode;

			if ((i ? package_read_modify : package_read_add)(
				    package, path, &content, &mode, err) < 0)
				return -1;
			pack_add(ret_pack, i ? PACK_MODIFY : PACK_ADD, path, mode,
				view_of_buf(&content));
		}
	pack_add(ret_pack, PACK_MANIFEST, &name, 0644, view_of(package->text));
	return 0;
}

const struct pack_entry *pack_find(
	const struct pack *pack, enum pack_part part, const struct relpath *path)
{
	for (size_t i = 0; i < pack->count; i++)
		if (pack->entries[i].part == part &&
			relpath_compare(&pack->entries[i].path, path) == 0)
			return &pack->entries[i];
	return NULL;
}

struct view pack_content(const struct pack *pack, const struct pack_entry *entry)
{
	return (struct view){pack->contents.data + entry->start, entry->len};
}

void pack_read_file(
	const struct pack *pack, const struct pack_entry *entry, struct tx_file *ret_file)
{
	struct view content = pack_content(pack, entry);

	buf_append(&ret_file->content, content.data, content.len);
	ret_file->kind = TX_FILE;
	ret_file->mode = entry->mode;
}

int pack_path(const char *skill, struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *text = xasprintf(".nanoclaw/applied/%s", skill);

	return relpath_parse(view_of(text), ret_path, err);
}

int pack_load(const struct project *project, const char *skill, struct pack *ret_pack,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (pack_path(skill, &path, err) < 0)
		return -1;
	if (beneath_read(project->root, &path, PACK_MAX, &text, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (pack_parse(view_of_buf(&text), ret_pack, err) < 0)
		return error_prefix(err, "'%s'", path.text);
	return 0;
}

int pack_read_manifest(
	const struct pack *pack, struct manifest *ret_manifest, struct error *err)
{
	CLEANUP(faults_release) struct faults ignored = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	const struct pack_entry *entry;

	if (relpath_parse(view_of(PACK_MANIFEST_NAME), &path, err) < 0)
		return -1;
	entry = pack_find(pack, PACK_MANIFEST, &path);
	if (entry)
		manifest_parse(
			pack_content(pack, entry), PACK_MANIFEST_NAME, ret_manifest, &ignored);
	return 0;
}

int pack_load_manifest(const struct project *project, const char *skill,
	struct manifest *ret_manifest, struct error *err)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;

	if (pack_load(project, skill, &pack, err) < 0)
		return -1;
	return pack_read_manifest(&pack, ret_manifest, err);
}

int pack_stage(const struct pack *pack, struct transaction *tx, const struct relpath *folder,
	struct error *err)
{
	static const char *const folders[] = {
		[PACK_ADD] = "add/", [PACK_MODIFY] = "modify/", [PACK_MANIFEST] = ""};

	for (size_t i = 0; i < pack->count; i++) {
		const struct pack_entry *entry = &pack->entries[i];
		CLEANUP(freep)
		char *name = xasprintf("%s%s", folders[entry->part], entry->path.text);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_join(folder, view_of(name), &path, err) < 0 ||
			transaction_put(
				tx, &path, pack_content(pack, entry), entry->mode, err) < 0)
			return -1;
	}
	return 0;
}

void pack_release(struct pack *pack)
{
	for (size_t i = 0; i < pack->count; i++)
		relpath_release(&pack->entries[i].path);
	free(pack->entries);
	buf_release(&pack->contents);
}
