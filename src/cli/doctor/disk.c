/* Free space in the project. An operation needs room for both the old and the new files. */
#include <errno.h>
#include <stdint.h>
#include <sys/statvfs.h>

#include "cli/doctor/doctor.h"

#define KIB     ((uint64_t)1024)
#define MIB     (1024 * KIB)
#define GIB     (1024.0 * 1024 * 1024)
#define TOO_LOW (32 * MIB)
#define LOW     (256 * MIB)

static void run_disk(struct doctor *doctor)
{
	struct statvfs st;
	uint64_t room;

	if (fstatvfs(doctor->project.root, &st) < 0) {
		doctor_warning(doctor, "disk", NULL, "cannot determine the free space: %s",
			error_text(errno));
		return;
	}
	room = (uint64_t)st.f_bavail * st.f_frsize;
	if (st.f_files && !st.f_favail)
		doctor_problem(doctor, "disk", "df -i .",
			"no more files can be created here (no inode is free)");
	else if (room < MIB)
		doctor_problem(doctor, "disk", "df -h .",
			"the disk is full: only %llu KiB are free here",
			(unsigned long long)(room / KIB));
	else if (room < TOO_LOW)
		doctor_problem(doctor, "disk", "df -h .", "only %llu MiB are free here",
			(unsigned long long)(room / MIB));
	else if (room < LOW)
		doctor_warning(doctor, "disk", "df -h .", "only %llu MiB are free here",
			(unsigned long long)(room / MIB));
	else
		doctor_ok(doctor, "disk", "%.1f GiB are free here", (double)room / GIB);
}

PROBE(disk) = {
	.name = "disk",
	.run = run_disk,
};
