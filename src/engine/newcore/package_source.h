/*
 * A package that is not in a folder yet:
 *
 *	telegram-1.0.0.tar.gz			an archive, with a package or one folder that is
 *						one
 *	git+REPOSITORY@REF[:FOLDER]		a commit that is already here: REPOSITORY is the
 *						path or file:// address of a clone, or an address
 *						that the project's own clone has as a remote
 *
 *	struct package_source source;
 *
 *	if (package_source_open(project, &request, &source, err) < 0)
 *		return -1;
 *	... apply source.folder, and record source.shown ...
 *	package_source_close(&source);
 *
 * It is unpacked into a temporary folder (untar.h); links and special files are refused. Nothing
 * is fetched.
 */
#ifndef ENGINE_NEWCORE_PACKAGE_SOURCE_H
#define ENGINE_NEWCORE_PACKAGE_SOURCE_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/disk/project.h"
#include "fs/scratch.h"

struct package_request {
	const char *typed;
	const char *sha256; /* that an archive must have, in hex; or NULL */
	/*
	 * A file with a key that must have signed an archive, or NULL: a public key of minisign, for
	 * a signature in ARCHIVE.minisig, or signers that ssh allows, for one in ARCHIVE.sig.
	 */
	const char *key;
};

struct package_source {
	struct scratch scratch;
	char *folder;         /* of the package */
	char *shown;          /* where it came from, to be recorded */
	bool unsigned_for_us; /* there is a signature that was not checked */
};

/* By its name: is it an archive or a commit? */
bool package_source_is(const char *typed);

int package_source_open(const struct project *project, const struct package_request *request,
	struct package_source *ret_source, struct error *err);

void package_source_close(struct package_source *source);

#endif
