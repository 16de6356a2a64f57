/* For the files of this room only. */
#ifndef ENGINE_AUTHOR_INTERNAL_H
#define ENGINE_AUTHOR_INTERNAL_H

#include "engine/custom/custom.h"
#include "engine/disk/transaction.h"
#include "engine/look/selection.h"
#include "engine/newcore/core_view.h"
#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/session/recorded.h"
#include "engine/session/session.h"
#include "engine/stack/ancestor.h"
#include "engine/state/skillset.h"

/* --- draft.c: the files of a package in memory --- */

struct draft_file {
	char *name; /* below the folder of the package */
	struct buf content;
	mode_t mode;
};

struct draft {
	struct draft_file *list;
	size_t count;
	size_t cap;
};

#define DRAFT_INIT ((struct draft){0})

void draft_add(struct draft *draft, const char *name, struct view content, mode_t mode);
void draft_release(struct draft *draft);

/* Stage it in a transaction, for package_load_staged(). */
int draft_stage(const struct draft *draft, struct transaction *tx, const struct relpath *folder,
	struct error *err);

/*
 * Write it, durably. One rename makes the folder appear with its files and any missing parent
 * folders. Until then everything is in .nanoclaw/tx, which the next command removes after a
 * crash (recovery.h). There is no journal and no undo, since an undo would delete the author's
 * later work. The project must be locked and recovered. An existing folder is left alone:
 * ERROR_INVALID with errnum EEXIST.
 */
int draft_place(const struct draft *draft, const struct project *project,
	const struct relpath *folder, struct error *err);

/* --- changes and how a package expresses them --- */

/* One file before and after. A rename has two names. */
struct author_change {
	struct relpath from; /* .text is NULL: it is new */
	struct relpath path; /* .text is NULL: it is gone */
	struct tx_file before;
	struct tx_file after;
	bool by_meaning; /* a structured file that the engine lays out in its own way */
};

struct author_changes {
	struct author_change *list; /* sorted by name */
	size_t count;
	size_t cap;
};

/* The old name, or the new one of a new file. */
const struct relpath *author_change_name(const struct author_change *change);
bool author_change_is_rename(const struct author_change *change);

struct author_modify {
	struct relpath path; /* as the package names it */
	struct buf content;
	mode_t mode;
	struct tx_file ancestor; /* the file it was made from */
	const struct author_change *change;
	bool together; /* the ancestor is what several skills give together */
};

struct author_op {
	struct relpath from; /* as the package names it */
	struct relpath to;   /* of a rename; else .text is NULL */
};

/* The content of the package, together with `files` and `depends` of the result. */
struct author_plan {
	const struct author_change **adds;
	size_t add_count, add_cap;
	struct author_modify *modifies;
	size_t modify_count, modify_cap;
	struct author_op *ops;
	size_t op_count, op_cap;
	struct yaml_doc *doc; /* owns the declared nodes */
	struct yaml_node *structured;
	struct string_array refused; /* sentences: what a package cannot express */
};

struct author {
	const struct project *project;
	const struct author_request *request;
	struct author_result *result;
	struct relpath folder;
	const char *apply_as; /* as in the result */
	struct selection selection;
	struct session session; /* dry: for reading */
	struct operation_options options;
	struct operation_result unused;
	struct recorded recorded; /* empty without an installation */
	struct pack *packs;       /* of the applied skills, in their order */
	char *core_version;
	struct author_changes changes;
	struct author_plan plan;
	struct draft draft;
};

/*
 * author_changes.c: read the changes from the tree, or from the repository. Without an
 * installation the commit before is the core, and `core_version` becomes its version.
 */
int author_read_tree(struct author *a, struct custom_changes *ret_changes, struct error *err);
int author_read_range(struct author *a, struct custom_changes *ret_changes, struct error *err);

/* Without an installation: the tree against HEAD; `*ret_found` is false without a commit. */
int author_read_head(struct author *a, struct custom_changes *ret_changes, bool *ret_found,
	struct error *err);

/* Keep only the selected changes; with `renames`, detect renames among them. */
int author_select_changes(struct author *a, const struct custom_changes *changes, bool renames,
	struct error *err);
void author_changes_release(struct author_changes *changes);

/* author_plan.c: what each change becomes. */
int author_make_plan(struct author *a, struct error *err);
void author_plan_release(struct author_plan *plan);

/* Fail with these lines as the message; returns 0 if there are no lines. */
int author_refuse_lines(const char *what, const struct string_array *lines, const char *hint,
	struct error *err);

/* author_text.c: the files of the package, and of an example. */
#define AUTHOR_MARK        "<!-- author:" /* marks a placeholder for the author to fill in */
#define AUTHOR_DESCRIPTION "What %s is for, in one line"
#define AUTHOR_EXAMPLE     "%s.example.md"
int author_write_package(struct author *a, struct error *err);
int author_write_example(struct author *a, struct error *err);

/* author_proof.c: does the draft give the changes that it was made from? */
int author_prove(struct author *a, struct error *err);

/* --- check_packages() --- */

/* The files that a package is compared with. */
struct check_context {
	const struct project *project;
	struct skillset skills;
	int core;                     /* the open folder of the core, or -1 */
	char *core_version;           /* NULL if no file states it */
	const struct package **known; /* the checked ones, and the project's */
	size_t known_count;
	size_t known_cap;
};

void check_fault(struct faults *faults, enum fault_severity severity, struct yaml_place at,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* check_text.c: what the author still has to write. */
void check_text(const struct package *package, struct faults *faults);

/* check_core.c */
/* Does a file operation before number `end` remove the path, or create a file there? */
bool check_op_takes(const struct manifest *manifest, size_t end, const struct relpath *path);
bool check_op_brings(const struct manifest *manifest, size_t end, const struct relpath *path);

int check_open_core(struct check_context *context, struct error *err);
void check_against_core(const struct check_context *context, const struct package *package,
	struct faults *faults);

/* The known package of a skill, or NULL. */
const struct package *check_find(const struct check_context *context, const char *skill);

/* Does a dependency, direct or not, add the path? */
bool check_dependency_adds(const struct check_context *context, const struct package *package,
	const struct relpath *path);

/* Any package of another skill that adds the path, or NULL. */
const struct package *check_who_adds(const struct check_context *context,
	const struct package *package, const struct relpath *path);

/* --- refresh.c: a package brought to a new core --- */

/* A file of the package, and how the new core changes it. */
struct carried_file {
	const struct relpath *path; /* in the manifest */
	struct relpath to;          /* the same, or its new name */
	struct relpath in_core;     /* the core's name for the file that it modifies */
	bool added;                 /* below add/ */
	enum refresh_state state;
	struct ancestor ancestor;
	struct tx_file own;
	struct tx_file core; /* of the new core, or of the package that adds it */
	bool has_base;       /* its hash goes into `base_hashes`, like a modified file's */
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
	bool outside;          /* it is elsewhere, and `folder` a name that nothing has */
	struct carried_file *files;
	size_t count, cap;
	struct carried_op *ops; /* as many as the manifest has */
	struct error *err;
};

/* refresh_plan.c: decide what to do with every file. */
int refresh_plan(struct carried *c);
void carried_release(struct carried *c);

/*
 * refresh_depends.c: does the hash belong to a file that other packages make of the core's? Then
 * `f` gets that file as its ancestor, and their present version of it as `core`.
 * `*ret_others`: there are dependencies that modify the path, with this hash or another.
 */
int refresh_on_dependencies(struct carried *c, struct carried_file *f,
	const struct relpath *known, const struct hash *hash, bool *ret_others,
	bool *ret_found);

/* refresh_stage.c: bring the files of the package to the new core. */
int refresh_stage(struct carried *c);

/* "skills/x/modify/" and so on, followed by a path of the core. */
int refresh_path(const struct carried *c, const char *below, const struct relpath *path,
	struct relpath *ret_path, struct error *err);

/* refresh_manifest.c: write the manifest. `version` is the new one, or NULL. */
int refresh_stage_manifest(struct carried *c, const char *version);

/* refresh_resolutions.c: those of skills whose versions were raised, in the project's stores. */
int refresh_take_resolutions(struct session *s, const struct core_view *view,
	const struct package_list *packages, struct error *err);

/*
 * After a decision about a file that the core has given up: if `modify/PATH` of the package in
 * `folder` still exists, the skill adds it from now on; else the skill no longer has it.
 */
int refresh_resolve_gone(struct session *s, const struct relpath *folder,
	const struct relpath *path, struct error *err);

#endif
