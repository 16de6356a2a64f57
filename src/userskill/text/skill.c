#include "userskill/text/skill.h"

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

enum skill_source skill_source_guess(const char *word)
{
	enum skill_source source = skill_source_parse(word);
	size_t len = strlen(word);

	for (size_t i = SOURCE_PRE_BUILT; i < ARRAY_SIZE(sources) && !source && len >= 3; i++) {
		const char *dash = strchr(sources[i], '-');

		/* "created" would match two sources. */
		if (!strncasecmp(word, sources[i], len) ||
			(dash && !strcasecmp(word, dash + 1) &&
				strcasecmp(word, "created") != 0))
			source = (enum skill_source)i;
	}
	return source;
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
	return kind > SECTION_METADATA && kind <= SECTION_OUTPUT;
}

bool skill_id_valid(const char *id)
{
	size_t len = strlen(id);

	if (!isalnum((unsigned char)*id) || len > USER_SKILL_ID_MAX)
		return false;
	for (; *id; id++)
		if (!isalnum((unsigned char)*id) && *id != '_' && *id != '-')
			return false;
	return true;
}

bool skill_category_valid(const char *category)
{
	if (!isalpha((unsigned char)*category) || strlen(category) > USER_SKILL_CATEGORY_MAX)
		return false;
	for (; *category; category++)
		if ((unsigned char)*category < 0x80 && !isalnum((unsigned char)*category) &&
			*category != '-' && *category != '_')
			return false;
	return true;
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

const struct skill_field *user_skill_field(const struct user_skill *skill, const char *value)
{
	for (size_t i = 0; i < skill->field_count; i++)
		if (skill->fields[i].value == value)
			return &skill->fields[i];
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

void user_skill_release(struct user_skill *skill)
{
	arena_release(&skill->memory);
	*skill = USER_SKILL_INIT;
}
