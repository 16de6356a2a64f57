/*
 * The source that this installation is built from: is it NanoClaw's own, which version of it is
 * this, and which files differ from another version?
 *
 *	CLEANUP(build_source_release) struct build_source source = BUILD_SOURCE_INIT;
 *
 *	if (build_source_is_own(root) && build_source_read(root, &source, err) == 0)
 *		... source.name ...
 *
 * The list has a line for each file of the core (engine/core/base.h): its path, its kind and
 * its hash. The name is the hash of those lines that can change the programs: not of tests,
 * documentation, and skills.
 */
#ifndef BUILDS_BUILD_SOURCE_H
#define BUILDS_BUILD_SOURCE_H

#include <stdbool.h>
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"

#define BUILD_NAME_SIZE 17

struct build_source {
	struct buf list; /* sorted by path */
	char name[BUILD_NAME_SIZE];
};

#define BUILD_SOURCE_INIT ((struct build_source){.list = BUF_INIT})

/* Is the open folder a clone of NanoClaw, or a tree that is built like it? */
bool build_source_is_own(int root);

int build_source_read(int root, struct build_source *ret_source, struct error *err);
void build_source_release(struct build_source *source);

/* Was a file that the programs can depend on changed after this time? Errors count as no. */
bool build_source_has_newer(int root, struct timespec time);

/* The paths of lines that only one of the two lists has, sorted. */
void build_source_changes(struct view before, struct view now, struct string_array *ret_paths);

#endif
