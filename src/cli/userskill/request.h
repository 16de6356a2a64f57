/* What the commands for user skills share. */
#ifndef CLI_USERSKILL_REQUEST_H
#define CLI_USERSKILL_REQUEST_H

#include "base/error.h"
#include "cli/assistant/place.h"
#include "ledger/groups.h"

/* For looking: the place with its store, which must be there. */
int skill_look(struct place *ret_place, struct error *err);

/* The path of a file, from anywhere; to be freed. */
int skill_file_path(const char *file, char **ret_path, struct error *err);

/* The library as it is shown. */
const char *skill_library(const struct place *place);

#endif
