#include "engine/core/base_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "fs/walk.h"

#define FIRST_WORDS "nanoclaw base 1 "

static void base_sums_add(struct base_sums *sums, char *path, struct layer_file file)
{
	GROW(sums->list, sums->count, sums->cap);
	sums->list[sums->count++] = (struct base_sum){path, file};
}

static int compare_sums(const void *a, const void *b)
{
	return strcmp(((const struct base_sum *)a)->path, ((const struct base_sum *)b)->path);
}

/* --- from the base --------------------------------------------------------------- */

static enum walk_result sum_entry(const struct walk_entry *entry, void *data, struct error *err)
{
	bool is_link = entry->kind == WALK_SYMLINK;
	struct layer_file file;

	if (entry->kind != WALK_FILE && !is_link)
		return WALK_GO_ON;
	if (layer_file_at(entry->dirfd, entry->name, is_link, &file, err) < 0) {
		CLEANUP(freep) char *shown = quote(view_of(entry->path));

		error_prefix(err, "base: %s", shown);
		return WALK_FAIL;
	}
	base_sums_add(data, xstrdup(entry->path), file);
	return WALK_GO_ON;
}

int base_sums_collect(int base, struct base_sums *ret_sums, struct error *err)
{
	if (walk(base, sum_entry, ret_sums, err) < 0)
		return -1;
	if (ret_sums->count)
		qsort(ret_sums->list, ret_sums->count, sizeof(*ret_sums->list), compare_sums);
	return 0;
}

/* --- as text --------------------------------------------------------------------- */

void base_sums_render(const struct base_sums *sums, const char *core_version, struct buf *out)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	for (size_t i = 0; i < sums->count; i++) {
		const char *path = sums->list[i].path;
		bool usual = *path != '"' && utf8_valid(view_of(path));
		CLEANUP(freep) char *quoted = NULL;

		for (const char *c = path; *c; c++)
			usual &= (unsigned char)*c >= ' ';
		if (!usual)
			quoted = layer_quote(view_of(path));
		hash_to_hex(&sums->list[i].file.hash, hex);
		buf_appendf(&lines, "%s %s %s\n", layer_file_mode(&sums->list[i].file), hex,
			usual ? path : quoted);
	}
	hash = hash_of(view_of_buf(&lines));
	hash_to_hex(&hash, hex);
	buf_appendf(out, FIRST_WORDS "%s %s\n", core_version, hex);
	buf_append(out, lines.data, lines.len);
}

/* --- from text ------------------------------------------------------------------- */

static bool sums_next_word(struct view *rest, struct view *ret_word)
{
	return view_next(rest, ' ', ret_word) && ret_word->len;
}

static bool sums_parse_hash(struct view text, struct hash *ret_hash)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return hash_from_hex(text, ret_hash, &ignored) == 0;
}

/* `*ret_version` is the core's version; `text` continues after the line. */
static bool sums_split_first_line(
	struct view *text, struct view *ret_version, struct hash *ret_said)
{
	struct view line;

	if (!view_next(text, '\n', &line) || !view_starts_with(line, FIRST_WORDS))
		return false;
	line = view_slice(line, strlen(FIRST_WORDS), line.len);
	return sums_next_word(&line, ret_version) && sums_parse_hash(line, ret_said);
}

static bool sums_read_first_line(struct view *text, struct view *ret_version)
{
	struct hash said, real;

	if (!sums_split_first_line(text, ret_version, &said))
		return false;
	real = hash_of(*text);
	return hash_equal(&said, &real);
}

static bool sum_parse(struct view line, struct base_sums *sums)
{
	struct layer_file file = {.mode_known = true};
	struct view mode, hex;

	if (!sums_next_word(&line, &mode) || !sums_next_word(&line, &hex) || !line.len ||
		!sums_parse_hash(hex, &file.hash) || !layer_file_set_mode(&file, mode))
		return false;
	base_sums_add(sums, layer_path(line), file);
	return true;
}

bool base_sums_parse(
	struct view text, const char *core_version, struct base_sums *ret_sums, bool *ret_other)
{
	struct view version, line;

	if (!sums_read_first_line(&text, &version))
		return false;
	*ret_other = !view_equal_str(version, core_version);
	if (*ret_other)
		return true;
	while (view_next(&text, '\n', &line))
		if (!sum_parse(line, ret_sums))
			return false;
	/* We wrote it sorted, but another program may have edited it. */
	if (ret_sums->count)
		qsort(ret_sums->list, ret_sums->count, sizeof(*ret_sums->list), compare_sums);
	return true;
}

char *base_sums_version(struct view text)
{
	struct view version;

	return sums_read_first_line(&text, &version) ? xmemdupz(version.data, version.len)
						     : NULL;
}

size_t base_sums_count(struct view text, const char *core_version)
{
	struct view version, line;
	struct hash unread;
	size_t count = 0;

	if (!sums_split_first_line(&text, &version, &unread) ||
		!view_equal_str(version, core_version))
		return 0;
	while (view_next(&text, '\n', &line))
		count++;
	return count;
}

int base_sums_load(struct transaction *tx, const char *core_version, struct base_sums *ret_sums,
	enum base_sums_found *ret_found, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	bool other;

	if (transaction_read(tx, &path, &file, err) < 0)
		return -1;
	*ret_found = BASE_SUMS_NONE;
	if (file.kind == TX_ABSENT)
		return 0;
	*ret_found = BASE_SUMS_DAMAGED;
	if (file.kind != TX_FILE ||
		!base_sums_parse(view_of_buf(&file.content), core_version, &sums, &other))
		return 0;
	*ret_found = other ? BASE_SUMS_NONE : BASE_SUMS_FOUND;
	*ret_sums = sums;
	sums = BASE_SUMS_INIT;
	return 0;
}

const struct layer_file *base_sums_find(const struct base_sums *sums, const char *path)
{
	struct base_sum key = {.path = (char *)(uintptr_t)path};
	const struct base_sum *found = sums->count ? bsearch(&key, sums->list, sums->count,
							     sizeof(*sums->list), compare_sums)
						   : NULL;

	return found ? &found->file : NULL;
}

void base_sums_release(struct base_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->list[i].path);
	free(sums->list);
}
