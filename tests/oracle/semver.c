/*
 * What we make of ranges, for comparison with node-semver.
 *
 * Reads any number of requests from standard input: two ranges and a list of versions
 * with spaces between them, each as "LENGTH\nBYTES". Answers each with a line of fields
 * between tabs: both ranges as comparators, or "!" for one that is none; which versions
 * the first has, and which the second; what they have in common in hexadecimal, or "!" if
 * that is nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/structured/npm/semver_range.h"
#include "engine/structured/npm/semver_versions.h"

static bool read_text(struct buf *text)
{
	size_t len;

	if (scanf("%zu%*c", &len) != 1)
		return false;
	buf_reserve(text, len);
	if (fread(text->data, 1, len, stdin) != len)
		return false;
	buf_set_len(text, len);
	return true;
}

static void print_comparator(const struct semver_comparator *comparator)
{
	static const char *const operators[] = {
		[SEMVER_LESS] = "<",
		[SEMVER_LESS_EQUAL] = "<=",
		[SEMVER_EQUAL] = "",
		[SEMVER_GREATER_EQUAL] = ">=",
		[SEMVER_GREATER] = ">",
	};
	const struct semver *version = &comparator->version;

	if (comparator->op == SEMVER_ANY)
		return;
	printf("%s%" PRIu64 ".%" PRIu64 ".%" PRIu64 "%s%s", operators[comparator->op],
		version->major, version->minor, version->patch, version->prerelease ? "-" : "",
		version->prerelease ? version->prerelease : "");
}

static void print_range(const struct semver_range *range)
{
	for (size_t i = 0; i < range->count; i++) {
		if (i)
			fputs("||", stdout);
		for (size_t k = 0; k < range->sets[i].count; k++) {
			if (k)
				putchar(' ');
			print_comparator(&range->sets[i].list[k]);
		}
	}
}

static bool parse(const struct buf *text, struct semver_range *ret_range)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (semver_range_parse(view_of_buf(text), ret_range, &err) < 0) {
		putchar('!');
		return false;
	}
	print_range(ret_range);
	return true;
}

static void print_has(const struct semver_range *range, struct view versions)
{
	CLEANUP(semver_versions_release) struct semver_versions all = SEMVER_VERSIONS_INIT;
	struct view text;

	semver_versions_of(range, &all);
	while (view_next(&versions, ' ', &text)) {
		CLEANUP(semver_versions_release)
		struct semver_versions one = SEMVER_VERSIONS_INIT;
		CLEANUP(semver_versions_release)
		struct semver_versions common = SEMVER_VERSIONS_INIT;
		CLEANUP(semver_range_release) struct semver_range exact = SEMVER_RANGE_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(semver_release) struct semver version = {0};

		if (semver_parse(text, &version, &err) == 0 &&
			semver_range_parse(text, &exact, &err) == 0) {
			semver_versions_of(&exact, &one);
			semver_versions_common(&all, &one, &common);
		}
		putchar(semver_versions_none(&common) ? '0' : '1');
	}
}

/* The same in both orders, or "?". */
static void print_common(const char *a, const char *b)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(error_release) struct error other_err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf other = BUF_INIT;
	int found = semver_range_intersection((const char *[]){a, b}, 2, &text, &err);
	int again = semver_range_intersection((const char *[]){b, a}, 2, &other, &other_err);

	if (found != again || strcmp(text.data, other.data) != 0)
		putchar('?');
	else if (found < 0)
		putchar('!');
	for (size_t i = 0; i < text.len; i++)
		printf("%02x", (unsigned char)text.data[i]);
}

int main(void)
{
	for (;;) {
		CLEANUP(buf_release) struct buf a = BUF_INIT;
		CLEANUP(buf_release) struct buf b = BUF_INIT;
		CLEANUP(buf_release) struct buf versions = BUF_INIT;
		CLEANUP(semver_range_release) struct semver_range range_a = SEMVER_RANGE_INIT;
		CLEANUP(semver_range_release) struct semver_range range_b = SEMVER_RANGE_INIT;
		bool good_a, good_b;

		if (!read_text(&a) || !read_text(&b) || !read_text(&versions))
			return 0;
		good_a = parse(&a, &range_a);
		putchar('\t');
		good_b = parse(&b, &range_b);
		if (good_a && good_b) {
			putchar('\t');
			print_has(&range_a, view_of_buf(&versions));
			putchar('\t');
			print_has(&range_b, view_of_buf(&versions));
			putchar('\t');
			print_common(a.data, b.data);
		}
		putchar('\n');
	}
}
