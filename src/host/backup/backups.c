#include "host/backup/backups.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "host/backup/backup.h"
#include "host/backup/kept.h"
#include "host/chat/delivery.h"
#include "host/schedule/scheduler.h"
#include "loop/child.h"
#include "proc/log.h"
#include "time/duration.h"
#include "time/timestamp.h"

#define PLAN      BACKUPS_FOLDER "/plan.json"
#define PLAN_MAX  ((size_t)4 * 1024 * 1024)
#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS   (60 * MINUTE_MS)
#define BUSY      4 /* the exit code of a command that another one is in the way of */

extern char **environ;

struct backups {
	struct installation *inst;
	struct delivery *delivery;
	struct scheduler *scheduler;
	json_t *plan;
	bool marked;              /* the plan may have changed */
	struct loop_child *child; /* makes a backup; NULL: none does */
	struct buf reply;         /* of the child */
	int64_t again;            /* not before this time, in milliseconds */
};

/* --- the plan ----------------------------------------------------------------- */

static int64_t plan_number(const json_t *plan, const char *name)
{
	return (int64_t)json_number_value(json_object_get(plan, name));
}

/* Of this installation, even if it was copied together with its plan. */
static unsigned plan_id(int root, const json_t *plan)
{
	struct stat st;

	return (unsigned)plan_number(plan, "id") ^
	       (fstat(root, &st) < 0 ? 0 : (unsigned)st.st_ino);
}

static void plan_set_time(json_t *plan, const char *name, int64_t time)
{
	char text[TIMESTAMP_SIZE];

	timestamp_format(time, text);
	json_object_set_new(plan, name, json_string(text));
}

int backups_read(int root, json_t **ret_plan, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	int64_t time;

	*ret_plan = NULL;
	if (beneath_path_read_if(root, PLAN, PLAN_MAX, &text, err) < 0 ||
		(text.len &&
			json_read(view_of_buf(&text), "'" PLAN "'", PLAN_MAX, &plan, err) < 0))
		return -1;
	if (plan &&
		(plan_number(plan, "everyMs") < HOUR_MS || plan_number(plan, "keep") < 1 ||
			timestamp_parse(view_of(json_member(plan, "next")), &time, err) < 0))
		return error_set(err, ERROR_INVALID, "'" PLAN "' is damaged");
	*ret_plan = TAKE(plan);
	return 0;
}

static int backups_write(int root, json_t *plan, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(plan, true, &text);
	return beneath_path_write(root, PLAN, view_of_buf(&text), 0600, err);
}

int backups_set(int root, const char *every, int64_t keep, const char *folder, bool secrets,
	int64_t now, struct error *err)
{
	CLEANUP(freep)
	char *duration = xasprintf(isdigit((unsigned char)*every) ? "%s" : "1 %s", every);
	CLEANUP(freep) char *shown = quote(view_of(every));
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	CLEANUP(json_decrefp) json_t *old = NULL;
	uint32_t id = 0;
	bool same;
	int64_t ms;

	if (!strcmp(every, "never"))
		return sys.unlink(root, PLAN, 0) < 0 && errno != ENOENT
			       ? error_errno(err, "cannot remove '%s'", PLAN)
			       : 0;
	if (duration_parse(view_of(duration), &ms, &ignored) < 0 || ms < HOUR_MS) {
		error_set(err, ERROR_INVALID, "%s is not a time of an hour or more", shown);
		return error_hint(err, "such as: day, week, 6h; 'never' ends it");
	}
	if (backups_read(root, &old, &ignored) < 0)
		log_warning("the old plan is replaced: %s", ignored.message);
	if (!old && getrandom(&id, sizeof(id), 0) != sizeof(id))
		return error_errno(err, "cannot get random bytes");
	/* Those in another folder are not removed any more. */
	same = !strcmp(json_member(old, "folder"), folder);
	plan = json_build("every:s everyMs:I id:I keep:I folder:s secrets:b last:O files:o",
		every, ms, old ? plan_number(old, "id") : (int64_t)id, keep, folder, secrets,
		json_object_get(old, "last"),
		same ? json_incref(json_object_get(old, "files")) : json_array());
	plan_set_time(plan, "next", now);
	return backups_write(root, plan, err);
}

char *backups_newest(const json_t *plan)
{
	const json_t *files = json_object_get(plan, "files");

	for (size_t i = json_array_size(files); i > 0; i--) {
		const json_t *file = json_array_get(files, i - 1);

		if (json_object_get(file, "size"))
			return xasprintf("%s/%s", json_member(plan, "folder"),
				json_member(file, "name"));
	}
	return NULL;
}

/* --- in the child --------------------------------------------------------------- */

/* The oldest, unless somebody has put something else there. */
static void file_remove(int dir, const json_t *file)
{
	const char *name = json_member(file, "name");
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		st = (struct stat){.st_size = -1};
	if (st.st_size < 0 && errno == ENOENT)
		return;
	/* Some file systems round the time, or move it with the clocks. */
	if (st.st_size != plan_number(file, "size") ||
		llabs(st.st_mtim.tv_sec - plan_number(file, "time")) > HOUR_MS / 1000 + 2)
		log_warning("'%s' stays, because it has changed since it was made", name);
	else if (sys.unlink(dir, name, 0) < 0)
		log_warning("the backup '%s' cannot be removed: %s", name, error_text(errno));
}

/* Those that were named, and then came a kill: are they there? */
static void files_settle(int dir, json_t *files)
{
	struct stat st;

	for (size_t i = json_array_size(files); i > 0; i--) {
		json_t *file = json_array_get(files, i - 1);

		if (json_object_get(file, "size"))
			continue;
		if (fstatat(dir, json_member(file, "name"), &st, AT_SYMLINK_NOFOLLOW) < 0)
			json_array_remove(files, i - 1);
		else
			json_put(file, "size:I time:I", (int64_t)st.st_size,
				(int64_t)st.st_mtim.tv_sec);
	}
}

int backups_make(int root, const char *root_path, json_t **ret_reply, struct error *err)
{
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(error_release) struct error unnoted = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	CLEANUP(closep) int dir = -1;
	CLEANUP(freep) char *temporary = NULL;
	CLEANUP(freep) char *path = NULL;
	struct backup_request request = {.root = root, .root_path = root_path, .prove = true};
	json_t *left_out = NULL;
	const char *folder;
	json_t *files;

	if (backups_read(root, &plan, err) < 0)
		return -1;
	files = json_object_get(plan, "files");
	if (!json_array_size(files))
		return error_set(err, ERROR_INVALID, "the host has planned no backup");
	folder = json_member(plan, "folder");
	dir = openat(root, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return quote_errno(err, "open", folder);
	temporary = xasprintf(REPLACE_PREFIX "%016" PRIx64, (uint64_t)plan_id(root, plan));
	request.temporary = temporary;
	request.with_secrets = json_is_true(json_object_get(plan, "secrets"));
	request.file = path = xasprintf("%s/%s", folder,
		json_member(json_array_get(files, json_array_size(files) - 1), "name"));
	if (backup_make(&request, &result, err) < 0) {
		if (err->errnum == EEXIST)
			err->kind = ERROR_BUSY; /* there is another name in a minute */
		return -1;
	}
	files_settle(dir, files);
	while ((int64_t)json_array_size(files) > plan_number(plan, "keep")) {
		file_remove(dir, json_array_get(files, 0));
		json_array_remove(files, 0);
	}
	for (size_t i = 0; i < result.omission_count; i++) {
		const struct backup_omission *omission = &result.omissions[i];
		CLEANUP(freep) char *shown = quote(view_of(omission->path));

		log_note("left out %s: %s", shown, omission->reason);
		if (omission->lost && !left_out) {
			CLEANUP(freep) char *start = quote_start(view_of(omission->path));

			left_out = json_sprintf("%s (%s)", start, omission->reason);
		}
	}
	if (kept_note(root, path, false, &unnoted) < 0)
		log_warning("'nanoclaw doctor' will not name it: %s", unnoted.message);
	*ret_reply = json_build("success:b file:s files:O", true, path, files);
	if (left_out)
		json_object_set_new(*ret_reply, "leftOut", left_out);
	return 0;
}

/* --- after a backup ------------------------------------------------------------ */

/*
 * What has come of it goes to the plan, and to main if it is the first that failed, `why`, or the first
 * that lacks this file.
 */
static void backups_conclude(
	struct backups *backups, const json_t *reply, const struct error *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *about = NULL;
	CLEANUP(freep) char *text = NULL;
	const char *left_out;
	json_t *plan = backups->plan;
	int64_t now = timestamp_clock();
	int64_t every = plan_number(plan, "everyMs");
	int64_t next = now;

	timestamp_parse(view_of(json_member(plan, "next")), &next, &err);
	next = next > now ? now : next;
	plan_set_time(plan, "next", next + ((now - next) / every + 1) * every);
	json_put(plan, "error:s hint:s", why ? why->message : NULL, why ? why->hint : NULL);
	if (!why) {
		log_note("the backup '%s' is made and proved", json_member(reply, "file"));
		plan_set_time(plan, "last", now);
		json_object_set(plan, "files", json_object_get(reply, "files"));
		left_out = json_member(reply, "leftOut");
		if (*left_out && strcmp(left_out, json_member(plan, "leftOut")) != 0)
			text = xasprintf("The backup into '%s' lacks a file that could not be "
					 "read: %s. There may be more; the log has them.",
				json_member(plan, "folder"), left_out);
		json_put(plan, "leftOut:s", *left_out ? left_out : NULL);
		json_object_del(plan, "failed");
	} else {
		log_error("the backup has failed: %s", why->message);
		if (!*json_member(plan, "failed"))
			plan_set_time(plan, "failed", now);
	}
	if (backups_write(backups->inst->root, plan, &err) < 0)
		log_error("%s", err.message);
	about = xasprintf("backup-%s", json_member(plan, why ? "failed" : "last"));
	if (why)
		text = xasprintf(
			"The backup into '%s' has failed: %s. Older ones are kept, and it is "
			"tried again at the next time; 'nanoclaw backup --list' shows it.",
			json_member(plan, "folder"), why->message);
	error_clear(&err);
	if (text && delivery_notice_main(backups->delivery, NULL, about, text, &err) < 0)
		log_error("%s", err.message);
}

/* --- the child, seen from the host ---------------------------------------------- */

static void child_said(struct view bytes, void *data)
{
	struct backups *backups = data;

	if (backups->reply.len + bytes.len <= PLAN_MAX)
		buf_append(&backups->reply, bytes.data, bytes.len);
}

static void child_complained(struct view bytes, void *data)
{
	struct view line;

	(void)data;
	while (view_next(&bytes, '\n', &line))
		log_note("backup: %.*s", VIEW_ARGS(line));
}

static void child_ended(int exit_code, void *data)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	struct backups *backups = data;
	json_t *files = json_object_get(backups->plan, "files");
	struct stat st;

	backups->child = NULL;
	if (json_read(view_of_buf(&backups->reply), "reply", PLAN_MAX, &reply, &ignored) < 0)
		error_set(&why, ERROR_FAILED, "it ended with exit code %d", exit_code);
	else if (exit_code)
		error_set(&why, ERROR_FAILED, "%s", json_member(reply, "error"));
	if (*json_member(reply, "hint"))
		error_hint(&why, "%s", json_member(reply, "hint"));
	/* It was ended for a new plan, or the plan was. */
	if (backups->marked || fstatat(backups->inst->root, PLAN, &st, 0) < 0) {
		backups->marked = true;
	} else if (exit_code == BUSY) {
		backups->again = timestamp_clock() + MINUTE_MS;
		log_note("%s; the backup is tried again in a minute", why.message);
		/* A file of this name may be somebody else's. */
		json_array_remove(files, json_array_size(files) - 1);
		if (backups_write(backups->inst->root, backups->plan, &ignored) < 0)
			log_warning("%s", ignored.message);
	} else {
		backups_conclude(backups, reply, why.message ? &why : NULL);
	}
	buf_clear(&backups->reply);
}

static bool plan_names(const json_t *plan, const char *name)
{
	const json_t *file;
	size_t i;

	json_array_foreach(json_object_get(plan, "files"), i, file)
		if (!strcmp(json_member(file, "name"), name))
			return true;
	return false;
}

static int backups_start(struct backups *backups, struct error *err)
{
	CLEANUP(freep) char *name = NULL;
	int root = backups->inst->root;
	int64_t now = timestamp_clock();
	char time[TIMESTAMP_SIZE];
	struct child_request request = {.argv = (const char *const[]){"/proc/self/exe",
						"--json", "backup", "--planned", NULL},
		.env = (const char *const *)environ,
		.cwd = root};
	struct loop_child_options options = {.loop = &backups->inst->loop,
		.request = &request,
		.handlers = {child_said, child_complained, child_ended},
		.data = backups};

	do { /* twice in a second: a second later */
		free(name);
		timestamp_format(now, time);
		name = xasprintf("nanoclaw-%.10s-%.2s%.2s%.2s-%08x.tar.gz", time, time + 11,
			time + 14, time + 17, plan_id(root, backups->plan));
		now += 1000;
	} while (plan_names(backups->plan, name));
	json_add(json_object_get(backups->plan, "files"), "name:s", name);
	if (backups_write(root, backups->plan, err) < 0 ||
		loop_child_start(&options, &backups->child, err) < 0)
		return -1;
	loop_child_close_input(backups->child);
	return 0;
}

/* --- in the host --------------------------------------------------------------- */

struct backups *backups_new(
	struct installation *inst, struct delivery *delivery, struct scheduler *scheduler)
{
	struct backups *backups = xcalloc(1, sizeof(*backups));

	*backups =
		(struct backups){inst, delivery, scheduler, .marked = true, .reply = BUF_INIT};
	return backups;
}

void backups_changed(struct backups *backups)
{
	backups->marked = true;
	if (backups->child)
		loop_child_signal(backups->child, SIGKILL);
}

static void backups_load(struct backups *backups)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	json_decref(TAKE(backups->plan));
	backups->marked = false;
	if (backups_read(backups->inst->root, &backups->plan, &err) < 0)
		log_error("backups: %s", err.message);
}

void backups_work(struct backups *backups)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t now = timestamp_clock();
	int64_t next = now;

	if (!backups || backups->child)
		return;
	if (backups->marked)
		backups_load(backups);
	if (!backups->plan)
		return;
	timestamp_parse(view_of(json_member(backups->plan, "next")), &next, &err);
	/* A clock that was wrong must not put it off for years. */
	if (next <= now || next > now + plan_number(backups->plan, "everyMs"))
		next = backups->again > now + MINUTE_MS ? now : backups->again;
	if (next > now) {
		scheduler_remind(backups->scheduler, next);
		return;
	}
	backups_load(backups); /* it may have been ended without us */
	if (backups->plan && backups_start(backups, &err) < 0)
		backups_conclude(backups, NULL, &err);
}

void backups_close(struct backups *backups)
{
	if (!backups)
		return;
	if (backups->child)
		loop_child_abandon(backups->child);
	buf_release(&backups->reply);
	json_decref(backups->plan);
	free(backups);
}
