#include "cli/conflict/take.h"

#include "cli/conflict/ending.h"

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
		last = conflict_ending(project, pending, conflict,
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
