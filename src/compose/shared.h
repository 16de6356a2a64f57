/*
 * The parts that the agents of all groups share: the base, the global memory, and the skills.
 *
 *	container/CLAUDE.md			the base, which people edit
 *	data/global.md				the global memory, which main writes
 *	container/skills/NAME/			a skill; SKILL.md says when to use it
 *	container/skills/NAME/instructions.md	optional; always in the agent's context
 *
 *	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
 *
 *	if (shared_read(root, &shared, err) < 0)
 *		return -1;
 *
 * Links are not followed. Unusable entries (a link, a pipe, a file that is too large, a folder
 * whose name is not valid for a skill) are left out, with a message in `warnings`.
 */
#ifndef COMPOSE_SHARED_H
#define COMPOSE_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/string_array.h"

#define SHARED_BASE         "container/CLAUDE.md"
#define SHARED_SKILLS       "container/skills"
#define SHARED_INSTRUCTIONS "instructions.md"
#define SHARED_GLOBAL       "data/global.md"

/* Of each of these files. */
#define SHARED_MAX_FILE ((size_t)1024 * 1024)

struct shared_skill {
	char *name;
	bool has_instructions;
	struct hash instructions;
};

struct shared {
	struct hash base;            /* of the empty text if the base is missing */
	struct buf global;           /* empty if there is nothing but white space in it */
	struct shared_skill *skills; /* sorted by name */
	size_t skill_count;
	size_t skill_cap;
	struct string_array warnings;
};

#define SHARED_INIT ((struct shared){.global = BUF_INIT})

int shared_read(int root, struct shared *ret_shared, struct error *err);
void shared_release(struct shared *shared);

const struct shared_skill *shared_find(const struct shared *shared, const char *name);

/*
 * Read an optional file, never through a link. A file that cannot be read is not an error; the
 * reason is in `*ret_why`, to be freed, which is NULL if the file was read or does not exist.
 */
void shared_read_file(
	int root, const char *path, struct buf *ret_text, bool *ret_there, char **ret_why);

#endif
