/*
 * The report of an operation: skills, files and conflicts, plus the details of a core update or
 * a refresh of packages.
 */
#ifndef ENGINE_SESSION_RESULT_H
#define ENGINE_SESSION_RESULT_H

#include <stdbool.h>

#include "base/string_array.h"
#include "engine/disk/tx_file.h"
#include "engine/resolution/resolution_meta.h"
#include "fs/relpath.h"

/* What the operation did to a file. */
enum file_outcome {
	OUTCOME_ADDED,
	OUTCOME_MERGED,   /* changed, without a conflict */
	OUTCOME_SAME,     /* it already matches the skill */
	OUTCOME_REMOVED,  /* an earlier version of the skill had added it */
	OUTCOME_KEPT,     /* unchanged, against the skill, by a person's decision */
	OUTCOME_RESTORED, /* the person had deleted it */
	OUTCOME_RENAMED,  /* it has another name now */
	OUTCOME_DELETED,  /* as the skill asks for */
	OUTCOME_RESOLVED, /* a conflict, resolved as it was before, or by a resolver */
	OUTCOME_CONFLICT,
	OUTCOME_DECISION, /* a person must decide */
};

extern const char *const outcome_names[];

struct file_result {
	char *path;
	char *from; /* of a renamed file: its old path; or NULL */
	char *skill;
	enum file_outcome outcome;
};

struct skill_result {
	char *name;
	char *version;
	char *old_version; /* of an update, or NULL */
	bool nothing_to_do;
	bool removed; /* it was taken out */
	bool reached; /* before a conflict, if there is one */
};

/* What a person must do about a file. */
enum conflict_kind {
	CONFLICT_MERGE,  /* put two versions together */
	CONFLICT_DELETE, /* delete it, or leave it there to keep it */
};

/* A file that a person must resolve. */
struct conflict {
	enum conflict_kind kind;
	struct relpath path;
	char *skill;
	size_t markers;        /* lines that look like markers and are content */
	struct relpath beside; /* of a binary file: the skill's version; or empty */
	bool recorded_apart;   /* the record is right, however this is resolved */
	char *version;         /* of the skill; may be NULL */
	bool has_inputs;       /* for a text file: the merged files, to learn from */
	struct resolution_inputs inputs;
	bool has_drift;            /* changes that stay unrecorded are in `inputs.current`: */
	struct hash without_drift; /* the file without them */
};

/* --- files that are not as recorded (drift.h) -------------------------------------- */

enum drift_change {
	DRIFT_EDITED,   /* it has another content */
	DRIFT_MODE,     /* the same content; the owner's execute bit came or went */
	DRIFT_DELETED,  /* the file is gone */
	DRIFT_TYPE,     /* something else is in the place of the file, or of its folder;
			   or it is a link that leads elsewhere */
	DRIFT_APPEARED, /* a layer deleted it, but something exists there */
};

/* One word for each, for programs and people: "edited" and so on. */
extern const char *const drift_change_names[];

struct drift {
	char *path;
	enum drift_change change;
};

struct drift_list {
	struct drift *list; /* sorted by path */
	size_t count;
	size_t cap;
};

#define DRIFT_LIST_INIT ((struct drift_list){0})

void drift_list_release(struct drift_list *list);

/* --- an update of the core (core_update.h) ---------------------------------------- */

/* Whose version the other side of a merge is, for messages. */
#define CORE_UPDATE_NAME "core"

/* A skill that preserves behavior that the new core changed or dropped. */
struct update_migration {
	char *skill;
	char *version;
	char *description;
};

/* What the operation did, or would do, to a path of the tree, for programs that compare. */
struct update_change {
	char *path;
	struct layer_file file;
};

struct update_result {
	char *previous_version;
	char *new_version;
	size_t commits;
	bool nothing_to_do; /* the core is the same, and so is everything else */
	bool rebased;       /* and flattened at the end */
	struct update_migration *migrations;
	size_t migration_count, migration_cap;
	struct string_array new_skills;     /* packages that came with it */
	struct string_array new_packages;   /* and versions that did */
	struct string_array kept_packages;  /* edited by the person, and left unchanged */
	struct string_array patches;        /* custom patches whose files have changed */
	struct string_array patch_failures; /* the ones that did not fit by themselves */
	struct string_array kept_deleted;   /* changed by the core, deleted by the person */
	size_t foreseen; /* conflicts of a preview; then `changes` go up to the first pause */
	struct update_change *changes;
	size_t change_count, change_cap;
};

/* --- packages that were refreshed (refresh.h) ------------------------------------- */

/* What a refresh did to a file of the package, the worst last. */
enum refresh_state {
	REFRESH_FITS,     /* it is made of the new core's file */
	REFRESH_UNMARKED, /* the same, but the manifest does not declare it */
	REFRESH_MERGES,   /* the core's changes come into it */
	REFRESH_RESOLVED, /* there is a conflict, and how to resolve it is known */
	REFRESH_GIVEN,    /* it was added, and the core has the same file now */
	REFRESH_TAKEN,    /* it was added, and the core now has a different file of that name */
	REFRESH_CONFLICT,
	REFRESH_GONE,       /* the core no longer has the file */
	REFRESH_WAITS,      /* it is made on top of a package that has a conflict */
	REFRESH_LOST,       /* the core that it was written for is not known */
	REFRESH_IMPOSSIBLE, /* a file operation that the new core leaves no room for */
};

extern const char *const refresh_state_names[];

struct refresh_file {
	char *path; /* in the core, as the package calls it */
	char *to;   /* its new name; or NULL */
	enum refresh_state state;
	char *detail; /* lines at risk, or the obstacle; or NULL */
};

struct refresh_package {
	char *folder;
	char *skill;
	char *version;
	char *new_version; /* if it was raised; or NULL */
	char *written_for; /* the core */
	char *applied;     /* the version that is applied in this project; or NULL */
	enum refresh_state worst;
	bool fresh; /* nothing to do */
	bool newer; /* written for a core that is newer than this one */
	struct refresh_file *files;
	size_t count, cap;
};

struct refresh_result {
	char *core; /* the version */
	struct refresh_package *packages;
	size_t count, cap;
};

/* --- all of it -------------------------------------------------------------------- */

/* Changed dependencies, and their install (install.h). */
struct installed_package {
	char *name;
	char *version;
};

struct install_result {
	const char *manager; /* that installs them; NULL: they did not change */
	bool skipped;        /* as it was asked for */
	bool ran;
	struct installed_package *packages; /* that skills ask for, if it ran */
	size_t count, cap;
};

/* A command of a package, or a file that makes other programs run something. */
enum command_kind {
	COMMAND_INSTALL, /* of dependencies that the skill asks for */
	COMMAND_POST_APPLY,
	COMMAND_TEST,
	COMMAND_PACKAGES, /* of the system, which a rebuild installs; `text` is their names */
	COMMAND_STARTS,   /* a file that makes something run; `text` is its path */
};

extern const char *const command_kind_names[];

struct command_result {
	char *skill;
	enum command_kind kind;
	char *text;
	char *diff; /* COMMAND_STARTS: what changes in the file; else NULL */
};

struct operation_result {
	struct skill_result *skills;
	size_t skill_count, skill_cap;
	struct file_result *files;
	size_t file_count, file_cap;
	struct conflict *conflicts;
	size_t conflict_count, conflict_cap;
	char **warnings;
	size_t warning_count, warning_cap;
	bool paused;
	bool initialized; /* by this operation */
	size_t tests_run;
	char **untracked; /* files with changes that were not recorded */
	size_t untracked_count, untracked_cap;
	char *recorded_patch; /* the patch that they were recorded as, or NULL */
	bool customizing;     /* a session for custom changes is open now */
	struct install_result install;
	struct command_result *commands;
	size_t command_count, command_cap;
	struct update_result *update;   /* of an update of the core (core_update.h); or NULL */
	struct refresh_result *refresh; /* of packages that were refreshed (refresh.h) */
};

#define OPERATION_RESULT_INIT ((struct operation_result){0})

void operation_result_release(struct operation_result *result);
void conflict_release(struct conflict *conflict);
struct conflict conflict_copy(const struct conflict *conflict);

#endif
