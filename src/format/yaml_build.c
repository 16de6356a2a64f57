#include "format/yaml_build.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct yaml_node *new_node(struct yaml_doc *doc, enum yaml_kind kind)
{
	struct yaml_node *node = arena_alloc(&doc->arena, sizeof(*node));

	node->doc = doc;
	node->kind = kind;
	node->text = (struct view){"", 0};
	return node;
}

struct yaml_node *yaml_new_mapping(struct yaml_doc *doc)
{
	return new_node(doc, YAML_MAPPING);
}

struct yaml_node *yaml_new_sequence(struct yaml_doc *doc)
{
	return new_node(doc, YAML_SEQUENCE);
}

struct yaml_node *yaml_new_scalar(struct yaml_doc *doc, struct view text, bool plain)
{
	struct yaml_node *node = new_node(doc, YAML_SCALAR);

	node->plain = plain;
	node->text.data = arena_copy(&doc->arena, text.data, text.len);
	node->text.len = text.len;
	return node;
}

struct yaml_node *yaml_new_string(struct yaml_doc *doc, const char *text)
{
	return yaml_new_scalar(doc, view_of(text), false);
}

struct yaml_node *yaml_new_string_view(struct yaml_doc *doc, struct view text)
{
	return yaml_new_scalar(doc, text, false);
}

struct yaml_node *yaml_new_null(struct yaml_doc *doc)
{
	return yaml_new_scalar(doc, view_of("null"), true);
}

struct yaml_node *yaml_new_bool(struct yaml_doc *doc, bool value)
{
	return yaml_new_scalar(doc, view_of(value ? "true" : "false"), true);
}

struct yaml_node *yaml_new_int(struct yaml_doc *doc, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return yaml_new_scalar(doc, view_of(text), true);
}

static void copy_entries(struct yaml_node *copy, const struct yaml_node *node)
{
	const struct yaml_entry *ignored;

	for (size_t i = 0; i < node->count; i++) {
		struct yaml_entry entry = node->entries[i];

		entry.key.data = arena_copy(&copy->doc->arena, entry.key.data, entry.key.len);
		entry.value = yaml_copy(copy->doc, entry.value);
		yaml_append_entry(copy, &entry);
	}
	yaml_sort_keys(copy, &ignored);
}

struct yaml_node *yaml_copy(struct yaml_doc *doc, const struct yaml_node *node)
{
	struct yaml_node *copy;

	if (node->kind == YAML_SCALAR) {
		copy = yaml_new_scalar(doc, node->text, node->plain);
	} else {
		copy = new_node(doc, node->kind);
		if (node->kind == YAML_MAPPING)
			copy_entries(copy, node);
		else
			for (size_t i = 0; i < node->count; i++)
				yaml_append(copy, yaml_copy(doc, node->items[i]));
	}
	copy->at = node->at;
	return copy;
}

void yaml_append(struct yaml_node *sequence, struct yaml_node *item)
{
	assert(sequence->kind == YAML_SEQUENCE && item->doc == sequence->doc);
	sequence->items = arena_grow(&sequence->doc->arena, sequence->items, sequence->count,
		&sequence->cap, sizeof(struct yaml_node *));
	sequence->items[sequence->count++] = item;
}

void yaml_append_entry(struct yaml_node *mapping, const struct yaml_entry *entry)
{
	struct arena *arena = &mapping->doc->arena;
	size_t cap = mapping->cap;

	assert(mapping->kind == YAML_MAPPING && entry->value->doc == mapping->doc);
	mapping->entries = arena_grow(
		arena, mapping->entries, mapping->count, &mapping->cap, sizeof(*entry));
	mapping->order = arena_grow(
		arena, mapping->order, mapping->count, &cap, sizeof(*mapping->order));
	mapping->order[mapping->count] = mapping->count;
	mapping->entries[mapping->count++] = *entry;
}

static int compare_order(const void *a, const void *b, void *entries_pointer)
{
	const struct yaml_entry *entries = entries_pointer;
	size_t first = *(const size_t *)a;
	size_t second = *(const size_t *)b;
	int order = view_compare(entries[first].key, entries[second].key);

	return order ? order : (first > second) - (first < second);
}

const struct yaml_entry *yaml_sort_keys(
	struct yaml_node *mapping, const struct yaml_entry **ret_first)
{
	const struct yaml_entry *entries = mapping->entries;
	const struct yaml_entry *twice = NULL;

	if (!mapping->count)
		return NULL;
	qsort_r(mapping->order, mapping->count, sizeof(*mapping->order), compare_order,
		mapping->entries);
	for (size_t i = 1; i < mapping->count; i++) {
		const struct yaml_entry *one = &entries[mapping->order[i - 1]];
		const struct yaml_entry *other = &entries[mapping->order[i]];

		if (view_equal(one->key, other->key) && (!twice || other < twice)) {
			*ret_first = one;
			twice = other;
		}
	}
	return twice;
}

void yaml_set_view(struct yaml_node *mapping, struct view key, struct yaml_node *value)
{
	struct yaml_entry *found = yaml_find(mapping, key);
	struct yaml_entry entry = {.key.len = key.len, .value = value};
	size_t at;

	assert(mapping->kind == YAML_MAPPING && value->doc == mapping->doc);
	if (found) {
		found->value = value;
		return;
	}
	at = yaml_find_order(mapping, key);
	entry.key.data = arena_copy(&mapping->doc->arena, key.data, key.len);
	yaml_append_entry(mapping, &entry);
	memmove(mapping->order + at + 1, mapping->order + at,
		(mapping->count - 1 - at) * sizeof(*mapping->order));
	mapping->order[at] = mapping->count - 1;
}

void yaml_set(struct yaml_node *mapping, const char *key, struct yaml_node *value)
{
	yaml_set_view(mapping, view_of(key), value);
}

void yaml_set_string(struct yaml_node *mapping, const char *key, const char *text)
{
	yaml_set(mapping, key, yaml_new_string(mapping->doc, text));
}

void yaml_set_hash(struct yaml_node *mapping, const char *key, const struct hash *hash)
{
	char hex[HASH_HEX_SIZE];

	hash_to_hex(hash, hex);
	yaml_set_string(mapping, key, hex);
}

struct yaml_node *yaml_need(struct yaml_node *mapping, const char *key, enum yaml_kind kind)
{
	struct yaml_node *node = yaml_get(mapping, key);

	if (!node || node->kind != kind) {
		node = kind == YAML_MAPPING ? yaml_new_mapping(mapping->doc)
					    : yaml_new_sequence(mapping->doc);
		yaml_set(mapping, key, node);
	}
	return node;
}

bool yaml_remove(struct yaml_node *mapping, const char *key)
{
	struct yaml_entry *found = yaml_find(mapping, view_of(key));
	size_t index;
	size_t kept = 0;

	if (!found)
		return false;
	index = (size_t)(found - mapping->entries);
	memmove(found, found + 1, (mapping->count - 1 - index) * sizeof(*found));
	for (size_t i = 0; i < mapping->count; i++) {
		size_t entry = mapping->order[i];

		if (entry != index)
			mapping->order[kept++] = entry - (entry > index);
	}
	mapping->count--;
	return true;
}
