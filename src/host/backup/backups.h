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
 *	id		a random number, which the names of its files have
 *	files		those, oldest first, each with its name, and its size and time once it is
 *			known to exist; nothing else is ever removed, nor what has another size
 *	leftOut		the first file that the last one lacks because it could not be read
 *	last		when the last one was made and proved, if there is one
 *	failed, error	since when none could be made, and why; perhaps a hint
 *
 * At the due time the host adds a name to the plan, and a child makes that backup, `nanoclaw backup
 * --planned`. All that touches its folder, which may be on a disk that hangs, is done by the child:
 * it restores the backup on trial (restore_try()) before that gets its name, and only then removes
 * the oldest. A time that was missed is made up once. A failure is told in main's chat, once until it
 * works again, and the next attempt is at the next time; in a minute if it was only in the way of
 * another backup.
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

/* The newest that was made, as seen from the project, to be freed; NULL: none was. */
char *backups_newest(const json_t *plan);

/* In the child: make the last of `files`, prove it, and remove the oldest. `*ret_reply` is for the host. */
int backups_make(int root, const char *root_path, json_t **ret_reply, struct error *err);

/*
 * Store a plan whose first backup is due now, or end it: `every` is "never". ERROR_INVALID if `every`
 * is not a time of at least an hour. Ending it needs no room on the disk, nor the host.
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
