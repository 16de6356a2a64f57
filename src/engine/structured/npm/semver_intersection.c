/*
 * The text of the range with the versions that several ranges have in common.
 */
#include <string.h>

#include "engine/structured/npm/semver_range.h"

struct range_text {
	const char *text;
	struct semver_range range;
	struct semver_versions versions;
};

struct range_texts {
	struct range_text *list;
	size_t count;
};

/* --- one span ------------------------------------------------------------------- */

/* Releases, with prereleases of the first one and of the one after the last. */
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

static void append_version(struct buf *out, const char *before, struct semver_release release,
	const char *prerelease)
{
	buf_appendf(out, "%s%ju.%ju.%ju%s%s", before, (uintmax_t)release.major,
		(uintmax_t)release.minor, (uintmax_t)release.patch, prerelease ? "-" : "",
		prerelease ? prerelease : "");
}

/* Does one of the ranges contain exactly this comparator? */
static bool is_said(const struct range_texts *inputs, enum semver_operator op,
	struct semver_release release)
{
	struct semver version = {release.major, release.minor, release.patch, NULL, NULL};

	for (size_t i = 0; i < inputs->count; i++)
		for (size_t s = 0; s < inputs->list[i].range.count; s++) {
			const struct semver_set *set = &inputs->list[i].range.sets[s];

			for (size_t c = 0; c < set->count; c++)
				if (set->list[c].op == op &&
					!semver_compare(&set->list[c].version, &version))
					return true;
		}
	return false;
}

/*
 * Step back to the previous version, if a range names that one with `op`, and none names this
 * one with `other`.
 */
static bool is_said_before(const struct range_texts *inputs, enum semver_operator op,
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

/* "rc" for "rc.0", the first prerelease after "rc"; NULL if it does not end in ".0". */
static char *without_next(const char *prerelease)
{
	size_t len = strlen(prerelease);

	return len > 2 && !strcmp(prerelease + len - 2, ".0") ? xmemdupz(prerelease, len - 2)
							      : NULL;
}

/* A version with such a ".0" may exceed the maximum length. */
static bool is_too_long(struct semver_release release, const char *prerelease)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	append_version(&text, "", release, prerelease);
	return text.len > SEMVER_VERSION_MAX;
}

static void append_from(const struct range_texts *inputs, struct semver_release from,
	const char *prerelease, struct buf *out)
{
	CLEANUP(freep) char *before = prerelease ? without_next(prerelease) : NULL;

	if (before && is_too_long(from, prerelease))
		append_version(out, ">", from, before);
	else if (!prerelease &&
		 is_said_before(inputs, SEMVER_GREATER, SEMVER_GREATER_EQUAL, &from))
		append_version(out, ">", from, NULL);
	else
		append_version(out, ">=", from, prerelease);
}

static void append_to(const struct range_texts *inputs, struct semver_release to,
	const char *prerelease, struct buf *out)
{
	CLEANUP(freep) char *before = prerelease ? without_next(prerelease) : NULL;

	if (before)
		append_version(out, "<=", to, before);
	else if (prerelease)
		append_version(out, "<", to, prerelease);
	else if (is_said_before(inputs, SEMVER_LESS_EQUAL, SEMVER_LESS, &to))
		append_version(out, "<=", to, NULL);
	else
		append_version(out, "<", to, NULL);
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
		append_version(out, "", from, NULL);
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
	const struct range_texts *inputs, const struct span *span, struct buf *out)
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
	const struct range_texts *inputs;
	const struct semver_versions *versions;
	size_t next_prerelease;
	struct buf *out;
};

static void separate(struct writer *writer)
{
	if (writer->out->len)
		buf_append_str(writer->out, " || ");
}

/* Prereleases that no span of releases includes; with the releases after them, if that is
 * shorter. */
static void write_prereleases(struct writer *writer, const struct semver_prerelease_span *span)
{
	CLEANUP(freep) char *last = span->to ? without_next(span->to) : NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf with_releases = BUF_INIT;
	const struct semver_versions *versions = writer->versions;

	separate(writer);
	if (last && !strcmp(last, span->from)) {
		append_version(writer->out, "", span->of, span->from);
		return;
	}
	append_from(writer->inputs, span->of, span->from, &text);
	buf_append_char(&text, ' ');
	append_to(writer->inputs, span->of, span->to, &text);
	for (size_t i = 0; !span->to && i < versions->release_count; i++) {
		const struct semver_release_span *releases = &versions->releases[i];
		struct span longer = {span->of, releases->to, span->from, NULL};

		if (semver_release_compare(releases->from, span->of) < 0 &&
			semver_release_compare(span->of, releases->to) < 0)
			append_span(writer->inputs, &longer, &with_releases);
	}
	if (with_releases.len && with_releases.len <= text.len)
		buf_append(writer->out, with_releases.data, with_releases.len);
	else
		buf_append(writer->out, text.data, text.len);
}

/* Prereleases up to the first release of a span. */
static bool leads(const struct semver_prerelease_span *prereleases,
	const struct semver_release_span *span)
{
	return !prereleases->to && !semver_release_compare(prereleases->of, span->from);
}

/* All prereleases from the first on, of the release after a span. */
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
	/* npm ignores anything next to '*', so it is written in two parts. */
	if (versions->prerelease_count && writer->out->data[writer->out->len - 1] == '*') {
		buf_set_len(writer->out, writer->out->len - 1);
		buf_append_str(writer->out, "<1.0.0 || >=1.0.0");
	}
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

static void write_versions(const struct range_texts *inputs,
	const struct semver_versions *versions, struct buf *out)
{
	struct writer writer = {.inputs = inputs, .versions = versions, .out = out};

	for (size_t i = 0; i < versions->release_count; i++) {
		write_prereleases_up_to(&writer, versions->releases[i].from);
		write_releases(&writer, &versions->releases[i]);
	}
	write_prereleases_up_to(&writer, SEMVER_RELEASE_TOP);
}

/* --- the intersection -------------------------------------------------------------------- */

/* Whether a text is a better spelling than another of the same versions. */
static bool is_better(const char *text, const char *than)
{
	size_t len = strlen(text), than_len = strlen(than);

	return len != than_len ? len < than_len : strcmp(text, than) < 0;
}

bool semver_range_intersection(const char *const *texts, size_t count, struct buf *ret_text)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct range_texts inputs = {arena_alloc(&arena, count * sizeof(*inputs.list)), count};
	struct semver_versions common = {0};
	const char *alone = NULL;

	for (size_t i = 0; i < count; i++) {
		struct range_text *input = &inputs.list[i];

		if (!semver_range_parse(view_of(texts[i]), &arena, &input->range))
			return false;
		/* A range without a word is better written as *. */
		input->text = view_trim(view_of(texts[i])).len ? texts[i] : "*";
		input->versions = semver_versions_of(&input->range, &arena);
		common = i ? semver_versions_common(&common, &input->versions, &arena)
			   : input->versions;
	}
	if (semver_versions_none(&common))
		return false;
	for (size_t i = 0; i < count; i++)
		if (semver_versions_equal(&inputs.list[i].versions, &common) &&
			(!alone || is_better(inputs.list[i].text, alone)))
			alone = inputs.list[i].text;
	if (alone)
		buf_append_str(&text, alone);
	else
		write_versions(&inputs, &common, &text);
	if (text.len > SEMVER_RANGE_MAX)
		return false;
	buf_append(ret_text, text.data, text.len);
	return true;
}
