/*
 * All faults of a package, not only the first.
 *
 *	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
 *
 *	manifest_parse(text, "manifest.yaml", &manifest, &faults);
 *	if (faults_as_error(&faults, err) < 0)
 *		return -1;
 *
 * With an error, the package must not be applied; a warning is for its author; a note says
 * that something was ignored.
 */
#ifndef ENGINE_PACKAGE_FAULTS_H
#define ENGINE_PACKAGE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "format/yaml.h"

enum fault_severity {
	FAULT_NOTE,
	FAULT_WARNING,
	FAULT_ERROR,
};

struct fault {
	enum fault_severity severity;
	char *where; /* "manifest.yaml:3:7", "modify/src/a.c", or "" */
	char *text;
};

struct faults {
	struct fault *list;
	size_t count;
	size_t cap;
	size_t errors;   /* including those left out */
	size_t warnings; /* including those left out */
	size_t left_out; /* because the list was full */
};

/* A hostile package can have any number of faults; more than this helps no reader. */
#define FAULTS_MAX 200

#define FAULTS_INIT ((struct faults){0})

void faults_add(struct faults *faults, enum fault_severity severity, const char *where,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* With a place in a document. */
void faults_add_at(struct faults *faults, enum fault_severity severity,
	const struct yaml_doc *doc, struct yaml_place at, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * Add the message of an error, and clear the error. A place at the beginning of the message
 * ("manifest.yaml:3:7: text") becomes `where`.
 */
void faults_add_error(struct faults *faults, struct error *err);

/* Is the node of this kind, or a string? If not, add an error. (yaml.h) */
bool faults_expect(struct faults *faults, const struct yaml_node *node, enum yaml_kind kind,
	const char *what);
bool faults_string(struct faults *faults, const struct yaml_node *node, const char *what,
	const char **ret_text);

/* A note for every key of the mapping that is not among `known`, which ends with NULL. */
void faults_note_unknown(
	struct faults *faults, const struct yaml_node *mapping, const char *const *known);

/* "error", "warning" or "note". */
const char *fault_severity_name(enum fault_severity severity);

/* -1 and ERROR_INVALID with the first error; the message counts the others. */
int faults_as_error(const struct faults *faults, struct error *err);

void faults_release(struct faults *faults);

#endif
