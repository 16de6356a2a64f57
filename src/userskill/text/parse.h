/*
 * The text of a user skill, read with all its faults.
 *
 *	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
 *	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
 *
 *	user_skill_parse(text, path, &skill, &faults);
 *
 * Parsing never fails: `skill` has everything readable, and `faults` lists the problems. A skill
 * with errors may be shown but not used. The result owns all that it holds.
 *
 *	error				warning
 *	no title, or text before it	sections in another order, or nearly named so
 *	a name of less than 3 or	keys of metadata that nobody knows, bold, or in
 *	  more than 100 characters	  other letters
 *	a required section that is	no criteria, a feedback loop without a question
 *	  missing or empty, or any	long steps, numbers of steps out of order
 *	  that is there twice		mail addresses and phone numbers, in code, too
 *	metadata that is there twice	a block of code or a comment that is not closed
 *	  or malformed
 *	no command, schedule or		text that looks like a schedule but is not one
 *	  condition in Trigger, or a
 *	  faulty one
 *	fewer than three steps
 *	bytes that are not UTF-8, NUL
 */
#ifndef USERSKILL_TEXT_PARSE_H
#define USERSKILL_TEXT_PARSE_H

#include "base/view.h"
#include "userskill/text/faults.h"
#include "userskill/text/skill.h"

/* `path` has the default ID and category: "<category>/<id>/SKILL.md", after any folders. */
void user_skill_parse(struct view text, const char *path, struct user_skill *ret_skill,
	struct skill_faults *faults);

/* For use: any error is ERROR_INVALID. The message names `path`. */
int user_skill_load(
	struct view text, const char *path, struct user_skill *ret_skill, struct error *err);

#endif
