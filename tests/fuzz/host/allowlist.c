/*
 * A list of folders that may be mounted, whatever stands in it, is read or refused with a
 * reason; and no list allows the places of secrets, or what lies outside of its roots.
 */
#include <assert.h>
#include <stdint.h>

#include "../fuzz.h"
#include "sandbox/allowlist.h"

static void must_be_refused(const struct allowlist *allowlist, const char *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct allowlist_mount mount;

	assert(allowlist_open(
		       allowlist, &(struct allowlist_request){.path = path}, &mount, &err) < 0);
	assert(err.kind == ERROR_INVALID && err.message);
}

FUZZ_TARGET(allowlist)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(allowlist_release) struct allowlist allowlist = ALLOWLIST_INIT;
	struct view text = {(const char *)data, len};

	if (allowlist_parse(text, "/nonexistent/home", "fuzz", &allowlist, &err) < 0) {
		assert(err.message);
		return 0;
	}
	must_be_refused(&allowlist, "/");
	must_be_refused(&allowlist, "/etc");
	must_be_refused(&allowlist, "/proc/1");
	must_be_refused(&allowlist, "~/.ssh");
	must_be_refused(&allowlist, "~/a/../../etc");
	must_be_refused(&allowlist, "relative");
	return 0;
}
