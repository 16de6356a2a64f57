/*
 * The folder in which the layers are staged once more.
 *
 *	.nanoclaw/base		the core
 *	.nanoclaw/state.yaml	without any layer
 *	.nanoclaw/objects	files that skills were written against
 *	packages/SKILL		each skill, as a package
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"
#include "fs/sys.h"

static int write_file(
	int root, const char *path, struct view content, mode_t mode, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_open_parent(root, &parsed, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	fd = sys.create(folder, relpath_base(&parsed),
		O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0 || sys_write_all(fd, content.data, content.len) < 0 ||
		sys.chmod(fd, mode) < 0)
		return error_errno(err, "cannot write '%s' to the temporary folder", path);
	return 0;
}

static int write_link(int root, const char *path, const char *target, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;

	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_open_parent(root, &parsed, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (sys.symlink(target, folder, relpath_base(&parsed)) < 0)
		return error_errno(err, "cannot write '%s' to the temporary folder", path);
	return 0;
}

static int write_base(const struct rebuild *r, int root, struct error *err)
{
	if (sys.mkdir(root, ".nanoclaw", 0777) < 0 ||
		sys.mkdir(root, ".nanoclaw/base", 0777) < 0)
		return error_errno(err, "cannot write to the temporary folder");
	for (size_t i = 0; i < r->base.count; i++) {
		const struct rebuild_file *file = &r->base.list[i];
		CLEANUP(freep) char *path = xasprintf(".nanoclaw/base/%s", file->path);
		int failed = file->file.kind == TX_SYMLINK
				     ? write_link(root, path, file->file.content.data, err)
				     : write_file(root, path, view_of_buf(&file->file.content),
					       file->file.mode, err);

		if (failed)
			return -1;
	}
	return 0;
}

static int write_package(const struct rebuild_skill *skill, int root, struct error *err)
{
	static const char *const folders[] = {
		[PACK_ADD] = "/add", [PACK_MODIFY] = "/modify", [PACK_MANIFEST] = ""};

	for (size_t i = 0; i < skill->pack.count; i++) {
		const struct pack_entry *entry = &skill->pack.entries[i];
		CLEANUP(freep)
		char *path = xasprintf("packages/%s%s/%s", skill->manifest.skill,
			folders[entry->part], entry->path.text);

		if (write_file(root, path, pack_content(&skill->pack, entry), entry->mode,
			    err) < 0)
			return -1;
	}
	return 0;
}

/* --- ancestors ------------------------------------------------------------------- */

static int write_object(struct rebuild *r, int root, struct view content, struct error *err)
{
	struct hash hash = hash_of(content);
	struct buf copy = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	CLEANUP(freep) char *path = NULL;

	hash_to_hex(&hash, hex);
	path = xasprintf(".nanoclaw/objects/%.2s/%s", hex, hex + 2);
	buf_append(&copy, content.data, content.len);
	GROW(r->ancestors.list, r->ancestors.count, r->ancestors.cap);
	r->ancestors.list[r->ancestors.count++] = copy;
	return write_file(root, path, content, 0644, err);
}

/* The files that a skill was written against, as far as they are still known. */
static int write_ancestors(
	struct rebuild *r, const struct rebuild_skill *skill, int root, struct error *err)
{
	const struct manifest *m = &skill->manifest;

	for (size_t i = 0; i < m->base_hash_count; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;

		if (rebuild_contents_find(r, &m->base_hashes[i].hash, &content) &&
			write_object(r, root, view_of_buf(&content), err) < 0)
			return -1;
	}
	for (size_t i = 0; i < skill->pack.count; i++) {
		const struct pack_entry *entry = &skill->pack.entries[i];
		const struct rebuild_file *file = rebuild_base_find(r, entry->path.text);

		if (entry->part == PACK_MODIFY && file && file->absorbed &&
			write_object(r, root, pack_content(&skill->pack, entry), err) < 0)
			return -1;
	}
	return 0;
}

/* --- the state ------------------------------------------------------------------- */

static int write_state(struct rebuild *r, int root, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	state_init(&state, r->core_version);
	if (r->has_state || r->has_older) {
		CLEANUP(layer_renames_release) struct layer_renames pairs = {0};

		state_copy_rest(&state, r->has_state ? &r->state : &r->older);
		/* Names that layers have changed come back with them. */
		pairs = remap_pairs(&state);
		for (size_t i = 0; i < pairs.to.count; i++)
			if (!rebuild_base_find(r, pairs.to.list[i]))
				remap_forget(&state, view_of(pairs.from.list[i]));
	}
	if (state_write(&state, &text, err) < 0)
		return -1;
	return write_file(root, STATE_PATH, view_of_buf(&text), 0644, err);
}

int rebuild_fill_scratch(struct rebuild *r, int fd, struct error *err)
{
	if (write_base(r, fd, err) < 0 || write_state(r, fd, err) < 0)
		return -1;
	for (size_t i = 0; i < r->skill_count; i++)
		if (write_package(&r->skills[i], fd, err) < 0 ||
			write_ancestors(r, &r->skills[i], fd, err) < 0)
			return -1;
	return 0;
}
