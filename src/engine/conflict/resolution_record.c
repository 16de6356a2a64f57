#include "engine/conflict/resolution_record.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fs/beneath.h"
#include "time/timestamp.h"

struct recording {
	struct session *session;
	struct relpath folder;             /* of these skills */
	struct resolution_folder existing; /* empty if it does not exist */
};

static void recording_release(struct recording *r)
{
	relpath_release(&r->folder);
	resolution_folder_release(&r->existing);
}

/* --- the existing folder ------------------------------------------------- */

/* Read the existing folder for these skills, if any. */
static int open_existing(
	struct recording *r, const struct relpath *store, const char *key, struct error *err)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (beneath_stat(r->session->project->root, &r->folder, &st, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (beneath_open_dir(r->session->project->root, store, &fd, err) < 0 ||
		resolution_folder_open(fd, key, &r->existing, &faults, err) < 0)
		return -1;
	if (!faults_as_error(&faults, err))
		return 0;
	error_prefix(err, "'%s' exists, and is damaged", r->folder.text);
	return error_hint(err,
		"'nanoclaw resolution check %s' shows all its faults; fix it or remove it",
		store->text);
}

static bool same_content(const struct recording *r, const struct relpath *path,
	enum resolution_part part, struct view content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf there = BUF_INIT;

	if (!resolution_folder_has(&r->existing, part, path))
		return !content.len && part == PREIMAGE;
	return resolution_folder_read(&r->existing, path, part, &there, &err) == 0 &&
	       view_equal(view_of_buf(&there), content);
}

static bool same_inputs(const struct resolution_inputs *a, const struct resolution_inputs *b)
{
	return a->has_base == b->has_base && (!a->has_base || hash_equal(&a->base, &b->base)) &&
	       hash_equal(&a->current, &b->current) && hash_equal(&a->skill, &b->skill);
}

static bool is_recorded(const struct recording *r, const struct resolution_entry *entry)
{
	const struct resolution_file *file =
		resolution_meta_find(&r->existing.meta, entry->path);
	struct hash output = hash_of(entry->content);

	return file && same_inputs(&file->inputs, &entry->inputs) &&
	       hash_equal(&file->output, &output) &&
	       same_content(r, entry->path, RESOLUTION, entry->content) &&
	       same_content(r, entry->path, PREIMAGE, entry->preimage);
}

/* Does the folder already contain all of this? */
static bool all_recorded(const struct recording *r, const struct resolution_about *about,
	const struct resolution_entry *entries, size_t count)
{
	const struct resolution_meta *meta = &r->existing.meta;

	if (!meta->doc || !meta->source || strcmp(meta->source, about->source) != 0 ||
		meta->tested != about->tested || meta->test_passed != about->test_passed)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!is_recorded(r, &entries[i]))
			return false;
	return true;
}

/* --- what will be -------------------------------------------------------- */

static int put_resolution_file(
	struct recording *r, const char *name, struct view content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_join(&r->folder, view_of(name), &path, err) < 0)
		return -1;
	return transaction_put(r->session->tx, &path, content, 0644, err);
}

static int put_part(struct recording *r, const struct resolution_entry *entry,
	enum resolution_part part, struct view content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (resolution_part_path(entry->path, part, &name, err) < 0)
		return -1;
	if (part == RESOLUTION || content.len)
		return put_resolution_file(r, name.text, content, err);
	/* One of an earlier conflict would be wrong now. */
	if (!resolution_folder_has(&r->existing, part, entry->path))
		return 0;
	if (relpath_join(&r->folder, view_of(name.text), &path, err) < 0)
		return -1;
	return transaction_remove(r->session->tx, &path, err);
}

static void replace_text(char **text, const char *by)
{
	free(*text);
	*text = by ? xstrdup(by) : NULL;
}

/* Do the entries cover all files of the folder? If not, its previous facts remain. */
static bool all_new(
	const struct recording *r, const struct resolution_entry *entries, size_t count)
{
	const struct resolution_meta *meta = &r->existing.meta;

	for (size_t i = 0; i < meta->count; i++) {
		bool covered = false;

		for (size_t k = 0; k < count && !covered; k++)
			covered = !relpath_compare(&meta->files[i].path, entries[k].path);
		if (!covered)
			return false;
	}
	return true;
}

static void update_meta(struct recording *r, const struct resolution_about *about,
	const struct resolution_entry *entries, size_t count)
{
	struct resolution_meta *meta = &r->existing.meta;
	bool anew = all_new(r, entries, count);
	char now[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), now);
	replace_text(&meta->resolved_at, now);
	replace_text(&meta->source, about->source);
	replace_text(&meta->core_version, about->core_version);
	meta->tested = about->tested && (anew || meta->tested);
	meta->test_passed = about->test_passed && (anew || meta->test_passed);
	resolution_skills_release(&meta->skills);
	meta->skills = RESOLUTION_SKILLS_INIT;
	for (size_t i = 0; i < about->skills->count; i++)
		resolution_skills_add(&meta->skills, about->skills->list[i].name,
			about->skills->list[i].version);
	for (size_t i = 0; i < count; i++) {
		struct hash output = hash_of(entries[i].content);

		resolution_meta_set(meta, entries[i].path, &entries[i].inputs, &output);
	}
}

int resolution_record(struct session *s, const struct relpath *folder,
	const struct resolution_about *about, const struct resolution_entry *entries,
	size_t count, bool *ret_changed, struct error *err)
{
	CLEANUP(recording_release)
	struct recording r = {.session = s, .existing = RESOLUTION_FOLDER_INIT};
	CLEANUP(freep) char *key = resolution_key(about->skills);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (relpath_join(folder, view_of(key), &r.folder, err) < 0 ||
		open_existing(&r, folder, key, err) < 0)
		return -1;
	*ret_changed = !all_recorded(&r, about, entries, count);
	if (!*ret_changed)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (put_part(&r, &entries[i], RESOLUTION, entries[i].content, err) < 0 ||
			put_part(&r, &entries[i], PREIMAGE, entries[i].preimage, err) < 0)
			return -1;
	update_meta(&r, about, entries, count);
	if (resolution_meta_write(&r.existing.meta, &text, err) < 0)
		return -1;
	return put_resolution_file(&r, RESOLUTION_META, view_of_buf(&text), err);
}
