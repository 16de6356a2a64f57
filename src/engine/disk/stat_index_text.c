#include "engine/disk/stat_index.h"

#include <string.h>

#include "archive/checksum.h"

#define MAGIC           "nanoclaw-index 1"
#define BYTE_ORDER_MARK 0x01020304U

/*
 * The file: this, the entries, the folders, the names; all in the byte order and
 * layout of this machine.
 */
struct index_header {
	char magic[16];
	uint32_t byte_order;
	uint32_t entry_size;
	uint64_t sum; /* of all that follows */
	int64_t began;
	uint64_t began_nsec;
	uint64_t count;
	uint64_t folder_count;
	uint64_t names_len;
};

_Static_assert(sizeof(struct index_header) % 8 == 0, "entries must be aligned");
_Static_assert(sizeof(struct index_entry) == 96, "no holes, which would be random bytes");

#define SUMMED_FROM (offsetof(struct index_header, sum) + sizeof(uint64_t))

/* --- reading --------------------------------------------------------------------- */

/* The length of a path with nothing in it that would lead elsewhere; else 0. */
static size_t checked_path(const char *path)
{
	size_t len = 0;

	for (;;) {
		size_t name = strcspn(path + len, "/");

		if (!name || (path[len] == '.' &&
				     (name == 1 || (name == 2 && path[len + 1] == '.'))))
			return 0;
		len += name;
		if (!path[len])
			return len;
		len++;
	}
}

static bool parse_header(struct stat_index *index, struct view text)
{
	struct index_header header;

	if (text.len < sizeof(header))
		return false;
	memcpy(&header, text.data, sizeof(header));
	if (memcmp(header.magic, MAGIC, sizeof(header.magic)) ||
		header.byte_order != BYTE_ORDER_MARK ||
		header.entry_size != sizeof(struct index_entry))
		return false;
	text = view_slice(text, sizeof(header), text.len);
	if (header.count > text.len / sizeof(struct index_entry) ||
		header.folder_count > text.len / sizeof(struct index_entry) ||
		header.names_len > text.len || !header.names_len)
		return false;
	if ((header.count + header.folder_count) * sizeof(struct index_entry) +
			header.names_len !=
		text.len)
		return false;
	index->count = header.count;
	index->folder_count = header.folder_count;
	index->time = (struct timespec){header.began, (long)header.began_nsec};
	return true;
}

/* The checksum is right; is the content also in the form that we write? */
static bool check_entries(const struct stat_index *index, size_t names_len)
{
	const char *before = "";

	if (index->names[names_len - 1] || !index->folder_count)
		return false;
	for (size_t i = 0; i < index->count; i++) {
		const char *path;

		if (index->entries[i].path >= names_len)
			return false;
		path = stat_index_path(index, &index->entries[i]);
		if (strcmp(before, path) >= 0 || !checked_path(path))
			return false;
		before = path;
	}
	for (size_t i = 0; i < index->folder_count; i++)
		if (index->folders[i].path >= names_len ||
			(i && !checked_path(stat_index_path(index, &index->folders[i]))))
			return false;
	return true;
}

bool stat_index_parse(struct stat_index *ret_index, struct buf *text)
{
	struct stat_index index = *ret_index;
	uint64_t sum;

	if (!parse_header(&index, view_of_buf(text)))
		return false;
	memcpy(&sum, text->data + offsetof(struct index_header, sum), sizeof(sum));
	if (checksum(text->data + SUMMED_FROM, text->len - SUMMED_FROM) != sum)
		return false;
	/* Allocated memory is aligned, and so is all in it. */
	index.entries = (void *)(text->data + sizeof(struct index_header));
	index.folders = index.entries + index.count;
	index.names = (const char *)(index.folders + index.folder_count);
	if (!check_entries(&index, text->len - (size_t)(index.names - text->data)))
		return false;
	index.storage = *text;
	*text = BUF_INIT;
	*ret_index = index;
	return true;
}

/* --- writing --------------------------------------------------------------------- */

struct writer {
	struct buf records;
	struct buf names;
};

static void writer_add(struct writer *w, struct index_entry entry, const char *path)
{
	entry.path = (uint32_t)w->names.len;
	buf_append(&w->records, &entry, sizeof(entry));
	buf_append(&w->names, path, strlen(path) + 1);
}

/* Entries and extra entries in one order; entries neither in the base nor known are left out. */
static size_t write_entries(const struct stat_index *index, struct writer *w)
{
	size_t i = 0, j = 0, count = 0;

	while (i < index->count || j < index->extra_count) {
		bool extra = i == index->count ||
			     (j < index->extra_count &&
				     strcmp(index->extra[j].path,
					     stat_index_path(index, &index->entries[i])) < 0);
		const struct index_entry *entry =
			extra ? &index->extra[j].entry : &index->entries[i];

		if (entry->flags) {
			writer_add(w, *entry,
				extra ? index->extra[j].path : stat_index_path(index, entry));
			count++;
		}
		i += !extra;
		j += extra;
	}
	return count;
}

void stat_index_render(const struct stat_index *index, struct buf *out)
{
	struct writer w = {BUF_INIT, BUF_INIT};
	struct index_header header = {
		.magic = {0},
		.byte_order = BYTE_ORDER_MARK,
		.entry_size = sizeof(struct index_entry),
		.began = index->began.tv_sec,
		.began_nsec = (uint64_t)index->began.tv_nsec,
		.folder_count = index->folder_count,
	};

	memcpy(header.magic, MAGIC, sizeof(header.magic));
	header.count = write_entries(index, &w);
	for (size_t i = 0; i < index->folder_count; i++)
		writer_add(&w, index->folders[i], stat_index_path(index, &index->folders[i]));
	header.names_len = w.names.len;
	buf_append(out, &header, sizeof(header));
	buf_append(out, w.records.data, w.records.len);
	buf_append(out, w.names.data, w.names.len);
	header.sum = checksum(out->data + SUMMED_FROM, out->len - SUMMED_FROM);
	memcpy(out->data + offsetof(struct index_header, sum), &header.sum, sizeof(header.sum));
	buf_release(&w.records);
	buf_release(&w.names);
}
