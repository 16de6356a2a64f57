#include "cli/conflict/take.h"

#include <stdio.h>

#include "engine/disk/journal.h"
#include "engine/package/pack.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"

#define BACKUP ".nanoclaw/backup/"

const char *const conflict_take_names[CONFLICT_TAKE_COUNT] = {
	[CONFLICT_TAKE_OURS] = "ours",
	[CONFLICT_TAKE_THEIRS] = "theirs",
	[CONFLICT_TAKE_BOTH] = "both",
	[CONFLICT_TAKE_BOTH_2] = "both-theirs-first",
};

bool conflict_is_whole(const struct conflict *conflict)
{
	return conflict->kind == CONFLICT_DELETE || conflict->beside.text;
}

/* --- the end of a file without a newline ---------------------------------------------- */

static bool read_below(const struct project *project, const char *name, struct buf *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return beneath_path_read(project->root, name, JOURNAL_MAX_SIZE, ret_text, &ignored) ==
	       0;
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

/*
 * `lines` are the last ones of the file, on one side. In a hunk every line ends in a newline, also
 * the last line of a file that had none. They come back without it if that side is known and ended
 * with just these lines and no newline: your file as it was when the operation began, or the
 * skill's file.
 */
static struct view side_ending(const struct project *project, const struct pending *pending,
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

/* --- taking ------------------------------------------------------------------------------ */

void conflict_take_hunk(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, struct view text, const struct conflict_hunk *hunk,
	enum conflict_take take, struct buf *out)
{
	bool ours_last = take == CONFLICT_TAKE_OURS || take == CONFLICT_TAKE_BOTH_2;
	struct view last = ours_last ? hunk->ours : hunk->theirs;

	if (take == CONFLICT_TAKE_BOTH)
		buf_append(out, hunk->ours.data, hunk->ours.len);
	if (take == CONFLICT_TAKE_BOTH_2)
		buf_append(out, hunk->theirs.data, hunk->theirs.len);
	if (hunk->end == text.len)
		last = side_ending(project, pending, conflict,
			ours_last ? CONFLICT_OURS : CONFLICT_THEIRS, last);
	buf_append(out, last.data, last.len);
}

/* The skill's version of a binary file replaces it, or goes. */
static int take_version(const struct project *project, const struct conflict *conflict,
	bool theirs, struct conflict_choice *choice, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file replacement = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;
	struct tx_file gone = TX_FILE_INIT;

	if (theirs && (conflict_choice_read(project, &conflict->path, &ours, err) < 0 ||
			      conflict_choice_read(
				      project, &conflict->beside, &replacement, err) < 0))
		return -1;
	if (conflict_choice_read(project, &conflict->beside, &beside, err) < 0)
		return -1;
	if (theirs)
		conflict_choice_add(choice, &conflict->path, &ours, &replacement);
	conflict_choice_add(choice, &conflict->beside, &beside, &gone);
	return 0;
}

int conflict_take_whole(const struct project *project, const struct conflict *conflict,
	bool theirs, struct conflict_choice *ret_choice, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;

	if (conflict->kind != CONFLICT_DELETE)
		return take_version(project, conflict, theirs, ret_choice, err);
	if (conflict_choice_read(project, &conflict->path, &before, err) < 0 ||
		(!theirs && conflict_choice_read(project, &conflict->path, &after, err) < 0))
		return -1;
	conflict_choice_add(ret_choice, &conflict->path, &before, &after);
	return 0;
}
