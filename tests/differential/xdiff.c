/*
 * The two ways to xdiff give the same: linked out of libgit2's archive, and by the functions that the
 * shared libgit2 exports (src/engine/text/xdiff_shared.c, here with other names).
 *
 *	differential-xdiff COUNT SEED
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/tap.h"
#include "base/buf.h"
#include "engine/text/xdiff.h"

int shared_prepare(int marker_size, struct error *err);
int shared_diff(mmfile_t *old, mmfile_t *new, const xpparam_t *parameters,
	const xdemitconf_t *config, xdemitcb_t *output);
int shared_merge(mmfile_t *base, mmfile_t *ours, mmfile_t *theirs, const xmparam_t *parameters,
	mmbuffer_t *ret_result);

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31) % limit);
}

static void add_line(struct buf *text)
{
	static const char *const lines[] = {
		"int f(void)",
		"{",
		"}",
		"",
		"\treturn 1;",
		"\treturn 2;",
		"\t\tx++;",
		"<<<<<<< ours",
		"<<<<<<<<<<<<",
		"=======",
		">>>>>>> theirs",
		"||||||| base",
		"<",
		"-- ",
	};

	buf_append_str(text, lines[below(ARRAY_SIZE(lines))]);
	buf_append_str(text, below(9) ? "\n" : "\r\n");
}

/* A copy with some lines deleted, added and replaced; perhaps without a newline at the end. */
static void edit(struct view rest, struct buf *text)
{
	unsigned often = 2 + below(12);

	while (rest.len) {
		const char *end = memchr(rest.data, '\n', rest.len);
		size_t len = end ? (size_t)(end - rest.data) + 1 : rest.len;

		if (!below(often))
			add_line(text);
		if (below(often))
			buf_append(text, rest.data, len);
		rest = view_slice(rest, len, rest.len);
	}
	if (!below(often))
		add_line(text);
	if (text->len && !below(6))
		buf_set_len(text, text->len - 1);
}

static bool same_merge(mmfile_t sides[3])
{
	static const char *const labels[] = {"", "a label", "<<<<<<<"};
	static const int sizes[] = {0, -3, 1, 3, 7, 9, 40, 65535};
	xmparam_t how = {
		.marker_size = sizes[below(ARRAY_SIZE(sizes))],
		.level = below(2) ? XDL_MERGE_ZEALOUS : XDL_MERGE_ZEALOUS_ALNUM,
		.favor = below(3) ? 0 : (int)below(XDL_MERGE_FAVOR_UNION + 1),
		.style = (int)below(XDL_MERGE_ZEALOUS_DIFF3 + 1),
		.ancestor = labels[below(ARRAY_SIZE(labels))],
		.file1 = labels[below(ARRAY_SIZE(labels))],
		.file2 = labels[below(ARRAY_SIZE(labels))],
	};
	mmbuffer_t results[2] = {{0}};
	int ours = xdl_merge(&sides[0], &sides[1], &sides[2], &how, &results[0]);
	int other = shared_merge(&sides[0], &sides[1], &sides[2], &how, &results[1]);
	bool same = ours >= 0 && ours == other && results[0].size == results[1].size &&
		    !memcmp(results[0].ptr, results[1].ptr, (size_t)results[0].size);

	free(results[0].ptr);
	free(results[1].ptr);
	return same;
}

static int add_hunk(long old_start, long old_count, long new_start, long new_count, void *data)
{
	buf_appendf(data, "%ld,%ld %ld,%ld\n", old_start, old_count, new_start, new_count);
	return 0;
}

static bool same_diff(mmfile_t sides[2])
{
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf other = BUF_INIT;
	xpparam_t how = {.flags = below(2) ? XDF_INDENT_HEURISTIC : 0};
	xdemitconf_t config = {.hunk_func = add_hunk};

	return !xdl_diff(&sides[0], &sides[1], &how, &config, &(xdemitcb_t){.priv = &ours}) &&
	       !shared_diff(
		       &sides[0], &sides[1], &how, &config, &(xdemitcb_t){.priv = &other}) &&
	       view_equal(view_of_buf(&ours), view_of_buf(&other));
}

static bool try_once(void)
{
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	mmfile_t sides[3];

	for (unsigned lines = below(40); lines; lines--)
		add_line(&base);
	edit(view_of_buf(&base), &ours);
	edit(view_of_buf(&base), &theirs);
	sides[0] = xdiff_text(view_of_buf(&base));
	sides[1] = xdiff_text(view_of_buf(&ours));
	sides[2] = xdiff_text(view_of_buf(&theirs));
	return same_merge(sides) && same_diff(sides) && same_diff(sides + 1);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tap tap = {0};
	unsigned long same = 0;

	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	if (xdiff_prepare(0, &err) < 0 || shared_prepare(0, &err) < 0) {
		tap_skip(&tap, "the shared libgit2 gives what the archive gives", err.message);
		return tap_end(&tap);
	}
	while (same < count && try_once())
		same++;
	if (same < count)
		printf("# the %luth of %lu differs\n", same + 1, count);
	tap_result(&tap, same == count, "the shared libgit2 gives what the archive gives");
	tap_result(&tap, shared_prepare(65536, &err) < 0,
		"markers that it cannot make are refused");
	return tap_end(&tap);
}
