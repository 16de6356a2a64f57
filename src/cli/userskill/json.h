/*
 * A user skill for programs, as "user-skill list" and "show" give it.
 */
#ifndef CLI_USERSKILL_JSON_H
#define CLI_USERSKILL_JSON_H

#include <jansson.h>

#include "cli/assistant/assistant.h"
#include "userskill/lookup.h"

/*
 * {id, name, version, category, status, source, generated, origin, definition, path, gone,
 * assigned, commands: [{name, arguments, help}], schedules: [{type, value, text}]}
 */
json_t *user_skill_json(const struct assistant *assistant, const struct skill_found *found);

/* Its needs: {conditions, context, connectors, dependencies, formats, questions}. */
void user_skill_json_needs(const struct user_skill *skill, json_t *json);

#endif
