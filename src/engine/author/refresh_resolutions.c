/*
 * Resolutions name the versions of their skills. When a refresh raises a version, they are taken
 * along if the conflict is the same: the same hunks, though the rest of the file may have changed.
 */
#include <string.h>

#include "engine/author/internal.h"
#include "engine/author/refresh.h"
#include "engine/conflict/resolution_record.h"
#include "engine/text/rerere.h"
#include "fs/beneath.h"

/* A file of a package, before and after the refresh. */
struct taken_side {
	struct buf was;
	struct tx_file now;
};

/* A folder of resolutions of two skills, at least one of which has a new version. */
struct taking {
	struct session *session;
	const struct core_view *view;
	const struct package *packages[2];
	struct resolution_folder folder;
	struct resolution_entry *entries; /* one for each file of the folder */
	struct buf *contents; /* two for each: the resolved file, and the preimage */
	bool replayed;        /* a resolution, and it has not been tested like that */
};

static void taking_release(struct taking *t)
{
	for (size_t i = 0; t->contents && i < 2 * t->folder.meta.count; i++)
		buf_release(&t->contents[i]);
	free(t->contents);
	free(t->entries);
	resolution_folder_release(&t->folder);
}

static void taken_side_release(struct taken_side *side)
{
	buf_release(&side->was);
	tx_file_release(&side->now);
}

/* --- one file ----------------------------------------------------------------------------- */

/* False if the package has no such file, or not any more. */
static bool read_side(const struct taking *t, const struct package *package,
	const struct relpath *path, struct taken_side *side)
{
	static const char *const parts[] = {"modify", "add"};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(freep)
		char *name = xasprintf("%s/%s/%s", package->folder, parts[i], path->text);
		CLEANUP(relpath_release) struct relpath file = RELPATH_INIT;

		if (relpath_parse(view_of(name), &file, &ignored) == 0 &&
			beneath_read(t->session->project->root, &file, RERERE_MAX_SIZE,
				&side->was, &ignored) == 0)
			return transaction_read(t->session->tx, &file, &side->now, &ignored) ==
				       0 &&
			       side->now.kind == TX_FILE;
	}
	return false;
}

/*
 * Resolve the conflict as it is now in the same way. `*ret_same` is false if it is another: then the
 * change from the preimage to the resolution does not fit.
 */
static int replay_file(const struct rerere_sides *sides, struct buf *content,
	struct buf *preimage, bool *ret_same, struct error *err)
{
	CLEANUP(rerere_text_release) struct rerere_text now = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf resolved = BUF_INIT;
	bool usable;

	*ret_same = false;
	if (rerere_conflict(sides, RERERE_MERGE_FILE, &now, &usable, err) < 0)
		return -1;
	if (!usable || !preimage->len)
		return 0;
	if (rerere_replay(&now, view_of_buf(preimage), view_of_buf(content), &resolved,
		    ret_same, err) < 0)
		return -1;
	buf_clear(content);
	buf_append(content, resolved.data, resolved.len);
	buf_clear(preimage);
	buf_append(preimage, now.normalized.data, now.normalized.len);
	return 0;
}

static int take_file(struct taking *t, size_t number, bool *ret_same, struct error *err)
{
	const struct resolution_file *file = &t->folder.meta.files[number];
	struct buf *content = &t->contents[2 * number], *preimage = content + 1;
	CLEANUP(taken_side_release)
	struct taken_side one = {BUF_INIT, TX_FILE_INIT};
	CLEANUP(taken_side_release)
	struct taken_side two = {BUF_INIT, TX_FILE_INIT};
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	struct resolution_inputs was = file->inputs, now = was;

	*ret_same = false;
	if (!read_side(t, t->packages[0], &file->path, &one) ||
		!read_side(t, t->packages[1], &file->path, &two))
		return 0;
	was.current = hash_of(view_of_buf(&one.was));
	was.skill = hash_of(view_of_buf(&two.was));
	/* Else more than these two files made the conflict. */
	if (!resolution_inputs_match(&was, &file->inputs))
		return 0;
	if (core_view_read(t->view, &file->path, &base, err) < 0 ||
		resolution_folder_read(&t->folder, &file->path, RESOLUTION, content, err) < 0)
		return -1;
	if (resolution_folder_has(&t->folder, PREIMAGE, &file->path) &&
		resolution_folder_read(&t->folder, &file->path, PREIMAGE, preimage, err) < 0)
		return -1;
	if (now.has_base != (base.kind == TX_FILE))
		return 0;
	now.base = hash_of(view_of_buf(&base.content));
	now.current = hash_of(view_of_buf(&one.now.content));
	now.skill = hash_of(view_of_buf(&two.now.content));
	*ret_same = resolution_inputs_match(&now, &was);
	t->replayed |= !*ret_same;
	if (!*ret_same &&
		replay_file(&(struct rerere_sides){view_of_buf(&one.now.content),
				    view_of_buf(&base.content), view_of_buf(&two.now.content)},
			content, preimage, ret_same, err) < 0)
		return -1;
	t->entries[number] = (struct resolution_entry){
		&file->path, now, view_of_buf(content), view_of_buf(preimage)};
	return 0;
}

/* --- a folder ----------------------------------------------------------------------------- */

static int drop_folder(struct taking *t, const struct relpath *store, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	string_array_add(&names, RESOLUTION_META);
	for (int part = 0; part < 2; part++)
		for (size_t i = 0; i < t->folder.paths[part].count; i++) {
			CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;

			if (resolution_part_path(&t->folder.paths[part].list[i],
				    (enum resolution_part)part, &name, err) < 0)
				return -1;
			string_array_add(&names, name.text);
		}
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(freep)
		char *name = xasprintf("%s/%s/%s", store->text, t->folder.name, names.list[i]);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(name), &path, err) < 0 ||
			transaction_remove(t->session->tx, &path, err) < 0)
			return -1;
		for (char *end = strrchr(name, '/'); end > name + strlen(store->text);
			end = strrchr(name, '/')) {
			CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;

			*end = '\0';
			if (relpath_parse(view_of(name), &folder, err) < 0)
				return -1;
			transaction_prune(t->session->tx, &folder);
		}
	}
	return 0;
}

static void warn_of_left(struct taking *t, const struct relpath *store, const char *why)
{
	session_warn(t->session,
		"the resolution '%s/%s' %s, and stays as it is; 'nanoclaw matrix run' shows open conflicts",
		store->text, t->folder.name, why);
}

static int take_folder(struct taking *t, const struct relpath *store,
	const struct resolution_skills *skills, struct error *err)
{
	const struct resolution_meta *meta = &t->folder.meta;
	struct resolution_about about = {.skills = skills, .core_version = t->view->version};
	bool same = true, changed;

	t->entries = xcalloc(meta->count + 1, sizeof(*t->entries));
	t->contents = xcalloc(2 * meta->count + 1, sizeof(*t->contents));
	for (size_t i = 0; i < 2 * meta->count; i++)
		t->contents[i] = BUF_INIT;
	for (size_t i = 0; same && i < meta->count; i++)
		if (take_file(t, i, &same, err) < 0)
			return -1;
	if (!same) {
		warn_of_left(t, store, "does not fit the new files");
		return 0;
	}
	about.source = meta->source ? meta->source : "user";
	about.tested = meta->tested && !t->replayed;
	about.test_passed = meta->test_passed && !t->replayed;
	if (resolution_record(
		    t->session, store, &about, t->entries, meta->count, &changed, err) < 0)
		return -1;
	return drop_folder(t, store, err);
}

/* The version of a skill after the refresh. */
static const char *version_after(
	const struct refresh_result *r, const struct resolution_skill *of)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->packages[i].new_version && !strcmp(r->packages[i].skill, of->name) &&
			of->version && !strcmp(r->packages[i].version, of->version))
			return r->packages[i].new_version;
	return of->version;
}

static int look_at_folder(struct taking *t, const struct relpath *store,
	const struct package_list *packages, struct error *err)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills after = RESOLUTION_SKILLS_INIT;
	const struct resolution_skills *skills = &t->folder.meta.skills;
	bool raised = false;

	for (size_t i = 0; i < skills->count; i++) {
		const char *version =
			version_after(t->session->result->refresh, &skills->list[i]);

		raised |= version != skills->list[i].version;
		resolution_skills_add(&after, skills->list[i].name, version);
		if (i < ARRAY_SIZE(t->packages))
			t->packages[i] = package_list_find(packages, skills->list[i].name);
	}
	if (!raised)
		return 0;
	if (skills->count != 2 || !t->packages[0] || !t->packages[1]) {
		warn_of_left(t, store,
			skills->count == 2 ? "is about a skill that is not here"
					   : "is about more than two skills");
		return 0;
	}
	return take_folder(t, store, &after, err);
}

int refresh_take_resolutions(struct session *s, const struct core_view *view,
	const struct package_list *packages, struct error *err)
{
	static const char *const stores[] = {RESOLUTIONS_OWN, RESOLUTIONS_SHIPPED};

	for (size_t i = 0; i < ARRAY_SIZE(stores); i++) {
		CLEANUP(relpath_release) struct relpath store = relpath_of(stores[i]);
		CLEANUP(string_array_release) struct string_array names = {0};
		CLEANUP(closep) int fd = -1;

		if (beneath_path_open_dir_if(s->project->root, stores[i], &fd, err) < 0)
			return -1;
		if (fd < 0)
			continue;
		if (resolution_names_read(fd, false, &names, err) < 0)
			return -1;
		for (size_t k = 0; k < names.count; k++) {
			CLEANUP(taking_release)
			struct taking t = {
				.session = s, .view = view, .folder = RESOLUTION_FOLDER_INIT};
			CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

			if (resolution_folder_open(fd, names.list[k], &t.folder, &faults, err) <
				0)
				return -1;
			if (!faults.errors && look_at_folder(&t, &store, packages, err) < 0)
				return -1;
		}
	}
	return 0;
}
