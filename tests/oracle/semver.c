/*
 * How we read version ranges, for comparison with node-semver.
 *
 * Reads any number of requests from standard input: two ranges and a list of versions
 * with spaces between them, each as "LENGTH\nBYTES". Answers each with a line of fields
 * between tabs: both ranges as comparators, or "!" for an invalid one; the versions in the
 * first range, and in the second; their intersection in hexadecimal, or "!" if it is empty.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/structured/npm/semver_range.h"

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

static bool print_parsed(const struct buf *text)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct semver_range range;

	if (!semver_range_parse(view_of_buf(text), &arena, &range)) {
		putchar('!');
		return false;
	}
	print_range(&range);
	return true;
}

/* A range has a version if it has something in common with it. */
static void print_has(const char *range, struct view versions)
{
	struct view text;

	while (view_next(&versions, ' ', &text)) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(semver_release) struct semver version = {0};
		CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
		CLEANUP(buf_release) struct buf common = BUF_INIT;
		bool is_version = semver_parse(text, &version, &err) == 0;

		putchar(is_version && semver_range_intersection(
					      (const char *[]){range, copy}, 2, &common)
				? '1'
				: '0');
	}
}

/* The same in both orders, or "?". */
static void print_common(const char *a, const char *b)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf other = BUF_INIT;
	bool found = semver_range_intersection((const char *[]){a, b}, 2, &text);
	bool again = semver_range_intersection((const char *[]){b, a}, 2, &other);

	if (found != again || strcmp(text.data, other.data) != 0)
		putchar('?');
	else if (!found)
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
		bool good_a, good_b;

		if (!read_text(&a) || !read_text(&b) || !read_text(&versions))
			return 0;
		good_a = print_parsed(&a);
		putchar('\t');
		good_b = print_parsed(&b);
		if (good_a && good_b) {
			putchar('\t');
			print_has(a.data, view_of_buf(&versions));
			putchar('\t');
			print_has(b.data, view_of_buf(&versions));
			putchar('\t');
			print_common(a.data, b.data);
		}
		putchar('\n');
	}
}
