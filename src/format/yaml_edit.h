/*
 * Changes parts of a YAML file that a person has written, and nothing else: comments, order,
 * style and unknown content stay the same.
 *
 *	CLEANUP(yaml_edit_release) struct yaml_edit edit = YAML_EDIT_INIT(text, doc);
 *
 *	yaml_edit_scalar(&edit, yaml_get(doc->root, "version"), "1.0.1");
 *	yaml_edit_list(&edit, "modifies", dropped, added, 1);
 *	if (yaml_edit_finish(&edit, &out, err) < 0)
 *		return -1;
 *
 * `doc` was parsed from `text`; its root is a mapping. Every node may be edited once. If the
 * text is unusual (anchors, a root in brackets), the result may not be as intended: the caller
 * has to parse it again and compare.
 */
#ifndef FORMAT_YAML_EDIT_H
#define FORMAT_YAML_EDIT_H

#include "base/buf.h"
#include "format/yaml.h"

struct yaml_splice {
	size_t from, to; /* in the text */
	size_t number;   /* of two at the same place, this one comes first */
	char *text;
};

struct yaml_edit {
	struct view text;
	const struct yaml_doc *doc;
	struct yaml_splice *list;
	size_t count, cap;
	bool impossible; /* something is not where it was expected */
};

#define YAML_EDIT_INIT(t, d) ((struct yaml_edit){.text = (t), .doc = (d)})

/* An item of a list; of a mapping, with its key. */
struct yaml_edit_new {
	const char *key; /* or NULL */
	const char *value;
};

/* Another text for a scalar, or for a key; in quotes if it was. */
void yaml_edit_scalar(struct yaml_edit *edit, const struct yaml_node *scalar, const char *text);
void yaml_edit_key(struct yaml_edit *edit, const struct yaml_entry *entry, const char *text);

/* A key of the root and a scalar: another text, or a new line at the end. */
void yaml_edit_field(struct yaml_edit *edit, const char *key, const char *text);

/*
 * Change the sequence or mapping under a key of the root: remove the items whose number is true
 * in `dropped` (NULL: none), and add others after the last. A missing key is
 * added.
 */
void yaml_edit_list(struct yaml_edit *edit, const char *key, const bool *dropped,
	const struct yaml_edit_new *added, size_t added_count);

/* ERROR_INVALID if the text is written in a way that cannot be edited. */
int yaml_edit_finish(struct yaml_edit *edit, struct buf *out, struct error *err);

void yaml_edit_release(struct yaml_edit *edit);

#endif
