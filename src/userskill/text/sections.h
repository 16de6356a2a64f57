/*
 * The parts of the parser, for parse.c: each reads sections of a skill whose text is there
 * already, and puts what it finds into the skill, and its faults to the others.
 */
#ifndef USERSKILL_TEXT_SECTIONS_H
#define USERSKILL_TEXT_SECTIONS_H

#include "userskill/text/faults.h"
#include "userskill/text/skill.h"

void parse_metadata(struct user_skill *skill, struct skill_faults *faults);
void parse_trigger(struct user_skill *skill, struct skill_faults *faults);
void parse_needs(struct user_skill *skill, struct skill_faults *faults);
void parse_steps(struct user_skill *skill, struct skill_faults *faults);
void parse_output(struct user_skill *skill, struct skill_faults *faults);
void parse_feedback(struct user_skill *skill, struct skill_faults *faults);

#endif
