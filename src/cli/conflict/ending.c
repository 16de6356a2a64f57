#include "cli/conflict/ending.h"

#include <stdio.h>

#include "engine/disk/journal.h"
#include "engine/package/pack.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define BACKUP ".nanoclaw/backup/"

static bool read_below(const struct project *project, const char *name, struct buf *ret_text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return relpath_parse(view_of(name), &path, &ignored) == 0 &&
	       beneath_read(project->root, &path, JOURNAL_MAX_SIZE, ret_text, &ignored) == 0;
}

/* Your file as the pause has saved it. */
static bool read_ours(
	const struct project *project, const struct relpath *path, struct buf *ret_text)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *saved = NULL;
	const struct change *change;

	if (!read_below(project, BACKUP "journal", &text) ||
		journal_parse(view_of_buf(&text), &journal, &ignored) < 0)
		return false;
	change = journal_find(&journal, path);
	if (!change || !change->had_before)
		return false;
	saved = xasprintf(BACKUP "saved/%u", change->number);
	return read_below(project, saved, ret_text);
}

/* The file of the skill, which may know it by an older name. */
static bool read_theirs(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, struct buf *ret_text)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (pack_load(project, conflict->skill, &pack, &ignored) < 0)
		return false;
	for (size_t i = 0; i < pack.count; i++) {
		const struct pack_entry *entry = &pack.entries[i];
		CLEANUP(relpath_release)
		struct relpath real = remap_resolve(&pending->state, NULL, &entry->path);
		struct view content = pack_content(&pack, entry);

		if (entry->part == PACK_MANIFEST ||
			relpath_compare(&real, &conflict->path) != 0)
			continue;
		buf_append(ret_text, content.data, content.len);
		return true;
	}
	return false;
}

static bool ends_with(struct view text, struct view end)
{
	return end.len && text.len >= end.len &&
	       view_equal(view_slice(text, text.len - end.len, text.len), end);
}

struct view conflict_ending(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, enum conflict_side side, struct view lines)
{
	CLEANUP(buf_release) struct buf whole = BUF_INIT;
	struct view bare = lines;
	bool found = side == CONFLICT_OURS ? read_ours(project, &conflict->path, &whole)
					   : read_theirs(project, pending, conflict, &whole);

	if (!found || !view_ends_with(lines, "\n"))
		return lines;
	bare.len--;
	if (ends_with(view_of_buf(&whole), bare))
		return bare;
	if (!view_ends_with(bare, "\r"))
		return lines;
	bare.len--;
	return ends_with(view_of_buf(&whole), bare) ? bare : lines;
}
