#include "engine/core_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core_git.h"
#include "util/beneath.h"

struct core_reader *core_reader_new(int root)
{
	struct core_reader *reader = xcalloc(1, sizeof(*reader));

	reader->root = root;
	return reader;
}

void core_reader_free(struct core_reader *reader)
{
	if (!reader)
		return;
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

void core_reader_freep(struct core_reader **reader)
{
	core_reader_free(*reader);
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
	const struct core_reader *reader, size_t place, size_t *ret_size, struct error *err)
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

int core_reader_read(const struct core_reader *reader, size_t place, struct tx_file *ret_file,
	struct error *err)
{
	const struct core_place *at = &reader->places[place];

	if (!at->object)
		return core_read_file(reader->folders[at->folder], &at->path, ret_file, err);
	return core_git_read(reader->root, at->object, &ret_file->content, err);
}

int core_reader_read_checked(const struct core_reader *reader, const struct core_file *file,
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
			"%s of the new core has changed since it was looked at", shown);
	*ret_file = now;
	now = TX_FILE_INIT;
	return 0;
}
