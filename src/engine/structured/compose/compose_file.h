/*
 * Where things are in the text of a compose file, so that entries can be put in and
 * taken out without writing the rest anew.
 *
 *	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
 *
 *	if (compose_file_read(text, "compose.yaml", &file, err) < 0)
 *		return -1;
 *	section = &file.sections[COMPOSE_SERVICES];
 *	at = compose_section_end(&file, section);	// new entries go here
 *
 * The text must live as long as the file. Changes are noted as edits and made at once:
 *
 *	CLEANUP(compose_edits_release) struct compose_edits edits = COMPOSE_EDITS_INIT;
 *
 *	compose_edit(&edits, at, 0, "  db: {}\n");
 *	if (compose_edits_apply(&edits, text, &out, err) < 0)
 *		return -1;
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_FILE_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/error.h"
#include "util/view.h"
#include "util/yaml.h"

enum compose_kind {
	COMPOSE_SERVICES,
	COMPOSE_VOLUMES,
	COMPOSE_NETWORKS,
	COMPOSE_KINDS,
};

enum section_style {
	SECTION_MISSING,
	SECTION_EMPTY, /* a key without a value, or with a null */
	SECTION_BLOCK,
	SECTION_FLOW,  /* in braces */
	SECTION_ALIAS, /* nothing can be put there */
};

struct compose_section {
	const char *name; /* "services" */
	enum section_style style;
	const struct yaml_entry *entry; /* in the root; NULL if it is missing */
	const struct yaml_node *value;  /* a mapping, or NULL */
};

struct compose_file {
	struct view text;
	struct yaml_doc *doc;
	const struct yaml_node *root; /* a mapping, or NULL in a file without content */
	size_t indent;                /* of its keys */
	size_t step;                  /* of each level in the file */
	const char *newline;
	struct compose_section sections[COMPOSE_KINDS];
};

#define COMPOSE_FILE_INIT ((struct compose_file){0})

extern const char *const compose_kind_names[COMPOSE_KINDS]; /* "services", … */
extern const char *const compose_kind_words[COMPOSE_KINDS]; /* "service", … */

/* ERROR_INVALID, with the place, if it is no YAML or no compose file. */
int compose_file_read(
	struct view text, const char *name, struct compose_file *ret_file, struct error *err);
void compose_file_release(struct compose_file *file);

/* Where a line starts that could follow the last entry, of block style or none. */
size_t compose_section_end(
	const struct compose_file *file, const struct compose_section *section);

/* The indentation of the entries of a section, as they are or would be. */
size_t compose_section_indent(
	const struct compose_file *file, const struct compose_section *section);

/* Where in a mapping in braces one more entry goes, and what has to stand before it. */
size_t compose_flow_end(const struct compose_file *file, const struct yaml_node *mapping,
	struct buf *separator);

/* The lines of an entry of block style, or the text of one in braces. */
void compose_entry_span(const struct compose_file *file, const struct compose_section *section,
	const struct yaml_entry *entry, size_t *ret_start, size_t *ret_end);

/* Whether the text before `end` is `written`, whatever its line ends; where it starts. */
bool compose_ends_with(struct view text, size_t end, struct view written, size_t *ret_start);

/* Where the line of an offset starts, and where the one after it does. */
size_t compose_line_start(struct view text, size_t at);
size_t compose_next_line(struct view text, size_t at);

struct compose_edit {
	size_t at;
	size_t len; /* of what is taken out */
	char *text; /* of what is put in its place */
};

struct compose_edits {
	struct compose_edit *list;
	size_t count;
	size_t cap;
};

#define COMPOSE_EDITS_INIT ((struct compose_edits){0})

/* Edits at the same place keep their order. ERROR_INVALID if two take out the same text. */
void compose_edit(struct compose_edits *edits, size_t at, size_t len, const char *text);
int compose_edits_apply(
	struct compose_edits *edits, struct view text, struct buf *out, struct error *err);
void compose_edits_release(struct compose_edits *edits);

#endif
