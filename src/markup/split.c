/*
 * Cuts a source: takes the best place found by the survey at which the part fits. The rest,
 * after whatever has to be reopened, is the source of the next part.
 */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "markup/survey.h"

#define QUOTES_MAX 8
#define HARD_LEAST 16  /* bytes to try one by one for a hard cut */
#define AHEAD      512 /* bytes after a cut in which it could hide letters */
#define TRIES_MAX  24  /* cuts to try before one that hides letters is accepted */

static bool part_fits(struct view source, const struct markup_form *form)
{
	CLEANUP(buf_release) struct buf rendered = BUF_INIT;

	if (form->dialect == MARKUP_SOURCE)
		return markup_length(source, form->unit) <= form->limit;
	markup_render(source, form->dialect, &rendered);
	if (markup_length(view_of_buf(&rendered), form->unit) > form->limit)
		return false;
	buf_clear(&rendered);
	markup_render(source, MARKUP_PLAIN, &rendered);
	return markup_length(view_of_buf(&rendered), form->unit) <= form->limit;
}

static struct view trim_end(struct view text)
{
	while (text.len && strchr(" \t\n\r", text.data[text.len - 1]))
		text.len--;
	return text;
}

/* Without empty lines at the start; its first line keeps its indentation. */
static struct view trim_lines(struct view text)
{
	size_t start = 0;

	for (size_t i = 0; i < text.len && strchr(" \t\n\r", text.data[i]); i++)
		if (text.data[i] == '\n')
			start = i + 1;
	return trim_end(view_slice(text, start, text.len));
}

static void append_fence(
	const struct survey *s, const struct cut *cut, bool open, struct buf *out)
{
	const struct code_block *block = &s->blocks[cut->code - 1];

	/* The prefix of a line of code is the same on every line of the block. */
	buf_append(out, s->source.data + cut->prefix, cut->prefix_end - cut->prefix);
	buf_append_repeated(out, block->character, block->fence);
	if (open)
		buf_append_str(out, block->info);
}

static void part_append(const struct survey *s, const struct cut *cut, struct buf *out)
{
	struct view text = trim_end(view_slice(s->source, 0, cut->end));

	buf_append(out, text.data, text.len);
	if (cut->code) {
		buf_append_char(out, '\n');
		append_fence(s, cut, false, out);
	}
	for (size_t i = strlen(cut->open); i > 0; i--)
		buf_append_char(out, cut->open[i - 1]);
}

/* The text to put before the rest, so that it keeps its meaning. */
static void opening_append(const struct survey *s, const struct cut *cut,
	enum markup_dialect dialect, struct buf *out)
{
	for (unsigned i = 0; i < cut->quotes && i < QUOTES_MAX; i++)
		buf_append_str(out, "> ");
	buf_append_str(out, cut->open);
	if (cut->inside && !*cut->open && dialect != MARKUP_SOURCE &&
		survey_begins_block(view_slice(s->source, cut->next, s->source.len)))
		buf_append_char(out, '\\');
	if (!cut->code)
		return;
	append_fence(s, cut, true, out);
	buf_append_char(out, '\n');
	if (cut->next != cut->prefix)
		buf_append(out, s->source.data + cut->prefix, cut->prefix_end - cut->prefix);
}

static bool cut_fits(
	const struct survey *s, const struct cut *cut, const struct markup_form *form)
{
	CLEANUP(buf_release) struct buf part = BUF_INIT;

	part_append(s, cut, &part);
	return part_fits(view_of_buf(&part), form);
}

/* --- visible text ---------------------------------------------------------------- */

/* The letters that a reader sees; numbers of lists change. */
static void letters_append(struct view source, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf plain = BUF_INIT;

	/* Of a source of which nothing else is seen, the source is shown. */
	buf_append_str(&text, "x\n\n");
	buf_append(&text, source.data, source.len);
	markup_render(view_of_buf(&text), MARKUP_PLAIN, &plain);
	for (size_t i = 0; i < plain.len; i++)
		if (isalpha((unsigned char)plain.data[i]) || (plain.data[i] & 0x80))
			buf_append_char(out, plain.data[i]);
}

/*
 * Are all letters still seen? A line that begins a part can become a fence, a definition or a
 * table, whose words are hidden.
 */
static bool cut_shows_all(
	const struct survey *s, const struct cut *cut, enum markup_dialect dialect)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	CLEANUP(buf_release) struct buf part = BUF_INIT;
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	size_t end = cut->next + AHEAD < s->source.len ? cut->next + AHEAD : s->source.len;
	struct view next = view_slice(s->source, cut->next, end);
	size_t seen = 0;

	if (dialect == MARKUP_SOURCE)
		return true;
	letters_append(view_slice(s->source, 0, end), &before);
	part_append(s, cut, &part);
	letters_append(view_of_buf(&part), &after);
	opening_append(s, cut, dialect, &rest);
	buf_append(&rest, next.data, next.len);
	letters_append(view_of_buf(&rest), &after);
	for (size_t i = 0; i < after.len && seen < before.len; i++)
		seen += after.data[i] == before.data[seen];
	return seen == before.len;
}

/*
 * The last cut that fits; SIZE_MAX if none does. A part is mostly about as long as its source,
 * so the search begins there, and goes on in steps that grow.
 */
static size_t last_fitting(const struct survey *s, const struct markup_form *form)
{
	size_t low = 0, high = s->count; /* cuts before `low` fit, from `high` on they do not */
	size_t probe = 0, step = 1;

	while (probe + 1 < s->count && s->cuts[probe + 1].end <= form->limit)
		probe++;
	while (low < high) {
		if (cut_fits(s, &s->cuts[probe], form)) {
			low = probe + 1;
			probe = high - low > 2 * step ? probe + step : low + (high - low) / 2;
		} else {
			high = probe;
			probe = high - low > 2 * step ? probe - step : low + (high - low) / 2;
		}
		step *= 2;
	}
	return low ? low - 1 : SIZE_MAX;
}

/* What a hard cut must not break; the first level that is possible is used. */
enum hard_care {
	SPARE_NOTHING, /* the source is not UTF-8 */
	SPARE_CHARACTERS,
	SPARE_MARKS, /* also two equal marks in a row */
};

static bool is_spared(const struct survey *s, size_t at, enum hard_care care)
{
	const char *c = s->source.data + at;

	if (at == s->source.len)
		return false;
	if (care >= SPARE_CHARACTERS && ((unsigned char)*c & 0xc0) == 0x80)
		return true;
	return care >= SPARE_MARKS && c[0] == c[-1] && strchr("`*_~", *c);
}

/* Cuts between two characters: the longest part that fits; `next` is 0 if none does. */
static void cut_hard(
	const struct survey *s, const struct markup_form *form, struct cut *ret_cut)
{
	size_t low = s->opened, high = s->source.len;
	int tries = TRIES_MAX;

	*ret_cut = (struct cut){0};
	while (low < high) {
		struct cut cut = {.end = low + (high - low + 1) / 2};

		if (cut_fits(s, &cut, form))
			low = cut.end;
		else
			high = cut.end - 1;
	}
	/* A longer part can fit where a shorter one does not, and is not always found. */
	if (low < s->opened + HARD_LEAST)
		low = s->opened + HARD_LEAST;
	if (low > s->source.len)
		low = s->source.len;
	for (int care = SPARE_MARKS; care >= SPARE_NOTHING; care--)
		for (size_t at = low, step = 1; at > s->opened;
			at -= step < at - s->opened ? step : 1) {
			struct cut cut = {.end = at, .next = at, .inside = true};

			if (is_spared(s, at, (enum hard_care)care) || !cut_fits(s, &cut, form))
				continue;
			if (!ret_cut->next)
				*ret_cut = cut;
			if (!tries--)
				return;
			if (cut_shows_all(s, &cut, form->dialect)) {
				*ret_cut = cut;
				return;
			}
			step *= 2; /* a line that becomes a fence does so at most places */
		}
}

/* A better place than the cut `last`, unless that would waste half of the part. */
static size_t cut_better(const struct survey *s, const struct markup_form *form, size_t last)
{
	size_t best = last;

	for (size_t i = last; i-- && s->cuts[i].next > (s->cuts[last].next + 1) / 2;)
		if (s->cuts[i].level < s->cuts[best].level && cut_fits(s, &s->cuts[i], form))
			best = i;
	return best;
}

static void cut_choose(
	const struct survey *s, const struct markup_form *form, struct cut *ret_cut)
{
	size_t last = last_fitting(s, form);
	struct cut first = {0};

	/* From the last one on to earlier ones, until one shows all. */
	for (int tries = TRIES_MAX; last != SIZE_MAX && tries; tries--, last--) {
		if (tries < TRIES_MAX && !cut_fits(s, &s->cuts[last], form))
			continue;
		*ret_cut = s->cuts[cut_better(s, form, last)];
		if (cut_shows_all(s, ret_cut, form->dialect))
			return;
		if (!first.next)
			first = *ret_cut;
	}
	cut_hard(s, form, ret_cut);
	if (first.next && !(ret_cut->next && cut_shows_all(s, ret_cut, form->dialect)))
		*ret_cut = first;
}

static struct cut cut_first_character(struct view text)
{
	size_t end = 1;

	while (end < text.len && ((unsigned char)text.data[end] & 0xc0) == 0x80)
		end++;
	return (struct cut){.end = end, .next = end, .inside = true};
}

static void part_add(struct string_array *parts, struct view text)
{
	CLEANUP(freep) char *part = xmemdupz(text.data, text.len);

	if (view_trim(text).len)
		string_array_add(parts, part);
}

void markup_split(
	struct view source, const struct markup_form *form, struct string_array *ret_parts)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	struct markup_form bounded = *form;
	size_t opened = 0, window;
	struct view text = trim_lines(source);

	if (!form->limit) {
		part_add(ret_parts, text);
		return;
	}
	if (form->limit < MARKUP_LEAST_LIMIT(form->dialect))
		bounded.limit = MARKUP_LEAST_LIMIT(form->dialect);
	window = 2 * bounded.limit + 1024;
	buf_append(&rest, text.data, text.len);
	while ((text = view_of_buf(&rest)).len > window || !part_fits(text, &bounded)) {
		CLEANUP(buf_release) struct buf next = BUF_INIT;
		CLEANUP(buf_release) struct buf part = BUF_INIT;
		CLEANUP(survey_release) struct survey survey;
		struct cut cut;

		if (text.len > window)
			for (text.len = window;
				text.len && (text.data[text.len] & 0xc0) == 0x80;)
				text.len--;
		survey_take(&survey, text, opened);
		cut_choose(&survey, &bounded, &cut);
		if (!cut.next && opened) {
			/* There is no room to open the marks again. */
			buf_append(&next, rest.data + opened, rest.len - opened);
			opened = 0;
			buf_release(&rest);
			rest = next;
			next = BUF_INIT;
			continue;
		}
		/* The least limit should be above all that a character can become. */
		if (!cut.next)
			cut = cut_first_character(text);
		part_append(&survey, &cut, &part);
		part_add(ret_parts, view_of_buf(&part));
		opening_append(&survey, &cut, form->dialect, &next);
		opened = next.len;
		text = view_slice(view_of_buf(&rest), cut.next, rest.len);
		if (!opened)
			text = trim_lines(text);
		buf_append(&next, text.data, text.len);
		buf_release(&rest);
		rest = next;
		next = BUF_INIT;
	}
	part_add(ret_parts, view_of_buf(&rest));
}
