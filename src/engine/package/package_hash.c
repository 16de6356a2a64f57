/*
 * The content of a package as one hash: of a list with a line for each file in its folder, with
 * its kind, its hash and its path, sorted.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/string_array.h"
#include "engine/disk/transaction.h"
#include "engine/disk/tx_file.h"
#include "engine/package/package.h"
#include "fs/beneath.h"
#include "fs/walk.h"

struct listing {
	struct string_array lines;
	const struct package *package;
};

static void listing_add(
	struct listing *listing, const struct layer_file *file, const char *path)
{
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&file->hash, hex);
	string_array_addf(&listing->lines, "%s %s %s",
		file->kind == TX_SYMLINK ? "link"
		: file->executable       ? "program"
					 : "file",
		hex, path);
}

/* For a package that an operation brings, the staged files count instead of those on disk. */
static bool listing_has_staged(const struct listing *listing, const char *path)
{
	const struct package *package = listing->package;
	CLEANUP(relpath_release) struct relpath whole = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return package->tx &&
	       relpath_join(&package->staged, view_of(path), &whole, &ignored) == 0 &&
	       journal_find(transaction_journal(package->tx), &whole);
}

static enum walk_result listing_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct listing *listing = data;
	struct layer_file file;

	/* A package can be a clone. Below that, '.git' is a folder like any other. */
	if (entry->kind == WALK_DIR)
		return strcmp(entry->path, ".git") != 0 ? WALK_GO_ON : WALK_SKIP;
	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) ||
		listing_has_staged(listing, entry->path))
		return WALK_GO_ON;
	if (layer_file_at(entry->dirfd, entry->name, entry->kind == WALK_SYMLINK, &file, err) <
		0)
		return WALK_FAIL;
	listing_add(listing, &file, entry->path);
	return WALK_GO_ON;
}

static void listing_add_staged(struct listing *listing)
{
	const struct package *package = listing->package;
	const struct journal *journal = transaction_journal(package->tx);
	size_t len = strlen(package->staged.text);

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		const char *path = change->path.text;
		struct layer_file file = {
			.kind = change->kind == CHANGE_LINK ? TX_SYMLINK : TX_FILE,
			.executable = change->mode & 0100,
			.hash = change->hash,
		};

		if (change_puts(change) && !strncmp(path, package->staged.text, len) &&
			path[len] == '/')
			listing_add(listing, &file, path + len + 1);
	}
}

int package_hash(
	const struct package *package, int root, struct hash *ret_hash, struct error *err)
{
	struct listing listing = {.package = package};
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int staged = -1;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int folder = package->fd, failed = 0;

	if (package->tx && beneath_open_dir(root, &package->staged, &staged, &missing) < 0 &&
		!beneath_is_absent(&missing))
		return error_move(err, &missing);
	if (staged >= 0)
		folder = staged;
	if (folder >= 0)
		failed = walk(folder, listing_visit, &listing, err);
	if (!failed && package->tx)
		listing_add_staged(&listing);
	string_array_sort_once(&listing.lines);
	for (size_t i = 0; i < listing.lines.count; i++)
		/* The NUL ends the path, which can contain any other byte. */
		buf_append(&text, listing.lines.list[i], strlen(listing.lines.list[i]) + 1);
	*ret_hash = hash_of(view_of_buf(&text));
	string_array_release(&listing.lines);
	return failed ? error_prefix(err, "%s", package->folder) : 0;
}
