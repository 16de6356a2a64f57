/*
 * A user skill as text, in the usual form: lines end in LF, one blank line stands around
 * headings, metadata is "- Key: Value". Parsing the printed text gives the same skill, and printing
 * that skill gives the same text.
 */
#ifndef USERSKILL_TEXT_PRINT_H
#define USERSKILL_TEXT_PRINT_H

#include "base/buf.h"
#include "userskill/text/skill.h"

void user_skill_print(const struct user_skill *skill, struct buf *out);

/*
 * The same text with another value of a key in its metadata, and no other byte changed. A key
 * that is missing is added, with the section if that is missing, too.
 */
void user_skill_set_field(
	struct view text, const char *key, const char *value, struct buf *out);

#endif
