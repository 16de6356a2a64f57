/*
 * Do two user skills say the same? Lines do not count: the same text may stand further down.
 * For tests that print a skill and read it again.
 */
#ifndef HARNESS_USER_SKILL_EQUAL_H
#define HARNESS_USER_SKILL_EQUAL_H

#include <string.h>

#include "userskill/text/skill.h"

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_items(const struct skill_items *a, const struct skill_items *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!same(a->list[i].text, b->list[i].text))
			return false;
	return true;
}

static bool same_text(const struct user_skill *a, const struct user_skill *b)
{
	if (!same(a->preamble, b->preamble) || !same(a->name, b->name) ||
		!same(a->intro, b->intro) || a->section_count != b->section_count)
		return false;
	for (size_t i = 0; i < a->section_count; i++)
		if (a->sections[i].kind != b->sections[i].kind ||
			!same(a->sections[i].title, b->sections[i].title) ||
			!same(a->sections[i].body, b->sections[i].body))
			return false;
	return true;
}

static bool same_metadata(const struct user_skill *a, const struct user_skill *b)
{
	if (a->field_count != b->field_count || a->source != b->source ||
		a->status != b->status || a->has_quality != b->has_quality ||
		(a->has_quality && a->quality != b->quality) || !same(a->id, b->id) ||
		!same(a->version, b->version) || !same(a->category, b->category) ||
		!same(a->generated, b->generated) || !same(a->usage, b->usage) ||
		!same(a->source_text, b->source_text))
		return false;
	for (size_t i = 0; i < a->field_count; i++)
		if (!same(a->fields[i].key, b->fields[i].key) ||
			!same(a->fields[i].value, b->fields[i].value))
			return false;
	return true;
}

static bool same_trigger(const struct user_skill *a, const struct user_skill *b)
{
	if (a->command_count != b->command_count || a->schedule_count != b->schedule_count)
		return false;
	for (size_t i = 0; i < a->command_count; i++)
		if (!same(a->commands[i].name, b->commands[i].name) ||
			!same(a->commands[i].arguments, b->commands[i].arguments) ||
			!same(a->commands[i].help, b->commands[i].help))
			return false;
	for (size_t i = 0; i < a->schedule_count; i++)
		if (a->schedules[i].type != b->schedules[i].type ||
			!same(a->schedules[i].value, b->schedules[i].value) ||
			!same(a->schedules[i].text, b->schedules[i].text))
			return false;
	return same_items(&a->conditions, &b->conditions);
}

static bool same_needs(const struct user_skill *a, const struct user_skill *b)
{
	if (a->context_count != b->context_count || a->connector_count != b->connector_count ||
		a->dependency_count != b->dependency_count)
		return false;
	for (size_t i = 0; i < a->context_count; i++)
		if (a->contexts[i].kind != b->contexts[i].kind ||
			a->contexts[i].optional != b->contexts[i].optional ||
			!same(a->contexts[i].value, b->contexts[i].value) ||
			!same(a->contexts[i].text, b->contexts[i].text))
			return false;
	for (size_t i = 0; i < a->connector_count; i++)
		if (a->connectors[i].optional != b->connectors[i].optional ||
			!same(a->connectors[i].name, b->connectors[i].name) ||
			!same(a->connectors[i].text, b->connectors[i].text))
			return false;
	for (size_t i = 0; i < a->dependency_count; i++)
		if (!same(a->dependencies[i].skill, b->dependencies[i].skill) ||
			!same(a->dependencies[i].text, b->dependencies[i].text))
			return false;
	return true;
}

static bool same_output(const struct user_skill *a, const struct user_skill *b)
{
	if (a->question_count != b->question_count || a->format_count != b->format_count ||
		a->feedback_every != b->feedback_every)
		return false;
	for (size_t i = 0; i < a->question_count; i++)
		if (a->questions[i].kind != b->questions[i].kind ||
			a->questions[i].least != b->questions[i].least ||
			a->questions[i].most != b->questions[i].most ||
			!same(a->questions[i].text, b->questions[i].text))
			return false;
	for (size_t i = 0; i < a->format_count; i++)
		if (!same(a->formats[i].channel, b->formats[i].channel) ||
			!same(a->formats[i].body, b->formats[i].body))
			return false;
	return same_items(&a->steps, &b->steps) && same_items(&a->criteria, &b->criteria);
}

static bool user_skill_equal(const struct user_skill *a, const struct user_skill *b)
{
	return same_text(a, b) && same_metadata(a, b) && same_trigger(a, b) &&
	       same_needs(a, b) && same_output(a, b);
}

#endif
