/* Reads the remaining files, and finds contents by their hash. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "fs/beneath.h"
#include "fs/walk.h"

void rebuild_judge(struct rebuild *r, struct error *failed)
{
	bool lost = !failed->errnum || failed->errnum == EISDIR ||
		    failed->errnum == ENAMETOOLONG || beneath_is_absent(failed);

	if ((!lost || failed->kind == ERROR_BUSY) && !r->unreadable.kind)
		error_move(&r->unreadable, failed);
	error_clear(failed);
}

int rebuild_check_readable(struct rebuild *r, struct error *err)
{
	return r->unreadable.kind ? error_move(err, &r->unreadable) : 0;
}

void rebuild_judge_errno(struct rebuild *r, const char *path)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;

	error_errno(&failed, "cannot read '%s'", path);
	rebuild_judge(r, &failed);
}

void rebuild_read(struct rebuild *r, const char *path, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	if (relpath_parse(view_of(path), &parsed, &failed) == 0 &&
		transaction_read(r->look, &parsed, ret_file, &failed) == 0)
		return;
	rebuild_judge(r, &failed);
	ret_file->kind = TX_ABSENT;
	buf_clear(&ret_file->content);
}

void rebuild_read_at(
	struct rebuild *r, const char *folder, const char *path, struct tx_file *ret_file)
{
	CLEANUP(freep) char *whole = xasprintf("%s/%s", folder, path);

	rebuild_read(r, whole, ret_file);
}

void rebuild_list(struct rebuild *r, const char *folder, struct string_array *ret_names)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(folder);
	struct dirent *entry;
	int fd;
	DIR *dir;

	if (beneath_open_dir(r->project->root, &path, &fd, &failed) < 0) {
		rebuild_judge(r, &failed);
		return;
	}
	dir = fdopendir(fd);
	if (!dir) {
		rebuild_judge_errno(r, folder);
		closep(&fd);
		return;
	}
	while (errno = 0, (entry = readdir(dir)))
		if (*entry->d_name != '.')
			string_array_add(ret_names, entry->d_name);
	if (errno)
		rebuild_judge_errno(r, folder);
	closedir(dir);
	string_array_sort_once(ret_names);
}

/* --- contents ---------------------------------------------------------------------------- */

static void contents_put(struct rebuild_contents *c, struct rebuild_content content)
{
	GROW(c->list, c->count, c->cap);
	c->list[c->count++] = content;
	c->sorted = false;
}

void rebuild_contents_add(struct rebuild *r, struct view content)
{
	struct rebuild_content known = {.hash = hash_of(content), .memory = BUF_INIT};

	buf_append(&known.memory, content.data, content.len);
	contents_put(&r->contents, known);
}

static enum walk_result collect_content(
	const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	struct rebuild *r = data;
	CLEANUP(closep) int fd = -1;
	struct hash hash;

	(void)err;
	/* Dependencies, git's own folder and temporary ones hold no file of a core. */
	if (entry->kind == WALK_DIR)
		return !strcmp(entry->path, ".git") || !strcmp(entry->name, "node_modules") ||
				       !strcmp(entry->path, ".nanoclaw/tx")
			       ? WALK_SKIP
			       : WALK_GO_ON;
	if (entry->kind != WALK_FILE || !strcmp(entry->name, ".env"))
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		/*
		 * A file of the tree that we may not read is the person's own data, and no
		 * damage.
		 */
		if (errno != EACCES || !strncmp(entry->path, ".nanoclaw/", 10))
			rebuild_judge_errno(r, entry->path);
	} else if (hash_of_fd(fd, &hash, &failed) < 0) {
		rebuild_judge(r, &failed);
	} else {
		contents_put(&r->contents, (struct rebuild_content){.hash = hash,
						   .path = xstrdup(entry->path),
						   .memory = BUF_INIT});
	}
	return WALK_GO_ON;
}

int rebuild_contents_collect(struct rebuild *r, struct error *err)
{
	return walk(r->project->root, collect_content, r, err);
}

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
