#include "engine/session/core_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/core_git.h"
#include "engine/core/objects.h"
#include "engine/package/package.h"
#include "engine/package/semver.h"
#include "engine/session/earlier_cores.h"

/* Older versions of a path are not looked at. */
#define VERSIONS_MAX 200
#define LOG_MAX      ((size_t)256 * 1024)
#define CONTENTS_MAX ((size_t)256 * 1024 * 1024)

/* --- in git ------------------------------------------------------------------------------ */

struct blob {
	char *id;
	mode_t mode;
};

struct blobs {
	struct blob list[2 * VERSIONS_MAX];
	size_t count;
};

static void blobs_release(struct blobs *blobs)
{
	for (size_t i = 0; i < blobs->count; i++)
		free(blobs->list[i].id);
}

/* A mode and an object of `git log --raw`: "100644 3b18e51…"; all zeros mean no file. */
static void add_blob(struct blobs *blobs, struct view mode, struct view id)
{
	if (!view_starts_with(mode, "100") || blobs->count == 2 * VERSIONS_MAX)
		return;
	for (size_t i = 0; i < blobs->count; i++)
		if (view_equal_str(id, blobs->list[i].id))
			return;
	blobs->list[blobs->count++] = (struct blob){
		xmemdupz(id.data, id.len), view_equal_str(mode, "100755") ? 0755 : 0644};
}

struct search {
	const struct blobs *blobs;
	const struct hash *hash;
	struct tx_file *file;
	bool found;
};

static int compare_blob(size_t number, struct view content, void *data, struct error *err)
{
	struct search *search = data;
	struct hash is = hash_of(content);

	(void)err;
	if (search->found || !hash_equal(&is, search->hash))
		return 0;
	search->found = true;
	search->file->kind = TX_FILE;
	search->file->mode = search->blobs->list[number].mode;
	buf_append(&search->file->content, content.data, content.len);
	return 0;
}

/* A failure of git is not an error here, but a signal must end the operation. */
static int git_cannot_tell(struct error *unusable, struct error *err)
{
	if (unusable->errnum != EINTR)
		return 0;
	errno = EINTR;
	return error_errno(err, "%s", unusable->message);
}

int core_past_in_git(struct session *s, const struct relpath *path, const struct hash *hash,
	struct tx_file *ret_file, bool *ret_found, struct error *err)
{
	const char *const argv[] = {"--literal-pathspecs", "log", "--format=", "--raw",
		"--no-abbrev", "--no-renames", "-n", "200", "--", path->text, NULL};
	CLEANUP(error_release) struct error unusable = ERROR_INIT;
	CLEANUP(buf_release) struct buf log = BUF_INIT;
	CLEANUP(blobs_release) struct blobs blobs = {.count = 0};
	const char *objects[2 * VERSIONS_MAX];
	struct search search = {&blobs, hash, ret_file, false};
	struct view text;
	struct view line, words[4];

	*ret_found = false;
	if (core_git_run(s->project->root, argv, view_of(""), LOG_MAX, &log, &unusable) < 0)
		return git_cannot_tell(&unusable, err);
	/* ":100644 100755 OLD NEW M<tab>path" */
	text = view_of_buf(&log);
	while (view_next(&text, '\n', &line)) {
		size_t count = 0;

		if (!line.len || line.data[0] != ':')
			continue;
		line = view_slice(line, 1, line.len);
		while (count < 4 && view_next(&line, ' ', &words[count]))
			count++;
		if (count < 4)
			continue;
		add_blob(&blobs, words[1], words[3]);
		add_blob(&blobs, words[0], words[2]);
	}
	for (size_t i = 0; i < blobs.count; i++)
		objects[i] = blobs.list[i].id;
	if (blobs.count && core_git_contents(s->project->root, objects, blobs.count,
				   CONTENTS_MAX, compare_blob, &search, &unusable) < 0)
		return git_cannot_tell(&unusable, err);
	*ret_found = search.found;
	return 0;
}

/* `tag` is a full ref name. */
static int find_in_tag(struct session *s, const struct relpath *path, const char *tag,
	struct tx_file *ret_file, bool *ret_found, struct error *err)
{
	CLEANUP(freep) char *object = xasprintf("%s:%s", tag, path->text);
	const char *const argv[] = {"cat-file", "blob", object, NULL};
	const char *const look[] = {
		"--literal-pathspecs", "ls-tree", tag, "--", path->text, NULL};
	CLEANUP(error_release) struct error unusable = ERROR_INIT;
	CLEANUP(buf_release) struct buf entry = BUF_INIT;

	if (core_git_run(s->project->root, look, view_of(""), LOG_MAX, &entry, &unusable) < 0)
		return git_cannot_tell(&unusable, err);
	if (!view_starts_with(view_of_buf(&entry), "100"))
		return 0;
	if (core_git_run(s->project->root, argv, view_of(""), PACKAGE_MAX_FILE,
		    &ret_file->content, &unusable) < 0)
		return git_cannot_tell(&unusable, err);
	ret_file->kind = TX_FILE;
	ret_file->mode = view_starts_with(view_of_buf(&entry), "100755") ? 0755 : 0644;
	*ret_found = true;
	return 0;
}

/* --- here ------------------------------------------------------------------------- */

int core_past_by_hash(struct session *s, const struct relpath *path, const struct hash *hash,
	struct tx_file *ret_file, bool *ret_found, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(closep) int nanoclaw = -1;
	struct hash is;

	*ret_found = false;
	if (session_read_base(s, path, &base, err) < 0)
		return -1;
	is = hash_of(view_of_buf(&base.content));
	if (base.kind == TX_FILE && hash_equal(&is, hash)) {
		*ret_file = base;
		base = TX_FILE_INIT;
		*ret_found = true;
		return 0;
	}
	if (project_open_nanoclaw(s->project, &nanoclaw, &none) < 0 ||
		!objects_has(nanoclaw, hash))
		return core_past_in_git(s, path, hash, ret_file, ret_found, err);
	ret_file->kind = TX_FILE;
	ret_file->mode = 0;
	*ret_found = true;
	return objects_read(nanoclaw, hash, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

int core_past_by_version(struct session *s, const struct relpath *path, const char *version,
	struct tx_file *ret_file, bool *ret_found, struct error *err)
{
	CLEANUP(freep) char *plain = xasprintf("refs/tags/%s", version);
	CLEANUP(freep) char *with_v = xasprintf("refs/tags/v%s", version);
	bool known = false;

	*ret_found = false;
	if (!semver_compare_text(version, s->state.core_version)) {
		if (session_read_base(s, path, ret_file, err) < 0)
			return -1;
		known = true;
	} else if (s->found_state &&
		   earlier_cores_read(s, version, path, ret_file, &known, err) < 0) {
		return -1;
	}
	if (known) {
		*ret_found = ret_file->kind == TX_FILE;
		return 0;
	}
	if (find_in_tag(s, path, with_v, ret_file, ret_found, err) < 0)
		return -1;
	return *ret_found ? 0 : find_in_tag(s, path, plain, ret_file, ret_found, err);
}
