#include "engine/disk/history.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/yaml_build.h"
#include "format/yaml_write.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "time/timestamp.h"

#define HISTORY       "history"
#define META          "meta.yaml"
#define REDO          HISTORY "/redo"
#define REDO_MAX      1000
#define ENTRIES_MAX   10000
#define MEGABYTES_MAX 1000000
#define NUMBER_MAX    4000000000u
#define MEGABYTE      ((uint64_t)1024 * 1024)

/* --- bounds --- */

struct bounds {
	unsigned long entries;
	unsigned long megabytes;
};

static int history_read_bound(
	const char *name, unsigned long most, unsigned long *bound, struct error *err)
{
	const char *text = getenv(name);
	unsigned long value;
	char *end;

	if (!text || !*text)
		return 0;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9' || value > most)
		return error_set(
			err, ERROR_INVALID, "%s must be a number from 0 to %lu", name, most);
	*bound = value;
	return 0;
}

/* --- entries --- */

static bool history_parse_number(const char *name, unsigned *ret_number)
{
	unsigned long number = strtoul(name, NULL, 10);

	if (strspn(name, "0123456789") != strlen(name) || !number || number > NUMBER_MAX)
		return false;
	*ret_number = (unsigned)number;
	return true;
}

static void meta_number(const struct yaml_node *root, const char *key, uint64_t *ret_number)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct yaml_node *node = yaml_get(root, key);
	int64_t number;

	if (node && yaml_int(node, key, &number, &ignored) == 0 && number > 0)
		*ret_number = (uint64_t)number;
}

static void meta_text(const struct yaml_node *root, const char *key, char **text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct yaml_node *node = yaml_get(root, key);
	const char *value;

	if (!node || yaml_string(node, key, &value, &ignored) < 0)
		return;
	free(*text);
	*text = xstrdup(value);
}

/* `*ret_doc` is NULL if the file is missing or damaged. */
static int history_read_meta(
	int folder, const char *name, struct yaml_doc **ret_doc, struct error *err)
{
	CLEANUP(error_release) struct error damage = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	*ret_doc = NULL;
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (fd < 0)
		return error_errno(err, "cannot open '%s'", name);
	if (file_read_fd(fd, name, YAML_MAX_SIZE, &text, &damage) < 0)
		return damage.errnum ? error_move(err, &damage) : 0;
	yaml_parse(view_of_buf(&text), META, ret_doc, &damage);
	return 0;
}

/* Only for people: missing values are left out. */
static int history_read_entry_meta(
	int folder, const char *name, struct history_entry *entry, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	const struct yaml_node *skills;
	const char **names;
	size_t count;

	entry->operation = xstrdup("?");
	entry->finished_at = xstrdup("");
	if (history_read_meta(folder, name, &doc, err) < 0)
		return -1;
	if (!doc)
		return 0;
	meta_text(doc->root, "operation", &entry->operation);
	meta_text(doc->root, "finished_at", &entry->finished_at);
	meta_number(doc->root, "files", &entry->files);
	meta_number(doc->root, "bytes", &entry->bytes);
	skills = yaml_get(doc->root, "skills");
	if (!skills || yaml_strings(skills, "skills", &names, &count, &ignored) < 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		string_array_add(&entry->skills, names[i]);
	return 0;
}

static int compare_entry_numbers(const void *a, const void *b)
{
	const struct history_entry *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* The entries in a folder: all of the history, or those of one undo, which is a `step`. */
static int history_read_entries(int nanoclaw, const char *folder, unsigned step,
	struct history *ret_history, struct error *err)
{
	int fd = disk_open_folder(nanoclaw, folder);
	struct history *h = ret_history;
	size_t first = h->count;
	struct dirent *entry;
	DIR *dir;
	int failed = 0;

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP)) {
		error_set(err, ERROR_INVALID, "'.nanoclaw/" HISTORY "' is not a folder");
		return damage_hint(err);
	}
	if (fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open the history");
	dir = fdopendir(fd);
	if (!dir) {
		error_errno(err, "cannot read the history");
		close(fd);
		return -1;
	}
	while (!failed && (errno = 0, entry = readdir(dir))) {
		CLEANUP(freep) char *name = xasprintf("%s/" META, entry->d_name);
		unsigned number;

		if (!history_parse_number(entry->d_name, &number))
			continue;
		GROW(h->entries, h->count, h->cap);
		h->entries[h->count] = (struct history_entry){.number = number, .step = step};
		failed =
			history_read_entry_meta(dirfd(dir), name, &h->entries[h->count++], err);
	}
	if (!failed && errno)
		failed = error_errno(err, "cannot read the history");
	closedir(dir);
	if (failed)
		return -1;
	if (h->count > first)
		qsort(h->entries + first, h->count - first, sizeof(*h->entries),
			compare_entry_numbers);
	return 0;
}

/* `*ret_fd` is -1 if the folder does not exist. */
static int history_open_nanoclaw(const struct project *project, int *ret_fd, struct error *err)
{
	if (project_open_nanoclaw(project, ret_fd, err) == 0)
		return 0;
	if (err->errnum != ENOENT)
		return -1;
	error_clear(err);
	return 0;
}

int history_load_redo(
	const struct project *project, struct history *ret_history, struct error *err)
{
	CLEANUP(buf_release) struct buf folder = BUF_INIT;
	CLEANUP(closep) int nanoclaw = -1;

	if (history_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	buf_append_str(&folder, REDO);
	for (unsigned step = 1;
		nanoclaw >= 0 && step < REDO_MAX && disk_exists(nanoclaw, folder.data);
		step++) {
		CLEANUP(freep) char *entries = xasprintf("%s/entries", folder.data);

		if (history_read_entries(nanoclaw, entries, step, ret_history, err) < 0)
			return -1;
		buf_append_str(&folder, "/older");
	}
	return 0;
}

int history_load(const struct project *project, struct history *ret_history, struct error *err)
{
	CLEANUP(closep) int nanoclaw = -1;

	if (history_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	return nanoclaw < 0 ? 0 : history_read_entries(nanoclaw, HISTORY, 0, ret_history, err);
}

void history_entry_release(struct history_entry *entry)
{
	free(entry->operation);
	free(entry->finished_at);
	string_array_release(&entry->skills);
}

void history_release(struct history *history)
{
	for (size_t i = 0; i < history->count; i++)
		history_entry_release(&history->entries[i]);
	free(history->entries);
}

/* `done` is the name of its journal. */
static int history_open_entry(const struct project *project, const char *name, const char *done,
	struct journal *ret_journal, int *ret_saved, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(name);
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int saved = -1;

	if (beneath_open_dir(project->root, &path, &folder, err) < 0)
		return -1;
	saved = disk_open_folder(folder, "saved");
	if (saved < 0 || !disk_exists(folder, done)) {
		error_errno(err, "cannot read the entry '%s' of the history", name);
		return damage_hint(err);
	}
	if (journal_read(folder, done, ret_journal, err) < 0)
		return error_prefix(err, "the entry '%s' of the history", name);
	*ret_saved = TAKE_FD(saved);
	return 0;
}

int history_open(const struct project *project, unsigned number, struct journal *ret_journal,
	int *ret_saved, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf(".nanoclaw/" HISTORY "/%u", number);

	return history_open_entry(project, name, "done", ret_journal, ret_saved, err);
}

int history_open_redo(const struct project *project, struct journal *ret_journal,
	int *ret_saved, struct error *err)
{
	return history_open_entry(
		project, ".nanoclaw/" REDO, "undone", ret_journal, ret_saved, err);
}

/* --- before the commit ----------------------------------------------------------- */

static int history_sum_saved(int nanoclaw, const char *folder, const struct journal *journal,
	int64_t *ret_files, int64_t *ret_bytes, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s/saved", folder);
	CLEANUP(closep) int saved = disk_open_folder(nanoclaw, name);

	if (saved < 0)
		return error_errno(err, "cannot access the saved files");
	*ret_files = *ret_bytes = 0;
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		char number[CHANGE_NAME_SIZE];
		struct stat st;

		if (strncmp(change->path.text, ".nanoclaw/", 10) != 0 &&
			(change->had_before || change_puts(change)))
			++*ret_files;
		if (!change->had_before)
			continue;
		change_file_name(change, number);
		if (fstatat(saved, number, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return error_errno(err, "cannot access the saved files");
		*ret_bytes += st.st_size;
	}
	return 0;
}

/* The number of a new entry of this size, and the entries to drop for it. */
static void history_plan_bounds(const struct history *h, const struct bounds *bounds,
	uint64_t bytes, struct yaml_node *root)
{
	struct yaml_node *dropped = yaml_new_sequence(root->doc);

	for (size_t i = 0; i < h->count; i++)
		bytes += h->entries[i].bytes;
	for (size_t i = 0; i < h->count; i++) {
		if (h->count - i < bounds->entries && bytes <= bounds->megabytes * MEGABYTE)
			break;
		yaml_append(dropped, yaml_new_int(root->doc, h->entries[i].number));
		bytes -= h->entries[i].bytes;
	}
	if (bounds->entries)
		yaml_set(root, "number",
			yaml_new_int(
				root->doc, h->count ? h->entries[h->count - 1].number + 1 : 1));
	yaml_set(root, "dropped", dropped);
}

static int history_write_meta(int nanoclaw, const char *folder, const struct journal *journal,
	const struct string_array *subject, const struct bounds *bounds, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new(META);
	CLEANUP(history_release) struct history h = HISTORY_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = disk_open_folder(nanoclaw, folder);
	struct yaml_node *skills = yaml_new_sequence(doc);
	char now[TIMESTAMP_SIZE];
	int64_t files = 0, bytes = 0;

	if (fd < 0)
		return error_errno(err, "cannot open '.nanoclaw/%s'", folder);
	if (history_sum_saved(nanoclaw, folder, journal, &files, &bytes, err) < 0 ||
		history_read_entries(nanoclaw, HISTORY, 0, &h, err) < 0)
		return -1;
	timestamp_format(timestamp_now(), now);
	doc->root = yaml_new_mapping(doc);
	yaml_set(doc->root, "operation", yaml_new_string(doc, journal->operation));
	yaml_set(doc->root, "finished_at", yaml_new_string(doc, now));
	yaml_set(doc->root, "files", yaml_new_int(doc, files));
	yaml_set(doc->root, "bytes", yaml_new_int(doc, bytes));
	for (size_t i = 0; i < subject->count; i++)
		yaml_append(skills, yaml_new_string(doc, subject->list[i]));
	yaml_set(doc->root, "skills", skills);
	history_plan_bounds(&h, bounds, (uint64_t)bytes, doc->root);
	if (yaml_write(doc->root, &text, err) < 0)
		return -1;
	return replace_file(fd, META, view_of_buf(&text), 0644, NULL,
		REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err);
}

int history_prepare(int nanoclaw, const char *folder, const struct journal *journal,
	const struct string_array *subject, struct error *err)
{
	struct bounds bounds = {HISTORY_DEFAULT_ENTRIES, HISTORY_DEFAULT_MEGABYTES};

	if (history_read_bound("NANOCLAW_HISTORY_ENTRIES", ENTRIES_MAX, &bounds.entries, err) <
			0 ||
		history_read_bound("NANOCLAW_HISTORY_MEGABYTES", MEGABYTES_MAX,
			&bounds.megabytes, err) < 0)
		return -1;
	/* H1: the folder of the history is also moved into place by a rename. */
	if (bounds.entries && !disk_exists(nanoclaw, HISTORY) &&
		sys.mkdir(nanoclaw, "tx/" HISTORY, 0777) < 0)
		return error_errno(err, "cannot prepare the history");
	return history_write_meta(nanoclaw, folder, journal, subject, &bounds, err);
}

/* --- after the commit --- */

/* Rename an entry in .nanoclaw, if it exists. */
static int history_move(int nanoclaw, const char *from, const char *to, struct error *err)
{
	if (sys.rename(nanoclaw, from, nanoclaw, to, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot move '.nanoclaw/%s'", from);
	return 0;
}

/* H3: an entry leaves the history by a rename. */
static int history_drop(int nanoclaw, unsigned number, const char *as, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf(HISTORY "/%u", number);

	return history_move(nanoclaw, name, as, err);
}

/* Remove from a finished transaction what its entry does not need. */
static int history_remove_rest(int nanoclaw, const char *folder, struct error *err)
{
	static const char *const rest[] = {
		"armed", "aborting", "dropped", "guard", HISTORY, "stage"};

	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", folder, rest[i]);

		if (disk_exists(nanoclaw, path) && tree_remove(nanoclaw, path, err) < 0)
			return -1;
	}
	return 0;
}

int history_add(int nanoclaw, const char *folder, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s/" META, folder);
	CLEANUP(yaml_doc_freep) struct yaml_doc *meta = NULL;
	CLEANUP(freep) char *place = NULL;
	const struct yaml_node *dropped;
	uint64_t number = 0;

	if (history_read_meta(nanoclaw, name, &meta, err) < 0)
		return -1;
	if (!meta)
		return 0;
	/* Operations that were undone before this one cannot be redone on top of it. */
	if (disk_exists(nanoclaw, REDO) &&
		(tree_remove(nanoclaw, "tx/dropped", err) < 0 ||
			history_move(nanoclaw, REDO, "tx/dropped", err) < 0))
		return -1;
	/* The entries that history_plan_bounds() has listed. */
	dropped = yaml_get(meta->root, "dropped");
	for (size_t i = 0; dropped && dropped->kind == YAML_SEQUENCE && i < dropped->count;
		i++) {
		unsigned old;

		if (dropped->items[i]->kind != YAML_SCALAR ||
			!history_parse_number(dropped->items[i]->text.data, &old))
			continue;
		if (tree_remove(nanoclaw, "tx/dropped", err) < 0 ||
			history_drop(nanoclaw, old, "tx/dropped", err) < 0)
			return -1;
	}
	if (tree_remove(nanoclaw, "tx/dropped", err) < 0)
		return -1;
	meta_number(meta->root, "number", &number);
	if (!number)
		return tree_remove_empty(nanoclaw, HISTORY, err);
	if (!disk_exists(nanoclaw, HISTORY) &&
		sys.rename(nanoclaw, "tx/" HISTORY, nanoclaw, HISTORY, 0) < 0)
		return error_errno(err, "cannot move the history into place");
	if (history_remove_rest(nanoclaw, folder, err) < 0)
		return -1;
	place = xasprintf(HISTORY "/%u", (unsigned)number);
	if (sys.rename(nanoclaw, folder, nanoclaw, place, 0) < 0)
		return error_errno(err, "cannot add to the history");
	return 0;
}

int history_undone(int nanoclaw, const struct journal *journal, struct error *err)
{
	CLEANUP(history_release) struct history h = HISTORY_INIT;
	unsigned first = journal->undoes;

	if (history_read_entries(nanoclaw, HISTORY, 0, &h, err) < 0)
		return -1;
	/* Earlier versions did not note the number: they moved the newest entry to tx/entry. */
	if (!first && h.count && !disk_exists(nanoclaw, "tx/entry"))
		return history_drop(nanoclaw, h.entries[h.count - 1].number, "tx/entry", err);
	for (size_t i = 0; first && i < h.count; i++) {
		CLEANUP(freep) char *to = xasprintf("tx/entries/%u", h.entries[i].number);

		if (h.entries[i].number >= first &&
			history_drop(nanoclaw, h.entries[i].number, to, err) < 0)
			return -1;
	}
	/* An undone 'init' leaves nothing, so it cannot be redone. */
	if (!first || !disk_exists(nanoclaw, "state.yaml"))
		return history_move(nanoclaw, REDO, "tx/older", err);
	if (history_move(nanoclaw, REDO, "tx/older", err) < 0 ||
		history_remove_rest(nanoclaw, "tx", err) < 0)
		return -1;
	/* Folders that the undo took away, such as node_modules: a redo makes them again. */
	for (size_t i = 0; i < journal->change_count; i++) {
		CLEANUP(freep)
		char *saved = xasprintf("tx/saved/%u", journal->changes[i].number);

		if (journal->changes[i].kind == CHANGE_TAKE &&
			tree_remove(nanoclaw, saved, err) < 0)
			return -1;
	}
	/* The entries are moved for certain before tx, which names them, goes. */
	if (sys.sync_all(nanoclaw) < 0 || sys.rename(nanoclaw, "tx", nanoclaw, REDO, 0) < 0)
		return error_errno(err, "cannot save what a redo needs");
	return 0;
}

int history_redone(int nanoclaw, struct error *err)
{
	CLEANUP(history_release) struct history h = HISTORY_INIT;

	if (!disk_exists(nanoclaw, "tx/entry") &&
		history_move(nanoclaw, REDO, "tx/entry", err) < 0)
		return -1;
	if (history_read_entries(nanoclaw, "tx/entry/entries", 0, &h, err) < 0)
		return -1;
	for (size_t i = 0; i < h.count; i++) {
		CLEANUP(freep)
		char *from = xasprintf("tx/entry/entries/%u", h.entries[i].number);
		CLEANUP(freep) char *to = xasprintf(HISTORY "/%u", h.entries[i].number);

		if (history_move(nanoclaw, from, to, err) < 0)
			return -1;
	}
	return history_move(nanoclaw, "tx/entry/older", REDO, err);
}
