#include <string.h>

#include "engine/structured/npm/npm.h"

/* The letters are not in it: they follow, A as a. Controls are not, and do not count. */
static const char before_letters[] = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

#define FIRST_LETTER ((int)sizeof(before_letters))
#define BEHIND_ASCII (FIRST_LETTER + 26)

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* 0: it does not count. */
static int weight(char c)
{
	const char *found;

	if (c >= 'a' && c <= 'z')
		return FIRST_LETTER + (c - 'a');
	if (is_upper(c))
		return FIRST_LETTER + (c - 'A');
	if ((unsigned char)c > 0x7f)
		return BEHIND_ASCII + (unsigned char)c;
	found = memchr(before_letters, c, sizeof(before_letters) - 1);
	return found ? (int)(found - before_letters) + 1 : 0;
}

int npm_compare(const char *a, const char *b)
{
	int by_case = 0;

	for (;; a++, b++) {
		while (*a && !weight(*a))
			a++;
		while (*b && !weight(*b))
			b++;
		if (!*a || !*b)
			break;
		if (weight(*a) != weight(*b))
			return weight(*a) - weight(*b);
		if (!by_case)
			by_case = is_upper(*a) - is_upper(*b);
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

/* --- objects ----------------------------------------------------------------------------- */

struct member {
	const char *key;
	json_t *value;
	size_t position;
};

/* As JavaScript's sort: members that are equal stay as they came. */
static int compare_members(const void *a, const void *b)
{
	const struct member *x = a;
	const struct member *y = b;
	int order = compare_keys(x->key, y->key);

	return order ? order : (x->position > y->position) - (x->position < y->position);
}

json_t *npm_sorted(json_t *object)
{
	CLEANUP(freep)
	struct member *members = xcalloc(json_object_size(object) + 1, sizeof(*members));
	json_t *sorted = json_object();
	size_t count = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		members[count] = (struct member){key, value, count};
		count++;
	}
	qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 0; i < count; i++)
		npm_set_member(sorted, members[i].key, members[i].value);
	return sorted;
}

bool npm_is_sorted(json_t *object)
{
	const char *previous = NULL;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		if (previous && compare_keys(previous, key) > 0)
			return false;
		previous = key;
	}
	return true;
}

json_t *npm_inserted(json_t *object, const char *key, json_t *value)
{
	json_t *result = json_object();
	const char *other;
	json_t *others;

	json_object_foreach(object, other, others) {
		if (compare_keys(other, key) > 0 && !json_object_get(result, key))
			npm_set_member(result, key, value);
		npm_set_member(result, other, others);
	}
	npm_set_member(result, key, value);
	return result;
}
