#include "host/backup/backups.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "host/backup/kept.h"
#include "host/chat/delivery.h"
#include "host/schedule/scheduler.h"
#include "loop/child.h"
#include "proc/log.h"
#include "time/duration.h"
#include "time/timestamp.h"

#define PLAN      BACKUPS_FOLDER "/plan.json"
#define PLAN_MAX  ((size_t)1024 * 1024)
#define HOUR_MS   ((int64_t)60 * 60 * 1000)
#define REPLY_MAX ((size_t)64 * 1024)

extern char **environ;

struct backups {
	struct installation *inst;
	struct delivery *delivery;
	struct scheduler *scheduler;
	json_t *plan;
	bool marked;              /* the plan may have changed */
	struct loop_child *child; /* makes a backup; NULL: none does */
	struct buf reply;         /* of the child */
	int dir;                  /* the folder of the backup */
	char *temporary;          /* its name until it is proved */
	char *name;
};

/* --- the plan ----------------------------------------------------------------- */

static int64_t plan_number(const json_t *plan, const char *name)
{
	return (int64_t)json_number_value(json_object_get(plan, name));
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
	if (backups_read(root, &old, err) < 0)
		return -1;
	/* Those in another folder are not removed any more. */
	same = !strcmp(json_member(old, "folder"), folder);
	plan = json_build("every:s everyMs:I keep:I folder:s secrets:b last:O files:o", every,
		ms, keep, folder, secrets, json_object_get(old, "last"),
		same ? json_incref(json_object_get(old, "files")) : json_array());
	plan_set_time(plan, "next", now);
	return backups_write(root, plan, err);
}

/* --- after a backup ------------------------------------------------------------ */

/* It has been restored on trial: it counts, and the oldest goes. */
static int backups_keep(struct backups *backups, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *folder = json_member(backups->plan, "folder");
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, backups->name);
	json_t *files = json_object_get(backups->plan, "files");

	if (sys.rename(backups->dir, backups->temporary, backups->dir, backups->name, 0) < 0 ||
		sys.sync(backups->dir) < 0)
		return error_errno(err, "cannot write '%s'", path);
	json_array_append_new(files, json_string(backups->name));
	/* Those in BACKUPS_FOLDER are found without that. */
	if (*folder == '/' && kept_note(backups->inst->root, path, &ignored) < 0)
		log_warning("'nanoclaw doctor' will not name it: %s", ignored.message);
	while ((int64_t)json_array_size(files) > plan_number(backups->plan, "keep")) {
		const char *oldest = json_string_value(json_array_get(files, 0));

		if (oldest && sys.unlink(backups->dir, oldest, 0) < 0 && errno != ENOENT)
			log_warning("the backup '%s/%s' cannot be removed: %s", folder, oldest,
				error_text(errno));
		json_array_remove(files, 0);
	}
	return 0;
}

/* What has come of it goes to the plan, and to main if it is the first that failed: `why`. */
static void backups_conclude(struct backups *backups, const struct error *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *about = NULL;
	CLEANUP(freep) char *text = NULL;
	json_t *plan = backups->plan;
	int64_t now = timestamp_clock();
	int64_t every = plan_number(plan, "everyMs");
	int64_t next = now;

	timestamp_parse(view_of(json_member(plan, "next")), &next, &err);
	next = next > now ? now : next;
	plan_set_time(plan, "next", next + ((now - next) / every + 1) * every);
	json_put(plan, "error:s hint:s", why ? why->message : NULL, why ? why->hint : NULL);
	if (!why) {
		log_note("the backup '%s' is made and proved", backups->name);
		plan_set_time(plan, "last", now);
		json_object_del(plan, "failed");
	} else {
		log_error("the backup has failed: %s", why->message);
		if (!*json_member(plan, "failed"))
			plan_set_time(plan, "failed", now);
	}
	if (backups_write(backups->inst->root, plan, &err) < 0)
		log_error("%s", err.message);
	if (!why)
		return;
	about = xasprintf("backup-%s", json_member(plan, "failed"));
	text = xasprintf("The backup into '%s' has failed: %s. Older ones are kept, and it is "
			 "tried again at the next time; 'nanoclaw backup --list' shows it.",
		json_member(plan, "folder"), why->message);
	error_clear(&err);
	if (delivery_notice_main(backups->delivery, NULL, about, text, &err) < 0)
		log_error("%s", err.message);
}

static void backups_clear(struct backups *backups)
{
	if (backups->temporary && backups->dir >= 0)
		sys.unlink(backups->dir, backups->temporary, 0);
	closep(&backups->dir);
	backups->dir = -1;
	free(TAKE(backups->name));
	free(TAKE(backups->temporary));
	buf_clear(&backups->reply);
}

/* --- the child ----------------------------------------------------------------- */

static void child_said(struct view bytes, void *data)
{
	struct backups *backups = data;

	if (backups->reply.len + bytes.len <= REPLY_MAX)
		buf_append(&backups->reply, bytes.data, bytes.len);
}

static void child_complained(struct view bytes, void *data)
{
	(void)bytes;
	(void)data;
}

static void child_ended(int exit_code, void *data)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	struct backups *backups = data;

	backups->child = NULL;
	if (!exit_code && !backups->marked)
		backups_keep(backups, &why);
	else if (json_read(view_of_buf(&backups->reply), "reply", REPLY_MAX, &reply, &ignored) <
		 0)
		error_set(&why, ERROR_FAILED, "it ended with exit code %d", exit_code);
	else
		error_set(&why, ERROR_FAILED, "%s", json_member(reply, "error"));
	if (*json_member(reply, "hint"))
		error_hint(&why, "%s", json_member(reply, "hint"));
	if (!backups->marked) /* it was not ended for a new plan */
		backups_conclude(backups, why.message ? &why : NULL);
	backups_clear(backups);
}

static int backups_start(struct backups *backups, struct error *err)
{
	const char *folder = json_member(backups->plan, "folder");
	bool secrets = json_is_true(json_object_get(backups->plan, "secrets"));
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;
	int root = backups->inst->root;
	int64_t now = timestamp_clock();
	char time[TIMESTAMP_SIZE];
	const char *argv[] = {"/proc/self/exe", "--json", "backup", "--prove", "--force", NULL,
		secrets ? "--with-secrets" : NULL, NULL};
	struct child_request request = {
		.argv = argv, .env = (const char *const *)environ, .cwd = root};
	struct loop_child_options options = {.loop = &backups->inst->loop,
		.request = &request,
		.handlers = {child_said, child_complained, child_ended},
		.data = backups};
	struct stat st;

	backups->dir = openat(root, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (backups->dir < 0 || fstat(root, &st) < 0)
		return quote_errno(err, "open", folder);
	/* What a kill has left, where nobody else keeps backups. */
	if (*folder != '/' && replace_clean(backups->dir, &ignored) < 0)
		log_warning("%s", ignored.message);
	do {
		free(backups->name);
		timestamp_format(now, time);
		backups->name = xasprintf("nanoclaw-%.10s-%.2s%.2s%.2s.tar.gz", time, time + 11,
			time + 14, time + 17);
		now += 1000;
	} while (faccessat(backups->dir, backups->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
	/* Always the same in this installation. */
	backups->temporary =
		xasprintf(REPLACE_PREFIX "%08x%08x", (unsigned)st.st_dev, (unsigned)st.st_ino);
	argv[5] = path = xasprintf("%s/%s", folder, backups->temporary);
	if (loop_child_start(&options, &backups->child, err) < 0)
		return -1;
	loop_child_close_input(backups->child);
	return 0;
}

/* --- in the host --------------------------------------------------------------- */

struct backups *backups_new(
	struct installation *inst, struct delivery *delivery, struct scheduler *scheduler)
{
	struct backups *backups = xcalloc(1, sizeof(*backups));

	*backups = (struct backups){
		inst, delivery, scheduler, .marked = true, .reply = BUF_INIT, .dir = -1};
	return backups;
}

void backups_changed(struct backups *backups)
{
	backups->marked = true;
	if (backups->child)
		loop_child_signal(backups->child, SIGKILL);
}

void backups_work(struct backups *backups)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t now = timestamp_clock();
	int64_t next = now;

	if (!backups || backups->child)
		return;
	if (backups->marked) {
		json_decref(TAKE(backups->plan));
		backups->marked = false;
		if (backups_read(backups->inst->root, &backups->plan, &err) < 0)
			log_error("backups: %s", err.message);
	}
	if (!backups->plan)
		return;
	timestamp_parse(view_of(json_member(backups->plan, "next")), &next, &err);
	/* A clock that was wrong must not put it off for years. */
	if (next > now && next <= now + plan_number(backups->plan, "everyMs")) {
		scheduler_remind(backups->scheduler, next);
	} else if (backups_start(backups, &err) < 0) {
		backups_conclude(backups, &err);
		backups_clear(backups);
	}
}

void backups_close(struct backups *backups)
{
	if (!backups)
		return;
	if (backups->child)
		loop_child_abandon(backups->child);
	backups_clear(backups);
	buf_release(&backups->reply);
	json_decref(backups->plan);
	free(backups);
}
