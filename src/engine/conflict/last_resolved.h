/*
 * .nanoclaw/settled.yaml: the conflicts that were resolved in the last operation, so that
 * `resolution record` can record them afterwards.
 *
 * During an operation, before its changes are made:
 *
 *	CLEANUP(last_resolved_list_release) struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;
 *
 *	for each conflict that is resolved now
 *		last_resolved_add(session, &list, &(struct last_resolved_conflict){…}, err)
 *	last_resolved_put(session, &list, err)
 *
 * These stage the file and the contents that it names (in .nanoclaw/objects), so that they are
 * written with the operation or not at all, and `abort` undoes them too.
 *
 *	settled:
 *	  - path: src/server.ts
 *	    skills: [whatsapp@1.2.0, telegram@1.0.0]	in the order of application
 *	    base: …			hashes; null if there was none
 *	    current: …
 *	    skill: …
 *	    output: …			a content that is kept
 *	    preimage: …			the same; may be missing
 *	    core_version: 0.6.0
 *	    source: user
 *	    tested: true
 *	    test_passed: true
 */
#ifndef ENGINE_CONFLICT_LAST_RESOLVED_H
#define ENGINE_CONFLICT_LAST_RESOLVED_H

#include "engine/resolution/resolution_meta.h"
#include "engine/session/session.h"

#define LAST_RESOLVED_PATH ".nanoclaw/settled.yaml"

struct last_resolved {
	struct relpath path;
	struct resolution_skills skills; /* in the order of application */
	struct resolution_inputs inputs;
	struct hash output;
	bool has_preimage;
	struct hash preimage;
	char *core_version;
	char *source;
	bool tested;
	bool test_passed;
};

struct last_resolved_list {
	struct last_resolved *list;
	size_t count;
	size_t cap;
};

#define LAST_RESOLVED_LIST_INIT ((struct last_resolved_list){0})

/* A conflict, and how it was resolved. */
struct last_resolved_conflict {
	const struct relpath *path;
	const char *skill;   /* the one that was being applied */
	const char *version; /* and its version */
	struct resolution_inputs inputs;
	struct view content;  /* as it was resolved */
	struct view preimage; /* may be empty */
	const char *source;   /* "user", "claude" or "maintainer" */
	bool tested;          /* a test will decide whether the operation succeeds */
	/* The skills in conflict, in the order of application; if empty, the state's skills. */
	const struct resolution_skills *skills;
};

/*
 * Add to the list, and stage the contents. A failing test undoes the operation together with
 * this list, so a `tested` resolution in the list has passed.
 */
int last_resolved_add(struct session *s, struct last_resolved_list *list,
	const struct last_resolved_conflict *conflict, struct error *err);

/* Stage the file. It replaces the resolutions of earlier operations. */
int last_resolved_put(
	struct session *s, const struct last_resolved_list *list, struct error *err);

/* Read the file; the list is empty if it does not exist. */
int last_resolved_load(
	const struct project *project, struct last_resolved_list *ret_list, struct error *err);

void last_resolved_list_release(struct last_resolved_list *list);

/* --- recording them ------------------------------------------------------ */

struct last_resolved_record_result {
	char **keys; /* folders that were written */
	size_t key_count, key_cap;
	size_t resolved; /* conflicts that there were to record */
};

/*
 * Record all of them in `folder` of the project (resolution_record.h), all or
 * nothing. `source` may be NULL: then it is what is known. ERROR_INVALID if nothing
 * was resolved. The project must be locked and idle.
 */
int last_resolved_record(const struct project *project, const struct relpath *folder,
	const char *source, struct last_resolved_record_result *ret_result, struct error *err);
void last_resolved_record_result_release(struct last_resolved_record_result *result);

#endif
