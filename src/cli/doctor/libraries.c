/* The versions of the libraries that the program was built with. */
#include <yaml.h>

#include <nettle/version.h>

#include "cli/doctor/doctor.h"
#include "engine/text/xdiff.h"

static void run_libraries(struct doctor *doctor)
{
	doctor_ok(doctor, "libraries", "jansson %s, libgit2 %s, libyaml %s, nettle %d.%d",
		jansson_version_str(), xdiff_version(), yaml_get_version_string(),
		nettle_version_major(), nettle_version_minor());
}

PROBE(libraries) = {
	.name = "libraries",
	.run = run_libraries,
};
