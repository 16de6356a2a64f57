/*
 * Import a TypeScript NanoClaw v1 from its folder, which is not changed: nothing is written
 * there, and the database is read from a private copy that includes its log.
 *
 *	there			here
 *	store/messages.db	groups, chats, messages, tasks with their runs (host/import/v1.h)
 *	groups/F/		groups/F/, CLAUDE.md as CLAUDE.local.md, without logs/
 *	groups/global/CLAUDE.md	data/global.md, without the text that it originally came with
 *	data/sessions/F/	data/sessions/F/
 *	.env			its names; with `with_secrets` also the values
 *
 * The main group is the one in the folder "main", else the first that is marked as main,
 * whose folder becomes "main" here.
 *
 * First come the files, then the rows, in one transaction. Existing files stay unchanged. After
 * an error, new files are removed again; after a kill, the same import finds them and continues.
 */
#ifndef HOST_IMPORT_IMPORT_H
#define HOST_IMPORT_IMPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string_array.h"
#include "db/store.h"
#include "host/base/settings.h"
#include "host/import/v1.h"

struct import_request {
	const char *from; /* as the user typed it */
	int root;
	struct store *store;
	const struct settings *settings; /* of here */
	bool with_secrets;
	bool dry_run; /* no files; `store` is one that may be changed (a copy) */
};

struct import_result {
	struct v1_report report;
	struct string_array missing; /* names in its .env that ours has not */
};

#define IMPORT_RESULT_EMPTY ((struct import_result){0})

void import_result_clear(struct import_result *result);

/*
 * Checks that there is a v1. Call this before creating anything here. ERROR_INVALID if there is
 * none.
 */
int import_check_source(const char *from, struct error *err);

/*
 * With the lock. ERROR_INVALID: it is not a NanoClaw v1, or its groups clash with groups here; the
 * message names all of them.
 */
int import_v1(const struct import_request *request, struct import_result *ret_result,
	struct error *err);

/* --- for the files of import -------------------------------------------------- */

/* Files that were made, to be removed after an error. */
struct import_files {
	int from;
	int root;
	bool dry_run;
	struct v1_report *report;
	struct string_array made; /* below `root` */
};

/* groups/ and data/sessions/ of these groups, and the global memory. */
int import_files_take(
	struct import_files *files, const struct v1_group_list *groups, struct error *err);
void import_files_undo(struct import_files *files);
void import_files_release(struct import_files *files);

#endif
