/* Does the clock look right? */
#include <sys/timex.h>
#include <time.h>

#include "cli/doctor/doctor.h"

/* 2026-01-01: this program is younger than that. */
#define EARLIEST 1767225600

static void run_clock(struct doctor *doctor)
{
	struct timex timex = {.modes = 0};
	int state = adjtimex(&timex);

	if (time(NULL) < EARLIEST)
		doctor_problem(doctor, "clock", "timedatectl set-ntp true",
			"the clock is wrong: it is before 2026");
	else
		doctor_ok(doctor, "clock", "%s",
			state >= 0 && !(timex.status & STA_UNSYNC)
				? "synchronized over the network"
				: "looks right");
}

PROBE(clock) = {
	.name = "clock",
	.run = run_clock,
};
