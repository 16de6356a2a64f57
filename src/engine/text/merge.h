/*
 * Three-way merge of one file, byte for byte what `git merge-file` of git 2.39
 * does, without starting a process and without reading git's configuration.
 *
 *	CLEANUP(merge_result_release) struct merge_result result = {0};
 *	if (merge_contents(&ours, &base, &theirs, &options, &result, err) < 0)
 *		return -1;
 *	if (result.conflicts) ...
 *
 * A conflict is a result: `content` then holds conflict markers. A binary file
 * (one with a NUL in its first 8000 bytes, as git sees it) is never merged.
 *
 * The merging itself is git's own code (xdiff.h).
 */
#ifndef ENGINE_TEXT_MERGE_H
#define ENGINE_TEXT_MERGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/* git's own limit for a file that it merges. */
#define MERGE_MAX_SIZE ((size_t)1024 * 1024 * 1023)

enum merge_style {
	MERGE_STYLE_MERGE,
	MERGE_STYLE_DIFF3,
	MERGE_STYLE_ZDIFF3,
};

enum merge_favor {
	MERGE_FAVOR_NONE,
	MERGE_FAVOR_OURS,
	MERGE_FAVOR_THEIRS,
	MERGE_FAVOR_UNION,
};

struct merge_input {
	struct view content;
	const char *label; /* shown at the conflict markers */
};

struct merge_options {
	enum merge_style style;
	enum merge_favor favor;
	int marker_size; /* 0 and less: seven, as usual */
	/*
	 * `git merge-file` makes one conflict of two that only lines without letters
	 * and digits keep apart. `git merge` does not, and neither does this.
	 */
	bool keep_apart;
};

struct merge_result {
	struct buf content;
	unsigned conflicts; /* how many are marked in the content */
};

/* Is it a binary file, by git's rule? */
bool merge_is_binary(struct view content);

/* Inputs must be neither binary nor larger than MERGE_MAX_SIZE. */
int merge_contents(const struct merge_input *ours, const struct merge_input *base,
	const struct merge_input *theirs, const struct merge_options *options,
	struct merge_result *ret_result, struct error *err);

void merge_result_release(struct merge_result *result);

#endif
