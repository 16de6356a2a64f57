/*
 * The parts of check_packages(), for check*.c only.
 */
#ifndef ENGINE_AUTHOR_CHECK_PARTS_H
#define ENGINE_AUTHOR_CHECK_PARTS_H

#include "engine/author/check.h"
#include "engine/state/skillset.h"

/* What a package is compared with. */
struct check_context {
	const struct project *project;
	struct skillset skills;
	int core;                     /* the open folder of the core, or -1 */
	char *core_version;           /* or NULL, if nothing says it */
	const struct package **known; /* checked ones and those of the project */
	size_t known_count;
	size_t known_cap;
};

void check_fault(struct faults *faults, enum fault_severity severity, struct yaml_place at,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* check_core.c */
int check_open_core(struct check_context *context, struct error *err);
void check_against_core(const struct check_context *context, const struct package *package,
	struct faults *faults);

/* check_others.c */
void check_against_others(const struct check_context *context, const struct package *package,
	struct faults *faults);
/* Does the package that depends on `skill`, directly or not, get the path from it? */
bool check_dependency_adds(const struct check_context *context, const struct package *package,
	const struct relpath *path);
/* Any other package that adds the path, or NULL. */
const struct package *check_who_adds(const struct check_context *context,
	const struct package *package, const struct relpath *path);

#endif
