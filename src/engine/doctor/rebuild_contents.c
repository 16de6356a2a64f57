/*
 * Contents that are still there somewhere, by their hash.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "fs/walk.h"

void rebuild_read(struct rebuild *r, const char *path, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	if (relpath_parse(view_of(path), &parsed, &ignored) == 0 &&
		transaction_read(r->look, &parsed, ret_file, &ignored) == 0)
		return;
	ret_file->kind = TX_ABSENT;
	buf_clear(&ret_file->content);
}

void rebuild_read_at(
	struct rebuild *r, const char *folder, const char *path, struct tx_file *ret_file)
{
	CLEANUP(freep) char *whole = xasprintf("%s/%s", folder, path);

	rebuild_read(r, whole, ret_file);
}

/* --- collecting ---------------------------------------------------------------------- */

static void add(struct rebuild_contents *c, struct rebuild_content content)
{
	GROW(c->list, c->count, c->cap);
	c->list[c->count++] = content;
	c->sorted = false;
}

void rebuild_contents_add(struct rebuild *r, struct view content)
{
	struct rebuild_content known = {.hash = hash_of(content), .memory = BUF_INIT};

	buf_append(&known.memory, content.data, content.len);
	add(&r->contents, known);
}

/* Folders that hold no file of a core: dependencies, git's own, and our temporary ones. */
static bool is_left_out(const struct walk_entry *entry)
{
	return !strcmp(entry->path, ".git") || !strcmp(entry->name, "node_modules") ||
	       !strcmp(entry->path, ".nanoclaw/tx");
}

static enum walk_result visit(const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct rebuild *r = data;
	CLEANUP(closep) int fd = -1;
	struct hash hash;

	(void)err;
	if (entry->kind == WALK_DIR)
		return is_left_out(entry) ? WALK_SKIP : WALK_GO_ON;
	if (entry->kind != WALK_FILE || !strcmp(entry->name, ".env"))
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && hash_of_fd(fd, &hash, &ignored) == 0)
		add(&r->contents, (struct rebuild_content){.hash = hash,
					  .path = xstrdup(entry->path),
					  .memory = BUF_INIT});
	return WALK_GO_ON;
}

int rebuild_contents_collect(struct rebuild *r, struct error *err)
{
	return walk(r->project->root, visit, r, err);
}

/* --- finding --------------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
	return hash_compare(&((const struct rebuild_content *)a)->hash,
		&((const struct rebuild_content *)b)->hash);
}

/* A file may have changed since it was listed. */
static bool read_content(
	struct rebuild *r, const struct rebuild_content *known, struct buf *ret_content)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct hash hash;

	if (!known->path) {
		buf_append(ret_content, known->memory.data, known->memory.len);
		return true;
	}
	rebuild_read(r, known->path, &file);
	hash = hash_of(view_of_buf(&file.content));
	if (file.kind != TX_FILE || !hash_equal(&hash, &known->hash))
		return false;
	buf_append(ret_content, file.content.data, file.content.len);
	return true;
}

bool rebuild_contents_find(struct rebuild *r, const struct hash *hash, struct buf *ret_content)
{
	struct rebuild_contents *c = &r->contents;
	struct rebuild_content key = {.hash = *hash};
	const struct rebuild_content *found;

	if (!c->sorted && c->count)
		qsort(c->list, c->count, sizeof(*c->list), by_hash);
	c->sorted = true;
	found = c->count ? bsearch(&key, c->list, c->count, sizeof(*c->list), by_hash) : NULL;
	if (!found)
		return false;
	while (found > c->list && by_hash(found - 1, &key) == 0)
		found--;
	for (; found < c->list + c->count && by_hash(found, &key) == 0; found++)
		if (read_content(r, found, ret_content))
			return true;
	return false;
}

void rebuild_contents_release(struct rebuild_contents *contents)
{
	for (size_t i = 0; i < contents->count; i++) {
		free(contents->list[i].path);
		buf_release(&contents->list[i].memory);
	}
	free(contents->list);
}
