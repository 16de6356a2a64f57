#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "userskill/text/items.h"
#include "userskill/text/sections.h"

#define MOST_EVERY 1000

/* "(1-5)", "(1 to 10)" */
static bool find_scale(const char *text, int *ret_least, int *ret_most)
{
	for (const char *p = strchr(text, '('); p; p = strchr(p + 1, '(')) {
		int least, most, len = 0;

		if ((sscanf(p, "(%2d-%3d)%n", &least, &most, &len) == 2 ||
			    sscanf(p, "(%2d to %3d)%n", &least, &most, &len) == 2) &&
			len && least >= 0 && most > least && most <= 100) {
			*ret_least = least;
			*ret_most = most;
			return true;
		}
	}
	return false;
}

static void add_question(struct user_skill *skill, const struct item *item)
{
	struct skill_question question = {.text = xstrdup(item->text), .line = item->line};

	if (find_scale(item->text, &question.least, &question.most))
		question.kind = ANSWER_SCALE;
	else if (strcasestr(item->text, "(yes/no)") || strcasestr(item->text, "(yes or no)"))
		question.kind = ANSWER_YES_NO;
	GROW(skill->questions, skill->question_count, skill->question_cap);
	skill->questions[skill->question_count++] = question;
}

/* "Ask: every 5 uses", "Ask: after every use" */
static bool take_rate(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	struct view rest;
	const char *every;
	long count;

	if (!item_labelled(item->text, "ask", &rest) &&
		!item_labelled(item->text, "rate", &rest))
		return false;
	every = strcasestr(rest.data, "every ");
	count = every ? strtol(every + strlen("every "), NULL, 10) : 0;
	if (every && !strncasecmp(every + strlen("every "), "use", 3))
		count = 1;
	if (count < 1 || count > MOST_EVERY) {
		skill_faults_add(
			faults, item->line, SKILL_WARNING, "how often to ask cannot be read");
		skill_faults_hint(faults, "write 'Ask: every 5 uses'");
		return true;
	}
	skill->feedback_every = (int)count;
	return true;
}

void parse_feedback(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_FEEDBACK);
	CLEANUP(items_release) struct items items = {0};

	if (!section || !*section->body)
		return;
	items_read(section, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];

		if (item->kind == ITEM_CODE || item_is_none(item->text) ||
			take_rate(skill, item, faults))
			continue;
		if (strchr(item->text, '?'))
			add_question(skill, item);
	}
	if (!skill->question_count) {
		skill_faults_add(
			faults, section->line, SKILL_WARNING, "the feedback loop asks nothing");
		skill_faults_hint(faults, "add a question: '- Was this useful? (yes/no)'");
	}
}
