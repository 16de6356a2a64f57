/*
 * Contents in .nanoclaw/objects: which of them something refers to.
 *
 * What refers to one has its hash as text: the state, files of ours beside it (such as
 * resolved.yaml), packs, and manifests of packages, which name files of an earlier core. All
 * hashes that are found there count, whatever they mean; so do those in the notes of a pause,
 * which this may be the end of. The history needs no look: it is undone step by step, and the
 * first step brings back what goes here.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/package/package.h"
#include "engine/replay/internal.h"
#include "engine/session/recorded.h"
#include "fs/file.h"
#include "fs/walk.h"

#define OBJECTS  ".nanoclaw/objects"
#define MAX_FILE ((size_t)1024 * 1024 * 1024)

struct hashes {
	struct hash *list; /* sorted when it is complete */
	size_t count;
	size_t cap;
};

static void hashes_release(struct hashes *hashes)
{
	free(hashes->list);
}

/* --- finding them ------------------------------------------------------------------------- */

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static void scan(struct view text, struct hashes *hashes)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	const size_t digits = HASH_HEX_SIZE - 1;

	for (size_t i = 0, end; i < text.len; i = end + 1) {
		struct hash hash;

		for (end = i; end < text.len && is_hex(text.data[end]); end++)
			;
		if (end - i != digits ||
			hash_from_hex(view_slice(text, i, end), &hash, &impossible) < 0)
			continue;
		GROW(hashes->list, hashes->count, hashes->cap);
		hashes->list[hashes->count++] = hash;
	}
}

static int compare_hashes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct hash));
}

static bool has(const struct hashes *hashes, const struct hash *hash)
{
	return hashes->count && bsearch(hash, hashes->list, hashes->count,
					sizeof(*hashes->list), compare_hashes);
}

static int scan_state(struct session *s, struct hashes *hashes, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (state_write(&s->state, &text, err) < 0)
		return -1;
	scan(view_of_buf(&text), hashes);
	return 0;
}

/* Contents themselves, files that hold their own, and the state, which is another by now. */
static bool is_left_out(const char *path)
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

	if (is_left_out(entry->path))
		return WALK_SKIP;
	if (entry->kind != WALK_FILE)
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || file_read_fd(fd, entry->path, MAX_FILE, &text, err) < 0) {
		if (fd < 0)
			error_errno(err, "cannot open '.nanoclaw/%s'", entry->path);
		return WALK_FAIL;
	}
	scan(view_of_buf(&text), data);
	return WALK_GO_ON;
}

static int scan_packages(struct session *s, struct hashes *hashes, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(s->project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		if (packages.list[i].text)
			scan(view_of(packages.list[i].text), hashes);
	return 0;
}

/* Files of ours that are staged, and not on the disk yet. */
static int scan_staged(struct session *s, struct hashes *hashes, struct error *err)
{
	const struct journal *journal = transaction_journal(s->tx);

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
		scan(view_of_buf(&file.content), hashes);
	}
	return 0;
}

static int collect(struct session *s, struct hashes *hashes, struct error *err)
{
	CLEANUP(closep) int nanoclaw = -1;

	if (project_open_nanoclaw(s->project, &nanoclaw, err) < 0 ||
		scan_state(s, hashes, err) < 0 || scan_packages(s, hashes, err) < 0 ||
		scan_staged(s, hashes, err) < 0 || walk(nanoclaw, scan_entry, hashes, err) < 0)
		return -1;
	if (hashes->count)
		qsort(hashes->list, hashes->count, sizeof(*hashes->list), compare_hashes);
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
	CLEANUP(hashes_release) struct hashes wanted = {0};
	const struct journal *journal = transaction_journal(from);

	if (scan_state(s, &wanted, err) < 0)
		return -1;
	if (wanted.count)
		qsort(wanted.list, wanted.count, sizeof(*wanted.list), compare_hashes);
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		struct hash hash;

		if (!is_content(change))
			continue;
		if (transaction_read(from, &change->path, &file, err) < 0)
			return -1;
		hash = hash_of(view_of_buf(&file.content));
		if (has(&wanted, &hash) &&
			recorded_keep(s, view_of_buf(&file.content), err) < 0)
			return -1;
	}
	return 0;
}

/* --- dropping ----------------------------------------------------------------------------- */

struct dropping {
	struct session *session;
	struct rebase_result *result;
	struct hashes wanted;
};

static enum walk_result consider(const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *text = xasprintf(OBJECTS "/%s", entry->path);
	CLEANUP(freep) char *hex = NULL;
	struct hash hash;

	/* "ab/cdef..."; what has another name is none of ours. */
	if (entry->kind != WALK_FILE || entry->path_len != HASH_HEX_SIZE ||
		entry->path[2] != '/')
		return WALK_GO_ON;
	hex = xasprintf("%.2s%s", entry->path, entry->path + 3);
	if (hash_from_hex(view_of(hex), &hash, &none) < 0 || has(&d->wanted, &hash))
		return WALK_GO_ON;
	if (relpath_parse(view_of(text), &path, err) < 0 ||
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
		return 0; /* there are none yet */
	failed = collect(s, &d.wanted, err) < 0 || walk(objects, consider, &d, err) < 0;
	hashes_release(&d.wanted);
	return failed ? -1 : 0;
}
