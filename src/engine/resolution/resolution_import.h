/*
 * Imports recorded resolutions into .nanoclaw/resolutions, or into another folder of the
 * project.
 *
 * They are checked first (resolution_check.h), and imported all or none. Contents are read
 * again after the check, and must still have their hashes. Each folder gets the name of its
 * skills, whatever it was called before.
 */
#ifndef ENGINE_RESOLUTION_RESOLUTION_IMPORT_H
#define ENGINE_RESOLUTION_RESOLUTION_IMPORT_H

#include "engine/resolution/resolution_check.h"

#define RESOLUTION_MAX_IMPORT ((size_t)1024 * 1024 * 1024)

enum import_outcome {
	IMPORT_NEW,
	IMPORT_SAME, /* it is here already */
	IMPORT_REPLACED,
};

struct imported {
	char *key;
	enum import_outcome outcome;
	size_t files;
};

struct import_result {
	struct imported *list;
	size_t count;
	size_t cap;
	struct resolution_checks checks; /* for the warnings */
};

#define IMPORT_RESULT_INIT ((struct import_result){.checks = RESOLUTION_CHECKS_INIT})

/*
 * `into` is the folder of the project; NULL: .nanoclaw/resolutions. Without `replace`, one that
 * is here already and is different is ERROR_INVALID. On failure nothing is changed; `checks` is
 * filled also then, if they were the reason. The project must be locked and idle.
 */
int resolution_import(const struct project *project, const char *folder,
	const struct relpath *into, bool replace, struct import_result *ret_result,
	struct error *err);

void import_result_release(struct import_result *result);

#endif
