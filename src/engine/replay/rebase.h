/*
 * Rebase: flatten all layers into a clean start.
 *
 * The files of the project do not change. Only the record changes:
 *
 *	before				after
 *	base, the clean core		the same
 *	skills, from their packages	skills, each with the part in its files that it has
 *	with all that was resolved	as things are (part.h)
 *	custom patches, one by one	one layer on top, "baked" (layer.h): all that a person
 *	edits that are not recorded	has changed, recorded or not
 *
 * So a replay needs no merges, and gives exactly these files. This is checked before anything
 * changes.
 *
 * A rebase deletes the files of custom patches, resolutions that no merge can use again, and
 * contents that nothing refers to (rebase_contents.c). Afterwards none of these skills can be
 * removed alone: other files were resolved together with it. An undo (undo.h) restores all of
 * it. Packages are not touched, and the packs of skills (pack.h) stay, so a newer version can
 * still be merged.
 *
 * The tests of all skills run.
 */
#ifndef ENGINE_REPLAY_REBASE_H
#define ENGINE_REPLAY_REBASE_H

#include <stdint.h>

#include "engine/commit/pending.h"
#include "engine/session/session.h"

#define REBASE_OPERATION "rebase"

struct rebase_patch {
	char *name;
	char *description;
	char *skill; /* that it was tied to, or NULL */
};

struct rebase_result {
	char *core_version;
	struct rebase_patch *patches; /* that are folded */
	size_t patch_count, patch_cap;
	struct string_array unrecorded;  /* files with changes that were not recorded */
	struct string_array skills;      /* that can no longer be removed one by one */
	struct string_array baked;       /* files in the layer on top */
	struct string_array resolutions; /* folders that go */
	size_t regenerated;              /* files of skills */
	size_t contents;                 /* that nothing refers to */
	uint64_t bytes_dropped;          /* of patches, resolutions and contents */
	uint64_t bytes_kept;             /* of contents that are new */
	bool nothing_to_do;              /* it is flat already */
};

#define REBASE_RESULT_INIT ((struct rebase_result){0})

void rebase_result_release(struct rebase_result *result);

/*
 * The project must be locked, recovered and idle. With `dry_run` of the options it is a
 * preview. ERROR_INVALID if nothing is recorded here.
 */
int rebase(const struct project *project, const struct operation_options *options,
	struct operation_result *ret_applied, struct rebase_result *ret_result,
	struct error *err);

/*
 * The same for what a session has staged, at the end of another operation (an update of the
 * core): everything is added to its transaction and state. With `records`, changes that are not
 * recorded are recorded first; else they are baked in as they are.
 */
int rebase_stage(
	struct session *s, bool records, struct rebase_result *result, struct error *err);

#endif
