/*
 * The reverse: from an edit of a structured file (structured.h) to the declaration of a skill
 * that would make it.
 *
 *	CLEANUP(structured_declared_release)
 *	struct structured_declared found = STRUCTURED_DECLARED_INIT;
 *
 *	if (structured_declare(s, &edit, doc, &found, err) < 0)
 *		return -1;
 *
 * New entries are declared: dependencies, variables with the comment above them, services with
 * their volumes and networks, packages. Whatever else was edited (another script in
 * package.json, another value) is left as text: `before` and `after` are the file's own
 * content on both sides, without contributions of applied skills and without the declaration.
 *
 * The declaration is rendered and compared with the edit. Both must mean the same: the same
 * JSON, variables or services. Otherwise nothing is declared, and everything is text. The bytes
 * often differ, because entries of skills have their own place: `by_meaning` says so.
 */
#ifndef ENGINE_STRUCTURED_STRUCTURED_DECLARE_H
#define ENGINE_STRUCTURED_STRUCTURED_DECLARE_H

#include "engine/package/structured_format.h"
#include "engine/session/session.h"

struct structured_edit {
	const struct structured_format *format;
	const struct relpath *path;
	const struct tx_file *before; /* TX_FILE or TX_ABSENT, from the tree */
	const struct tx_file *after;
	const char *skill; /* that is to declare it */
	bool exact;        /* only if the result is the same to the byte */
};

struct structured_declared {
	struct yaml_node *declared; /* NULL: nothing is */
	struct buf before;
	struct buf after;
	bool by_meaning;
};

#define STRUCTURED_DECLARED_INIT                                                               \
	((struct structured_declared){.before = BUF_INIT, .after = BUF_INIT})

/* The declaration is a node in `doc`. */
int structured_declare(struct session *s, const struct structured_edit *edit,
	struct yaml_doc *doc, struct structured_declared *ret_declared, struct error *err);

void structured_declared_release(struct structured_declared *declared);

/* Do two texts of such a file mean the same? False if one cannot be read. */
bool structured_same_meaning(
	const struct structured_format *format, struct view a, struct view b);

#endif
