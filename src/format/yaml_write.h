/*
 * YAML trees as text, always the same text for the same tree.
 *
 * Block style, two spaces, LF; keys sorted bytewise; sequences in their order;
 * `[]` and `{}` for empty ones. Aliases are written out in full.
 *
 *	dependencies:
 *	  - telegram
 *	  - "1.0"
 *	version: 0.1.0
 *
 * A string is written without quotes only if every parser of YAML 1.1 and 1.2 reads the same
 * string: `yes`, `12:30`, `1e3`, `2026-01-01`, `=` and similar ones get double quotes, with
 * JSON's escapes. Scalars that were read as a number, a bool or null are written back as they
 * were, so that unknown keys keep their type.
 *
 * The text can be read back, and gives an equal tree (yaml_equal). So a tree with text that is
 * not UTF-8, or one nested deeper than YAML_MAX_DEPTH, is refused; `out` then holds a part of
 * the text.
 */
#ifndef FORMAT_YAML_WRITE_H
#define FORMAT_YAML_WRITE_H

#include "base/buf.h"
#include "format/yaml.h"
#include "format/yaml_build.h"

enum yaml_order {
	YAML_KEYS_SORTED,
	YAML_KEYS_AS_THEY_ARE,
};

int yaml_write(const struct yaml_node *root, struct buf *out, struct error *err);
int yaml_write_ordered(const struct yaml_node *root, enum yaml_order order, struct buf *out,
	struct error *err);

/* A string in double quotes, valid in both block and flow style. */
int yaml_append_quoted(struct buf *out, struct view text, struct error *err);

/* Whether a string is safe without quotes. */
bool yaml_plain_safe(struct view text);

#endif
