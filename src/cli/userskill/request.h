/* Shared by the commands for user skills. */
#ifndef CLI_USERSKILL_REQUEST_H
#define CLI_USERSKILL_REQUEST_H

#include "base/error.h"
#include "cli/assistant/assistant.h"
#include "ledger/groups.h"

/* To read: with the store, which must exist. */
int skill_look(struct assistant *ret_assistant, struct error *err);

/* The path of a file, from anywhere; to be freed. */
int skill_file_path(const char *file, char **ret_path, struct error *err);

/* The library's name for messages. */
const char *skill_library(const struct assistant *assistant);

#endif
