/* The store: is it sound, closed to others, and is there room for it? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/assistant/local_time.h"
#include "cli/doctor/doctor.h"
#include "db/check.h"
#include "db/snapshot.h"
#include "fs/sys.h"
#include "host/backup/kept.h"
#include "time/timestamp.h"

#define PRIVATE   0700
#define MIN_ROOM  ((uint64_t)32 * 1024 * 1024)
#define MINUTE_MS ((int64_t)60 * 1000)

#define KIB 1024

/* A path of these characters needs no quotes in a shell. */
#define PATH_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+:@%,="

/* The newest backup that is known here, in a line to type. */
static void store_report_damage(struct doctor *doctor, const char *damage)
{
	CLEANUP(freep) char *fix = NULL;
	int64_t time;
	CLEANUP(freep)
	char *backup = kept_newest(doctor->project.root, doctor->project.path, &time);
	CLEANUP(buf_release) struct buf quoted = BUF_INIT;
	bool plain = backup && !backup[strspn(backup, PATH_WORD)];
	char made[LOCAL_TIME_SIZE];
	char created[TIMESTAMP_SIZE];

	if (!backup) {
		doctor_problem(doctor, "store", "nanoclaw restore FILE",
			"%s; no backup is known here: if you have none, move '" STORE_FOLDER
			"/" STORE_FILE "*' away to start over",
			damage);
		return;
	}
	for (const char *p = backup; *p; p++)
		buf_appendf(&quoted, *p == '\'' ? "'\\''" : "%c", *p);
	timestamp_format(time, created);
	local_time(created, made);
	fix = xasprintf("%snanoclaw restore %s%s%s", doctor->status ? "nanoclaw stop; " : "",
		plain ? "" : "'", quoted.data, plain ? "" : "'");
	doctor_problem(doctor, "store", fix, "%s; the newest backup is of %.*s", damage,
		LOCAL_SECONDS, made);
}

/* What cannot be read: only damage is a reason to restore anything. */
static void store_report_error(struct doctor *doctor, const struct error *err)
{
	if (err->errnum == EBADMSG)
		store_report_damage(doctor, err->message);
	else if (err->errnum == ENOSPC)
		doctor_problem(doctor, "store", "df -h " STORE_FOLDER, "%s", err->message);
	else
		doctor_problem(doctor, "store", err->hint, "%s", err->message);
}

static void store_check_content(struct doctor *doctor)
{
	CLEANUP(store_check_release) struct store_check check = STORE_CHECK_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *damage = NULL;
	CLEANUP(freep)
	char *path = xasprintf("%s/" STORE_FOLDER "/" STORE_FILE, doctor->project.path);

	if (store_check(doctor->store, &check, &err) < 0) {
		store_report_error(doctor, &err);
		return;
	}
	damage = check.fault ? xasprintf("it is damaged; SQLite reports: %s", check.fault)
		 : check.orphans
			 ? xasprintf("it is damaged: rows refer to missing rows: %" PRId64,
				   check.orphans)
			 : NULL;
	if (damage)
		store_report_damage(doctor, damage);
	else if (store_snapshot_check_schema(path, &err) < 0 && err.kind == ERROR_INVALID)
		doctor_problem(doctor, "store",
			"a copy of '" STORE_FOLDER "/" STORE_FILE
			"', and then sqlite3 to take out what nanoclaw did not make",
			"a backup of it would be refused: %s", err.message);
	else if (store_snapshot_check_paths(path, &err) < 0 && err.kind == ERROR_INVALID)
		doctor_problem(doctor, "store", "nanoclaw restart",
			"a backup of it would be refused, and a host that starts sets it aside: "
			"%s",
			err.message);
	else
		doctor_ok(doctor, "store", "SQLite finds no fault");
	if (check.newest > timestamp_clock() + MINUTE_MS)
		doctor_problem(doctor, "clock", "timedatectl set-ntp true",
			"the clock is or was wrong: the newest message is dated %" PRId64
			" minutes from now",
			(check.newest - timestamp_clock()) / MINUTE_MS);
}

static void store_check_error(struct doctor *doctor)
{
	const struct error *err = &doctor->store_error;

	if (err->errnum == ENOENT)
		doctor_ok(doctor, "store", "no store yet: 'nanoclaw start' creates it");
	else if (err->kind == ERROR_INVALID && err->errnum != EBADMSG)
		doctor_warning(doctor, "store", err->hint, "%s", err->message);
	else
		store_report_error(doctor, err);
}

/* Where locks may not hold, so that two hosts could write at once. */
static void store_check_place(struct doctor *doctor, int folder)
{
	static const struct {
		unsigned type;
		const char *name;
	} remote[] = {
		{0x00006969, "NFS"},
		{0x0000517b, "SMB"},
		{0x00c36400, "Ceph"},
		{0x0bd00bd0, "Lustre"},
		{0x5346414f, "AFS"},
		{0xfe534d42, "SMB"},
		{0xff534d42, "SMB"},
	};
	struct statfs st;

	if (fstatfs(folder, &st) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(remote); i++)
		if ((unsigned)st.f_type == remote[i].type)
			doctor_warning(doctor, "store", NULL,
				"'" STORE_FOLDER "' is on a network file system (%s): SQLite's "
				"locks may not hold there, and a second host could destroy it; "
				"move the project to a disk of this machine",
				remote[i].name);
}

static void run_store(struct doctor *doctor)
{
	CLEANUP(closep)
	int folder = openat(doctor->project.root, STORE_FOLDER,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	struct stat root;
	struct statvfs room;

	if (doctor->store)
		store_check_content(doctor);
	else
		store_check_error(doctor);
	if (folder < 0 || fstat(folder, &st) < 0)
		return;
	store_check_place(doctor, folder);
	/* A user who cannot enter the folder cannot reach the files in it. */
	if (st.st_uid != geteuid() && geteuid())
		doctor_problem(
			doctor, "private", NULL, "'" STORE_FOLDER "' belongs to another user");
	else if (!(st.st_mode & 077))
		doctor_ok(doctor, "private", "nobody else can read messages");
	else if (!doctor->fix)
		doctor_warning(doctor, "private", "nanoclaw doctor --fix",
			"others can read '" STORE_FOLDER
			"', which holds messages (its mode is %03o)",
			(unsigned)(st.st_mode & 07777));
	else if (sys.chmod(folder, PRIVATE) < 0)
		doctor_problem(doctor, "private", "chmod 700 " STORE_FOLDER,
			"others can read '" STORE_FOLDER
			"', and its mode cannot be changed: %s",
			error_text(errno));
	else
		doctor_ok(doctor, "private", "others could read '" STORE_FOLDER "'; fixed");
	/* Only where it is on another disk: the project's has a probe of its own. */
	if (fstat(doctor->project.root, &root) == 0 && root.st_dev != st.st_dev &&
		fstatvfs(folder, &room) == 0 &&
		(uint64_t)room.f_bavail * room.f_frsize < MIN_ROOM)
		doctor_problem(doctor, "store", "df -h " STORE_FOLDER,
			"the disk of '%s/" STORE_FOLDER "' is full: %" PRIu64
			" KiB are free there",
			doctor->project.path, (uint64_t)room.f_bavail * room.f_frsize / KIB);
}

PROBE(store) = {
	.name = "store",
	.of_assistant = true,
	.run = run_store,
};
