/*
 * The files of user skills: <library>/<category>/<id>/SKILL.md, and nothing else.
 *
 * The library is the setting SKILL_LIBRARY_PATH, or skills/ in the project. In it
 *	- files are looked for at exactly that depth; a SKILL.md elsewhere is misplaced;
 *	- a folder with a manifest.yaml of any kind is a platform skill, the engine's, and left
 *	  alone with all that is below it;
 *	- folders whose names begin with a dot are ignored, .claude among them;
 *	- links are never followed.
 * A library in .claude/skills is refused: that folder is for Claude Code and the engine.
 */
#ifndef USERSKILL_LIBRARY_H
#define USERSKILL_LIBRARY_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "userskill/text/faults.h"
#include "userskill/text/skill.h"

#define LIBRARY_SETTING "SKILL_LIBRARY_PATH"
#define LIBRARY_FOLDER  "skills"

struct library_file {
	char *path; /* below the library: "planning/skill_brief_001/SKILL.md" */
	struct stat stat;
};

/* A SKILL.md that is not a skill, or is in the wrong place. */
struct library_misplaced {
	char *path;      /* below the library */
	const char *why; /* it is left aside */
};

struct library {
	int fd;                     /* the open folder, or -1 */
	char *shown;                /* as it was named */
	size_t depth;               /* of its files: 3; fewer to read part of a library */
	struct library_file *files; /* by path */
	size_t count;
	size_t cap;
	struct library_misplaced *misplaced;
	size_t misplaced_count;
	size_t misplaced_cap;
};

/* <category>/<id>/SKILL.md */
#define LIBRARY_DEPTH 3

#define LIBRARY_INIT ((struct library){.fd = -1})

/*
 * `path` is from the folder `root` on, or absolute; NULL is LIBRARY_FOLDER, which may be
 * missing. Any other missing folder is ERROR_INVALID.
 */
int library_open(int root, const char *path, struct library *ret_library, struct error *err);

/* Find the files; none is read. */
int library_scan(struct library *library, struct error *err);

/* The whole of a file, by its path below the library. */
int library_read(const struct library *library, const char *path, struct buf *ret_text,
	struct error *err);

/* Warns if the path <category>/<id>/SKILL.md disagrees with the skill in the file. */
void library_check_place(
	const char *path, const struct user_skill *skill, struct skill_faults *faults);

void library_release(struct library *library);

#endif
