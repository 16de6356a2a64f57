#include "engine/text/merge.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "engine/text/libgit.h"

#define BINARY_CHECK_LENGTH 8000
#define DEFAULT_MARKER_SIZE 7

char *merge_library_version(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int major, minor, patch;
	const struct libgit *git = libgit_load(&err);

	if (!git)
		return TAKE(err.message);
	git->version(&major, &minor, &patch);
	return xasprintf("%d.%d.%d", major, minor, patch);
}

bool merge_is_binary(struct view content)
{
	size_t len = content.len < BINARY_CHECK_LENGTH ? content.len : BINARY_CHECK_LENGTH;

	return len && memchr(content.data, '\0', len);
}

static git_merge_file_options translate(const struct merge_options *options,
	const char *ours_label, const char *base_label, const char *theirs_label)
{
	static const uint32_t styles[] = {
		[MERGE_STYLE_MERGE] = GIT_MERGE_FILE_STYLE_MERGE,
		[MERGE_STYLE_DIFF3] = GIT_MERGE_FILE_STYLE_DIFF3,
		[MERGE_STYLE_ZDIFF3] = GIT_MERGE_FILE_STYLE_ZDIFF3,
	};
	static const git_merge_file_favor_t favors[] = {
		[MERGE_FAVOR_NONE] = GIT_MERGE_FILE_FAVOR_NORMAL,
		[MERGE_FAVOR_OURS] = GIT_MERGE_FILE_FAVOR_OURS,
		[MERGE_FAVOR_THEIRS] = GIT_MERGE_FILE_FAVOR_THEIRS,
		[MERGE_FAVOR_UNION] = GIT_MERGE_FILE_FAVOR_UNION,
	};
	git_merge_file_options o = GIT_MERGE_FILE_OPTIONS_INIT;

	o.flags = styles[options->style];
	/* Without SIMPLIFY_ALNUM one merge in sixteen differs from `git merge-file`. */
	if (!options->keep_apart)
		o.flags |= GIT_MERGE_FILE_SIMPLIFY_ALNUM;
	o.favor = favors[options->favor];
	o.marker_size = options->marker_size ? options->marker_size : DEFAULT_MARKER_SIZE;
	o.our_label = ours_label;
	o.ancestor_label = base_label;
	o.their_label = theirs_label;
	return o;
}

static int run_libgit2(const struct libgit *git, const struct merge_input *ours,
	const struct merge_input *base, const struct merge_input *theirs,
	const git_merge_file_options *options, git_merge_file_result *ret_result,
	struct error *err)
{
	git_merge_file_input inputs[3];
	const struct merge_input *sides[] = {base, ours, theirs};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		inputs[i] = (git_merge_file_input){
			.version = GIT_MERGE_FILE_INPUT_VERSION,
			.ptr = sides[i]->content.len ? sides[i]->content.data : "",
			.size = sides[i]->content.len,
		};
	if (git->merge_file(ret_result, &inputs[0], &inputs[1], &inputs[2], options) < 0)
		return error_set(err, ERROR_FAILED, "cannot merge: out of memory");
	return 0;
}

/*
 * A label that is in none of the inputs. It is random, so that nobody can write a file
 * that contains one candidate after the other; it is counted and never shown, so the
 * result does not depend on it.
 */
static char *unused_label(const struct merge_input *const sides[3])
{
	uint64_t number = 0;

	/* Without random bits the label is only easier to guess. */
	while (getrandom(&number, sizeof(number), 0) < 0 && errno == EINTR)
		;
	for (;; number++) {
		char *label = xasprintf("nanoclaw-conflict-%016" PRIx64, number);
		bool used = false;

		for (int i = 0; i < 3; i++)
			used |= sides[i]->content.len &&
				memmem(sides[i]->content.data, sides[i]->content.len, label,
					strlen(label));
		if (!used)
			return label;
		free(label);
	}
}

/*
 * libgit2 says whether there are conflicts but not how many, and a line that
 * looks like a marker may be content. So merge once more with a label that
 * cannot be content, and count that.
 */
static int count_conflicts(const struct libgit *git, const struct merge_input *ours,
	const struct merge_input *base, const struct merge_input *theirs,
	const struct merge_options *options, unsigned *ret_count, struct error *err)
{
	const struct merge_input *const sides[3] = {ours, base, theirs};
	CLEANUP(freep) char *label = unused_label(sides);
	git_merge_file_options o = translate(options, label, "", "");
	git_merge_file_result result = {0};
	struct view rest;
	const char *at;
	unsigned count = 0;

	if (run_libgit2(git, ours, base, theirs, &o, &result, err) < 0)
		return -1;
	rest = (struct view){result.ptr, result.len};
	while ((at = memmem(rest.data, rest.len, label, strlen(label)))) {
		size_t skip = (size_t)(at - rest.data) + strlen(label);

		rest = view_slice(rest, skip, rest.len);
		count++;
	}
	git->merge_file_result_free(&result);
	*ret_count = count;
	return 0;
}

/* The result where there is nothing to combine, or NULL. */
static const struct merge_input *trivial_result(const struct merge_input *ours,
	const struct merge_input *base, const struct merge_input *theirs)
{
	if (view_equal(ours->content, base->content))
		return theirs;
	if (view_equal(theirs->content, base->content))
		return ours;
	if (view_equal(ours->content, theirs->content))
		return ours;
	return NULL;
}

int merge_contents(const struct merge_input *ours, const struct merge_input *base,
	const struct merge_input *theirs, const struct merge_options *options,
	struct merge_result *ret_result, struct error *err)
{
	const struct merge_input *whole = trivial_result(ours, base, theirs);
	git_merge_file_options o = translate(options, ours->label, base->label, theirs->label);
	git_merge_file_result result = {0};
	const struct libgit *git;
	unsigned conflicts = 0;

	assert(!merge_is_binary(ours->content) && !merge_is_binary(base->content) &&
		!merge_is_binary(theirs->content));

	*ret_result = (struct merge_result){.content = BUF_INIT};
	if (whole) {
		buf_append(&ret_result->content, whole->content.data, whole->content.len);
		return 0;
	}
	git = libgit_load(err);
	if (!git || run_libgit2(git, ours, base, theirs, &o, &result, err) < 0)
		return -1;
	if (!result.automergeable &&
		count_conflicts(git, ours, base, theirs, options, &conflicts, err) < 0) {
		git->merge_file_result_free(&result);
		return -1;
	}
	buf_append(&ret_result->content, result.ptr, result.len);
	ret_result->conflicts = conflicts;
	git->merge_file_result_free(&result);
	return 0;
}

void merge_result_release(struct merge_result *result)
{
	buf_release(&result->content);
}
