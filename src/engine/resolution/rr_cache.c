#include "engine/resolution/rr_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/gitdir.h"
#include "engine/text/rerere_hunk.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

#define GIT_FOLDER  "rr-cache"
#define OWN_FOLDER  ".nanoclaw/rr-cache"
#define HUNK_FOLDER ".nanoclaw/hunks"
#define HUNK_HEADER "nanoclaw hunk 1 "

/* Names that are looked at in the folder of one recording. */
#define MAX_NAMES 4096

/* --- which store ---------------------------------------------------------------- */

/* Would git itself use, or make, the rr-cache of this repository? */
static bool git_uses_rr_cache(int common, const struct gitconfig *config)
{
	int enabled = gitconfig_bool(config, "rerere", "enabled");
	struct stat st;

	if (enabled == 0)
		return false;
	if (fstatat(common, GIT_FOLDER, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return enabled == 1 && errno == ENOENT;
	return S_ISDIR(st.st_mode);
}

void rr_cache_open(int root, struct rr_cache *ret_cache)
{
	CLEANUP(gitdir_release) struct gitdir gitdir = GITDIR_INIT;
	CLEANUP(gitconfig_release) struct gitconfig config = GITCONFIG_INIT;
	CLEANUP(buf_release) struct buf format = BUF_INIT;

	*ret_cache = RR_CACHE_INIT;
	gitdir_open(root, &gitdir);
	if (gitdir.common >= 0) {
		gitconfig_read(gitdir.common, &config);
		ret_cache->in_git = git_uses_rr_cache(gitdir.common, &config);
	}
	if (ret_cache->in_git) {
		if (gitconfig_value(&config, "extensions", "objectformat", &format) &&
			!strcmp(format.data, "sha256"))
			ret_cache->hash = RERERE_SHA256;
		ret_cache->top = TAKE_FD(gitdir.common);
	} else {
		ret_cache->top = fcntl(root, F_DUPFD_CLOEXEC, 0);
	}
}

void rr_cache_open_own(int root, struct rr_cache *ret_cache)
{
	*ret_cache = RR_CACHE_INIT;
	ret_cache->top = fcntl(root, F_DUPFD_CLOEXEC, 0);
}

void rr_cache_release(struct rr_cache *cache)
{
	closep(&cache->top);
}

/* --- names ---------------------------------------------------------------------- */

static struct relpath image_path(const struct rr_cache *cache, const struct rerere_id *id,
	const char *name, size_t variant)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text, "%s/%s", cache->in_git ? GIT_FOLDER : OWN_FOLDER, id->hex);
	if (name)
		buf_appendf(&text, "/%s", name);
	if (variant)
		buf_appendf(&text, ".%zu", variant);
	return relpath_of(text.data);
}

/* The number after `kind` in a name, as git writes it; -1 for any other name. */
static int image_variant(const char *name, const char *kind)
{
	size_t len = strlen(kind);
	int number = 0;

	if (strncmp(name, kind, len) != 0)
		return -1;
	if (!name[len])
		return 0;
	if (name[len] != '.' || name[len + 1] < '1')
		return -1;
	for (const char *at = name + len + 1; *at; at++) {
		if (*at < '0' || *at > '9' || number >= RR_CACHE_MAX_VARIANTS)
			return -1;
		number = 10 * number + *at - '0';
	}
	return number < RR_CACHE_MAX_VARIANTS ? number : -1;
}

void rr_cache_variants(const struct rr_cache *cache, const struct rerere_id *id,
	struct rr_variants *ret_variants)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = image_path(cache, id, NULL, 0);
	CLEANUP(closep) int fd = -1;
	CLEANUP(closedirp) DIR *dir = NULL;
	const struct dirent *entry;

	*ret_variants = (struct rr_variants){0};
	if (cache->top < 0 || beneath_open_dir(cache->top, &path, &fd, &err) < 0)
		return;
	dir = fdopendir(fd);
	if (!dir)
		return;
	fd = -1;
	for (int i = 0; i < MAX_NAMES && (entry = readdir(dir)); i++) {
		int pre = image_variant(entry->d_name, "preimage");
		int post = image_variant(entry->d_name, "postimage");

		if (pre >= 0)
			ret_variants->list[pre].preimage = true;
		if (post >= 0)
			ret_variants->list[post].postimage = true;
	}
}

/* --- reading -------------------------------------------------------------------- */

static bool rr_cache_read_image(const struct rr_cache *cache, const struct rerere_id *id,
	const char *name, size_t variant, struct buf *ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = image_path(cache, id, name, variant);

	return cache->top >= 0 &&
	       beneath_read(cache->top, &path, RERERE_MAX_SIZE, ret_text, &err) == 0 &&
	       rerere_is_image(view_of_buf(ret_text));
}

bool rr_cache_read_postimage(const struct rr_cache *cache, const struct rerere_id *id,
	size_t variant, struct buf *ret_text)
{
	return rr_cache_read_image(cache, id, "postimage", variant, ret_text);
}

/* The first variant that can be replayed, or -1 in `*ret_variant`. */
static int rr_cache_find_variant(const struct rr_cache *cache,
	const struct rerere_text *conflict, const struct rr_variants *variants,
	struct buf *ret_content, int *ret_variant, struct error *err)
{
	struct rerere_id id = rerere_id(conflict, cache->hash);
	bool clean;

	*ret_variant = -1;
	for (int i = 0; i < RR_CACHE_MAX_VARIANTS && *ret_variant < 0; i++) {
		CLEANUP(buf_release) struct buf preimage = BUF_INIT;
		CLEANUP(buf_release) struct buf postimage = BUF_INIT;

		if (!variants->list[i].preimage || !variants->list[i].postimage ||
			!rr_cache_read_image(cache, &id, "preimage", (size_t)i, &preimage) ||
			!rr_cache_read_image(cache, &id, "postimage", (size_t)i, &postimage))
			continue;
		if (rerere_replay(conflict, view_of_buf(&preimage), view_of_buf(&postimage),
			    ret_content, &clean, err) < 0)
			return -1;
		if (clean)
			*ret_variant = i;
	}
	return 0;
}

int rr_cache_replay(const struct rr_cache *cache, const struct rerere_text *conflict,
	struct buf *ret_content, bool *ret_found, struct error *err)
{
	struct rerere_id id = rerere_id(conflict, cache->hash);
	struct rr_variants variants;
	int variant;

	rr_cache_variants(cache, &id, &variants);
	if (rr_cache_find_variant(cache, conflict, &variants, ret_content, &variant, err) < 0)
		return -1;
	*ret_found = variant >= 0;
	return 0;
}

/* --- recording ------------------------------------------------------------------ */

void rr_writes_release(struct rr_writes *writes)
{
	for (size_t i = 0; i < writes->count; i++) {
		relpath_release(&writes->list[i].path);
		buf_release(&writes->list[i].content);
	}
	free(writes->list);
}

static struct rr_write *rr_writes_find(
	const struct rr_writes *writes, const struct relpath *path)
{
	for (size_t i = 0; i < writes->count; i++)
		if (!relpath_compare(&writes->list[i].path, path))
			return &writes->list[i];
	return NULL;
}

/* Takes ownership of the path. A later write to the same path replaces an earlier one. */
static struct buf *rr_writes_add(struct rr_writes *writes, struct relpath path)
{
	struct rr_write *planned = rr_writes_find(writes, &path);

	if (planned) {
		relpath_release(&path);
		buf_clear(&planned->content);
		return &planned->content;
	}
	GROW(writes->list, writes->count, writes->cap);
	writes->list[writes->count++] = (struct rr_write){path, BUF_INIT};
	return &writes->list[writes->count - 1].content;
}

static void rr_writes_put_image(const struct rr_cache *cache, const struct rerere_id *id,
	const char *name, size_t variant, struct view content, struct rr_writes *writes)
{
	struct buf *into = rr_writes_add(writes, image_path(cache, id, name, variant));

	buf_append(into, content.data, content.len);
}

/* A variant that is free, on the disk and among the planned writes. */
static int rr_cache_free_variant(const struct rr_cache *cache, const struct rerere_id *id,
	const struct rr_variants *variants, const struct rr_writes *writes)
{
	for (int i = 0; i < RR_CACHE_MAX_VARIANTS; i++) {
		CLEANUP(relpath_release)
		struct relpath path = image_path(cache, id, "preimage", (size_t)i);

		if (!variants->list[i].preimage && !variants->list[i].postimage &&
			!rr_writes_find(writes, &path))
			return i;
	}
	return -1;
}

/* One that waits for its postimage, and has this very preimage. */
static int rr_cache_waiting_variant(const struct rr_cache *cache, const struct rerere_id *id,
	const struct rr_variants *variants, struct view preimage)
{
	for (int i = 0; i < RR_CACHE_MAX_VARIANTS; i++) {
		CLEANUP(buf_release) struct buf there = BUF_INIT;

		if (variants->list[i].preimage && !variants->list[i].postimage &&
			rr_cache_read_image(cache, id, "preimage", (size_t)i, &there) &&
			view_equal(view_of_buf(&there), preimage))
			return i;
	}
	return -1;
}

int rr_cache_record(const struct rr_cache *cache, const struct rerere_text *conflict,
	struct view postimage, struct rr_writes *writes, struct error *err)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf replayed = BUF_INIT;
	struct rerere_id id = rerere_id(conflict, cache->hash);
	struct view preimage = view_of_buf(&conflict->normalized);
	struct rr_variants variants;
	int known, variant;

	/* A text with conflict markers cannot be a postimage. */
	if (postimage.data && (!rerere_parse(postimage, 0, &parsed) || parsed.count))
		return 0;
	rr_cache_variants(cache, &id, &variants);
	if (rr_cache_find_variant(cache, conflict, &variants, &replayed, &known, err) < 0)
		return -1;
	if (known >= 0 && (cache->in_git || !postimage.data ||
				  view_equal(view_of_buf(&replayed), postimage)))
		return 0;
	variant =
		known >= 0 ? known : rr_cache_waiting_variant(cache, &id, &variants, preimage);
	if (known < 0 && variant >= 0 && !postimage.data)
		return 0;
	if (variant < 0 || known >= 0) {
		if (variant < 0)
			variant = rr_cache_free_variant(cache, &id, &variants, writes);
		if (variant < 0)
			return 0;
		rr_writes_put_image(cache, &id, "preimage", (size_t)variant, preimage, writes);
	}
	if (postimage.data)
		rr_writes_put_image(
			cache, &id, "postimage", (size_t)variant, postimage, writes);
	return 0;
}

/* Put all of them in place, synced. The rest is in `prepared`. */
static int rr_writes_place(const struct rr_cache *cache, const struct rr_writes *writes,
	struct replacement *prepared, struct error *err)
{
	mode_t mask = umask(0);

	umask(mask);
	/* Remove the remains of a crash where we write. */
	for (size_t i = 0; i < writes->count; i++) {
		CLEANUP(error_release) struct error absent = ERROR_INIT;
		CLEANUP(closep) int dir = -1;

		if (beneath_open_parent(cache->top, &writes->list[i].path, 0, &dir, &absent) ==
				0 &&
			replace_clean(dir, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < writes->count; i++) {
		const struct rr_write *write = &writes->list[i];
		CLEANUP(closep) int dir = -1;

		if (beneath_open_parent(cache->top, &write->path, BENEATH_CREATE, &dir, err) <
				0 ||
			replace_prepare(dir, relpath_base(&write->path),
				view_of_buf(&write->content), 0666 & ~mask, &prepared[i],
				err) < 0)
			return -1;
	}
	if (sys.sync_all(cache->top) < 0)
		return error_errno(err, "cannot write it to disk");
	for (size_t i = 0; i < writes->count; i++) {
		const struct relpath *path = &writes->list[i].path;
		CLEANUP(closep) int dir = -1;

		if (beneath_open_parent(cache->top, path, 0, &dir, err) < 0 ||
			replace_place(dir, relpath_base(path), &prepared[i], err) < 0)
			return -1;
	}
	if (sys.sync_all(cache->top) < 0)
		return error_errno(err, "cannot write it to disk");
	return 0;
}

int rr_cache_write(
	const struct rr_cache *cache, const struct rr_writes *writes, struct error *err)
{
	CLEANUP(freep) struct replacement *prepared = xcalloc(writes->count, sizeof(*prepared));

	if (rr_writes_place(cache, writes, prepared, err) == 0)
		return 0;
	for (size_t i = 0; i < writes->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(closep) int dir = -1;

		if (prepared[i].name[0] &&
			beneath_open_parent(
				cache->top, &writes->list[i].path, 0, &dir, &ignored) == 0)
			replace_discard(dir, &prepared[i]);
	}
	return error_prefix(err, "cannot record a resolution");
}

/* --- hunks ---------------------------------------------------------------------- */

static struct relpath hunk_path(const struct hash *key)
{
	char hex[HASH_HEX_SIZE];
	CLEANUP(freep) char *text = NULL;

	hash_to_hex(key, hex);
	text = xasprintf(HUNK_FOLDER "/%s", hex);
	return relpath_of(text);
}

/* Of the key too: a file under another name is another hunk's. */
static void hunk_header(const struct hash *key, struct view resolution, struct buf *out)
{
	CLEANUP(buf_release) struct buf hashed = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	buf_append(&hashed, key->bytes, sizeof(key->bytes));
	buf_append(&hashed, resolution.data, resolution.len);
	hash = hash_of(view_of_buf(&hashed));
	hash_to_hex(&hash, hex);
	buf_appendf(out, HUNK_HEADER "%s\n", hex);
}

bool rr_cache_find_hunk(int root, const struct hash *key, struct buf *ret_resolution)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = hunk_path(key);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf header = BUF_INIT;
	size_t len = strlen(HUNK_HEADER) + HASH_HEX_SIZE;
	struct view resolution;

	if (beneath_read(root, &path, RERERE_MAX_SIZE + len, &text, &err) < 0 || text.len < len)
		return false;
	resolution = view_slice(view_of_buf(&text), len, text.len);
	hunk_header(key, resolution, &header);
	if (memcmp(header.data, text.data, len) != 0 || !rerere_hunk_is_resolution(resolution))
		return false;
	buf_clear(ret_resolution);
	buf_append(ret_resolution, resolution.data, resolution.len);
	return true;
}

int rr_cache_record_hunk(const struct hash *key, struct view resolution,
	struct rr_writes *writes, struct error *err)
{
	struct buf *into;

	if (!rerere_hunk_is_resolution(resolution))
		return error_set(err, ERROR_INVALID,
			"a resolution with conflict markers or a NUL cannot be remembered");
	into = rr_writes_add(writes, hunk_path(key));
	hunk_header(key, resolution, into);
	buf_append(into, resolution.data, resolution.len);
	return 0;
}
