#include "engine/package/semver.h"

#include <assert.h>
#include <string.h>

#include "base/quote.h"

/* The standard sets no limit; a version that needs more than this is a mistake. */
#define SEMVER_MAX 256

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_identifier_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static bool all_chars(struct view text, bool (*test)(char))
{
	for (size_t i = 0; i < text.len; i++)
		if (!test(text.data[i]))
			return false;
	return true;
}

/* --- reading: these return the fault, or NULL -------------------------------- */

/* Split off a number that `end` follows, or the end of the text if that is 0. */
static const char *read_number(struct view *rest, char end, uint64_t *ret_number)
{
	uint64_t number = 0;
	size_t len = 0;

	while (len < rest->len && is_digit(rest->data[len])) {
		uint64_t digit = (uint64_t)(rest->data[len++] - '0');

		if (number > (UINT64_MAX - digit) / 10)
			return "has too large a number";
		number = number * 10 + digit;
	}
	if (!len || (end && (len == rest->len || rest->data[len] != end)))
		return "is not of the form 1.2.3";
	if (len > 1 && rest->data[0] == '0')
		return "has a number with a zero in front";
	*rest = view_slice(*rest, end ? len + 1 : len, rest->len);
	*ret_number = number;
	return NULL;
}

static const char *check_identifiers(struct view text, bool numbers_have_order)
{
	struct view part;

	if (!text.len || text.data[text.len - 1] == '.')
		return "has an empty part";
	while (view_next(&text, '.', &part)) {
		if (!part.len)
			return "has an empty part";
		if (!all_chars(part, is_identifier_char))
			return "has a character that is not allowed";
		if (numbers_have_order && part.len > 1 && part.data[0] == '0' &&
			all_chars(part, is_digit))
			return "has a number with a zero in front";
	}
	return NULL;
}

static const char *read_version(struct view rest, struct semver *version)
{
	const char *wrong = read_number(&rest, '.', &version->major);
	struct view prerelease = {0};
	struct view build = {0};
	const char *build_sign;
	size_t plus;

	if (!wrong)
		wrong = read_number(&rest, '.', &version->minor);
	if (!wrong)
		wrong = read_number(&rest, 0, &version->patch);
	if (wrong)
		return wrong;
	if (rest.len && rest.data[0] != '-' && rest.data[0] != '+')
		return "is not of the form 1.2.3";
	build_sign = rest.len ? memchr(rest.data, '+', rest.len) : NULL;
	plus = build_sign ? (size_t)(build_sign - rest.data) : rest.len;
	if (plus < rest.len) {
		build = view_slice(rest, plus + 1, rest.len);
		wrong = check_identifiers(build, false);
	}
	if (!wrong && plus > 0) {
		prerelease = view_slice(rest, 1, plus);
		wrong = check_identifiers(prerelease, true);
	}
	if (wrong)
		return wrong;
	version->prerelease = plus > 0 ? xmemdupz(prerelease.data, prerelease.len) : NULL;
	version->build = build.len ? xmemdupz(build.data, build.len) : NULL;
	return NULL;
}

int semver_parse(struct view text, struct semver *ret_version, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;
	struct semver version = {0};
	const char *wrong;

	wrong = text.len > SEMVER_MAX ? "is too long" : read_version(text, &version);
	if (!wrong) {
		*ret_version = version;
		return 0;
	}
	shown = quote_start(text);
	return error_set(err, ERROR_INVALID, "version %s %s", shown, wrong);
}

/* --- order ------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Numbers are below words, and are compared as numbers of any length. */
static int compare_identifiers(struct view a, struct view b)
{
	bool a_is_number = all_chars(a, is_digit);
	bool b_is_number = all_chars(b, is_digit);

	if (a_is_number != b_is_number)
		return a_is_number ? -1 : 1;
	if (a_is_number && a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return view_compare(a, b);
}

static int compare_prereleases(const char *a, const char *b)
{
	struct view rest_a = view_of(a ? a : ""), rest_b = view_of(b ? b : "");
	struct view part_a, part_b;

	if (!a || !b)
		return !!b - !!a; /* a release is above its prereleases */
	for (;;) {
		bool more_a = view_next(&rest_a, '.', &part_a);
		bool more_b = view_next(&rest_b, '.', &part_b);
		int order;

		if (!more_a || !more_b)
			return more_a - more_b;
		order = compare_identifiers(part_a, part_b);
		if (order)
			return order;
	}
}

int semver_compare(const struct semver *a, const struct semver *b)
{
	int order = compare_numbers(a->major, b->major);

	if (!order)
		order = compare_numbers(a->minor, b->minor);
	if (!order)
		order = compare_numbers(a->patch, b->patch);
	return order ? order : compare_prereleases(a->prerelease, b->prerelease);
}

int semver_compare_text(const char *a, const char *b)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(semver_release) struct semver version_a = {0};
	CLEANUP(semver_release) struct semver version_b = {0};
	int failed = semver_parse(view_of(a), &version_a, &err) |
		     semver_parse(view_of(b), &version_b, &err);

	assert(!failed);
	(void)failed;
	return semver_compare(&version_a, &version_b);
}

bool semver_is_valid(struct view text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(semver_release) struct semver version = {0};

	return semver_parse(text, &version, &ignored) == 0;
}

void semver_release(struct semver *version)
{
	free(version->prerelease);
	free(version->build);
}
