/* Are time zones installed, including this machine's? */
#include <stdlib.h>

#include "cli/doctor/doctor.h"
#include "time/zone.h"

/* One with changes of the clock, which every database has. */
#define ANY_ZONE "Europe/Berlin"

static void run_zone(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT, unknown = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *any = NULL;
	CLEANUP(zone_freep) struct zone *ours = NULL;
	CLEANUP(zone_freep) struct zone *here = NULL;
	CLEANUP(freep) char *install = doctor_install("tzdata");
	const char *tz = getenv("TZ");
	CLEANUP(freep) char *name = zone_default_name(tz);

	if (zone_open(ANY_ZONE, &any, &err) < 0)
		doctor_problem(doctor, "zone", install,
			"time zones are missing: install or repair the package 'tzdata'");
	else if (tz && *tz && zone_open(tz, &ours, &unknown) < 0)
		doctor_warning(doctor, "zone", NULL,
			"the variable TZ is not a time zone name such as 'Europe/Berlin'");
	else if (zone_open(name, &here, &unknown) < 0)
		doctor_problem(doctor, "zone", NULL, "%s", unknown.message);
	else
		doctor_ok(doctor, "zone", "time zones are installed; this machine is in '%s'",
			name);
}

PROBE(zone) = {
	.name = "zone",
	.run = run_zone,
};
