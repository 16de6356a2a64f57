#include <string.h>

#include "userskill/text/items.h"
#include "userskill/text/sections.h"

#define LEAST_STEPS 3
#define LONG_STEP   600

static void step_add(struct skill_items *items, const struct item *item)
{
	GROW(items->list, items->count, items->cap);
	items->list[items->count++] = (struct skill_item){xstrdup(item->text), item->line};
}

/* Items of other lists within a step are no steps. */
static size_t least_indent(const struct items *items)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < items->count; i++)
		if (items->list[i].number >= 0 && items->list[i].indent < least)
			least = items->list[i].indent;
	return least;
}

static void check_step(const struct item *item, struct skill_faults *faults)
{
	size_t len = strlen(item->text);

	if (len > LONG_STEP) {
		skill_faults_add(faults, item->line, SKILL_WARNING,
			"this step has %zu characters, and is hard to follow", len);
		skill_faults_hint(faults, "split it into several steps");
	}
}

static void read_steps(
	struct user_skill *skill, const struct items *items, struct skill_faults *faults)
{
	size_t least = least_indent(items);
	bool told = false;
	long last = 0;

	for (size_t i = 0; i < items->count; i++) {
		const struct item *item = &items->list[i];

		if (item->number < 0 || item->indent > least + 1 || !*item->text)
			continue;
		/* All may be called 1, as Markdown counts itself. */
		if (!told && last && item->number != last + 1 && item->number != 1) {
			skill_faults_add(faults, item->line, SKILL_WARNING,
				"step %ld comes after step %ld", item->number, last);
			told = true;
		}
		last = item->number;
		check_step(item, faults);
		step_add(&skill->steps, item);
	}
}

static void read_criteria(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_CRITERIA);
	const struct skill_section *before = user_skill_section(skill, SECTION_INSTRUCTIONS);
	CLEANUP(items_release) struct items items = {0};

	if (section)
		items_read(section, &items);
	for (size_t i = 0; i < items.count; i++)
		if (items.list[i].kind != ITEM_CODE && *items.list[i].text &&
			!items_is_head(&items, i))
			step_add(&skill->criteria, &items.list[i]);
	if (!skill->criteria.count && before) {
		skill_faults_add(faults, section ? section->line : before->line, SKILL_WARNING,
			"there are no quality criteria");
		skill_faults_hint(
			faults, "say in '## Quality Criteria' what makes a good answer");
	}
}

void parse_steps(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_INSTRUCTIONS);
	CLEANUP(items_release) struct items items = {0};

	read_criteria(skill, faults);
	if (!section || !*section->body)
		return;
	items_read(section, &items);
	read_steps(skill, &items, faults);
	if (skill->steps.count < LEAST_STEPS) {
		skill_faults_add(faults, section->line, SKILL_ERROR,
			"the instructions have %zu numbered step%s, and need at least %d",
			skill->steps.count, skill->steps.count == 1 ? "" : "s", LEAST_STEPS);
		skill_faults_hint(faults, "number them: '1. ...'");
	}
}
