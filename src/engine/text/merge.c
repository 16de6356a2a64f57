#include "engine/text/merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/xdiff.h"

#define BINARY_CHECK_LENGTH 8000

bool merge_is_binary(struct view content)
{
	size_t len = content.len < BINARY_CHECK_LENGTH ? content.len : BINARY_CHECK_LENGTH;

	return len && memchr(content.data, '\0', len);
}

int merge_contents(const struct merge_input *ours, const struct merge_input *base,
	const struct merge_input *theirs, const struct merge_options *options,
	struct merge_result *ret_result, struct error *err)
{
	static const int styles[] = {
		[MERGE_STYLE_DIFF3] = XDL_MERGE_DIFF3,
		[MERGE_STYLE_ZDIFF3] = XDL_MERGE_ZEALOUS_DIFF3,
	};
	static const int favors[] = {
		[MERGE_FAVOR_OURS] = XDL_MERGE_FAVOR_OURS,
		[MERGE_FAVOR_THEIRS] = XDL_MERGE_FAVOR_THEIRS,
		[MERGE_FAVOR_UNION] = XDL_MERGE_FAVOR_UNION,
	};
	mmfile_t sides[] = {xdiff_text(base->content), xdiff_text(ours->content),
		xdiff_text(theirs->content)};
	mmbuffer_t merged;
	int conflicts;

	assert(!merge_is_binary(ours->content) && !merge_is_binary(base->content) &&
		!merge_is_binary(theirs->content));

	*ret_result = (struct merge_result){.content = BUF_INIT};
	/* Where only one side changed, or both made the same change, there is nothing to merge. */
	if (view_equal(ours->content, base->content)) {
		buf_append(&ret_result->content, theirs->content.data, theirs->content.len);
		return 0;
	}
	if (view_equal(theirs->content, base->content) ||
		view_equal(ours->content, theirs->content)) {
		buf_append(&ret_result->content, ours->content.data, ours->content.len);
		return 0;
	}
	if (xdiff_prepare(options->marker_size, err) < 0)
		return -1;
	conflicts = xdl_merge(&sides[0], &sides[1], &sides[2],
		&(xmparam_t){
			.marker_size = options->marker_size,
			.level = options->keep_apart ? XDL_MERGE_ZEALOUS
						     : XDL_MERGE_ZEALOUS_ALNUM,
			.favor = favors[options->favor],
			.style = styles[options->style],
			.ancestor = base->label,
			.file1 = ours->label,
			.file2 = theirs->label,
		},
		&merged);
	if (conflicts < 0)
		return error_set(err, ERROR_FAILED, "cannot merge: out of memory");
	buf_append(&ret_result->content, merged.ptr, (size_t)merged.size);
	free(merged.ptr);
	ret_result->conflicts = (unsigned)conflicts;
	return 0;
}

void merge_result_release(struct merge_result *result)
{
	buf_release(&result->content);
}
