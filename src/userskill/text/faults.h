/*
 * The faults of a user skill, all of them and not only the first, each with its line.
 *
 *	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
 *
 *	user_skill_parse(text, path, &skill, &faults);
 *	if (skill_faults_as_error(&faults, "SKILL.md", err) < 0)
 *		return -1;
 *
 * An error means that the skill cannot be used, a warning that its author should look.
 */
#ifndef USERSKILL_TEXT_FAULTS_H
#define USERSKILL_TEXT_FAULTS_H

#include <stddef.h>

#include "base/error.h"

/* A file can be made to have any number of faults; more than this are of no use to a reader. */
#define SKILL_FAULTS_MAX 200

enum skill_severity {
	SKILL_WARNING,
	SKILL_ERROR,
};

struct skill_fault {
	size_t line; /* from 1 */
	enum skill_severity severity;
	char *text;
	char *hint; /* what to write instead, or NULL */
};

struct skill_faults {
	struct skill_fault *list; /* after skill_faults_sort() by line */
	size_t count;
	size_t cap;
	size_t errors;   /* including those that were left out */
	size_t warnings; /* likewise */
	size_t left_out; /* found when the list was full */
};

#define SKILL_FAULTS_INIT ((struct skill_faults){0})

void skill_faults_add(struct skill_faults *faults, size_t line, enum skill_severity severity,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* For the fault that was added last, unless that one was left out. */
void skill_faults_hint(struct skill_faults *faults, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* By line, errors before warnings. */
void skill_faults_sort(struct skill_faults *faults);

/* "error" or "warning". */
const char *skill_severity_name(enum skill_severity severity);

/* -1 and ERROR_INVALID with the first error; the message counts the others, if there are any.
 */
int skill_faults_as_error(
	const struct skill_faults *faults, const char *name, struct error *err);

void skill_faults_release(struct skill_faults *faults);

#endif
