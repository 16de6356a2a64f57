/*
 * What can be said of a change without its author: where it is, what came and went.
 */
#include <ctype.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/package/intent.h"
#include "engine/text/diff.h"
#include "engine/text/funcname.h"
#include "engine/text/merge.h"
#include "util/utf8.h"

/* More sections, and more lines, than a reader takes in. */
#define SECTIONS_MAX 20
#define LINES_MAX    12
#define LINE_LEN_MAX 120

struct described {
	const struct author_modify *modify;
	struct diff_changes changes;
	struct view *old; /* lines */
	size_t old_count, old_cap;
	struct view *new;
	size_t new_count, new_cap;
	size_t added, removed;
};

static void described_release(struct described *d)
{
	diff_changes_release(&d->changes);
	free(d->old);
	free(d->new);
}

/* Whole lines, without their ends. */
static void split(struct view text, struct view **lines, size_t *count, size_t *cap)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		GROW(*lines, *count, *cap);
		(*lines)[(*count)++] = line;
	}
}

static bool describe(struct described *d)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view old = view_of_buf(&d->modify->ancestor.content);
	struct view new = view_of_buf(&d->modify->content);

	if (merge_is_binary(old) || merge_is_binary(new) ||
		diff_lines(old, new, &d->changes, &ignored) < 0)
		return false;
	split(old, &d->old, &d->old_count, &d->old_cap);
	split(new, &d->new, &d->new_count, &d->new_cap);
	for (size_t i = 0; i < d->changes.count; i++) {
		d->added += d->changes.list[i].new_count;
		d->removed += d->changes.list[i].old_count;
	}
	return true;
}

/* --- pieces of Markdown ----------------------------------------------------------- */

void author_append_code(struct buf *out, struct view text)
{
	size_t longest = 0, run = 0;
	bool padded;

	for (size_t i = 0; i < text.len; i++) {
		run = text.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	padded = text.len && (text.data[0] == '`' || text.data[text.len - 1] == '`');
	buf_append_repeated(out, '`', longest + 1);
	buf_appendf(out, "%s%.*s%s", padded ? " " : "", VIEW_ARGS(text), padded ? " " : "");
	buf_append_repeated(out, '`', longest + 1);
}

/* Says something: not only brackets, and not too long to be shown. */
static bool is_telling(struct view line)
{
	size_t letters = 0;

	for (size_t i = 0; i < line.len; i++)
		letters += isalnum((unsigned char)line.data[i]) != 0;
	return letters >= 3 && line.len <= LINE_LEN_MAX && utf8_all_printable(line);
}

static bool is_among(const struct view *lines, size_t count, struct view line)
{
	for (size_t i = 0; i < count; i++)
		if (view_equal(view_trim(lines[i]), line))
			return true;
	return false;
}

/* Lines of `all` within the changes that the other text does not have. Returns how many. */
static size_t append_lines(
	const struct described *d, bool added, const char *indent, struct buf *out)
{
	struct view *all = added ? d->new : d->old;
	size_t told = 0;

	for (size_t i = 0; i < d->changes.count; i++) {
		const struct diff_change *c = &d->changes.list[i];
		size_t start = added ? c->new_start : c->old_start;
		size_t end = start + (added ? c->new_count : c->old_count);

		for (size_t j = start; j < end && told < LINES_MAX; j++) {
			struct view line = view_trim(all[j]);

			if (!is_telling(line) ||
				is_among(added ? d->old : d->new,
					added ? d->old_count : d->new_count, line))
				continue;
			buf_appendf(out, "%s- ", indent);
			author_append_code(out, line);
			buf_append_char(out, '\n');
			told++;
		}
	}
	return told;
}

/* --- the headings ----------------------------------------------------------------- */

static void heading(struct buf *out, enum intent_heading which)
{
	buf_appendf(out, "\n## %s\n\n", intent_heading_name(which));
}

static void write_what(const struct described *d, bool is_text, struct buf *out)
{
	bool before = d->modify->ancestor.mode & 0100, after = d->modify->mode & 0100;

	buf_append_str(
		out, "<!-- author: say here what this is for, and why it is done so -->\n\n");
	if (!is_text)
		buf_append_str(out, "Another binary file is in its place.\n");
	else if (d->added && d->removed)
		buf_appendf(out, "%zu line%s replaced by %zu.\n", d->removed,
			d->removed == 1 ? " is" : "s are", d->added);
	else if (d->added)
		buf_appendf(
			out, "%zu line%s added.\n", d->added, d->added == 1 ? " is" : "s are");
	else if (d->removed)
		buf_appendf(out, "%zu line%s taken out.\n", d->removed,
			d->removed == 1 ? " is" : "s are");
	if (before != after)
		buf_appendf(out, "The file is %s executable.\n", after ? "now" : "no longer");
}

static void append_range(struct buf *out, const struct diff_change *c)
{
	if (c->new_count > 1)
		buf_appendf(
			out, "lines %zu to %zu", c->new_start + 1, c->new_start + c->new_count);
	else if (c->new_count)
		buf_appendf(out, "line %zu", c->new_start + 1);
	else
		buf_appendf(out, "%s line %zu", c->new_start ? "after" : "before",
			c->new_start ? c->new_start : 1);
}

/* Where, section by section: of neighbours in the same one the places come together. */
static void write_sections(const struct described *d, struct buf *out)
{
	CLEANUP(funcname_release) struct funcname names = FUNCNAME_INIT;
	CLEANUP(freep) char *last = NULL;

	funcname_open(&names, d->modify->path.text, view_of_buf(&d->modify->content));
	for (size_t i = 0; i < d->changes.count && i < SECTIONS_MAX; i++) {
		const struct diff_change *c = &d->changes.list[i];
		char *name = funcname_find(&names, c->new_start);

		if (i && ((!name && !last) || (name && last && !strcmp(name, last)))) {
			buf_append_str(out, ", ");
			append_range(out, c);
			free(name);
			continue;
		}
		buf_append_str(out, i ? "\n- " : "- ");
		if (name)
			author_append_code(out, view_of(name));
		else
			buf_append_str(out, "The beginning of the file");
		buf_append_str(out, ": ");
		append_range(out, c);
		free(last);
		last = name;
	}
	if (d->changes.count > SECTIONS_MAX)
		buf_appendf(out, "\n- and %zu more places", d->changes.count - SECTIONS_MAX);
	buf_append_str(out, d->changes.count ? "\n" : "- The permissions of the file.\n");
}

static void write_invariants(const struct described *d, bool is_text, struct buf *out)
{
	CLEANUP(buf_release) struct buf gone = BUF_INIT;

	if (!is_text) {
		buf_append_str(out, "- The file is taken as a whole.\n");
		return;
	}
	if (!d->removed)
		buf_append_str(out, "- Every line that was there before stays.\n");
	else
		buf_append_str(out, "- Nothing changes outside of the sections above.\n");
	if (d->removed && append_lines(d, false, "  ", &gone))
		buf_appendf(out,
			"- These lines have been replaced or taken out, and do not come "
			"back:\n%s",
			gone.data);
}

static void write_must_keep(const struct described *d, bool is_text, struct buf *out)
{
	if (!is_text)
		buf_append_str(out, "- The file of this skill.\n");
	else if (!append_lines(d, true, "", out))
		buf_append_str(out, d->added ? "- The lines that were added.\n"
					     : "- Nothing but what is there.\n");
}

void author_write_intent(const struct author_modify *modify, struct buf *out)
{
	CLEANUP(described_release) struct described d = {.modify = modify};
	bool is_text = describe(&d);

	buf_appendf(out, "# Intent: %s\n", modify->path.text);
	heading(out, INTENT_WHAT);
	write_what(&d, is_text, out);
	heading(out, INTENT_KEY_SECTIONS);
	if (is_text)
		write_sections(&d, out);
	else
		buf_append_str(out, "- All of it.\n");
	heading(out, INTENT_INVARIANTS);
	write_invariants(&d, is_text, out);
	heading(out, INTENT_MUST_KEEP);
	write_must_keep(&d, is_text, out);
}
