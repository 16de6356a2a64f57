/*
 * Structured operations: what the applied skills declare for package.json, .env.example,
 * the compose file and the list of system packages, brought into these files.
 *
 * Each of them is its own content, which is the core's and the person's, and what the
 * skills contribute (structured_format.h). It is made anew whenever the set of
 * contributions has changed, once for an operation however many skills that has; its
 * own content is kept by its hash, and what was edited since is found and kept, too.
 *
 * In state.yaml:
 *
 *	applied_skills[].structured_outcomes	what each skill declares
 *	structured_files	by path: `own` and `written` (hashes), `record` and
 *				`unwanted` (of the format), `skills` (whose contributions);
 *				`unfolded` while the file lies there without these, in a
 *				pause the hash of what lies there
 *	structured_decisions	how a clash was resolved, by the format and its key
 *	structured_outcomes	what came of it all: ranges, ports, variables
 *
 * A clash, which is what two skills (or a skill and the file) want differently, is a
 * conflict as any other: the file is merged from the version with the one's wish and
 * that with the other's, so that markers stand at these lines; it may be known from
 * before, the resolver is asked, a person resolves it and continues. How it was resolved
 * is then recorded as a decision, and holds as long as all want the same.
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

/* When no conflict is left: take over how clashes were resolved in the files. */
int structured_adopt(struct session *s, struct error *err);

/*
 * A skill may change such a file as text all the same: it is merged so, with a warning,
 * and into the file's own content. The contributions come back with structured_stage().
 */
void structured_warn_modified(struct session *s, const struct manifest *manifest);
int structured_unfold(struct session *s, const struct relpath *path, struct error *err);

/*
 * The core makes `new` of `old` in it, and it has changes that stay unrecorded: what is
 * recorded for it gets what is new, too.
 */
int structured_carry_recorded(struct session *s, const struct relpath *path,
	const struct tx_file *old, const struct tx_file *new, struct error *err);

/*
 * When the operation pauses: such a file lies there without its contributions, and that is
 * no change of the person's. When it goes on: is it still as it was left there?
 */
int structured_note_pause(struct session *s, struct error *err);
int structured_is_as_paused(
	struct session *s, const struct relpath *path, bool *ret_as_paused, struct error *err);

/* When it goes on: a conflict in it is resolved, and that is how it was left there. */
int structured_note_resolved(
	struct session *s, const struct conflict *conflict, struct error *err);

#endif
