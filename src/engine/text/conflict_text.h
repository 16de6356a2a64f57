/*
 * A file with the conflict markers of a pause (file_merge.h), hunk by hunk.
 *
 *	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;
 *
 *	conflict_text_parse(text, skill, &marked);
 *	if (marked.count && marked.hunks[0].clear)
 *		conflict_text_replace(text, &marked.hunks[0], marked.hunks[0].ours, &out);
 *
 *	<<<<<<< yours (polite 1.0.0)	seven characters and our labels: other lines that
 *	...				look like markers are content
 *	||||||| core 1.0.0
 *	...
 *	=======
 *	...
 *	>>>>>>> telegram 1.0.0
 *
 * Marker lines may end in CR LF. All views are parts of the text that was parsed.
 */
#ifndef ENGINE_TEXT_CONFLICT_TEXT_H
#define ENGINE_TEXT_CONFLICT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

/* The label of your side, or its first word. */
#define CONFLICT_TEXT_YOURS "yours"

/* Before the skill's name, on the other side of a removal. */
#define CONFLICT_TEXT_WITHOUT "without "

/* The label of the base where two entries exclude each other (structured.h). */
#define CONFLICT_TEXT_CLASH "without either"

struct conflict_hunk {
	size_t start; /* of its first marker in the text */
	size_t end;   /* after its last marker */
	/*
	 * Is it certain where each part begins and ends? It is not if lines in the hunk
	 * look like its own markers; then all parts are empty.
	 */
	bool clear;
	bool has_base;
	struct view ours;
	struct view base;
	struct view theirs;
	struct view ours_label;
	struct view base_label;
	struct view theirs_label;
};

struct conflict_text {
	struct conflict_hunk *hunks;
	size_t count;
	size_t cap;
	size_t stray; /* lines outside of the hunks that look like markers (lines.h) */
};

#define CONFLICT_TEXT_INIT ((struct conflict_text){0})

/* `skill` begins the other side's label, perhaps after "without": struct conflict has it. */
void conflict_text_parse(struct view text, const char *skill, struct conflict_text *ret_marked);

/* The text with `replacement` instead of the hunk and its markers. */
void conflict_text_replace(struct view text, const struct conflict_hunk *hunk,
	struct view replacement, struct buf *out);

enum conflict_side {
	CONFLICT_OURS,
	CONFLICT_BASE,
	CONFLICT_THEIRS,
};

/* The text with this side of each hunk. False, and no text, if a hunk is not clear. */
bool conflict_text_side(struct view text, const struct conflict_text *marked,
	enum conflict_side side, struct buf *out);

void conflict_text_release(struct conflict_text *marked);

#endif
