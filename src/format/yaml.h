/*
 * YAML documents: a tree of nodes, each of which knows where it begins and ends.
 *
 *	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
 *	struct yaml_node *node;
 *
 *	if (yaml_parse(text, "manifest.yaml", &doc, err) < 0)
 *		return -1;
 *	if (yaml_expect(doc->root, YAML_MAPPING, "the manifest", err) < 0)
 *		return -1;
 *	node = yaml_get(doc->root, "version");
 *	if (node && yaml_string(node, "'version'", &version, err) < 0)
 *		return -1;
 *
 * The document owns everything below it, including the strings that the getters return.
 *
 * Input may be hostile. These are refused, with the position in the message, as in
 * `manifest.yaml:3:7: key 'skill' appears twice (first on line 1)`:
 *	- text that is too large, too deep or has too many nodes (see below)
 *	- bytes that are not UTF-8, and control characters
 *	- the same key twice in a mapping; keys that are not scalars
 *	- more than one document
 *	- aliases inside the node that they repeat, and alias bombs
 *	- tags other than those of the core schema (!!str, !!int, …)
 *
 * An alias gives the same node again, so a change to it shows in both places. The merge key `<<`
 * is an ordinary key. An empty document is a null node.
 *
 * Iterate by index:
 *
 *	for (size_t i = 0; i < node->count; i++)
 *		visit(node->items[i]);			// of a sequence
 *	for (size_t i = 0; i < node->count; i++)
 *		visit(node->entries[i].key, node->entries[i].value);
 *
 * format/yaml_build.h makes and changes trees, format/yaml_write.h writes them.
 */
#ifndef FORMAT_YAML_H
#define FORMAT_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/view.h"

#define YAML_MAX_SIZE    ((size_t)1024 * 1024)
#define YAML_MAX_NODES   ((size_t)200000) /* keys count, and aliases as often as used */
#define YAML_MAX_DEPTH   64
#define YAML_MAX_ANCHORS 256

enum yaml_kind {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
};

/* What a scalar is by the core schema of YAML 1.2. */
enum yaml_type {
	YAML_STRING,
	YAML_NULL,
	YAML_BOOL,
	YAML_INT,
	YAML_FLOAT,
};

/* Counted from 1; line 0 is a node that was not read but made. */
struct yaml_place {
	size_t line;
	size_t column;
};

struct yaml_entry {
	struct view key; /* a NUL follows it */
	bool key_plain;
	struct yaml_place key_at;
	struct yaml_place end; /* of its value, also where that is an alias */
	struct yaml_node *value;
};

struct yaml_node {
	struct yaml_doc *doc;
	enum yaml_kind kind;
	bool plain; /* a scalar without quotes, which may be other than a string */
	bool flow;  /* a collection in brackets */
	struct yaml_place at;
	struct yaml_place end; /* after its last character, before any comment */
	struct view text;      /* of a scalar; a NUL follows it */
	size_t count;          /* of items or entries */
	size_t cap;
	union {
		struct yaml_node **items;
		struct yaml_entry *entries;
	};
	size_t *order; /* indexes of entries, sorted by their keys */
};

struct yaml_doc {
	struct arena arena;
	char *name; /* for messages */
	struct yaml_node *root;
	struct yaml_place end; /* of the document: a line `...`, or the end of the text */
};

/* 0 means the default of that limit. */
struct yaml_limits {
	size_t size;
	size_t nodes;
};

int yaml_parse(
	struct view text, const char *name, struct yaml_doc **ret_doc, struct error *err);
int yaml_parse_limited(struct view text, const char *name, const struct yaml_limits *limits,
	struct yaml_doc **ret_doc, struct error *err);

/* An empty document, with a null as its root. */
struct yaml_doc *yaml_doc_new(const char *name);
void yaml_doc_free(struct yaml_doc *doc);
void yaml_doc_freep(struct yaml_doc **doc);

/*
 * The offset of a place in the parsed text, or the end of the text if the place is past it.
 * Lines end where libyaml ends them: also at U+0085, U+2028 and U+2029.
 */
size_t yaml_offset(struct view text, struct yaml_place at);

/* The value of a key; NULL if it is missing, or the node is NULL or not a mapping. */
struct yaml_node *yaml_get(const struct yaml_node *mapping, const char *key);

/*
 * For our own records, which a person may have edited: a value that is missing or has another
 * type is NULL as text (so is a null), and empty as a collection.
 */
const char *yaml_get_text(const struct yaml_node *mapping, const char *key);
const struct yaml_node *yaml_get_kind(
	const struct yaml_node *mapping, const char *key, enum yaml_kind kind);
bool yaml_get_bool(const struct yaml_node *mapping, const char *key);

/*
 * Whether a sequence contains a scalar with this text. False if the node is NULL or not a
 * sequence.
 */
bool yaml_has_item(const struct yaml_node *sequence, struct view text);

/* The entry of a key; NULL if it is missing, or the node is not a mapping. */
struct yaml_entry *yaml_find(const struct yaml_node *mapping, struct view key);

/* The position of a key in `order`, or where to insert it. */
size_t yaml_find_order(const struct yaml_node *mapping, struct view key);

/* The type of a scalar node; of unquoted text (also as the writer asks for keys). */
enum yaml_type yaml_type_of(const struct yaml_node *scalar);
enum yaml_type yaml_plain_type(struct view text);
bool yaml_is_null(const struct yaml_node *node);

/*
 * The getters fail with the position of the node if it has another type. `what` is its name in
 * the message: "'version' must be a string, not a sequence".
 *
 * A number or a bool counts as its text if a string is expected, because people write `version:
 * 1.0`.
 */
int yaml_expect(
	const struct yaml_node *node, enum yaml_kind kind, const char *what, struct error *err);
int yaml_string(const struct yaml_node *node, const char *what, const char **ret_string,
	struct error *err);
int yaml_bool(
	const struct yaml_node *node, const char *what, bool *ret_bool, struct error *err);
int yaml_int(
	const struct yaml_node *node, const char *what, int64_t *ret_int, struct error *err);

/* A sequence of strings; a NULL follows the last one. */
int yaml_strings(const struct yaml_node *node, const char *what, const char ***ret_strings,
	size_t *ret_count, struct error *err);

/* Report an error at a node, or at a place such as a key; returns -1. */
int yaml_error(const struct yaml_node *node, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int yaml_error_at(const struct yaml_doc *doc, struct yaml_place at, struct error *err,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Equal types and values, regardless of key order and style. */
bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b);

#endif
