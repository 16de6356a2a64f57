/*
 * Asking about user skills (host/skill_operations.h), of the host if it runs, or in the store.
 */
#ifndef CLI_HOST_SKILL_REQUEST_H
#define CLI_HOST_SKILL_REQUEST_H

#include <jansson.h>

#include "cli/host/place.h"
#include "store/groups.h"
#include "util/error.h"

/* `request` is released. */
int skill_change(json_t *request, json_t **ret_reply, struct error *err);

/* For looking: the place with its store, which must be there. */
int skill_look(struct place *ret_place, struct error *err);

/* The folder of the group that a word names, which must be there; NULL for NULL. */
int skill_group(const struct place *place, const char *word, struct group *ret_group,
	struct error *err);

/* The path of a file, from anywhere; to be freed. */
int skill_file_path(const char *file, char **ret_path, struct error *err);

/* The library as it is shown. */
const char *skill_library(const struct place *place);

#endif
