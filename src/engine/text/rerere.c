#include "engine/text/rerere.h"

#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "engine/text/diff.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"

bool rerere_is_image(struct view text)
{
	return text.len <= RERERE_MAX_SIZE && !(text.len && memchr(text.data, '\0', text.len));
}

/* --- parsing -------------------------------------------------------------------- */

/*
 * The character of the marker that a line is, or 0. Exactly this many of them, as git
 * has it: those at both ends of a hunk have a label, so a space follows; the others
 * may stand alone. A last line without a newline is no marker without a label.
 */
static char marker_of(struct view line, size_t size)
{
	char c = line.len ? line.data[0] : '\0';

	if (!c || !strchr("<|=>", c) || line.len <= size)
		return '\0';
	for (size_t i = 1; i < size; i++)
		if (line.data[i] != c)
			return '\0';
	if (c == '<' || c == '>')
		return line.data[size] == ' ' ? c : '\0';
	/* git accepts these as white space, but not everything that isspace() does. */
	return strchr(" \t\n\r", line.data[size]) ? c : '\0';
}

struct parser {
	struct view rest;
	size_t marker_size;
};

static void append_marker(struct buf *out, char c, size_t size)
{
	buf_append_repeated(out, c, size);
	buf_append_char(out, '\n');
}

static void append_hunk(struct buf *out, const struct rerere_hunk *hunk, size_t marker_size)
{
	append_marker(out, '<', marker_size);
	buf_append(out, hunk->one.data, hunk->one.len);
	append_marker(out, '=', marker_size);
	buf_append(out, hunk->two.data, hunk->two.len);
	append_marker(out, '>', marker_size);
}

static void hunk_release(struct rerere_hunk *hunk)
{
	buf_release(&hunk->one);
	buf_release(&hunk->two);
}

/*
 * Parse the lines after the `<` marker, up to and including the `>` marker. `hunk` is filled in
 * even on failure.
 */
static bool parse_hunk(struct parser *p, struct rerere_hunk *hunk, unsigned depth)
{
	enum { OURS, BASE, THEIRS } part = OURS;
	struct view line;

	while (diff_next_line(&p->rest, &line)) {
		/* git counts conflicts nested in the base as part of theirs. */
		struct buf *side = part == OURS ? &hunk->one : &hunk->two;
		char marker = marker_of(line, p->marker_size);

		if (marker == '<') {
			/* A conflict inside a side becomes a part of that side, normalized. */
			CLEANUP(hunk_release) struct rerere_hunk nested = {BUF_INIT, BUF_INIT};

			if (depth + 1 >= RERERE_MAX_DEPTH || !parse_hunk(p, &nested, depth + 1))
				return false;
			append_hunk(side, &nested, p->marker_size);
		} else if (marker == '|') {
			if (part != OURS)
				return false;
			part = BASE;
		} else if (marker == '=') {
			if (part == THEIRS)
				return false;
			part = THEIRS;
		} else if (marker == '>') {
			if (part != THEIRS)
				return false;
			hunk->swapped = view_compare(view_of_buf(&hunk->one),
						view_of_buf(&hunk->two)) > 0;
			if (hunk->swapped) {
				struct buf one = hunk->one;

				hunk->one = hunk->two;
				hunk->two = one;
			}
			return true;
		} else if (part != BASE) {
			buf_append(side, line.data, line.len);
		}
	}
	return false;
}

bool rerere_parse(struct view text, size_t marker_size, struct rerere_text *ret_text)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	struct parser p = {text, marker_size ? marker_size : RERERE_MARKER_SIZE};
	struct view line;

	if (!rerere_is_image(text))
		return false;
	while (diff_next_line(&p.rest, &line)) {
		CLEANUP(hunk_release) struct rerere_hunk hunk = {BUF_INIT, BUF_INIT};

		if (marker_of(line, p.marker_size) != '<') {
			buf_append(&parsed.normalized, line.data, line.len);
			continue;
		}
		hunk.start = (size_t)(line.data - text.data);
		if (!parse_hunk(&p, &hunk, 0))
			return false;
		hunk.end = text.len - p.rest.len;
		hunk.normal_start = parsed.normalized.len;
		append_hunk(&parsed.normalized, &hunk, p.marker_size);
		hunk.normal_end = parsed.normalized.len;
		GROW(parsed.hunks, parsed.count, parsed.cap);
		parsed.hunks[parsed.count++] = hunk;
		hunk = (struct rerere_hunk){BUF_INIT, BUF_INIT};
	}
	*ret_text = parsed;
	parsed = RERERE_TEXT_INIT;
	return true;
}

void rerere_text_release(struct rerere_text *text)
{
	for (size_t i = 0; i < text->count; i++)
		hunk_release(&text->hunks[i]);
	free(text->hunks);
	buf_release(&text->normalized);
}

/* --- ids ------------------------------------------------------------------------ */

/* Each side is hashed with the NUL after its content. */
struct rerere_id rerere_id(const struct rerere_text *text, enum rerere_hash hash)
{
	struct rerere_id id;
	struct sha1_ctx sha1;
	struct sha256_ctx sha256;
	uint8_t digest[SHA256_DIGEST_SIZE];
	size_t size = hash == RERERE_SHA1 ? SHA1_DIGEST_SIZE : SHA256_DIGEST_SIZE;

	sha1_init(&sha1);
	sha256_init(&sha256);
	for (size_t i = 0; i < 2 * text->count; i++) {
		const struct rerere_hunk *hunk = &text->hunks[i / 2];
		const struct buf *side = i % 2 ? &hunk->two : &hunk->one;

		if (hash == RERERE_SHA1)
			sha1_update(&sha1, side->len + 1, (const uint8_t *)side->data);
		else
			sha256_update(&sha256, side->len + 1, (const uint8_t *)side->data);
	}
	if (hash == RERERE_SHA1)
		sha1_digest(&sha1, size, digest);
	else
		sha256_digest(&sha256, size, digest);
	for (size_t i = 0; i < size; i++)
		snprintf(id.hex + 2 * i, 3, "%02x", digest[i]);
	return id;
}

/* --- merging -------------------------------------------------------------------- */

#define OURS_LABEL   "nanoclaw-ours"
#define THEIRS_LABEL "nanoclaw-theirs"

int rerere_conflict(const struct rerere_sides *sides, enum rerere_shape shape,
	struct rerere_text *ret_text, bool *ret_usable, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result result = {.content = BUF_INIT};
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	struct merge_input ours = {sides->ours, OURS_LABEL};
	struct merge_input base = {sides->base, "base"};
	struct merge_input theirs = {sides->theirs, THEIRS_LABEL};
	struct merge_options options = {.keep_apart = shape == RERERE_MERGE};

	if (!rerere_is_image(sides->ours) || !rerere_is_image(sides->base) ||
		!rerere_is_image(sides->theirs)) {
		*ret_usable = false;
		return 0;
	}
	if (merge_contents(&ours, &base, &theirs, &options, &result, err) < 0)
		return -1;
	/*
	 * A line of a side that looks like a marker can end a hunk too early. A marker of the
	 * merge is then left over as content, with its label, which differs in every merge:
	 * such a text is never found again.
	 */
	*ret_usable = result.conflicts &&
		      rerere_parse(view_of_buf(&result.content), 0, &text) &&
		      !strstr(text.normalized.data, "<<<<<<< " OURS_LABEL) &&
		      !strstr(text.normalized.data, ">>>>>>> " THEIRS_LABEL);
	if (*ret_usable) {
		*ret_text = text;
		text = RERERE_TEXT_INIT;
	}
	return 0;
}

/* Lines between the hunks that look like markers: they are content. */
static size_t count_common_markers(const struct rerere_text *text)
{
	struct view normalized = view_of_buf(&text->normalized);
	size_t count = 0, at = 0;

	for (size_t i = 0; i < text->count; i++) {
		count += lines_count_markers(
			view_slice(normalized, at, text->hunks[i].normal_start));
		at = text->hunks[i].normal_end;
	}
	return count + lines_count_markers(view_slice(normalized, at, normalized.len));
}

int rerere_replay(const struct rerere_text *current, struct view preimage,
	struct view postimage, struct buf *ret_content, bool *ret_clean, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result result = {.content = BUF_INIT};
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	struct merge_input ours = {view_of_buf(&current->normalized), ""};
	struct merge_input base = {preimage, ""};
	struct merge_input theirs = {postimage, ""};
	struct merge_options options = {.keep_apart = true};

	if (!rerere_is_image(preimage) || !rerere_is_image(postimage) ||
		!rerere_is_image(ours.content)) {
		*ret_clean = false;
		return 0;
	}
	if (merge_contents(&ours, &base, &theirs, &options, &result, err) < 0)
		return -1;
	/* Markers with labels or without: an image may be anybody's, and have either. */
	*ret_clean = !result.conflicts &&
		     rerere_parse(view_of_buf(&result.content), 0, &parsed) && !parsed.count &&
		     lines_count_markers(view_of_buf(&result.content)) <=
			     count_common_markers(current);
	if (*ret_clean) {
		buf_release(ret_content);
		*ret_content = result.content;
		result.content = BUF_INIT;
	}
	return 0;
}
