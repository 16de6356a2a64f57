/*
 * The end of a file that has no newline there. In a hunk every line ends in one, also
 * the last line of a file that had none: this finds out which it was.
 */
#ifndef CLI_CONFLICT_ENDING_H
#define CLI_CONFLICT_ENDING_H

#include "engine/commit/pending.h"
#include "engine/text/conflict_text.h"

/*
 * `lines` are the last ones of the file, on one side. They come back without their
 * newline if that side is known and ended with just these lines and no newline: your
 * file as it was when the operation began, or the skill's file.
 */
struct view conflict_ending(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, enum conflict_side side, struct view lines);

#endif
