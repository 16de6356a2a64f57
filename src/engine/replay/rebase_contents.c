/*
 * Contents in .nanoclaw/objects: is one still needed?
 *
 * A file that refers to a content has its hash as text: the state, other files of .nanoclaw (such as
 * resolved.yaml), packs, and manifests of packages, which name files of an earlier core. All
 * hashes that are found there count, whatever they mean; so do those in the notes of a pause,
 * which this may be the end of. The history needs no look: it is undone step by step, and the
 * first step brings back what goes here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/package/package.h"
#include "engine/replay/internal.h"
#include "engine/replay/rebase.h"
#include "engine/session/recorded.h"
#include "fs/file.h"
#include "fs/walk.h"

#define OBJECTS  ".nanoclaw/objects"
#define MAX_FILE ((size_t)1024 * 1024 * 1024)

/* --- sets of hashes ----------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
	return hash_compare(a, b);
}

void hash_set_add(struct hash_set *set, const struct hash *hash)
{
	GROW(set->list, set->count, set->cap);
	set->list[set->count++] = *hash;
}

/* All hashes in a text, whatever they refer to. */
static void hash_set_scan(struct hash_set *set, struct view text)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0, end; i < text.len; i = end + 1) {
		struct hash hash;

		end = i;
		while (end < text.len && text.data[end] && strchr(digits, text.data[end]))
			end++;
		if (end - i == HASH_HEX_SIZE - 1 &&
			hash_from_hex(view_slice(text, i, end), &hash, &impossible) == 0)
			hash_set_add(set, &hash);
	}
}

int hash_set_scan_state(struct hash_set *set, struct state *state, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (state_write(state, &text, err) < 0)
		return -1;
	hash_set_scan(set, view_of_buf(&text));
	return 0;
}

void hash_set_sort(struct hash_set *set)
{
	size_t kept = 0;

	if (set->count)
		qsort(set->list, set->count, sizeof(*set->list), compare_hashes);
	for (size_t i = 0; i < set->count; i++)
		if (!kept || !hash_equal(&set->list[i], &set->list[kept - 1]))
			set->list[kept++] = set->list[i];
	set->count = kept;
}

bool hash_set_has(const struct hash_set *set, const struct hash *hash)
{
	return set->count &&
	       bsearch(hash, set->list, set->count, sizeof(*set->list), compare_hashes);
}

void hash_set_release(struct hash_set *set)
{
	free(set->list);
}

/* --- hashes that are named ------------------------------------------------------------- */

/* Contents themselves, files with contents of their own, and the old state. */
static bool is_not_scanned(const char *path)
{
	static const char *const names[] = {"backup/saved", "base", "base.sha256", "custom",
		"history", "index", "kept", "objects", "resolutions", "rr-cache", "state.yaml",
		"tx"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], path))
			return true;
	return false;
}

static enum walk_result scan_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = -1;

	if (is_not_scanned(entry->path))
		return WALK_SKIP;
	if (entry->kind != WALK_FILE)
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || file_read_fd(fd, entry->path, MAX_FILE, &text, err) < 0) {
		if (fd < 0)
			error_errno(err, "cannot open '.nanoclaw/%s'", entry->path);
		return WALK_FAIL;
	}
	hash_set_scan(data, view_of_buf(&text));
	return WALK_GO_ON;
}

static int scan_all(struct session *s, struct hash_set *hashes, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	const struct journal *journal = transaction_journal(s->tx);
	CLEANUP(closep) int nanoclaw = -1;

	/* Files of .nanoclaw that are staged are not on the disk yet. */
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		struct view path = relpath_view(&change->path);

		if (change->kind != CHANGE_PUT || !view_starts_with(path, ".nanoclaw/") ||
			view_starts_with(path, ".nanoclaw/base/") ||
			view_starts_with(path, OBJECTS "/"))
			continue;
		if (transaction_read(s->tx, &change->path, &file, err) < 0)
			return -1;
		hash_set_scan(hashes, view_of_buf(&file.content));
	}
	if (project_open_nanoclaw(s->project, &nanoclaw, err) < 0 ||
		hash_set_scan_state(hashes, &s->state, err) < 0 ||
		walk(nanoclaw, scan_entry, hashes, err) < 0 ||
		package_list_read(s->project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		if (packages.list[i].text)
			hash_set_scan(hashes, view_of(packages.list[i].text));
	hash_set_sort(hashes);
	return 0;
}

/* --- keeping ------------------------------------------------------------------------------ */

static bool is_content(const struct change *change)
{
	return change->kind == CHANGE_PUT &&
	       view_starts_with(relpath_view(&change->path), OBJECTS "/");
}

int rebase_count_contents(struct session *s, struct rebase_result *result, struct error *err)
{
	const struct journal *journal = transaction_journal(s->tx);

	for (size_t i = 0; i < journal->change_count; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (!is_content(&journal->changes[i]))
			continue;
		if (transaction_read(s->tx, &journal->changes[i].path, &file, err) < 0)
			return -1;
		result->bytes_kept += file.content.len;
	}
	return 0;
}

int rebase_take_contents(struct session *s, struct transaction *from, struct error *err)
{
	CLEANUP(hash_set_release) struct hash_set wanted = {0};
	const struct journal *journal = transaction_journal(from);

	if (hash_set_scan_state(&wanted, &s->state, err) < 0)
		return -1;
	hash_set_sort(&wanted);
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		struct hash hash;

		if (!is_content(change))
			continue;
		if (transaction_read(from, &change->path, &file, err) < 0)
			return -1;
		hash = hash_of(view_of_buf(&file.content));
		if (hash_set_has(&wanted, &hash) &&
			recorded_keep(s, view_of_buf(&file.content), err) < 0)
			return -1;
	}
	return 0;
}

/* --- dropping ----------------------------------------------------------------------------- */

struct dropping {
	struct session *session;
	struct rebase_result *result;
	struct hash_set wanted;
};

static enum walk_result drop_unwanted(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *hex = NULL;
	struct hash hash;

	/* "ab/cdef..."; a file with another name is not ours. */
	if (entry->kind != WALK_FILE || entry->path_len != HASH_HEX_SIZE ||
		entry->path[2] != '/')
		return WALK_GO_ON;
	hex = xasprintf("%.2s%s", entry->path, entry->path + 3);
	if (hash_from_hex(view_of(hex), &hash, &none) < 0 || hash_set_has(&d->wanted, &hash))
		return WALK_GO_ON;
	if (relpath_printf(&path, err, OBJECTS "/%s", entry->path) < 0 ||
		rebase_drop_file(d->session, &path, d->result, err) < 0)
		return WALK_FAIL;
	d->result->contents++;
	return WALK_GO_ON;
}

int rebase_drop_contents(struct session *s, struct rebase_result *result, struct error *err)
{
	struct dropping d = {.session = s, .result = result};
	CLEANUP(closep)
	int objects = openat(
		s->project->root, OBJECTS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int failed;

	if (objects < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open '" OBJECTS "'");
	failed = scan_all(s, &d.wanted, err) < 0 || walk(objects, drop_unwanted, &d, err) < 0;
	hash_set_release(&d.wanted);
	return failed ? -1 : 0;
}
