/*
 * The parts of refresh.c: for refresh*.c only.
 */
#ifndef ENGINE_AUTHOR_REFRESH_PARTS_H
#define ENGINE_AUTHOR_REFRESH_PARTS_H

#include "engine/author/refresh.h"
#include "engine/newcore/core_view.h"
#include "engine/package/package.h"
#include "engine/stack/ancestor.h"

/* A file of the package, and what is to become of it. */
struct carried_file {
	const struct relpath *path; /* in the manifest */
	struct relpath to;          /* the same, or its new name */
	struct relpath in_core;     /* the core's file that it is a version of, there */
	bool added;                 /* below add/ */
	enum refresh_state state;
	struct ancestor ancestor;
	struct tx_file own;
	struct tx_file core; /* of the new core, or of the package that adds it */
	bool has_base;       /* of a modified file: `base_hashes` is to say so */
	char *detail;
};

/* A file operation, and its new names. */
struct carried_op {
	struct relpath from;
	struct relpath to;
	bool dropped; /* the core has done it itself */
	char *impossible;
};

struct carried {
	struct session *session;
	const struct core_view *view;
	const struct package_list *packages; /* of the project */
	const struct package *package;
	struct relpath folder; /* of the package, in the project */
	bool outside;          /* it is not there, and `folder` a name that nothing has */
	struct carried_file *files;
	size_t count, cap;
	struct carried_op *ops; /* as many as the manifest has */
	struct error *err;
};

/* refresh_plan.c: find out what has become of every file. */
int refresh_plan(struct carried *c);
void carried_release(struct carried *c);

/* The package of a skill in the project, or NULL. */
const struct package *refresh_find_package(const struct carried *c, const char *skill);

/*
 * refresh_depends.c: is the file of that hash what other packages make of the core's? Then what
 * it was, and what these make of the new core's, is in the file (its state says the rest).
 * `*ret_others`: there are dependencies that modify the path, whoever the hash is of.
 */
int refresh_on_dependencies(struct carried *c, struct carried_file *f,
	const struct relpath *known, const struct hash *hash, bool *ret_others,
	bool *ret_found);

/* refresh_stage.c: bring the files of the package to the new core. */
int refresh_stage(struct carried *c);

/* "skills/x/modify/" and so on, with a path of the core behind it. */
int refresh_path(const struct carried *c, const char *below, const struct relpath *path,
	struct relpath *ret_path, struct error *err);

/* refresh_manifest.c: write the manifest. `version` is the new one, or NULL. */
int refresh_stage_manifest(struct carried *c, const char *version);

/*
 * After a decision: the file `modify/PATH` of the package in `folder` is added by the skill
 * from now on, or, if it is not there any more, none of its business.
 */
int refresh_settle_gone(struct session *s, const struct relpath *folder,
	const struct relpath *path, struct error *err);

#endif
