/*
 * Several ranges to the text of the one that has what they have in common.
 */
#include <string.h>

#include "engine/structured/npm/semver_range.h"
#include "engine/structured/npm/semver_range_parts.h"
#include "engine/structured/npm/semver_versions.h"
#include "util/quote.h"

#define VERSION_MAX 256

struct text_input {
	const char *text;
	struct semver_range range;
	struct semver_versions versions;
};

struct text_inputs {
	struct text_input *list;
	size_t count;
};

static void text_inputs_release(struct text_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		semver_range_release(&inputs->list[i].range);
		semver_versions_release(&inputs->list[i].versions);
	}
	free(inputs->list);
}

/* --- one span ------------------------------------------------------------------- */

/* Releases, with prereleases of the first one and of the one behind the last. */
struct span {
	struct semver_release from, to;
	const char *from_prerelease; /* or NULL */
	const char *to_prerelease;   /* or NULL */
};

static bool is_release(
	struct semver_release release, uint64_t major, uint64_t minor, uint64_t patch)
{
	return release.major == major && release.minor == minor && release.patch == patch;
}

static void append_release(struct buf *out, const char *before, struct semver_release release)
{
	buf_appendf(out, "%s%ju.%ju.%ju", before, (uintmax_t)release.major,
		(uintmax_t)release.minor, (uintmax_t)release.patch);
}

static void append_version(struct buf *out, const char *before, struct semver_release release,
	const char *prerelease)
{
	append_release(out, before, release);
	if (prerelease)
		buf_appendf(out, "-%s", prerelease);
}

/* Whether one of the ranges says just this. */
static bool is_said(const struct text_inputs *inputs, enum semver_operator op,
	struct semver_release release)
{
	struct semver version = {release.major, release.minor, release.patch, NULL, NULL};

	for (size_t i = 0; i < inputs->count; i++)
		for (size_t s = 0; s < inputs->list[i].range.count; s++) {
			const struct semver_set *set = &inputs->list[i].range.sets[s];

			for (size_t c = 0; c < set->count; c++)
				if (set->list[c].op == op &&
					semver_same(&set->list[c].version, &version))
					return true;
		}
	return false;
}

/* The one before, if a range says it with `op`, and none says this one with `other`. */
static bool is_said_before(const struct text_inputs *inputs, enum semver_operator op,
	enum semver_operator other, struct semver_release *release)
{
	struct semver_release before = *release;

	if (!before.patch)
		return false;
	before.patch--;
	if (!is_said(inputs, op, before) || is_said(inputs, other, *release))
		return false;
	*release = before;
	return true;
}

/* The text without the last ".0", which stands for what is right behind it. */
static char *without_next(const char *prerelease)
{
	size_t len = strlen(prerelease);

	return len > 2 && !strcmp(prerelease + len - 2, ".0") ? xmemdupz(prerelease, len - 2)
							      : NULL;
}

/* Made longer by what is right behind it, a version may be too long for one. */
static bool is_too_long(struct semver_release release, const char *prerelease)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	append_version(&text, "", release, prerelease);
	return text.len > VERSION_MAX;
}

static void append_from(const struct text_inputs *inputs, struct semver_release from,
	const char *prerelease, struct buf *out)
{
	CLEANUP(freep) char *before = prerelease ? without_next(prerelease) : NULL;

	if (before && is_too_long(from, prerelease))
		append_version(out, ">", from, before);
	else if (!prerelease &&
		 is_said_before(inputs, SEMVER_GREATER, SEMVER_GREATER_EQUAL, &from))
		append_release(out, ">", from);
	else
		append_version(out, ">=", from, prerelease);
}

static void append_to(const struct text_inputs *inputs, struct semver_release to,
	const char *prerelease, struct buf *out)
{
	CLEANUP(freep) char *before = prerelease ? without_next(prerelease) : NULL;

	if (before)
		append_version(out, "<=", to, before);
	else if (prerelease)
		append_version(out, "<", to, prerelease);
	else if (is_said_before(inputs, SEMVER_LESS_EQUAL, SEMVER_LESS, &to))
		append_release(out, "<=", to);
	else
		append_release(out, "<", to);
}

/* ^, ~, x or a version, if one of them is just this span. */
static bool append_short(const struct span *span, struct buf *out)
{
	struct semver_release from = span->from;
	bool patch = is_release(span->to, from.major, from.minor, from.patch + 1);
	bool minor = is_release(span->to, from.major, from.minor + 1, 0);
	bool major = is_release(span->to, from.major + 1, 0, 0);

	if (span->to_prerelease || is_too_long(from, span->from_prerelease))
		return false;
	if (patch && !span->from_prerelease)
		append_release(out, "", from);
	else if (from.major ? major : from.minor ? minor : patch)
		append_version(out, "^", from, span->from_prerelease);
	else if (minor)
		append_version(out, "~", from, span->from_prerelease);
	else if (major && !from.minor && !from.patch && !span->from_prerelease)
		buf_appendf(out, "%ju.x", (uintmax_t)from.major);
	else
		return false;
	return true;
}

static void append_span(
	const struct text_inputs *inputs, const struct span *span, struct buf *out)
{
	bool from_first = is_release(span->from, 0, 0, 0) && !span->from_prerelease;
	bool to_last = !semver_release_compare(span->to, SEMVER_RELEASE_TOP);

	if (append_short(span, out))
		return;
	if (from_first && to_last)
		buf_append_char(out, '*');
	if (!from_first)
		append_from(inputs, span->from, span->from_prerelease, out);
	if (!from_first && !to_last)
		buf_append_char(out, ' ');
	if (!to_last)
		append_to(inputs, span->to, span->to_prerelease, out);
}

/* --- all of them ---------------------------------------------------------------- */

struct writer {
	const struct text_inputs *inputs;
	const struct semver_versions *versions;
	size_t next_prerelease;
	struct buf *out;
};

static void separate(struct writer *writer)
{
	if (writer->out->len)
		buf_append_str(writer->out, " || ");
}

static const struct semver_release_span *around(
	const struct semver_versions *versions, struct semver_release release)
{
	for (size_t i = 0; i < versions->release_count; i++) {
		const struct semver_release_span *span = &versions->releases[i];

		if (semver_release_compare(span->from, release) < 0 &&
			semver_release_compare(release, span->to) < 0)
			return span;
	}
	return NULL;
}

static bool is_one(const struct semver_prerelease_span *span)
{
	CLEANUP(freep) char *before = span->to ? without_next(span->to) : NULL;

	return before && !strcmp(before, span->from);
}

/* Prereleases that no span of releases takes along. */
static void write_prereleases(struct writer *writer, const struct semver_prerelease_span *span)
{
	const struct semver_release_span *releases =
		span->to ? NULL : around(writer->versions, span->of);
	struct span with_releases = {.from = span->of, .from_prerelease = span->from};
	CLEANUP(buf_release) struct buf longer = BUF_INIT;

	separate(writer);
	if (is_one(span)) {
		append_version(writer->out, "", span->of, span->from);
		return;
	}
	append_from(writer->inputs, span->of, span->from, &longer);
	buf_append_char(&longer, ' ');
	append_to(writer->inputs, span->of, span->to, &longer);
	if (releases) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		with_releases.to = releases->to;
		append_span(writer->inputs, &with_releases, &text);
		if (text.len <= longer.len) {
			buf_append(writer->out, text.data, text.len);
			return;
		}
	}
	buf_append(writer->out, longer.data, longer.len);
}

/* Those up to the first release of a span. */
static bool leads(const struct semver_prerelease_span *prereleases,
	const struct semver_release_span *span)
{
	return !prereleases->to && !semver_release_compare(prereleases->of, span->from);
}

/* Those from the start on, of the release behind a span. */
static bool trails(const struct semver_prerelease_span *prereleases,
	const struct semver_release_span *span)
{
	return prereleases->to && !strcmp(prereleases->from, "0") &&
	       !semver_release_compare(prereleases->of, span->to);
}

static void write_releases(struct writer *writer, const struct semver_release_span *releases)
{
	const struct semver_versions *versions = writer->versions;
	struct span span = {.from = releases->from, .to = releases->to};

	for (size_t i = 0; i < versions->prerelease_count; i++) {
		if (leads(&versions->prereleases[i], releases))
			span.from_prerelease = versions->prereleases[i].from;
		if (trails(&versions->prereleases[i], releases))
			span.to_prerelease = versions->prereleases[i].to;
	}
	separate(writer);
	append_span(writer->inputs, &span, writer->out);
}

static bool is_taken(const struct semver_versions *versions,
	const struct semver_prerelease_span *prereleases)
{
	for (size_t i = 0; i < versions->release_count; i++)
		if (leads(prereleases, &versions->releases[i]) ||
			trails(prereleases, &versions->releases[i]))
			return true;
	return false;
}

/* The ones up to this release. */
static void write_prereleases_up_to(struct writer *writer, struct semver_release end)
{
	const struct semver_versions *versions = writer->versions;

	while (writer->next_prerelease < versions->prerelease_count) {
		const struct semver_prerelease_span *next =
			&versions->prereleases[writer->next_prerelease];

		if (semver_release_compare(next->of, end) > 0)
			return;
		if (!is_taken(versions, next))
			write_prereleases(writer, next);
		writer->next_prerelease++;
	}
}

static void write_versions(const struct text_inputs *inputs,
	const struct semver_versions *versions, struct buf *out)
{
	struct writer writer = {.inputs = inputs, .versions = versions, .out = out};

	for (size_t i = 0; i < versions->release_count; i++) {
		write_prereleases_up_to(&writer, versions->releases[i].from);
		write_releases(&writer, &versions->releases[i]);
	}
	write_prereleases_up_to(&writer, SEMVER_RELEASE_TOP);
}

/* --- what is asked --------------------------------------------------------------- */

static int read_inputs(
	const char *const *texts, size_t count, struct text_inputs *inputs, struct error *err)
{
	inputs->list = xcalloc(count, sizeof(*inputs->list));
	for (size_t i = 0; i < count; i++) {
		struct text_input *input = &inputs->list[i];

		if (semver_range_parse(view_of(texts[i]), &input->range, err) < 0)
			return -1;
		semver_versions_of(&input->range, &input->versions);
		input->text = texts[i];
		inputs->count++;
	}
	return 0;
}

static void find_common(const struct text_inputs *inputs, struct semver_versions *common)
{
	struct semver_versions all, next;

	semver_versions_common(&inputs->list[0].versions, &inputs->list[0].versions, &all);
	for (size_t i = 1; i < inputs->count; i++) {
		semver_versions_common(&all, &inputs->list[i].versions, &next);
		semver_versions_release(&all);
		all = next;
	}
	*common = all;
}

static int by_length_and_bytes(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b);

	return len_a != len_b ? (len_a < len_b ? -1 : 1) : strcmp(a, b);
}

/* The text that says all of it alone, or NULL. One without a word is better said as *. */
static const char *said_by_one(
	const struct text_inputs *inputs, const struct semver_versions *common)
{
	const char *best = NULL;

	for (size_t i = 0; i < inputs->count; i++) {
		const struct text_input *input = &inputs->list[i];
		bool blank = !view_trim(view_of(input->text)).len;
		const char *text = blank ? "*" : input->text;

		if (semver_versions_equal(&input->versions, common) &&
			(!best || by_length_and_bytes(text, best) < 0))
			best = text;
	}
	return best;
}

static int nothing_in_common(
	const struct text_inputs *inputs, size_t first, size_t second, struct error *err)
{
	CLEANUP(freep) char *a = quote(view_of(inputs->list[first].text));
	CLEANUP(freep) char *b = quote(view_of(inputs->list[second].text));

	if (first == second)
		return error_set(err, ERROR_INVALID, "no version is in the range %s", a);
	return error_set(err, ERROR_INVALID, "no version is in both %s and %s", a, b);
}

/* Two of them, if two are enough. */
static int explain_nothing(const struct text_inputs *inputs, struct error *err)
{
	CLEANUP(buf_release) struct buf list = BUF_INIT;

	for (size_t i = 0; i < inputs->count; i++)
		if (semver_versions_none(&inputs->list[i].versions))
			return nothing_in_common(inputs, i, i, err);
	for (size_t i = 0; i < inputs->count; i++)
		for (size_t k = i + 1; k < inputs->count; k++) {
			CLEANUP(semver_versions_release)
			struct semver_versions common = SEMVER_VERSIONS_INIT;

			semver_versions_common(
				&inputs->list[i].versions, &inputs->list[k].versions, &common);
			if (semver_versions_none(&common))
				return nothing_in_common(inputs, i, k, err);
		}
	for (size_t i = 0; i < inputs->count; i++) {
		buf_append_str(&list, i ? ", " : "");
		quote_append(&list, view_of(inputs->list[i].text));
	}
	return error_set(err, ERROR_INVALID, "no version is in all of %s", list.data);
}

int semver_range_intersection(
	const char *const *texts, size_t count, struct buf *ret_text, struct error *err)
{
	CLEANUP(text_inputs_release) struct text_inputs inputs = {0};
	CLEANUP(semver_versions_release) struct semver_versions common = SEMVER_VERSIONS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *one;

	if (!count) {
		buf_append_char(ret_text, '*');
		return 0;
	}
	if (read_inputs(texts, count, &inputs, err) < 0)
		return -1;
	find_common(&inputs, &common);
	if (semver_versions_none(&common))
		return explain_nothing(&inputs, err);
	one = said_by_one(&inputs, &common);
	if (one)
		buf_append_str(&text, one);
	else
		write_versions(&inputs, &common, &text);
	if (text.len > SEMVER_RANGE_MAX)
		return error_set(err, ERROR_INVALID,
			"what the ranges have in common is too long for a range");
	buf_append(ret_text, text.data, text.len);
	return 0;
}
