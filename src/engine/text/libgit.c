#include "engine/text/libgit.h"

#include "proc/library.h"

const struct libgit *libgit_load(struct error *err)
{
	static struct libgit git;
	static const struct library_symbol symbols[] = {
		{"git_diff_buffers", &git.diff_buffers},
		{"git_libgit2_opts", &git.opts},
		{"git_libgit2_version", &git.version},
		{"git_merge_file", &git.merge_file},
		{"git_merge_file_result_free", &git.merge_file_result_free},
		{0},
	};

	if (git.opts)
		return &git;
	if (library_load(LIBGIT2_SONAME, symbols, err) < 0)
		return NULL;
	git.opts(GIT_OPT_SET_ALLOCATOR, NULL);
	return &git;
}
