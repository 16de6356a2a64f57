/*
 * Which skills a recorded resolution is about, and the name of its folder.
 *
 *	whatsapp@1.2.0+telegram@1.0.0	as we write it: the one that was applied
 *					first comes first
 *	telegram+whatsapp		versions may be left out, and any order will do
 *
 * The name is only an index, to find candidates quickly. Hashes decide whether a resolution is
 * used (resolutions.h).
 */
#ifndef ENGINE_RESOLUTION_RESOLUTION_KEY_H
#define ENGINE_RESOLUTION_RESOLUTION_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

struct resolution_skill {
	char *name;
	char *version; /* or NULL, if any will do */
};

struct resolution_skills {
	struct resolution_skill *list;
	size_t count;
	size_t cap;
};

#define RESOLUTION_SKILLS_INIT ((struct resolution_skills){0})

/* `version` may be NULL; an empty one counts as NULL. */
void resolution_skills_add(
	struct resolution_skills *skills, const char *name, const char *version);

/* "telegram" or "telegram@1.0.0"; ERROR_INVALID with the reason. */
int resolution_skills_parse(
	struct resolution_skills *skills, struct view text, struct error *err);

const struct resolution_skill *resolution_skills_find(
	const struct resolution_skills *skills, struct view name);
bool resolution_skills_equal(
	const struct resolution_skills *a, const struct resolution_skills *b);

/* Sort by name; resolution_skills_fit() and resolution_key_fits() need `present` sorted. */
void resolution_skills_sort(struct resolution_skills *skills);

/* Are they all present, in the given versions? */
bool resolution_skills_fit(
	const struct resolution_skills *skills, const struct resolution_skills *present);

/* The same for the name of a folder. */
bool resolution_key_fits(struct view key, const struct resolution_skills *present);

/*
 * Are all skills of the name in one of the two (both sorted), but not all of them in either?
 * Then it is about something that is met only on the way from the one to the other.
 */
bool resolution_key_is_between(
	struct view key, const struct resolution_skills *a, const struct resolution_skills *b);

/* Does the folder name list exactly these skills, in any order? */
bool resolution_key_names(struct view key, const struct resolution_skills *skills);

/* "telegram@1.0.0", and the name of the folder for several. */
char *resolution_skill_text(const struct resolution_skill *skill);
char *resolution_key(const struct resolution_skills *skills);

void resolution_skills_release(struct resolution_skills *skills);

#endif
