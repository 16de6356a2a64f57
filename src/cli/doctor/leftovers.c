/*
 * Temporary files of commands that were killed (fs/replace.h). They are copies on
 * their way to a place that they never got, so nothing is lost with them.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/walk.h"

/* A younger one may be at work. */
#define MIN_AGE_SECONDS (24 * 60 * 60)

struct search {
	time_t before;
	bool remove;
	size_t found;
	size_t removed;
};

static bool entry_is_leftover(const struct search *search, const struct walk_entry *entry)
{
	return entry->kind == WALK_FILE &&
	       !strncmp(entry->name, REPLACE_PREFIX, strlen(REPLACE_PREFIX)) &&
	       entry->stat.st_uid == geteuid() && entry->stat.st_mtime < search->before;
}

static enum walk_result leftover_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct search *search = data;

	(void)err;
	if (entry->kind == WALK_DIR &&
		(!strcmp(entry->name, ".git") || !strcmp(entry->name, "node_modules")))
		return WALK_SKIP;
	if (!entry_is_leftover(search, entry))
		return WALK_GO_ON;
	search->found++;
	if (search->remove && sys.unlink(entry->dirfd, entry->name, 0) == 0)
		search->removed++;
	return WALK_GO_ON;
}

static void run_leftovers(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct search search = {.before = time(NULL) - MIN_AGE_SECONDS, .remove = doctor->fix};

	if (walk(doctor->project.root, leftover_visit, &search, &err) < 0)
		doctor_add(doctor, doctor->fix ? FINDING_PROBLEM : FINDING_WARNING, "leftovers",
			err.hint, "%s", err.message);
	else if (search.removed < search.found && doctor->fix)
		doctor_problem(doctor, "leftovers", NULL,
			"temporary files ('" REPLACE_PREFIX "…') that cannot be deleted: %zu",
			search.found - search.removed);
	else if (search.found && !doctor->fix)
		doctor_warning(doctor, "leftovers", "nanoclaw doctor --fix",
			"temporary files of killed commands ('" REPLACE_PREFIX "…'): %zu",
			search.found);
	else if (search.found)
		doctor_ok(doctor, "leftovers",
			"removed temporary files of killed commands: %zu", search.removed);
	else
		doctor_ok(doctor, "leftovers", "no leftover files");
}

PROBE(leftovers) = {
	.name = "leftovers",
	.run = run_leftovers,
};
