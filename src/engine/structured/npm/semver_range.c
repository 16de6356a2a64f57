/*
 * Text to comparators. node-semver does this by rewriting the text step by step, and its notion
 * of a range follows from these steps ("1.2.3*" is one, "> = 1.2.3" is not), so we use the same
 * steps:
 *
 *	white space	one space for each run, none at the ends
 *	||		splits it into sets; in each of them
 *	+build		is removed
 *	a - b		becomes ">=a <=b"
 *	"> 1"		loses the space after the operator; so do "~ 1" and "^ 1"
 *	words		^, ~ and x-ranges become comparators; the rest must be one
 */
#include "engine/structured/npm/semver_range.h"

#include <string.h>

/* Limits of node-semver's expressions. */
#define NUMBER_MAX      257
#define WORD_DIGITS_MAX 256
#define WORD_REST_MAX   250

/* "1.2.x-rc.1" in its parts; a missing part is empty. */
struct xrange {
	struct view major, minor, patch, prerelease;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/* Allowed between an operator and the first number. */
static bool is_prefix_char(char c)
{
	return c == 'v' || c == '=' || c == ' ';
}

static char char_at(struct view text, size_t i)
{
	return i < text.len ? text.data[i] : '\0';
}

static size_t run_len(struct view text, size_t start, bool (*test)(char))
{
	size_t end = start;

	while (end < text.len && test(text.data[end]))
		end++;
	return end - start;
}

/* --- white space ---------------------------------------------------------------- */

/* The length of the white space character of JavaScript at the start, or 0. */
static size_t space_len(struct view text)
{
	static const char *const wide[] = {"\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\xa8",
		"\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80", "\xef\xbb\xbf"};

	if (char_at(text, 0) == ' ' || (char_at(text, 0) >= '\t' && char_at(text, 0) <= '\r'))
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (view_starts_with(text, wide[i]))
			return strlen(wide[i]);
	/* U+2000 to U+200A */
	if (view_starts_with(text, "\xe2\x80") && text.len > 2 &&
		(unsigned char)text.data[2] >= 0x80 && (unsigned char)text.data[2] <= 0x8a)
		return 3;
	return 0;
}

static void squeeze(struct view text, struct buf *out)
{
	bool gap = false;

	for (size_t i = 0; i < text.len;) {
		size_t space = space_len(view_slice(text, i, text.len));

		if (space) {
			gap = out->len > 0;
			i += space;
			continue;
		}
		if (gap)
			buf_append_char(out, ' ');
		gap = false;
		buf_append_char(out, text.data[i++]);
	}
}

static struct view trim_spaces(struct view text)
{
	while (char_at(text, 0) == ' ')
		text = view_slice(text, 1, text.len);
	while (text.len && text.data[text.len - 1] == ' ')
		text.len--;
	return text;
}

/* --- parts of a version --------------------------------------------------------- */

/* The length of "a.b.c" at `start`, each of them a run of letters, digits and dashes. */
static size_t words_len(struct view text, size_t start)
{
	size_t end = start + run_len(text, start, is_word_char);

	if (end == start)
		return 0;
	while (char_at(text, end) == '.' && is_word_char(char_at(text, end + 1)))
		end += 1 + run_len(text, end + 1, is_word_char);
	return end - start;
}

static size_t number_len(struct view text)
{
	size_t len = run_len(text, 0, is_digit);

	return len > NUMBER_MAX || (len > 1 && char_at(text, 0) == '0') ? 0 : len;
}

/* A number or x, X, *. */
static bool read_x(struct view *rest, struct view *ret_part)
{
	char c = char_at(*rest, 0);
	size_t len = c == 'x' || c == 'X' || c == '*' ? 1 : number_len(*rest);

	if (!len)
		return false;
	*ret_part = view_slice(*rest, 0, len);
	*rest = view_slice(*rest, len, rest->len);
	return true;
}

static void read_prerelease(struct view *rest, struct view *ret_part)
{
	size_t len = char_at(*rest, 0) == '-' ? words_len(*rest, 1) : 0;
	struct view words = view_slice(*rest, len ? 1 : 0, len ? 1 + len : 0);
	struct view left = words;
	struct view word;

	while (view_next(&left, '.', &word)) {
		size_t digits = run_len(word, 0, is_digit);

		if (digits == word.len ? !number_len(word)
				       : digits > WORD_DIGITS_MAX ||
						 word.len - digits - 1 > WORD_REST_MAX)
			return;
	}
	if (!len)
		return;
	*ret_part = words;
	*rest = view_slice(*rest, 1 + len, rest->len);
}

static bool read_next_x(struct view *rest, struct view *ret_part)
{
	struct view behind = view_slice(*rest, rest->len ? 1 : 0, rest->len);

	if (char_at(*rest, 0) != '.' || !read_x(&behind, ret_part))
		return false;
	*rest = behind;
	return true;
}

/* Read any of v, = and space, and then up to three parts. */
static bool read_xrange(struct view *rest, struct xrange *ret_range)
{
	struct xrange found = {0};
	struct view left = *rest;

	left = view_slice(left, run_len(left, 0, is_prefix_char), left.len);
	if (!read_x(&left, &found.major))
		return false;
	if (read_next_x(&left, &found.minor) && read_next_x(&left, &found.patch))
		read_prerelease(&left, &found.prerelease);
	*rest = left;
	*ret_range = found;
	return true;
}

/* The same, and nothing may follow. */
static bool is_xrange(struct view text, struct xrange *ret_range)
{
	return read_xrange(&text, ret_range) && !text.len;
}

static bool is_x(struct view part)
{
	return !part.len || !is_digit(part.data[0]);
}

/* 0 for an x. A number too large for a version is one above the largest. */
static uint64_t number_of(struct view part)
{
	uint64_t value = 0;

	for (size_t i = 0; !is_x(part) && i < part.len && value <= SEMVER_NUMBER_MAX; i++)
		value = value * 10 + (uint64_t)(part.data[i] - '0');
	return value > SEMVER_NUMBER_MAX ? SEMVER_NUMBER_MAX + 1 : value;
}

/* --- steps on the text of a set ------------------------------------------------- */

static void strip_builds(struct view text, struct buf *out)
{
	for (size_t i = 0; i < text.len;) {
		size_t len = text.data[i] == '+' ? words_len(text, i + 1) : 0;

		if (len)
			i += 1 + len;
		else
			buf_append_char(out, text.data[i++]);
	}
}

static void append_view(struct buf *out, struct view text)
{
	buf_append(out, text.data, text.len);
}

static void append_xrange(struct buf *out, const char *before, const struct xrange *range)
{
	buf_appendf(out, "%s%.*s.%.*s.%.*s-%.*s", before, VIEW_ARGS(range->major),
		VIEW_ARGS(range->minor), VIEW_ARGS(range->patch), VIEW_ARGS(range->prerelease));
}

static void hyphen_from(struct view text, const struct xrange *from, struct buf *out)
{
	if (is_x(from->major))
		return;
	buf_append_str(out, ">=");
	if (is_x(from->minor))
		buf_appendf(out, "%.*s.0.0 ", VIEW_ARGS(from->major));
	else if (is_x(from->patch))
		buf_appendf(
			out, "%.*s.%.*s.0 ", VIEW_ARGS(from->major), VIEW_ARGS(from->minor));
	else
		buf_appendf(out, "%.*s ", VIEW_ARGS(text));
}

static void hyphen_to(struct view text, const struct xrange *to, struct buf *out)
{
	if (is_x(to->major))
		return;
	if (is_x(to->minor))
		buf_appendf(out, "<%ju.0.0-0", (uintmax_t)number_of(to->major) + 1);
	else if (is_x(to->patch))
		buf_appendf(out, "<%.*s.%ju.0-0", VIEW_ARGS(to->major),
			(uintmax_t)number_of(to->minor) + 1);
	else if (to->prerelease.len)
		append_xrange(out, "<=", to);
	else
		buf_appendf(out, "<=%.*s", VIEW_ARGS(text));
}

/* "1.2 - 3" to comparators; any other text unchanged. */
static void replace_hyphen(struct view text, struct buf *out)
{
	struct view from_text = text;
	struct view to_text;
	struct view rest = text;
	struct xrange from, to;

	if (!read_xrange(&rest, &from) || !view_starts_with(rest, " - ")) {
		append_view(out, text);
		return;
	}
	from_text.len = (size_t)(rest.data - text.data);
	if (char_at(from_text, 0) == ' ')
		from_text = view_slice(from_text, 1, from_text.len);
	to_text = view_slice(rest, 3, rest.len);
	if (to_text.len && to_text.data[to_text.len - 1] == ' ')
		to_text.len--;
	if (!is_xrange(to_text, &to)) {
		append_view(out, text);
		return;
	}
	hyphen_from(from_text, &from, out);
	hyphen_to(to_text, &to, out);
}

/*
 * The length of the version that starts here, or 0. After three numbers the rest counts as a
 * prerelease, even if it is malformed.
 */
static size_t version_len(struct view text)
{
	size_t end = run_len(text, 0, is_digit);
	struct view rest = text;
	struct xrange ignored;

	for (int i = 0; i < 2 && end; i++) {
		size_t digits =
			char_at(text, end) == '.' ? run_len(text, end + 1, is_digit) : 0;

		end = digits ? end + 1 + digits : 0;
	}
	if (end)
		return end + words_len(text, end);
	if (read_xrange(&rest, &ignored))
		return text.len - rest.len;
	return is_digit(char_at(text, 0)); /* "01" */
}

/* Drop one space between an operator and its version: "> 1.2" is ">1.2". */
static void trim_operators(struct view text, struct buf *out)
{
	for (size_t start = 0; start < text.len;) {
		size_t op = start + (char_at(text, start) == ' ');
		size_t op_end = op + (char_at(text, op) == '<' || char_at(text, op) == '>');
		size_t gap, version, len;

		op_end += char_at(text, op_end) == '=';
		gap = op_end + (char_at(text, op_end) == ' ');
		version = gap + run_len(text, gap, is_prefix_char);
		len = version_len(view_slice(text, version, text.len));
		if (!len) {
			/* None starts at any of these, then. */
			version += version == start;
			append_view(out, view_slice(text, start, version));
			start = version;
			continue;
		}
		append_view(out, view_slice(text, start, op_end));
		append_view(out, view_slice(text, gap, version + len));
		start = version + len;
	}
}

/* The same after ~, ~> and ^. */
static void trim_tildes_and_carets(struct view text, struct buf *out)
{
	for (size_t i = 0; i < text.len;) {
		char c = text.data[i++];
		size_t end = i + (c == '~' && char_at(text, i) == '>');

		buf_append_char(out, c);
		if ((c == '~' || c == '^') && char_at(text, end) == ' ')
			i = end + 1;
	}
}

/* --- comparators ------------------------------------------------------------------------- */

struct set_reader {
	struct arena *arena;
	struct semver_set *set;
};

/* False if a number is too large for a version. A comparator is added only once. */
static bool add_comparator(
	struct set_reader *r, enum semver_operator op, const struct semver *version)
{
	struct semver_set *set = r->set;

	if (version->major > SEMVER_NUMBER_MAX || version->minor > SEMVER_NUMBER_MAX ||
		version->patch > SEMVER_NUMBER_MAX)
		return false;
	for (size_t i = 0; i < set->count; i++)
		if (set->list[i].op == op && !semver_compare(&set->list[i].version, version))
			return true;
	set->list = arena_grow(r->arena, set->list, set->count, &set->cap, sizeof(*set->list));
	set->list[set->count++] = (struct semver_comparator){op, *version};
	return true;
}

static bool add_text(struct set_reader *r, enum semver_operator op, struct view text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(semver_release) struct semver parsed = {0};
	struct semver version;

	if (text.len > SEMVER_VERSION_MAX ||
		semver_parse(view_slice(text, char_at(text, 0) == 'v', text.len), &parsed,
			&ignored) < 0)
		return false;
	version = (struct semver){parsed.major, parsed.minor, parsed.patch, NULL, NULL};
	if (parsed.prerelease)
		version.prerelease =
			arena_copy(r->arena, parsed.prerelease, strlen(parsed.prerelease));
	return add_comparator(r, op, &version);
}

/* From this release on; from the first one on is any. */
static bool add_from(struct set_reader *r, uint64_t major, uint64_t minor, uint64_t patch)
{
	const struct semver version = {major, minor, patch, NULL, NULL};

	return add_comparator(
		r, major || minor || patch ? SEMVER_GREATER_EQUAL : SEMVER_ANY, &version);
}

/* Below this release and all its prereleases. */
static bool add_below(struct set_reader *r, uint64_t major, uint64_t minor, uint64_t patch)
{
	const struct semver version = {major, minor, patch, arena_copy(r->arena, "0", 1), NULL};

	return add_comparator(r, SEMVER_LESS, &version);
}

/* The lower end of ^ and ~ with all three parts. */
static bool add_start(struct set_reader *r, const struct xrange *range)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!range->prerelease.len)
		return add_from(r, number_of(range->major), number_of(range->minor),
			number_of(range->patch));
	append_xrange(&text, "", range);
	return add_text(r, SEMVER_GREATER_EQUAL, view_of_buf(&text));
}

/* All that begins with the numbers that there are. */
static bool add_x(struct set_reader *r, const struct xrange *range)
{
	uint64_t major = number_of(range->major);
	uint64_t minor = number_of(range->minor);

	if (is_x(range->minor))
		return add_from(r, major, 0, 0) && add_below(r, major + 1, 0, 0);
	return add_from(r, major, minor, 0) && add_below(r, major, minor + 1, 0);
}

static bool add_tilde(struct set_reader *r, const struct xrange *range)
{
	if (is_x(range->major))
		return add_from(r, 0, 0, 0);
	if (is_x(range->minor) || is_x(range->patch))
		return add_x(r, range);
	return add_start(r, range) &&
	       add_below(r, number_of(range->major), number_of(range->minor) + 1, 0);
}

static bool add_caret(struct set_reader *r, const struct xrange *range)
{
	uint64_t major = number_of(range->major);
	uint64_t minor = number_of(range->minor);

	if (is_x(range->major))
		return add_from(r, 0, 0, 0);
	if (is_x(range->minor))
		return add_x(r, range);
	if (!(is_x(range->patch) ? add_from(r, major, minor, 0) : add_start(r, range)))
		return false;
	if (major)
		return add_below(r, major + 1, 0, 0);
	if (minor || is_x(range->patch))
		return add_below(r, 0, minor + 1, 0);
	return add_below(r, 0, 0, number_of(range->patch) + 1);
}

static enum semver_operator read_operator(struct view *rest)
{
	char c = char_at(*rest, 0);
	bool compares = c == '<' || c == '>';
	bool equal = char_at(*rest, compares) == '=';

	*rest = view_slice(*rest, (size_t)compares + equal, rest->len);
	if (!compares)
		return SEMVER_EQUAL;
	if (c == '<')
		return equal ? SEMVER_LESS_EQUAL : SEMVER_LESS;
	return equal ? SEMVER_GREATER_EQUAL : SEMVER_GREATER;
}

/* With an operator, an x-range is its first version or the one after its last. */
static bool add_compared(
	struct set_reader *r, enum semver_operator op, const struct xrange *range)
{
	bool behind = op == SEMVER_GREATER || op == SEMVER_LESS_EQUAL;
	bool below = op == SEMVER_LESS || op == SEMVER_LESS_EQUAL;
	bool no_minor = is_x(range->minor);
	uint64_t major = number_of(range->major) + (behind && no_minor);
	uint64_t minor = no_minor ? 0 : number_of(range->minor) + behind;

	if (is_x(range->major)) /* Nothing is above or below all versions. */
		return op == SEMVER_LESS || op == SEMVER_GREATER ? add_below(r, 0, 0, 0)
								 : add_from(r, 0, 0, 0);
	if (op == SEMVER_EQUAL)
		return add_x(r, range);
	return below ? add_below(r, major, minor, 0) : add_from(r, major, minor, 0);
}

/* Any other word is a version, without its first * and the operator before that. */
static bool add_plain(struct set_reader *r, struct view word)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *star = word.len ? memchr(word.data, '*', word.len) : NULL;
	size_t end = star ? (size_t)(star - word.data) : word.len;
	size_t start = end;
	enum semver_operator op;
	struct view rest;

	if (star && start && word.data[start - 1] == '=')
		start--;
	if (star && start && (word.data[start - 1] == '<' || word.data[start - 1] == '>'))
		start--;
	append_view(&text, view_slice(word, 0, start));
	if (star)
		append_view(&text, view_slice(word, end + 1, word.len));
	rest = view_of_buf(&text);
	if (!rest.len || view_equal_str(rest, ">=0.0.0"))
		return add_from(r, 0, 0, 0);
	op = read_operator(&rest);
	return add_text(r, op, rest);
}

static bool add_word(struct set_reader *r, struct view word)
{
	struct view rest = view_slice(word, word.len > 0, word.len);
	struct xrange range;
	enum semver_operator op;

	if (char_at(word, 0) == '^')
		return is_xrange(rest, &range) ? add_caret(r, &range) : add_plain(r, word);
	if (char_at(word, 0) == '~') {
		rest = view_slice(rest, char_at(rest, 0) == '>', rest.len);
		return is_xrange(rest, &range) ? add_tilde(r, &range) : add_plain(r, word);
	}
	rest = word;
	op = read_operator(&rest);
	if (!is_xrange(rest, &range) || !is_x(range.patch) ||
		(is_x(range.major) && !is_x(range.minor)))
		return add_plain(r, word);
	return add_compared(r, op, &range);
}

/* --- sets -------------------------------------------------------------------------------- */

static bool is_none(const struct semver_comparator *comparator)
{
	const struct semver *version = &comparator->version;

	return comparator->op == SEMVER_LESS && !version->major && !version->minor &&
	       !version->patch && version->prerelease && !strcmp(version->prerelease, "0");
}

static bool parse_set(struct view text, struct arena *arena, struct semver_set *set)
{
	CLEANUP(buf_release) struct buf stripped = BUF_INIT;
	CLEANUP(buf_release) struct buf unfolded = BUF_INIT;
	CLEANUP(buf_release) struct buf compact = BUF_INIT;
	CLEANUP(buf_release) struct buf words = BUF_INIT;
	struct set_reader r = {arena, set};
	struct view rest, word;

	strip_builds(text, &stripped);
	replace_hyphen(view_of_buf(&stripped), &unfolded);
	trim_operators(view_of_buf(&unfolded), &compact);
	trim_tildes_and_carets(view_of_buf(&compact), &words);
	rest = view_of_buf(&words);
	while (view_next(&rest, ' ', &word))
		if (!add_word(&r, word))
			return false;
	if (!set->count)
		add_from(&r, 0, 0, 0);
	/* A comparator that allows nothing decides alone; "any" adds nothing to the others. */
	for (size_t i = 0; i < set->count; i++)
		if (is_none(&set->list[i])) {
			set->list[0] = set->list[i];
			set->count = 1;
			break;
		}
	for (size_t i = 0; i < set->count && set->count > 1; i++)
		if (set->list[i].op == SEMVER_ANY) {
			memmove(&set->list[i], &set->list[i + 1],
				(set->count - i - 1) * sizeof(*set->list));
			set->count--;
			break; /* it occurs once */
		}
	return true;
}

bool semver_range_parse(struct view text, struct arena *arena, struct semver_range *ret_range)
{
	CLEANUP(buf_release) struct buf squeezed = BUF_INIT;
	struct semver_range range = SEMVER_RANGE_INIT;
	const char *bars;
	struct view rest;

	if (text.len > SEMVER_RANGE_MAX)
		return false;
	squeeze(text, &squeezed);
	rest = view_of_buf(&squeezed);
	do {
		struct semver_set set = {0};
		size_t len;

		bars = rest.len > 1 ? memmem(rest.data, rest.len, "||", 2) : NULL;
		len = bars ? (size_t)(bars - rest.data) : rest.len;
		if (!parse_set(trim_spaces(view_slice(rest, 0, len)), arena, &set))
			return false;
		rest = view_slice(rest, len + (bars ? 2 : 0), rest.len);
		/* Sets without a version are dropped, except one. */
		if (is_none(&set.list[0]) && (bars || range.count))
			continue;
		range.sets = arena_grow(
			arena, range.sets, range.count, &range.cap, sizeof(*range.sets));
		range.sets[range.count++] = set;
	} while (bars);
	/* With any, nothing else counts. */
	for (size_t i = 0; i < range.count; i++)
		if (range.sets[i].list[0].op == SEMVER_ANY) {
			range.sets[0] = range.sets[i];
			range.count = 1;
			break;
		}
	*ret_range = range;
	return true;
}
