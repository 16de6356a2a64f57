/*
 * Which text of a skill applies, for a group or in general.
 *
 *	override	the variant of this group, if it has one
 *	database	else what was imported under this ID
 *	file		else the file of the library
 *
 *	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
 *
 *	if (skill_lookup(store, "family", "skill_brief_001", &found, err) < 0)
 *		return -1;
 *	if (!found.content)
 *		...		// there is no such skill
 *	if (skill_found_usable(&found))
 *		run(&found.skill)
 *
 * A variant needs an existing skill: if the definition is gone or retired, the variant is not used
 * either.
 */
#ifndef USERSKILL_LOOKUP_H
#define USERSKILL_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "userskill/text/skill.h"

enum skill_origin {
	ORIGIN_FILE,
	ORIGIN_DATABASE,
	ORIGIN_OVERRIDE,
};

/* "file", "database" or "override". */
const char *skill_origin_name(enum skill_origin origin);

struct skill_found {
	char *content;           /* NULL: not found */
	struct user_skill skill; /* read from it */
	enum skill_origin origin;
	int64_t version_id; /* of this very content (userskill/user_skill_uses.h) */
	/* Of the definition, also where an override holds: */
	enum skill_origin definition; /* file or database */
	enum skill_status status;
	char *source;
	char *category;
	char *path; /* below the library, or NULL */
	bool gone;
	bool assigned; /* to the group; false without one */
};

#define SKILL_FOUND_INIT ((struct skill_found){0})

void skill_found_release(struct skill_found *found);

/* `group` is a folder, or NULL. */
int skill_lookup(struct store *store, const char *group, const char *id,
	struct skill_found *ret_found, struct error *err);

/* Is it in use, and there? Whether the group has it is in `assigned`. */
bool skill_found_usable(const struct skill_found *found);

/*
 * Among the skills that are assigned to the group and in use, the one with this command
 * (without the slash, any letters). If two have it, the first by ID; a sync reports this.
 */
int skill_lookup_command(struct store *store, const char *group, const char *command,
	struct skill_found *ret_found, struct error *err);

/* All commands that a group has, sorted. */
struct group_command {
	char *name;
	char *arguments;
	char *help; /* or the name of the skill */
	char *skill;
};

struct group_commands {
	struct arena memory; /* of the list and its texts */
	struct group_command *list;
	size_t count;
	size_t cap;
};

int skill_group_commands(struct store *store, const char *group,
	struct group_commands *ret_commands, struct error *err);
void group_commands_release(struct group_commands *commands);

/* No such skill, with a hint at the nearest: for messages; returns -1. */
int skill_unknown(struct store *store, const char *id, struct error *err);

#endif
