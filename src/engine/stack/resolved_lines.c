/*
 * Lines that a person wrote to resolve a conflict: no package or patch contains them.
 *
 * If a resolved line has all words of a line of a dropped layer, that line itself is not in the
 * file, and every word comes from some author, then the person combined that line with another
 * author's. It is removed with the layer.
 */
#include <ctype.h>

#include "engine/conflict/resolutions.h"
#include "engine/disk/tx_file.h"
#include "engine/stack/thread.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"

/* The lines of `text` that `other` lacks or has less often; blank ones aside. */
static void subtract_lines(struct view text, struct view other, struct buf *ret_lines)
{
	size_t count = lines_missing(text, other, NULL, 0);
	CLEANUP(freep) struct view *lines = xcalloc(count + 1, sizeof(*lines));

	lines_missing(text, other, lines, count);
	for (size_t i = 0; i < count; i++) {
		if (!view_trim(lines[i]).len)
			continue;
		buf_append(ret_lines, lines[i].data, lines[i].len);
		buf_append_str(ret_lines, "\n");
	}
}

/* The lines that changed `without` into `with` have an owner: remove them from `left`. */
static void claim_lines(struct buf *left, struct view without, struct view with)
{
	CLEANUP(buf_release) struct buf added = BUF_INIT;
	struct buf rest = BUF_INIT;

	subtract_lines(with, without, &added);
	subtract_lines(view_of_buf(left), view_of_buf(&added), &rest);
	buf_release(left);
	*left = rest;
}

static bool next_word(struct view *rest, struct view *ret_word)
{
	size_t start = 0, end;

	while (start < rest->len && !isalnum((unsigned char)rest->data[start]))
		start++;
	for (end = start; end < rest->len && isalnum((unsigned char)rest->data[end]); end++)
		;
	*ret_word = view_slice(*rest, start, end);
	*rest = view_slice(*rest, end, rest->len);
	return end > start;
}

static bool has_all_words(struct view line, struct view of)
{
	struct view wanted, word;
	size_t count;

	for (count = 0; next_word(&of, &wanted); count++) {
		struct view rest = line;
		bool found = false;

		while (!found && next_word(&rest, &word))
			found = view_equal(word, wanted);
		if (!found)
			return false;
	}
	return count;
}

/* Is every word of the line one that an author wrote? Then nothing in it is the person's own. */
static bool has_only_words_of(struct view line, struct view authors)
{
	struct view word;

	while (next_word(&line, &word)) {
		struct view rest = authors, other;
		bool found = view_equal_str(word, "and") || view_equal_str(word, "or");

		while (!found && next_word(&rest, &other))
			found = view_equal(word, other);
		if (!found)
			return false;
	}
	return true;
}

/* `gone` are lines of dropped layers; `authors` are all texts that packages and core have. */
static void claim_in_company(
	struct buf *left, struct view was, struct view gone, struct view authors)
{
	CLEANUP(buf_release) struct buf missing = BUF_INIT;
	struct view rest, line, other;

	subtract_lines(gone, was, &missing);
	rest = view_of_buf(&missing);
	while (view_next(&rest, '\n', &line)) {
		struct view lines = view_of_buf(left);
		struct buf kept = BUF_INIT;
		bool found = false;

		while (view_next(&lines, '\n', &other)) {
			if (!found && has_all_words(other, line) &&
				has_only_words_of(other, authors)) {
				found = true;
				continue;
			}
			buf_append(&kept, other.data, other.len);
			buf_append_str(&kept, "\n");
		}
		buf_release(left);
		*left = kept;
	}
}

/* The lines of a shipped resolution are not the person's own. */
static void claim_shipped(const struct thread *t, size_t part, const struct tx_file *base,
	const struct tx_file *want, struct buf *left)
{
	CLEANUP(resolution_found_release)
	struct resolution_found found = RESOLUTION_FOUND_INIT;
	const char *skill = t->layers->list[t->parts[part].layer].name;
	const struct tx_file *below = part ? &t->parts[part - 1].old : &t->core_old;
	struct state now = t->session->state;

	t->session->state = *t->before;
	if (resolutions_find(t->session,
		    &(struct resolution_query){
			    .path = &t->parts[part].name,
			    .inputs = {.has_base = base->kind == TX_FILE,
				    .base = hash_of(view_of_buf(&base->content)),
				    .current = hash_of(view_of_buf(&below->content)),
				    .skill = hash_of(view_of_buf(&want->content))},
			    .skill = skill,
			    .version = state_find(t->before, skill)->version,
		    },
		    &found) &&
		found.shipped)
		claim_lines(left, view_of_buf(&base->content), view_of_buf(&found.content));
	*t->before = t->session->state;
	t->session->state = now;
}

int thread_loses_resolved(
	struct thread *t, struct view was, struct view now, bool *ret_loses, struct error *err)
{
	CLEANUP(buf_release) struct buf left = BUF_INIT;
	CLEANUP(buf_release) struct buf gone = BUF_INIT;
	CLEANUP(buf_release) struct buf authors = BUF_INIT;

	*ret_loses = false;
	if (merge_is_binary(was) || merge_is_binary(now))
		return 0;
	subtract_lines(was, now, &left);
	if (left.len)
		claim_lines(&left, view_of(""), view_of_buf(&t->core_old.content));
	buf_append(&authors, t->core_old.content.data, t->core_old.content.len);
	for (size_t i = t->count; i > 0 && left.len; i--) {
		const struct layer *layer = &t->layers->list[t->parts[i - 1].layer];
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
		bool known;

		if (thread_sides(t, i - 1, true, &base, &want, &known, err) < 0)
			return -1;
		if (!known)
			continue;
		/* A package also contains lines of an older core. */
		if (layer->kind == LAYER_SKILL && base.kind == TX_FILE &&
			t->core_old.kind == TX_FILE)
			tx_file_copy(&t->core_old, &base);
		claim_lines(&left, view_of_buf(&base.content), view_of_buf(&want.content));
		if (layer->kind != LAYER_SKILL)
			continue;
		buf_append_str(&authors, "\n");
		buf_append(&authors, want.content.data, want.content.len);
		if (t->parts[i - 1].dropped)
			subtract_lines(
				view_of_buf(&want.content), view_of_buf(&base.content), &gone);
		claim_shipped(t, i - 1, &base, &want, &left);
	}
	claim_in_company(&left, was, view_of_buf(&gone), view_of_buf(&authors));
	*ret_loses = left.len;
	return 0;
}
