#include "host/backup/backup_manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "fs/relpath.h"

#define FIRST_LINE "nanoclaw-backup 1\n"
#define LAST_WORD  "sha256 "
#define WORDS_MAX  6

static const char *const kind_names[] = {
	[TAR_FILE] = "file",
	[TAR_FOLDER] = "folder",
	[TAR_LINK] = "link",
};

static void entry_release(struct backup_entry *entry)
{
	free(entry->path);
	free(entry->target);
}

void backup_manifest_release(struct backup_manifest *manifest)
{
	for (size_t i = 0; i < manifest->count; i++)
		entry_release(&manifest->entries[i]);
	string_array_release(&manifest->settings);
	free(manifest->entries);
	free(manifest->version);
	free(manifest->created);
	*manifest = BACKUP_MANIFEST_INIT;
}

void backup_manifest_add(struct backup_manifest *manifest, const struct backup_entry *entry)
{
	struct backup_entry *copy;

	GROW(manifest->entries, manifest->count, manifest->cap);
	copy = &manifest->entries[manifest->count++];
	*copy = *entry;
	copy->path = xstrdup(entry->path);
	copy->target = entry->target ? xstrdup(entry->target) : NULL;
}

uint64_t backup_manifest_bytes(const struct backup_manifest *manifest)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < manifest->count; i++)
		bytes += manifest->entries[i].size;
	return bytes;
}

struct tar_member backup_member(const struct backup_entry *entry)
{
	return (struct tar_member){
		entry->kind, entry->path, entry->target, entry->mode, entry->time, entry->size};
}

/* --- checking ---------------------------------------------------------------- */

bool backup_link_stays(const char *path, const char *target)
{
	struct view rest = view_of(target);
	struct view name;
	unsigned depth = 0; /* of the folder that the link is in */
	bool going_up = true;

	for (const char *p = path; *p; p++)
		depth += *p == '/';
	if (!rest.len || rest.len > RELPATH_MAX || rest.data[0] == '/')
		return false;
	while (view_next(&rest, '/', &name)) {
		if (view_equal_str(name, "..")) {
			if (!going_up || --depth < 1)
				return false;
		} else if (name.len && !view_equal_str(name, ".")) {
			going_up = false;
		}
	}
	return true;
}

static int compare_paths(const void *a, const void *b)
{
	const struct backup_entry *const *left = a;
	const struct backup_entry *const *right = b;

	return strcmp((*left)->path, (*right)->path);
}

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/';
}

/* M1 */
static bool is_ours(const struct backup_entry *entry)
{
	const char *path = entry->path;

	if (!strcmp(path, BACKUP_STORE) || !strcmp(path, BACKUP_ENV))
		return entry->kind == TAR_FILE;
	if (!strcmp(path, BACKUP_GROUPS) || !strcmp(path, BACKUP_DATA))
		return entry->kind == TAR_FOLDER;
	/* Sockets and pid files of a host that runs: a backup has none of them. */
	if (!strcmp(path, BACKUP_DATA "/run") || is_below(path, BACKUP_DATA "/run"))
		return false;
	return is_below(path, BACKUP_GROUPS) || is_below(path, BACKUP_DATA);
}

/* M3 */
static bool has_folder(
	const struct backup_manifest *manifest, struct backup_entry **sorted, size_t index)
{
	const struct backup_entry *entry = &manifest->entries[index];
	const char *slash = strrchr(entry->path, '/');
	CLEANUP(freep) char *parent = NULL;
	struct backup_entry wanted = {0};
	const struct backup_entry *key = &wanted;
	struct backup_entry **found;

	if (!slash || !strcmp(entry->path, BACKUP_STORE))
		return true;
	parent = xmemdupz(entry->path, (size_t)(slash - entry->path));
	wanted.path = parent;
	found = bsearch(&key, sorted, manifest->count, sizeof(*sorted), compare_paths);
	return found && (*found)->kind == TAR_FOLDER && *found < entry;
}

static int check_entry(const struct backup_manifest *manifest, struct backup_entry **sorted,
	size_t index, struct error *err)
{
	const struct backup_entry *entry = &manifest->entries[index];
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *shown = quote(view_of(entry->path));

	if (relpath_parse(view_of(entry->path), &path, err) < 0)
		return error_prefix(err, "%s", shown);
	if (!is_ours(entry))
		return error_set(err, ERROR_INVALID, "%s does not belong in a backup", shown);
	if (!has_folder(manifest, sorted, index))
		return error_set(err, ERROR_INVALID, "the folder of %s is missing", shown);
	if (entry->kind == TAR_LINK && !backup_link_stays(entry->path, entry->target))
		return error_set(err, ERROR_INVALID, "the link %s leads outside", shown);
	return 0;
}

/* M1 to M5 */
static int manifest_check(const struct backup_manifest *manifest, struct error *err)
{
	CLEANUP(freep) struct backup_entry **sorted = NULL;
	uint64_t bytes = 0;
	bool store = false;

	for (size_t i = 0; i < manifest->count; i++) {
		store |= !strcmp(manifest->entries[i].path, BACKUP_STORE);
		bytes += manifest->entries[i].size;
		if (bytes > BACKUP_MAX_BYTES)
			return error_set(err, ERROR_INVALID, "it is too large");
	}
	if (!store)
		return error_set(err, ERROR_INVALID, "it has no '%s'", BACKUP_STORE);
	sorted = xreallocarray(NULL, manifest->count, sizeof(struct backup_entry *));
	for (size_t i = 0; i < manifest->count; i++)
		sorted[i] = &manifest->entries[i];
	qsort(sorted, manifest->count, sizeof(struct backup_entry *), compare_paths);
	for (size_t i = 1; i < manifest->count; i++) /* M2 */
		if (!strcmp(sorted[i - 1]->path, sorted[i]->path)) {
			CLEANUP(freep) char *shown = quote(view_of(sorted[i]->path));

			return error_set(err, ERROR_INVALID, "%s appears twice", shown);
		}
	for (size_t i = 0; i < manifest->count; i++)
		if (check_entry(manifest, sorted, i, err) < 0)
			return -1;
	return 0;
}

/* --- writing ----------------------------------------------------------------- */

static void append_word(struct buf *out, const char *word)
{
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c > ' ' && c < 0x7f && c != '%')
			buf_append_char(out, *word);
		else
			buf_appendf(out, "%%%02X", c);
	}
}

static void append_entry(struct buf *out, const struct backup_entry *entry)
{
	char hex[HASH_HEX_SIZE];

	buf_append_str(out, kind_names[entry->kind]);
	if (entry->kind != TAR_LINK)
		buf_appendf(out, " %03o", (unsigned)entry->mode);
	buf_appendf(out, " %" PRId64, entry->time);
	if (entry->kind == TAR_FILE) {
		hash_to_hex(&entry->hash, hex);
		buf_appendf(out, " %" PRIu64 " %s", entry->size, hex);
	}
	buf_append_char(out, ' ');
	append_word(out, entry->path);
	if (entry->kind == TAR_LINK) {
		buf_append_char(out, ' ');
		append_word(out, entry->target);
	}
	buf_append_char(out, '\n');
}

void backup_manifest_write(const struct backup_manifest *manifest, struct buf *out)
{
	struct hash hash;
	char hex[HASH_HEX_SIZE];

	buf_append_str(out, FIRST_LINE "version ");
	append_word(out, manifest->version);
	buf_append_str(out, "\ncreated ");
	append_word(out, manifest->created);
	buf_appendf(out, "\nschema %d\n", manifest->schema);
	for (size_t i = 0; i < manifest->settings.count; i++) {
		buf_append_str(out, "setting ");
		append_word(out, manifest->settings.list[i]);
		buf_append_char(out, '\n');
	}
	for (size_t i = 0; i < manifest->count; i++)
		append_entry(out, &manifest->entries[i]);
	hash = hash_of(view_of_buf(out));
	hash_to_hex(&hash, hex);
	buf_appendf(out, LAST_WORD "%s\n", hex);
}

/* --- reading ----------------------------------------------------------------- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* NULL if it is not a number; the comparison finds numbers that are not canonical. */
static char *undo_word(struct view word)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < word.len; i++) {
		int high, low;

		if (word.data[i] != '%') {
			buf_append_char(&text, word.data[i]);
			continue;
		}
		if (i + 2 >= word.len)
			return NULL;
		high = digit_of(word.data[i + 1]);
		low = digit_of(word.data[i + 2]);
		if (high < 0 || low < 0 || high + low == 0)
			return NULL;
		buf_append_char(&text, (char)(high << 4 | low));
		i += 2;
	}
	return buf_take(&text);
}

static bool number_of(struct view word, int base, uint64_t max, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (size_t i = 0; i < word.len; i++) {
		int digit = word.data[i] - '0';

		if (digit < 0 || digit >= base || number > max / (unsigned)base)
			return false;
		number = number * (unsigned)base + (unsigned)digit;
	}
	*ret_number = number;
	return word.len && number <= max;
}

/* A line of append_entry(). */
static bool read_entry(const struct view *words, size_t count, struct backup_manifest *manifest)
{
	static const size_t word_count[] = {[TAR_FILE] = 6, [TAR_FOLDER] = 4, [TAR_LINK] = 4};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct backup_entry entry = {.kind = TAR_FILE};
	const struct view *word = words + 1;
	uint64_t mode = 0777, time;
	bool good;

	while (!view_equal_str(words[0], kind_names[entry.kind]))
		if ((size_t)++entry.kind == ARRAY_SIZE(kind_names))
			return false;
	good = count == word_count[entry.kind] && manifest->count < MANIFEST_MAX_ENTRIES &&
	       (entry.kind == TAR_LINK || number_of(*word++, 8, 0777, &mode)) &&
	       number_of(*word++, 10, TAR_TIME_MAX, &time) &&
	       (entry.kind != TAR_FILE ||
		       (number_of(*word++, 10, BACKUP_MAX_BYTES, &entry.size) &&
			       hash_from_hex(*word++, &entry.hash, &ignored) == 0));
	if (!good)
		return false;
	entry.mode = (mode_t)mode;
	entry.time = (int64_t)time;
	entry.path = undo_word(*word++);
	entry.target = entry.kind == TAR_LINK ? undo_word(*word) : NULL;
	good = entry.path && (entry.target || entry.kind != TAR_LINK);
	if (good)
		backup_manifest_add(manifest, &entry);
	entry_release(&entry);
	return good;
}

static bool read_text(struct view word, char **text)
{
	if (*text)
		return false;
	*text = undo_word(word);
	return *text;
}

static bool read_line(struct view line, struct backup_manifest *manifest)
{
	struct view words[WORDS_MAX];
	size_t count = 0;
	uint64_t number;

	while (count < WORDS_MAX && view_next(&line, ' ', &words[count]))
		count++;
	if (line.len)
		return false;

	if (count == 2 && view_equal_str(words[0], "version"))
		return read_text(words[1], &manifest->version);
	if (count == 2 && view_equal_str(words[0], "created"))
		return read_text(words[1], &manifest->created);
	if (count == 2 && view_equal_str(words[0], "schema")) {
		if (!number_of(words[1], 10, 1000000, &number))
			return false;
		manifest->schema = (int)number;
		return true;
	}
	if (count == 2 && view_equal_str(words[0], "setting")) {
		CLEANUP(freep) char *name = undo_word(words[1]);

		if (name)
			string_array_add(&manifest->settings, name);
		return name;
	}
	if (count == 2 && view_equal_str(words[0], "sha256"))
		return true; /* compared with the rest */
	return count && read_entry(words, count, manifest);
}

int backup_manifest_read(
	struct view text, struct backup_manifest *ret_manifest, struct error *err)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(buf_release) struct buf again = BUF_INIT;
	struct view rest = text;
	struct view line;

	if (!view_starts_with(text, FIRST_LINE)) {
		error_set(err, ERROR_INVALID, "this is not a backup of this version");
		return error_hint(err, "'nanoclaw backup FILE' makes one");
	}
	view_next(&rest, '\n', &line);
	for (size_t number = 2; view_next(&rest, '\n', &line); number++)
		if (!read_line(line, &manifest))
			return error_set(err, ERROR_INVALID,
				MANIFEST_NAME ":%zu:1: the list of the backup is damaged",
				number);
	if (!manifest.version || !manifest.created)
		return error_set(err, ERROR_INVALID, "the list of the backup is damaged");
	backup_manifest_write(&manifest, &again);
	if (!view_equal(text, view_of_buf(&again)))
		return error_set(err, ERROR_INVALID, "the list of the backup is damaged");
	if (manifest_check(&manifest, err) < 0)
		return -1;
	*ret_manifest = manifest;
	manifest = BACKUP_MANIFEST_INIT;
	return 0;
}
