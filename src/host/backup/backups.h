/*
 * Backups that the host makes by itself.
 *
 * The plan is BACKUPS_FOLDER/plan.json, which only the host writes while one runs. No backup has it,
 * so a restore changes nothing in it:
 *
 *	every, everyMs	"day", and in milliseconds
 *	keep		so many, at least 1; older ones go
 *	folder		absolute, or BACKUPS_FOLDER
 *	secrets		with all of .env
 *	next		when the next one is due
 *	files		their names, oldest first; nothing else is ever removed
 *	last		when the last one was made and proved, if there is one
 *	failed, error	since when none could be made, and why; perhaps a hint
 *
 * At the due time a child runs `nanoclaw backup --prove` (restore_try()) with a temporary name. Only
 * what has been restored on trial gets its final name, and only then the oldest goes. A time that
 * was missed is made up once. A failure is told in main's chat, once until it works again, and the
 * next attempt is at the next time.
 */
#ifndef HOST_BACKUP_BACKUPS_H
#define HOST_BACKUP_BACKUPS_H

#include <jansson.h>

#include "host/base/installation.h"

#define BACKUPS_KEEP 7 /* unless the plan says otherwise */

struct backups;
struct delivery;
struct scheduler;

/* `*ret_plan` is a new reference; NULL: there is none. */
int backups_read(int root, json_t **ret_plan, struct error *err);

/*
 * Store a plan whose first backup is due now, or end it: `every` is "never". ERROR_INVALID if `every`
 * is not a time of at least an hour.
 */
int backups_set(int root, const char *every, int64_t keep, const char *folder, bool secrets,
	int64_t now, struct error *err);

/* In the host. */
struct backups *backups_new(
	struct installation *inst, struct delivery *delivery, struct scheduler *scheduler);
void backups_changed(struct backups *backups);
/* Before the loop sleeps. */
void backups_work(struct backups *backups);
/* A backup in progress is given up; the next host makes it. */
void backups_close(struct backups *backups);

#endif
