/*
 * The base and the skills that NanoClaw ships: the source's container/ folder at build time
 * (tools/embed).
 *
 * They are copied into a project that has none, so that an installation in an empty folder
 * works, and people can edit them in place. Existing files are never changed:
 * container/CLAUDE.md is written if it is missing, and container/skills with its content if
 * that folder is missing.
 */
#ifndef COMPOSE_DEFAULTS_H
#define COMPOSE_DEFAULTS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "compose/changes.h"

struct default_file {
	const char *path; /* below container/ */
	mode_t mode;
	const unsigned char *content;
	size_t len;
};

/* Ends with an empty one. */
extern const struct default_file default_files[];

int defaults_put(int root, bool dry_run, struct changes *changes, struct error *err);

#endif
