/*
 * libgit2, loaded when it is first needed.
 *
 *	const struct libgit *git = libgit_load(err);
 *
 *	if (!git)
 *		return -1;
 *	git->merge_file(...)
 *
 * libgit2 pulls in TLS, SSH and Kerberos libraries, and git_libgit2_init() sets
 * them all up: together more than ten times the cost of a merge. So it is loaded
 * late, and never initialized: these functions use nothing of it but the
 * allocator, which libgit_load() sets. Its thread-local error message does not
 * work without the rest; it is written only when memory runs out, when a text is
 * larger than the library's maximum, when a callback fails, and when a text is one
 * of a pair made to have the same SHA-1. So callers check sizes first, and their
 * callbacks never fail.
 */
#ifndef ENGINE_TEXT_LIBGIT_H
#define ENGINE_TEXT_LIBGIT_H

#include <git2.h>

#include "base/error.h"

struct libgit {
	typeof(&git_diff_buffers) diff_buffers;
	typeof(&git_libgit2_opts) opts;
	typeof(&git_libgit2_version) version;
	typeof(&git_merge_file) merge_file;
	typeof(&git_merge_file_result_free) merge_file_result_free;
};

/* The same table every time; NULL with an error where the library is missing. */
const struct libgit *libgit_load(struct error *err);

#endif
