/*
 * Structured operations: write the declarations of the applied skills into package.json,
 * .env.example, the compose file and the list of system packages.
 *
 * Each of these files has its own content, from the core and the person, and the contributions
 * of skills (structured_format.h). It is rendered again when the set of contributions has
 * changed, once per operation, however many skills that has. The own content is stored by its
 * hash, and later edits are detected and kept too.
 *
 * In state.yaml:
 *
 *	applied_skills[].structured_outcomes	what each skill declares
 *	structured_files	by path: `own` and `written` (hashes), `record` and
 *				`unwanted` (of the format), `skills` (whose contributions);
 *				`unfolded` while the file is in the tree without these;
 *				in a pause, the hash of its content
 *	structured_decisions	how a clash was resolved, by the format and its key
 *	structured_outcomes	the result: ranges, ports, variables
 *
 * If two skills (or a skill and the file) want different things, that is a clash. It is
 * handled as any conflict: the file as one side wants it and the file as the other side
 * wants it are merged, so these lines get markers; a recorded resolution may fit, the
 * resolver is asked, or a person resolves it and continues. The resolution is recorded as
 * a decision, which holds as long as the claims stay the same.
 */
#ifndef ENGINE_STRUCTURED_STRUCTURED_H
#define ENGINE_STRUCTURED_STRUCTURED_H

#include "base/string_array.h"
#include "engine/session/session.h"

/*
 * When all files of the operation's `skills` are staged and recorded in the session's
 * state. Clashes are added to the result's conflicts.
 */
int structured_stage(struct session *s, const struct string_array *skills, struct error *err);

/* When no conflict is left: record how clashes were resolved in the files. */
int structured_adopt(struct session *s, struct error *err);

/*
 * If a skill changes such a file as text, the change is merged into the file's own content,
 * with a warning. structured_stage() adds the contributions again.
 */
void structured_warn_modified(struct session *s, const struct manifest *manifest);
int structured_unfold(struct session *s, const struct relpath *path, struct error *err);

/*
 * The core changes the file from `old` to `new`, and the file has edits that stay unrecorded:
 * merge the change into the recorded content, too.
 */
int structured_carry_recorded(struct session *s, const struct relpath *path,
	const struct tx_file *old, const struct tx_file *new, struct error *err);

/*
 * When the operation pauses, such a file is in the tree without its contributions, which is not
 * an edit by the person. When it continues: is the file still as it was left?
 */
int structured_note_pause(struct session *s, struct error *err);
int structured_is_as_paused(
	struct session *s, const struct relpath *path, bool *ret_as_paused, struct error *err);

/* When it continues, and a conflict in the file is resolved: this is how it was left. */
int structured_note_resolved(
	struct session *s, const struct conflict *conflict, struct error *err);

#endif
