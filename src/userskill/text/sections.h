/*
 * One function for each section of a skill, called by user_skill_parse() when the text is split
 * into sections. Each fills in its members of `skill`, and adds to `faults`. metadata.c has the
 * first, trigger.c the second, and sections.c the others.
 */
#ifndef USERSKILL_TEXT_SECTIONS_H
#define USERSKILL_TEXT_SECTIONS_H

#include "userskill/text/faults.h"
#include "userskill/text/skill.h"

/* `path` has the defaults, see parse.h. */
void parse_metadata(struct user_skill *skill, const char *path, struct skill_faults *faults);
void parse_trigger(struct user_skill *skill, struct skill_faults *faults);
void parse_context(struct user_skill *skill, struct skill_faults *faults);
void parse_connectors(struct user_skill *skill, struct skill_faults *faults);
void parse_dependencies(struct user_skill *skill, struct skill_faults *faults);
void parse_steps(struct user_skill *skill, struct skill_faults *faults);
void parse_criteria(struct user_skill *skill, struct skill_faults *faults);
void parse_output(struct user_skill *skill, struct skill_faults *faults);
void parse_feedback(struct user_skill *skill, struct skill_faults *faults);

#endif
