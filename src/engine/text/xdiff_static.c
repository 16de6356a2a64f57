#include <git2/sys/alloc.h>
#include <stdlib.h>

#include "engine/text/xdiff.h"

int xdiff_prepare(int marker_size, struct error *err)
{
	(void)marker_size;
	(void)err;
	return 0;
}

/*
 * What xdiff refers to in the rest of libgit2: from 1.5 on the allocator, from 1.8 on also
 * the functions below it. They are defined here, so that the linker takes nothing else out
 * of the archive.
 */

static void *xdiff_malloc(size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return malloc(size);
}

static void *xdiff_realloc(void *old, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return realloc(old, size);
}

git_allocator git__allocator = {
	.gmalloc = xdiff_malloc,
	.grealloc = xdiff_realloc,
	.gfree = free,
};

void *git__calloc(size_t count, size_t size);
void git_error_set(int kind, const char *format, ...);
void git_error_set_oom(void);

void *git__calloc(size_t count, size_t size)
{
	return calloc(count, size);
}

/* The callers see the error in what xdiff returns. */
void git_error_set(int kind, const char *format, ...)
{
	(void)kind;
	(void)format;
}

void git_error_set_oom(void)
{
}
