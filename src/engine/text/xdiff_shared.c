/*
 * xdl_merge() and xdl_diff() by libgit2's public functions, for systems whose libgit2 has no static
 * archive: -Dxdiff=shared. The library is loaded for the first merge or diff, because it brings TLS
 * and SSH libraries along. Its results are the same, because it calls the same xdiff.
 */
#include <git2.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/xdiff.h"
#include "proc/library.h"

static int (*libgit2_init)(void);
static int (*libgit2_merge)(git_merge_file_result *result, const git_merge_file_input *ancestor,
	const git_merge_file_input *ours, const git_merge_file_input *theirs,
	const git_merge_file_options *options);
static void (*libgit2_free)(git_merge_file_result *result);
static int (*libgit2_diff)(const void *old, size_t old_len, const char *old_path,
	const void *new, size_t new_len, const char *new_path, const git_diff_options *options,
	git_diff_file_cb file, git_diff_binary_cb binary, git_diff_hunk_cb hunk,
	git_diff_line_cb line, void *data);

int xdiff_prepare(int marker_size, struct error *err)
{
	static bool is_set_up;
	static const struct library_symbol symbols[] = {
		{"git_diff_buffers", &libgit2_diff},
		{"git_libgit2_init", &libgit2_init},
		{"git_merge_file", &libgit2_merge},
		{"git_merge_file_result_free", &libgit2_free},
		{0},
	};

	if (marker_size > USHRT_MAX)
		return error_set(err, ERROR_FAILED,
			"conflict markers of %d characters are too long: the maximum of libgit2 is %d",
			marker_size, USHRT_MAX);
	if (is_set_up)
		return 0;
	if (library_load("libgit2.so." LIBGIT2_SOVERSION, symbols, err) < 0)
		return -1;
	if (libgit2_init() < 0)
		return error_set(err, ERROR_FAILED, "libgit2 cannot be set up");
	is_set_up = true;
	return 0;
}

/* Also the length of the longest run of '<' at the beginning of a line. */
static size_t count_openings(const char *text, size_t len, size_t marker_size, size_t *longest)
{
	size_t count = 0, run = 0;
	bool at_start = true;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == '<' && (at_start || run) ? run + 1 : 0;
		at_start = text[i] == '\n';
		count += run && run == marker_size;
		if (run > *longest)
			*longest = run;
	}
	return count;
}

static int merge_inputs(git_merge_file_result *ret_result, const mmfile_t sides[3],
	const git_merge_file_options *options)
{
	git_merge_file_input inputs[3];

	for (int i = 0; i < 3; i++)
		inputs[i] = (git_merge_file_input){.version = GIT_MERGE_FILE_INPUT_VERSION,
			.ptr = sides[i].ptr,
			.size = (size_t)sides[i].size};
	return libgit2_merge(ret_result, &inputs[0], &inputs[1], &inputs[2], options);
}

/* The library only says whether there are any. With markers that no text has, they can be counted. */
static int count_conflicts(const mmfile_t sides[3], git_merge_file_options options)
{
	git_merge_file_result marked = {0};
	size_t longest = 0, count;

	for (int i = 0; i < 3; i++)
		count_openings(sides[i].ptr, (size_t)sides[i].size, 0, &longest);
	if (longest >= USHRT_MAX)
		return -1;
	options.marker_size = (unsigned short)(longest + 1);
	if (merge_inputs(&marked, sides, &options) < 0)
		return -1;
	count = count_openings(marked.ptr, marked.len, options.marker_size, &longest);
	libgit2_free(&marked);
	return (int)count;
}

int xdl_merge(mmfile_t *base, mmfile_t *ours, mmfile_t *theirs, const xmparam_t *parameters,
	mmbuffer_t *ret_result)
{
	static const git_merge_file_favor_t favors[] = {
		[XDL_MERGE_FAVOR_OURS] = GIT_MERGE_FILE_FAVOR_OURS,
		[XDL_MERGE_FAVOR_THEIRS] = GIT_MERGE_FILE_FAVOR_THEIRS,
		[XDL_MERGE_FAVOR_UNION] = GIT_MERGE_FILE_FAVOR_UNION,
	};
	static const uint32_t styles[] = {
		[XDL_MERGE_DIFF3] = GIT_MERGE_FILE_STYLE_DIFF3,
		[XDL_MERGE_ZEALOUS_DIFF3] = GIT_MERGE_FILE_STYLE_ZDIFF3,
	};
	const mmfile_t sides[] = {*base, *ours, *theirs};
	git_merge_file_options options = {
		.version = GIT_MERGE_FILE_OPTIONS_VERSION,
		.ancestor_label = parameters->ancestor,
		.our_label = parameters->file1,
		.their_label = parameters->file2,
		.favor = favors[parameters->favor],
		.flags = styles[parameters->style] |
			 (parameters->level == XDL_MERGE_ZEALOUS_ALNUM
					 ? GIT_MERGE_FILE_SIMPLIFY_ALNUM
					 : 0),
		.marker_size =
			(unsigned short)(parameters->marker_size > 0 ? parameters->marker_size
								     : 0),
	};
	git_merge_file_result merged = {0};
	int conflicts = 0;

	if (merge_inputs(&merged, sides, &options) < 0)
		return -1;
	if (!merged.automergeable)
		conflicts = count_conflicts(sides, options);
	ret_result->size = (long)merged.len;
	ret_result->ptr = malloc(merged.len + 1);
	if (!ret_result->ptr || conflicts < 0) {
		free(ret_result->ptr);
		conflicts = -1;
	} else if (merged.len) {
		memcpy(ret_result->ptr, merged.ptr, merged.len);
	}
	libgit2_free(&merged);
	return conflicts;
}

struct xdiff_output {
	const xdemitconf_t *config;
	void *data;
};

/* Lines count from 1 here, and an empty side is given the line above it. */
static int give_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *data)
{
	const struct xdiff_output *output = data;

	(void)delta;
	return output->config->hunk_func(hunk->old_start - (hunk->old_lines > 0),
		hunk->old_lines, hunk->new_start - (hunk->new_lines > 0), hunk->new_lines,
		output->data);
}

int xdl_diff(mmfile_t *old, mmfile_t *new, const xpparam_t *parameters,
	const xdemitconf_t *config, xdemitcb_t *output)
{
	git_diff_options options = {
		.version = GIT_DIFF_OPTIONS_VERSION,
		.flags = GIT_DIFF_FORCE_TEXT |
			 (parameters->flags & XDF_INDENT_HEURISTIC ? GIT_DIFF_INDENT_HEURISTIC
								   : 0),
		.max_size = -1,
		.context_lines = (uint32_t)config->ctxlen,
		.interhunk_lines = (uint32_t)config->interhunkctxlen,
	};

	return libgit2_diff(old->ptr, (size_t)old->size, NULL, new->ptr, (size_t) new->size,
		       NULL, &options, NULL, NULL, give_hunk, NULL,
		       &(struct xdiff_output){config, output->priv}) < 0
		       ? -1
		       : 0;
}
