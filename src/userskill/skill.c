#include "userskill/skill.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const sources[] = {
	[SOURCE_PRE_BUILT] = "Pre-built",
	[SOURCE_ADVISOR] = "Advisor-created",
	[SOURCE_AUTO] = "Auto-generated",
	[SOURCE_USER] = "User-created",
	[SOURCE_MARKETPLACE] = "Marketplace",
};

static const char *const statuses[] = {
	[STATUS_OBSERVED] = "Observed",
	[STATUS_PROPOSED] = "Proposed",
	[STATUS_APPROVED] = "Approved",
	[STATUS_ACTIVE] = "Active",
	[STATUS_REFINED] = "Refined",
	[STATUS_RETIRED] = "Retired",
};

static const char *const sections[] = {
	[SECTION_METADATA] = "Metadata",
	[SECTION_TRIGGER] = "Trigger",
	[SECTION_CONTEXT] = "Context Required",
	[SECTION_INSTRUCTIONS] = "Instructions",
	[SECTION_OUTPUT] = "Output Format",
	[SECTION_CRITERIA] = "Quality Criteria",
	[SECTION_FEEDBACK] = "Feedback Loop",
	[SECTION_DEPENDENCIES] = "Dependencies",
	[SECTION_CONNECTORS] = "MCP Connectors Required",
};

const char *skill_source_name(enum skill_source source)
{
	return sources[source];
}

const char *skill_status_name(enum skill_status status)
{
	return statuses[status];
}

const char *skill_section_name(enum skill_section_kind kind)
{
	return kind < SECTION_OTHER ? sections[kind] : NULL;
}

enum skill_source skill_source_parse(const char *word)
{
	size_t automatic = strlen(sources[SOURCE_AUTO]);

	for (size_t i = SOURCE_PRE_BUILT; i < ARRAY_SIZE(sources); i++)
		if (!strcasecmp(word, sources[i]))
			return (enum skill_source)i;
	/* "Auto-generated (from five chats)", "Auto-generated v2": who made it, and of what. */
	if (!strncasecmp(word, sources[SOURCE_AUTO], automatic) &&
		!isalnum((unsigned char)word[automatic]))
		return SOURCE_AUTO;
	return SOURCE_NONE;
}

enum skill_status skill_status_parse(const char *word)
{
	for (size_t i = STATUS_OBSERVED; i < ARRAY_SIZE(statuses); i++)
		if (!strcasecmp(word, statuses[i]))
			return (enum skill_status)i;
	return STATUS_NONE;
}

enum skill_section_kind skill_section_parse(const char *title)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (!strcasecmp(title, sections[i]))
			return (enum skill_section_kind)i;
	return SECTION_OTHER;
}

bool skill_section_required(enum skill_section_kind kind)
{
	return kind <= SECTION_OUTPUT;
}

bool skill_id_valid(const char *id)
{
	static const char prefix[] = "skill_";
	size_t len = strlen(id);
	const char *snake = id + strlen(prefix);
	size_t end = len - 4; /* of the snake: "_001" is behind it */

	if (len > USER_SKILL_ID_MAX || len < strlen(prefix) + 5 ||
		strncmp(id, prefix, strlen(prefix)) != 0 || !islower((unsigned char)*snake))
		return false;
	for (size_t i = strlen(prefix); i < end; i++) {
		char c = id[i];

		if (c == '_' && (id[i + 1] == '_' || i + 1 == end))
			return false;
		if (c != '_' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
			return false;
	}
	return id[end] == '_' && isdigit((unsigned char)id[end + 1]) &&
	       isdigit((unsigned char)id[end + 2]) && isdigit((unsigned char)id[end + 3]);
}

bool skill_command_valid(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	return !name[len] && len && len <= USER_SKILL_COMMAND_MAX && name[0] >= 'a' &&
	       name[0] <= 'z';
}

/* --- looking ----------------------------------------------------------------- */

const struct skill_section *user_skill_section(
	const struct user_skill *skill, enum skill_section_kind kind)
{
	for (size_t i = 0; i < skill->section_count; i++)
		if (skill->sections[i].kind == kind)
			return &skill->sections[i];
	return NULL;
}

const struct skill_format *user_skill_format(
	const struct user_skill *skill, const char *channel)
{
	for (size_t i = 0; i < skill->format_count; i++)
		if (!strcasecmp(skill->formats[i].channel, channel))
			return &skill->formats[i];
	return NULL;
}

const struct skill_command *user_skill_command(const struct user_skill *skill, const char *name)
{
	for (size_t i = 0; i < skill->command_count; i++)
		if (!strcmp(skill->commands[i].name, name))
			return &skill->commands[i];
	return NULL;
}

/* --- comparing --------------------------------------------------------------- */

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
			/* The fields are what stands in it. */
			(a->sections[i].kind != SECTION_METADATA &&
				!same(a->sections[i].body, b->sections[i].body)))
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

bool user_skill_equal(const struct user_skill *a, const struct user_skill *b)
{
	return same_text(a, b) && same_metadata(a, b) && same_trigger(a, b) &&
	       same_needs(a, b) && same_output(a, b);
}

/* --- the end ----------------------------------------------------------------- */

void skill_items_release(struct skill_items *items)
{
	for (size_t i = 0; i < items->count; i++)
		free(items->list[i].text);
	free(items->list);
	*items = (struct skill_items){0};
}

static void release_text(struct user_skill *skill)
{
	free(skill->preamble);
	free(skill->name);
	free(skill->intro);
	for (size_t i = 0; i < skill->section_count; i++) {
		free(skill->sections[i].title);
		free(skill->sections[i].body);
	}
	free(skill->sections);
	for (size_t i = 0; i < skill->field_count; i++) {
		free(skill->fields[i].key);
		free(skill->fields[i].value);
	}
	free(skill->fields);
}

static void release_trigger(struct user_skill *skill)
{
	for (size_t i = 0; i < skill->command_count; i++) {
		free(skill->commands[i].name);
		free(skill->commands[i].arguments);
		free(skill->commands[i].help);
	}
	free(skill->commands);
	for (size_t i = 0; i < skill->schedule_count; i++) {
		free(skill->schedules[i].value);
		free(skill->schedules[i].text);
	}
	free(skill->schedules);
	skill_items_release(&skill->conditions);
}

static void release_needs(struct user_skill *skill)
{
	for (size_t i = 0; i < skill->context_count; i++) {
		free(skill->contexts[i].value);
		free(skill->contexts[i].text);
	}
	free(skill->contexts);
	for (size_t i = 0; i < skill->connector_count; i++) {
		free(skill->connectors[i].name);
		free(skill->connectors[i].text);
	}
	free(skill->connectors);
	for (size_t i = 0; i < skill->dependency_count; i++) {
		free(skill->dependencies[i].skill);
		free(skill->dependencies[i].text);
	}
	free(skill->dependencies);
}

void user_skill_release(struct user_skill *skill)
{
	release_text(skill);
	release_trigger(skill);
	release_needs(skill);
	skill_items_release(&skill->steps);
	skill_items_release(&skill->criteria);
	for (size_t i = 0; i < skill->question_count; i++)
		free(skill->questions[i].text);
	free(skill->questions);
	for (size_t i = 0; i < skill->format_count; i++) {
		free(skill->formats[i].channel);
		free(skill->formats[i].body);
	}
	free(skill->formats);
	*skill = USER_SKILL_INIT;
}
