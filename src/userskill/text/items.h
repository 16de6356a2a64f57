/*
 * The body of a section as a list: items, paragraphs, headings and lines of code, each on
 * one line. An item includes its continuation lines; comments are left out.
 */
#ifndef USERSKILL_TEXT_ITEMS_H
#define USERSKILL_TEXT_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"
#include "userskill/text/skill.h"

enum item_kind {
	ITEM_LISTED,
	ITEM_PARAGRAPH,
	ITEM_HEADING,
	ITEM_CODE,
};

struct item {
	enum item_kind kind;
	char *text;
	size_t line; /* in the file */
	size_t indent;
	long number; /* of a numbered one, or -1 */
};

struct items {
	struct item *list;
	size_t count;
	size_t cap;
};

/* The first section of this kind, in the skill's memory; nothing if the skill has none. */
void items_read(
	struct user_skill *skill, enum skill_section_kind kind, struct items *ret_items);

/* `text` is in the skill's memory. */
void skill_items_add(
	struct user_skill *skill, struct skill_items *items, char *text, size_t line);

/* Is it only a heading for the items after it: "Commands:"? */
bool items_is_head(const struct items *items, size_t at);

/* "None", "Nothing needed.", "n/a" */
bool item_is_none(const char *text);

/*
 * "Schedule: daily", "**Schedule:** daily": whether it begins with that word and a colon;
 * `*ret_rest` is the text after them.
 */
bool item_labelled(const char *text, const char *label, struct view *ret_rest);

#endif
