/* Clashes between skills: shown as a conflict, and recorded as decisions when resolved. */
#include "engine/conflict/file_merge.h"
#include "engine/session/recorded.h"
#include "engine/structured/internal.h"
#include "engine/text/conflict_text.h"
#include "engine/text/merge.h"

/* --- the common ancestor ------------------------------------------------------------ */

/*
 * Is each clash between markers? Then the merge with all of them resolved for one side is
 * that side's file. Lines of entries are often alike, and a merge may take what both
 * sides have in one place for two additions in different places.
 */
static int shows_both(struct view base, struct view first, struct view last, bool *ret_shows,
	struct error *err)
{
	static const enum merge_favor favors[] = {MERGE_FAVOR_OURS, MERGE_FAVOR_THEIRS};

	*ret_shows = true;
	for (size_t i = 0; i < ARRAY_SIZE(favors) && *ret_shows; i++) {
		CLEANUP(merge_result_release)
		struct merge_result merged = {.content = BUF_INIT};
		struct merge_options options = {.style = MERGE_STYLE_DIFF3, .favor = favors[i]};

		if (merge_contents(&(struct merge_input){first, ""},
			    &(struct merge_input){base, ""}, &(struct merge_input){last, ""},
			    &options, &merged, err) < 0)
			return -1;
		*ret_shows = view_equal(view_of_buf(&merged.content), i ? last : first);
	}
	return 0;
}

/* How much of both is the same at the beginning, in whole lines. */
static size_t same_start(struct view a, struct view b)
{
	size_t lines = 0;

	for (size_t i = 0; i < a.len && i < b.len && a.data[i] == b.data[i]; i++)
		if (a.data[i] == '\n')
			lines = i + 1;
	return lines;
}

/* The same at the end. */
static size_t same_end(struct view a, struct view b)
{
	size_t lines = 0;

	for (size_t i = 1; i <= a.len && i <= b.len; i++) {
		if (a.data[a.len - i] == '\n' && b.data[b.len - i] == '\n')
			lines = i - 1;
		if (a.data[a.len - i] != b.data[b.len - i])
			break;
	}
	return lines;
}

/*
 * Without everything from the first difference to the last. Each side must have a line there, or it
 * would be the base itself: then the line before that counts as different, too.
 */
static void make_base(struct view first, struct view last, bool whole, struct buf *ret_base)
{
	size_t start = whole ? 0 : same_start(first, last);
	size_t end = whole ? 0
			   : same_end(view_slice(first, start, first.len),
				     view_slice(last, start, last.len));

	if (start && (start + end == first.len || start + end == last.len))
		for (start--; start && first.data[start - 1] != '\n';)
			start--;
	buf_clear(ret_base);
	buf_append(ret_base, first.data, start);
	buf_append(ret_base, first.data + first.len - end, end);
}

/*
 * `base` is the file without either entry. If a merge with it does not show both sides between
 * markers, it is replaced by a text with which one does.
 */
static int find_base(struct view first, struct view last, struct buf *base, struct error *err)
{
	bool shows;

	if (shows_both(view_of_buf(base), first, last, &shows, err) < 0)
		return -1;
	if (shows)
		return 0;
	make_base(first, last, false, base);
	if (shows_both(view_of_buf(base), first, last, &shows, err) < 0)
		return -1;
	if (!shows)
		make_base(first, last, true, base);
	return 0;
}

/* --- the conflict --------------------------------------------------------------------- */

struct clashing {
	const struct structured_work *work;
	const struct structured_output *first;
};

/* A resolution from another conflict may not be valid in this format, or may be wrong here. */
static bool is_usable(const struct file_merge *merge, struct view content)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	const struct clashing *c = merge->data;
	const struct structured_work *w = c->work;
	CLEANUP(string_array_release) struct string_array problems = {0};
	struct yaml_node *unwanted;

	structured_find_problems(&w->session->state, w->path.text, content, &problems);
	return !problems.count &&
	       w->format->strip(w->path.text, content, c->first->record, w->contributions.list,
		       w->contributions.count, w->session->state.doc, &own, &unwanted,
		       &ignored) == 0;
}

/* Merge the file as the first side wants it with the file as the last side wants it. */
static int merge_sides(struct structured_work *w, const struct structured_output *first,
	const struct structured_output *last, const struct ancestor *ancestor,
	struct error *err)
{
	CLEANUP(tx_file_release)
	struct tx_file ours = {TX_FILE, BUF_INIT, structured_mode(w)};
	struct session *s = w->session;
	const struct applied_skill *skill = state_find(&s->state, w->responsible);
	struct clashing clashing = {w, first};
	struct layer_file merged;
	const struct file_merge merge = {
		.session = s,
		.skill = w->responsible,
		.version = skill ? skill->version : "",
		.path = &w->path,
		.ours = &ours,
		.ancestor = ancestor,
		.theirs = view_of_buf(&last->text),
		.theirs_mode = ours.mode,
		.says = {first->says.data, last->says.data},
		.is_usable = is_usable,
		.data = &clashing,
	};

	buf_append(&ours.content, first->text.data, first->text.len);
	if (transaction_put(s->tx, &w->path, view_of_buf(&ours.content), ours.mode, err) < 0)
		return -1;
	return file_merge(&merge, &merged, err);
}

int structured_merge_clashes(struct structured_work *w, const struct structured_own *own,
	const struct structured_output *first, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output neither = STRUCTURED_OUTPUT_INIT;
	CLEANUP(structured_output_release)
	struct structured_output last = STRUCTURED_OUTPUT_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;

	if (structured_render(w, own, &w->contributions, CLASH_NEITHER, &neither, err) < 0 ||
		structured_render(w, own, &w->contributions, CLASH_LAST, &last, err) < 0)
		return -1;
	ancestor.file = (struct tx_file){TX_FILE, neither.text, structured_mode(w)};
	neither.text = BUF_INIT;
	ancestor.label = xstrdup(CONFLICT_TEXT_CLASH);
	if (find_base(view_of_buf(&first->text), view_of_buf(&last.text),
		    &ancestor.file.content, err) < 0 ||
		merge_sides(w, first, &last, &ancestor, err) < 0)
		return -1;
	for (size_t i = 0; i < first->clashes.count; i++)
		if (first->clashes.list[i].about)
			session_warn(w->session, "%s", first->clashes.list[i].about);
	structured_set_clashes(w->entry, &first->clashes);
	yaml_set_string(w->entry, "settled_for", w->responsible);
	return 0;
}

/* The file as it was resolved, and what that means for each clash. */
int structured_adopt_file(struct structured_work *w, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;
	struct session *s = w->session;
	struct view text = view_of_buf(&w->file.content);
	struct hash hash;
	struct layer_file file = layer_file_of(&w->file);

	structured_get_clashes(w->entry, &clashes);
	for (size_t i = 0; i < clashes.count; i++) {
		struct yaml_node *value = NULL;

		if (w->format->resolved(w->path.text, text, &clashes.list[i], s->state.doc,
			    &value, err) < 0)
			return -1;
		structured_decide(&s->state, w->format, &clashes.list[i], value);
	}
	own.unwanted = yaml_get(w->entry, "unwanted");
	own.exists = structured_get_hash(w->entry, "own", &hash);
	if ((own.exists && recorded_find_content(s, &w->path, &hash, &own.text, err) < 0) ||
		structured_render(w, &own, &w->contributions, CLASH_FIRST, &output, err) < 0)
		return -1;
	if (!view_equal(text, view_of_buf(&output.text))) {
		buf_clear(&own.text);
		if (w->format->strip(w->path.text, text, output.record, w->contributions.list,
			    w->contributions.count, s->state.doc, &own.text, &own.unwanted,
			    err) < 0)
			return -1;
		/* Where only skills had made the file, this is a person's first line in it. */
		own.exists |= own.text.len > 0;
		buf_clear(&output.text);
		buf_append(&output.text, text.data, text.len);
	}
	if (recorded_keep(s, text, err) < 0 ||
		state_record_resolved(&s->state, w->responsible, &w->path, &file, err) < 0)
		return -1;
	s->dependencies_changed |= w->format == &structured_npm;
	return structured_record_file(w, &own, &output, err);
}
