/*
 * The parts of author.c.
 */
#ifndef ENGINE_AUTHOR_AUTHOR_PARTS_H
#define ENGINE_AUTHOR_AUTHOR_PARTS_H

#include "engine/author/author.h"
#include "engine/author/draft.h"
#include "engine/look/selection.h"
#include "engine/package/pack.h"
#include "engine/session/recorded.h"
#include "engine/session/session.h"
#include "engine/stack/custom.h"

/* --- the changes ------------------------------------------------------------------------ */

/* One file before and after. A rename has two names, a new file no `from`. */
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

/* --- what the package says -------------------------------------------------------------- */

struct author_modify {
	struct relpath path; /* as the package names it */
	struct buf content;
	mode_t mode;
	struct tx_file ancestor; /* what it was made from */
	const struct author_change *change;
	bool together; /* that is what several skills give together, and not a file of one */
};

struct author_op {
	struct relpath from; /* as the package names it */
	struct relpath to;   /* of a rename; else .text is NULL */
};

struct author_plan {
	const struct author_change **adds;
	size_t add_count, add_cap;
	struct author_modify *modifies;
	size_t modify_count, modify_cap;
	struct author_op *ops;
	size_t op_count, op_cap;
	struct yaml_doc *doc; /* owns what is declared */
	struct yaml_node *structured;
	struct string_array depends; /* in the order in which they were applied */
	/* Sentences about what cannot be a part of the package. */
	struct string_array refused;
	struct author_file *files; /* for the result */
	size_t file_count, file_cap;
};

struct author {
	const struct project *project;
	const struct author_request *request;
	struct author_result *result;
	struct relpath folder;
	struct selection selection;
	struct session session; /* dry: for reading */
	struct apply_options options;
	struct apply_result told;
	struct recorded recorded; /* empty without an installation */
	struct pack *packs;       /* of the applied skills, in their order */
	char *core_version;
	struct author_changes changes;
	struct author_plan plan;
	struct draft draft;
};

/* author_changes.c: from the tree; and find out what was renamed. */
int author_read_tree(struct author *a, struct custom_changes *ret_changes, struct error *err);
int author_take_changes(struct author *a, const struct custom_changes *changes, bool renames,
	struct error *err);
void author_changes_release(struct author_changes *changes);

/*
 * author_range.c: from the repository. Without an installation the commit before is the core;
 * `core_version` is then the one of that.
 */
int author_read_range(struct author *a, struct custom_changes *ret_changes, struct error *err);

/* author_plan.c: what each change becomes. */
int author_make_plan(struct author *a, struct error *err);
void author_plan_release(struct author_plan *plan);
void author_depend_on(struct author *a, const char *skill);
void author_refuse(struct author *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * author_carry.c: an edited file. `before` and `after` are its contents without what belongs
 * to no single file (structured.h), `change` says the rest. `*ret_modify` is what goes into
 * the package; `ret_skills` has the skills on top of whose file it is made. False in
 * `*ret_done` if there is no way; that is noted.
 */
int author_carry(struct author *a, const struct author_change *change, struct view before,
	struct view after, struct author_modify *ret_modify, struct string_array *ret_skills,
	bool *ret_done, struct error *err);

/* The name by which a package calls a file of the core that is at `path` now. */
int author_name_in_core(struct author *a, const struct relpath *path, struct relpath *ret_name,
	struct tx_file *ret_file, struct error *err);

/* author_text.c: manifest.yaml, SKILL.md, tests; and the intents (author_intent.c). */
int author_write_package(struct author *a, struct error *err);
/* In as many backticks as it takes. */
void author_append_code(struct buf *out, struct view text);
void author_write_intent(const struct author_modify *modify, struct buf *out);
int author_write_example(struct author *a, struct error *err);

/* author_proof.c: does the draft give what it was made from? */
int author_prove(struct author *a, struct error *err);

#endif
