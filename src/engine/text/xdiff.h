/*
 * xdiff: git's own code for diffs and merges, out of libgit2's static library.
 *
 * The shared library loads TLS, SSH and Kerberos libraries, which takes ten times as long as a
 * merge. xdiff itself needs only memory allocation, which xdiff_static.c provides, so the linker
 * pulls just these few objects out of the archive. libgit2 installs no header for them; the
 * declarations below are the part of git's xdiff.h that we use. They have been the same since git
 * 2.30. The differential tests, which compare merges and diffs with git's, would show a change.
 *
 * Where there is no static library, xdiff_shared.c has the same two functions, by those that
 * libgit2 exports.
 */
#ifndef ENGINE_TEXT_XDIFF_H
#define ENGINE_TEXT_XDIFF_H

#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

#define XDF_INDENT_HEURISTIC (1 << 23)

#define XDL_MERGE_ZEALOUS       2
#define XDL_MERGE_ZEALOUS_ALNUM 3

#define XDL_MERGE_FAVOR_OURS   1
#define XDL_MERGE_FAVOR_THEIRS 2
#define XDL_MERGE_FAVOR_UNION  3

#define XDL_MERGE_DIFF3         1
#define XDL_MERGE_ZEALOUS_DIFF3 2

typedef struct s_mmfile {
	char *ptr;
	long size;
} mmfile_t;

typedef struct s_mmbuffer {
	char *ptr;
	long size;
} mmbuffer_t;

typedef struct s_xpparam {
	unsigned long flags;
	void **ignore_regex;
	size_t ignore_regex_nr;
	char **anchors;
	size_t anchors_nr;
} xpparam_t;

typedef struct s_xdemitconf {
	long ctxlen;
	long interhunkctxlen;
	unsigned long flags;
	void *find_func;
	void *find_func_priv;
	/* Lines count from 0. */
	int (*hunk_func)(
		long old_start, long old_count, long new_start, long new_count, void *data);
} xdemitconf_t;

typedef struct s_xdemitcb {
	void *priv; /* the `data` of hunk_func */
	void *out_hunk;
	void *out_line;
} xdemitcb_t;

typedef struct s_xmparam {
	xpparam_t xpp;
	int marker_size; /* 0 and less: 7 */
	int level;
	int favor;
	int style;
	const char *ancestor; /* labels at the markers, never NULL */
	const char *file1;
	const char *file2;
} xmparam_t;

/* The text stays the caller's; xdiff only reads it. */
mmfile_t xdiff_text(struct view text);

/* Call it before the functions below. Fails where the shared library cannot be loaded, or where it
 * cannot make such long markers. */
int xdiff_prepare(int marker_size, struct error *err);

/* Returns -1 if memory runs out or hunk_func fails. */
int xdl_diff(mmfile_t *old, mmfile_t *new, const xpparam_t *parameters,
	const xdemitconf_t *config, xdemitcb_t *output);

/* Returns how many conflicts are marked in the result, or -1 if memory runs out. */
int xdl_merge(mmfile_t *base, mmfile_t *ours, mmfile_t *theirs, const xmparam_t *parameters,
	mmbuffer_t *ret_result);

/* "1.5.1": the version of the library at the time of the build. */
const char *xdiff_version(void);

#endif
