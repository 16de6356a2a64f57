/*
 * Did somebody else's command leave the project alone? If not, put back what it
 * changed.
 *
 *	CLEANUP(project_watch_freep) struct project_watch *watch = NULL;
 *
 *	if (project_watch_take(&request, &watch, err) < 0)
 *		return -1;
 *	… run the command …
 *	if (project_watch_restore(watch, &changed, &kept, err) < 0)
 *		return -1;
 *
 * For a command that has no business in the project at all. (A test of a skill may
 * make files there: that is what guard.h is for.) Watched are all files and links of
 * the core and of skills, new ones too, and .nanoclaw. Not watched is what is ignored
 * (ignore.h), .git, and .nanoclaw/index, which is a cache.
 *
 * A file counts as untouched if lstat() says the same as before. Of those that are not
 * like their copy in the base (by size and time) a copy is made first, in a temporary
 * folder. Whatever is found changed afterwards goes to .nanoclaw/kept, for it may have
 * been the person who changed it. Of the large folders in .nanoclaw there are no copies:
 * a change in them can only be told.
 */
#ifndef ENGINE_STACK_PROJECT_WATCH_H
#define ENGINE_STACK_PROJECT_WATCH_H

#include "engine/disk/project.h"
#include "engine/disk/rollback.h"
#include "engine/stack/state.h"

struct project_watch;

struct project_watch_request {
	const struct project *project;
	const struct state *state;
	int base;  /* the open base folder */
	int apart; /* an open folder that is not watched if it lies in the project; or -1 */
};

int project_watch_take(const struct project_watch_request *request,
	struct project_watch **ret_watch, struct error *err);

/*
 * Put everything back. `*ret_changed` is the path of the first file that was not as
 * before, or NULL; to be freed. It is an error if something cannot be put back.
 */
int project_watch_restore(struct project_watch *watch, char **ret_changed,
	struct kept_list *kept, struct error *err);

void project_watch_free(struct project_watch *watch);
void project_watch_freep(struct project_watch **watch);

#endif
