#include "engine/newcore/core_reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/core/core_git.h"
#include "fs/beneath.h"
#include "fs/walk.h"

struct core_reader *core_reader_new(int root)
{
	struct core_reader *reader = xcalloc(1, sizeof(*reader));

	reader->root = fcntl(root, F_DUPFD_CLOEXEC, 0);
	return reader;
}

static void ahead_clear(struct core_ahead *ahead)
{
	for (size_t i = 0; i < ahead->count; i++)
		buf_release(&ahead->contents[i]);
	free(ahead->contents);
	free(ahead->places);
	*ahead = (struct core_ahead){0};
}

void core_reader_free(struct core_reader *reader)
{
	if (!reader)
		return;
	ahead_clear(&reader->ahead);
	closep(&reader->root);
	for (size_t i = 0; i < reader->folder_count; i++)
		closep(&reader->folders[i]);
	for (size_t i = 0; i < reader->place_count; i++) {
		relpath_release(&reader->places[i].path);
		free(reader->places[i].object);
	}
	free(reader->folders);
	free(reader->places);
	free(reader);
}

size_t core_reader_add_folder(struct core_reader *reader, int fd)
{
	GROW(reader->folders, reader->folder_count, reader->folder_cap);
	reader->folders[reader->folder_count] = fd;
	return reader->folder_count++;
}

static size_t add_place(struct core_reader *reader, struct core_place place)
{
	GROW(reader->places, reader->place_count, reader->place_cap);
	reader->places[reader->place_count] = place;
	return reader->place_count++;
}

size_t core_reader_add(struct core_reader *reader, size_t folder, const struct relpath *path)
{
	return add_place(
		reader, (struct core_place){.folder = folder, .path = relpath_copy(path)});
}

size_t core_reader_add_object(struct core_reader *reader, struct view object, size_t size)
{
	return add_place(reader, (struct core_place){.folder = CORE_NO_FOLDER,
					 .object = xmemdupz(object.data, object.len),
					 .size = size});
}

int core_reader_size(
	struct core_reader *reader, size_t place, size_t *ret_size, struct error *err)
{
	const struct core_place *at = &reader->places[place];
	struct stat st = {.st_size = (off_t)at->size};

	if (!at->object && beneath_stat(reader->folders[at->folder], &at->path, &st, err) < 0)
		return -1;
	*ret_size = (size_t)st.st_size;
	return 0;
}

int core_read_file(
	int folder, const struct relpath *path, struct tx_file *ret_file, struct error *err)
{
	struct stat st;

	if (beneath_stat(folder, path, &st, err) < 0)
		return -1;
	if (S_ISLNK(st.st_mode)) {
		ret_file->kind = TX_SYMLINK;
		ret_file->mode = 0777;
		return beneath_read_link(folder, path, &ret_file->content, err);
	}
	ret_file->kind = TX_FILE;
	ret_file->mode = st.st_mode & S_IXUSR ? 0755 : 0644;
	return beneath_read(folder, path, CORE_MAX_FILE, &ret_file->content, err);
}

/* --- objects --------------------------------------------------------------------- */

/* Starting git for every content would cost more than reading it. */
#define AHEAD_COUNT ((size_t)500)
#define AHEAD_BYTES ((size_t)16 * 1024 * 1024)

static int keep_ahead(size_t number, struct view content, void *data, struct error *err)
{
	struct core_ahead *ahead = data;

	(void)err;
	buf_append(&ahead->contents[number], content.data, content.len);
	return 0;
}

/* The object at a place, and some of the following ones that will be read. */
static int read_ahead(struct core_reader *reader, size_t place, struct error *err)
{
	CLEANUP(freep) const char **objects = xcalloc(AHEAD_COUNT, sizeof(*objects));
	struct core_ahead *ahead = &reader->ahead;
	size_t bytes = 0;

	ahead_clear(ahead);
	ahead->places = xcalloc(AHEAD_COUNT, sizeof(*ahead->places));
	ahead->contents = xcalloc(AHEAD_COUNT, sizeof(*ahead->contents));
	for (size_t i = place; i < reader->place_count && ahead->count < AHEAD_COUNT; i++) {
		const struct core_place *at = &reader->places[i];

		if (i != place && (!at->object || !at->wanted))
			continue;
		if (i != place && bytes + at->size > AHEAD_BYTES)
			break;
		bytes += at->size;
		objects[ahead->count] = at->object;
		ahead->contents[ahead->count] = BUF_INIT;
		ahead->places[ahead->count++] = i;
	}
	return core_git_contents(
		reader->root, objects, ahead->count, bytes, keep_ahead, ahead, err);
}

static const struct buf *find_ahead(const struct core_ahead *ahead, size_t place)
{
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->places[i] == place)
			return &ahead->contents[i];
	return NULL;
}

/* --- files and objects ------------------------------------------------------------------------ */

int core_reader_read(
	struct core_reader *reader, size_t place, struct tx_file *ret_file, struct error *err)
{
	const struct core_place *at = &reader->places[place];
	const struct buf *content;

	if (!at->object)
		return core_read_file(reader->folders[at->folder], &at->path, ret_file, err);
	content = find_ahead(&reader->ahead, place);
	if (!content) {
		if (read_ahead(reader, place, err) < 0) {
			ahead_clear(&reader->ahead);
			return -1;
		}
		content = find_ahead(&reader->ahead, place);
	}
	buf_append(&ret_file->content, content->data, content->len);
	return 0;
}

int core_reader_read_checked(struct core_reader *reader, const struct core_file *file,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(&file->path);
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	struct layer_file is;

	if (core_reader_read(reader, file->place, &now, err) < 0)
		return error_prefix(err, "%s of the new core", shown);
	/* git keeps kind and permissions with the name, and not with the content. */
	if (reader->places[file->place].object) {
		now.kind = file->file.kind;
		now.mode = file->file.executable ? 0755 : 0644;
	}
	is = layer_file_of(&now);
	if (!layer_file_equal(&is, &file->file))
		return error_set(err, ERROR_FAILED,
			"%s of the new core has changed since it was read", shown);
	*ret_file = now;
	now = TX_FILE_INIT;
	return 0;
}

int core_list_entry(struct core_reader *reader, struct core_tree *tree, size_t folder,
	const struct walk_entry *entry, const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath checked = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath there = RELPATH_INIT;
	struct layer_file file = {0};

	if (tree->count == CORE_TREE_MAX)
		return error_set(
			err, ERROR_INVALID, "there are more than %zu files", CORE_TREE_MAX);
	if (relpath_parse(view_of(path), &checked, err) < 0 ||
		relpath_parse(view_of(entry->path), &there, err) < 0 ||
		core_path_check(&checked, err) < 0)
		return -1;
	if (layer_file_at(entry->dirfd, entry->name, entry->kind == WALK_SYMLINK, &file, err) <
		0) {
		CLEANUP(freep) char *shown = quote(view_of(path));

		return error_prefix(err, "%s", shown);
	}
	core_tree_add(tree, &checked, &file, core_reader_add(reader, folder, &there));
	return 0;
}
