/* Can the libraries be loaded, and which are they really? */
#include <yaml.h>

#include <jansson.h>
#include <nettle/version.h>

#include "cli/doctor/doctor.h"
#include "engine/text/libgit.h"
#include "engine/text/merge.h"

static void run_libraries(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *libgit2 = NULL;

	/* The only one that the program starts without. */
	if (!libgit_load(&err)) {
		doctor_problem(doctor, "libraries", err.hint, "%s", err.message);
		return;
	}
	libgit2 = merge_library_version();
	doctor_ok(doctor, "libraries", "jansson %s, libgit2 %s, libyaml %s, nettle %d.%d",
		jansson_version_str(), libgit2, yaml_get_version_string(),
		nettle_version_major(), nettle_version_minor());
}

PROBE(libraries) = {
	.name = "libraries",
	.run = run_libraries,
};
