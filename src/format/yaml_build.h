/*
 * Making and changing YAML trees.
 *
 *	struct yaml_doc *doc = yaml_doc_new("state.yaml");
 *	doc->root = yaml_new_mapping(doc);
 *	yaml_set(doc->root, "version", yaml_new_string(doc, "0.1.0"));
 *
 * Nodes belong to the document that they were made in, and can be used only in its trees;
 * yaml_copy() copies one from another document. A node that was removed from a tree stays in
 * memory until the document is freed.
 */
#ifndef FORMAT_YAML_BUILD_H
#define FORMAT_YAML_BUILD_H

#include "base/hash.h"
#include "format/yaml.h"

struct yaml_node *yaml_new_mapping(struct yaml_doc *doc);
struct yaml_node *yaml_new_sequence(struct yaml_doc *doc);
struct yaml_node *yaml_new_null(struct yaml_doc *doc);
struct yaml_node *yaml_new_bool(struct yaml_doc *doc, bool value);
struct yaml_node *yaml_new_int(struct yaml_doc *doc, int64_t value);

/* The text is copied. It must be UTF-8 to be written. */
struct yaml_node *yaml_new_string(struct yaml_doc *doc, const char *text);
struct yaml_node *yaml_new_string_view(struct yaml_doc *doc, struct view text);

/* A scalar as it was read: with `plain` it may be a number, a bool or null. */
struct yaml_node *yaml_new_scalar(struct yaml_doc *doc, struct view text, bool plain);

/* A deep copy. A node that is used in two places becomes two nodes. */
struct yaml_node *yaml_copy(struct yaml_doc *doc, const struct yaml_node *node);

/* Replace the value of a key, or add the key after the others. */
void yaml_set(struct yaml_node *mapping, const char *key, struct yaml_node *value);
void yaml_set_view(struct yaml_node *mapping, struct view key, struct yaml_node *value);

void yaml_set_string(struct yaml_node *mapping, const char *key, const char *text);
void yaml_set_hash(struct yaml_node *mapping, const char *key, const struct hash *hash);

/* The value of a key; created if it is missing or of another kind. */
struct yaml_node *yaml_need(struct yaml_node *mapping, const char *key, enum yaml_kind kind);

/* Returns false if there was no such key. */
bool yaml_remove(struct yaml_node *mapping, const char *key);

void yaml_append(struct yaml_node *sequence, struct yaml_node *item);

/*
 * For many entries at once: add them without checking the keys, then sort. Do not use the
 * mapping before that. yaml_sort_keys() returns the first entry with a duplicate key, with the
 * earlier one in `*ret_first`, or NULL if all are different.
 */
void yaml_append_entry(struct yaml_node *mapping, const struct yaml_entry *entry);
const struct yaml_entry *yaml_sort_keys(
	struct yaml_node *mapping, const struct yaml_entry **ret_first);

#endif
