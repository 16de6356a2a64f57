#include "engine/structured/npm/npm_order.h"

#include <string.h>

#include "util/alloc.h"

/* The letters are not in it: they follow, A as a. Controls are not, and do not count. */
static const char before_letters[] = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

#define FIRST_LETTER ((int)sizeof(before_letters))
#define BEHIND_ASCII (FIRST_LETTER + 26)

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* 0: it does not count. */
static int weight(char c)
{
	const char *found;

	if (is_lower(c))
		return FIRST_LETTER + (c - 'a');
	if (is_upper(c))
		return FIRST_LETTER + (c - 'A');
	if ((unsigned char)c > 0x7f)
		return BEHIND_ASCII + (unsigned char)c;
	found = memchr(before_letters, c, sizeof(before_letters) - 1);
	return found ? (int)(found - before_letters) + 1 : 0;
}

static const char *next_that_counts(const char *text)
{
	while (*text && !weight(*text))
		text++;
	return text;
}

int npm_compare(const char *a, const char *b)
{
	int by_case = 0;

	for (;;) {
		int difference;

		a = next_that_counts(a);
		b = next_that_counts(b);
		if (!*a || !*b)
			break;
		difference = weight(*a) - weight(*b);
		if (difference)
			return difference;
		if (!by_case)
			by_case = is_upper(*a) - is_upper(*b);
		a++;
		b++;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return by_case;
}

/* "0", "17": an index of an array, which JavaScript puts first in every object. */
static bool is_index(const char *key)
{
	static const char largest[] = "4294967294";
	size_t len = strlen(key);

	if (!len || strspn(key, "0123456789") != len || (key[0] == '0' && len > 1))
		return false;
	return len < sizeof(largest) - 1 ||
	       (len == sizeof(largest) - 1 && strcmp(key, largest) <= 0);
}

static int compare_keys(const char *a, const char *b)
{
	size_t a_len = strlen(a);
	size_t b_len = strlen(b);

	if (!is_index(a) || !is_index(b))
		return is_index(a) || is_index(b) ? is_index(b) - is_index(a)
						  : npm_compare(a, b);
	return a_len == b_len ? strcmp(a, b) : (a_len > b_len) - (a_len < b_len);
}

/* --- objects -------------------------------------------------------------------- */

const char **npm_keys(json_t *object)
{
	const char **keys = xcalloc(json_object_size(object) + 1, sizeof(*keys));
	size_t count = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) keys[count++] = key;
	return keys;
}

struct placed {
	const char *key;
	size_t position;
};

/* As JavaScript's sort: what is equal stays as it came. */
static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a;
	const struct placed *y = b;
	int order = compare_keys(x->key, y->key);

	return order ? order : (x->position > y->position) - (x->position < y->position);
}

const char **npm_sorted_keys(json_t *object)
{
	const char **keys = npm_keys(object);
	size_t count = json_object_size(object);
	CLEANUP(freep) struct placed *placed = xcalloc(count + 1, sizeof(*placed));

	for (size_t i = 0; i < count; i++)
		placed[i] = (struct placed){keys[i], i};
	qsort(placed, count, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < count; i++)
		keys[i] = placed[i].key;
	return keys;
}

bool npm_is_sorted(json_t *object)
{
	const char *previous = NULL;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (previous && compare_keys(previous, key) > 0)
			return false;
		previous = key;
	}
	return true;
}

static json_t *new_object(void)
{
	json_t *object = json_object();

	if (!object)
		out_of_memory();
	return object;
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_nocheck(object, key, value) < 0)
		out_of_memory();
}

json_t *npm_reordered(json_t *object, const char *const *keys)
{
	json_t *ordered = new_object();

	for (; *keys; keys++)
		set(ordered, *keys, json_object_get(object, *keys));
	return ordered;
}

json_t *npm_inserted(json_t *object, const char *key, json_t *value)
{
	json_t *result = new_object();
	bool done = false;
	const char *other;
	json_t *others;

	json_object_foreach(object, other, others)
	{
		if (!done && compare_keys(other, key) > 0) {
			set(result, key, value);
			done = true;
		}
		set(result, other, others);
	}
	if (!done)
		set(result, key, value);
	return result;
}
