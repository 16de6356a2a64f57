#include "engine/text/diff.h"

#include <string.h>

#include "engine/text/libgit.h"

bool diff_next_line(struct view *rest, struct view *ret_line)
{
	const char *newline;
	size_t len;

	if (!rest->len)
		return false;
	newline = memchr(rest->data, '\n', rest->len);
	len = newline ? (size_t)(newline - rest->data) + 1 : rest->len;
	*ret_line = view_slice(*rest, 0, len);
	*rest = view_slice(*rest, len, rest->len);
	return true;
}

void diff_changes_release(struct diff_changes *changes)
{
	free(changes->list);
}

static void add_change(struct diff_changes *changes, struct diff_change change)
{
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] = change;
}

/* --- without the library -------------------------------------------------------- */

static size_t count_lines(struct view text)
{
	struct view line;
	size_t count = 0;

	while (diff_next_line(&text, &line))
		count++;
	return count;
}

/* Take away the lines with which both begin, and return how many they are. */
static size_t skip_prefix(struct view *a, struct view *b, struct view *ret_last)
{
	struct view rest_a = *a, rest_b = *b, line_a, line_b;
	size_t count = 0;

	*ret_last = (struct view){"", 0};
	while (diff_next_line(&rest_a, &line_a) && diff_next_line(&rest_b, &line_b) &&
		view_equal(line_a, line_b)) {
		*ret_last = line_a;
		*a = rest_a;
		*b = rest_b;
		count++;
	}
	return count;
}

static struct view last_line(struct view text)
{
	const char *newline = NULL;
	size_t start = 0;

	if (text.len > 1)
		newline = memrchr(text.data, '\n', text.len - 1);
	if (newline)
		start = (size_t)(newline - text.data) + 1;
	return view_slice(text, start, text.len);
}

/* Take away the lines with which both end. */
static void skip_suffix(struct view *a, struct view *b)
{
	while (a->len && b->len) {
		struct view line = last_line(*a);

		if (!view_equal(line, last_line(*b)))
			return;
		a->len -= line.len;
		b->len -= line.len;
	}
}

/*
 * Whether it is enough to look at both ends: at most one side has lines left in the
 * middle. Lines that end like the line before them could as well begin there; which
 * place reads best is for git's rules to say.
 */
static bool is_simple(struct view old, struct view new, struct diff_changes *changes)
{
	struct view last;
	size_t start = skip_prefix(&old, &new, &last);

	skip_suffix(&old, &new);
	if (!old.len && !new.len)
		return true;
	if (old.len && new.len)
		return false;
	if (last.len && view_equal(last, last_line(old.len ? old : new)))
		return false;
	add_change(changes,
		(struct diff_change){start, count_lines(old), start, count_lines(new)});
	return true;
}

/* --- with the library ----------------------------------------------------------- */

/* In a header of a diff lines count from 1, and no lines are behind the line named. */
static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *data)
{
	struct diff_change change = {
		.old_start = (size_t)hunk->old_start - (hunk->old_lines > 0),
		.old_count = (size_t)hunk->old_lines,
		.new_start = (size_t)hunk->new_start - (hunk->new_lines > 0),
		.new_count = (size_t)hunk->new_lines,
	};

	(void)delta;
	add_change(data, change);
	return 0;
}

static int ask_libgit2(
	struct view old, struct view new, struct diff_changes *changes, struct error *err)
{
	const struct libgit *git = libgit_load(err);
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;

	if (!git)
		return -1;
	options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
	options.context_lines = 0;
	/* It does not say when its diff runs out of memory, but then finds nothing. */
	if (git->diff_buffers(old.data, old.len, NULL, new.data, new.len, NULL, &options, NULL,
		    NULL, take_hunk, NULL, changes) < 0 ||
		!changes->count)
		return error_set(err, ERROR_FAILED, "cannot compare: out of memory");
	return 0;
}

int diff_lines(
	struct view old, struct view new, struct diff_changes *ret_changes, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;

	if (old.len > DIFF_MAX_SIZE || new.len > DIFF_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"a text of more than %zu bytes cannot be compared", DIFF_MAX_SIZE);
	if (!is_simple(old, new, &changes) && ask_libgit2(old, new, &changes, err) < 0)
		return -1;
	*ret_changes = changes;
	changes = DIFF_CHANGES_INIT;
	return 0;
}
