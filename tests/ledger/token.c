#include "token.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_inside(char c)
{
	return isalnum((unsigned char)c) || c == ':' || c == '.';
}

bool token_next(struct view *content, struct view *ret_token)
{
	const char *end = content->data + content->len;

	for (const char *c = content->data; c < end; c++) {
		const char *stop = c + 1;

		if (*c != '<')
			continue;
		while (stop < end && is_inside(*stop))
			stop++;
		if (stop == end || *stop != '>' || stop == c + 1)
			continue;
		*ret_token = (struct view){c, (size_t)(stop + 1 - c)};
		*content = (struct view){stop + 1, (size_t)(end - stop - 1)};
		return true;
	}
	return false;
}

static size_t position(const struct tokens *set, struct view token, bool *ret_found)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = view_compare(view_of(set->list[middle]), token);

		if (order == 0) {
			*ret_found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_found = false;
	return low;
}

void tokens_add(struct tokens *set, struct view token)
{
	bool found;
	size_t at = position(set, token, &found);

	if (found)
		return;
	GROW(set->list, set->count, set->cap);
	memmove(set->list + at + 1, set->list + at, (set->count - at) * sizeof(*set->list));
	set->list[at] = xmemdupz(token.data, token.len);
	set->count++;
}

void tokens_remove(struct tokens *set, const char *token)
{
	bool found;
	size_t at = position(set, view_of(token), &found);

	if (!found)
		return;
	free(set->list[at]);
	set->count--;
	memmove(set->list + at, set->list + at + 1, (set->count - at) * sizeof(*set->list));
}

bool tokens_have(const struct tokens *set, struct view token)
{
	bool found;

	position(set, token, &found);
	return found;
}

void tokens_add_all(struct tokens *set, struct view content)
{
	struct view token;

	while (token_next(&content, &token))
		tokens_add(set, token);
}

void tokens_copy(struct tokens *to, const struct tokens *from)
{
	tokens_release(to);
	for (size_t i = 0; i < from->count; i++)
		tokens_add(to, view_of(from->list[i]));
}

void tokens_release(struct tokens *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->list[i]);
	free(set->list);
	*set = TOKENS_INIT;
}

void tokens_add_difference(struct tokens *set, struct view content, struct view other)
{
	struct view token;

	while (token_next(&content, &token))
		if (!other.len || !memmem(other.data, other.len, token.data, token.len))
			tokens_add(set, token);
}

struct view entry_view(const struct tree_entry *entry)
{
	if (!entry || entry->kind != TREE_FILE || !entry->data)
		return (struct view){"", 0};
	return (struct view){entry->data, entry->len};
}
