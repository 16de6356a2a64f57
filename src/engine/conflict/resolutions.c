#include "engine/conflict/resolutions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/state/layer.h"
#include "fs/beneath.h"

/* The stores of the project; a session may have more. */
static const char *const store_paths[] = {RESOLUTIONS_OWN, RESOLUTIONS_SHIPPED};

/* A folder with resolutions. */
struct store {
	char *shown;
	int fd; /* or -1 */
	bool shipped;
};

/* A folder in a store. */
struct candidate {
	char *name;
	size_t store;
	bool read;
	bool usable; /* there is no fault in it */
	bool warned; /* that its tests have failed */
	struct resolution_meta meta;
};

struct resolutions {
	struct store *stores; /* an update's stores first */
	size_t store_count, store_cap;
	struct candidate *candidates;
	size_t count;
	size_t cap;
	/* The ones that fit the applied skills, and which skills these were. */
	char *present;
	struct candidate **fitting;
	size_t fitting_count;
	size_t fitting_cap;
};

/* --- reading the stores -------------------------------------------------- */

/* Takes ownership of the open folder. */
static int read_store(
	struct resolutions *r, const char *shown, bool shipped, int fd, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	GROW(r->stores, r->store_count, r->store_cap);
	r->stores[r->store_count++] = (struct store){xstrdup(shown), fd, shipped};
	if (resolution_names_read(fd, false, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		GROW(r->candidates, r->count, r->cap);
		r->candidates[r->count++] = (struct candidate){
			.name = TAKE(names.list[i]),
			.store = r->store_count - 1,
		};
	}
	return 0;
}

/* A store that cannot be read is a warning. */
static void try_store(
	struct session *s, struct resolutions *r, int root, const char *name, bool shipped)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	int fd = -1;

	if (relpath_parse(view_of(name), &path, &err) < 0 ||
		beneath_open_dir(root, &path, &fd, &err) < 0) {
		if (err.errnum == ENOENT)
			return;
	} else if (read_store(r, name, shipped, fd, &err) == 0) {
		return;
	}
	session_warn(s, "recorded resolutions in '%s' are not used: %s", name, err.message);
}

static struct resolutions *read_stores(struct session *s)
{
	struct resolutions *r = xcalloc(1, sizeof(*r));

	/* Resolutions that an update of the core contains for its conflicts. */
	for (size_t i = 0; i < s->shipped_count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		int fd = open(s->shipped[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0)
			error_errno(&err, "cannot open the folder");
		if (fd < 0 || read_store(r, s->shipped[i], true, fd, &err) < 0)
			session_warn(s, "recorded resolutions in '%s' are not used: %s",
				s->shipped[i], err.message);
	}
	for (size_t i = 0; i < ARRAY_SIZE(store_paths); i++)
		try_store(s, r, s->project->root, store_paths[i], i > 0);
	for (size_t i = 0; i < s->store_count; i++)
		try_store(s, r, s->stores[i].root, s->stores[i].path, true);
	return r;
}

static void resolutions_free(struct resolutions *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++) {
		free(r->candidates[i].name);
		resolution_meta_release(&r->candidates[i].meta);
	}
	for (size_t i = 0; i < r->store_count; i++) {
		free(r->stores[i].shown);
		closep(&r->stores[i].fd);
	}
	free(r->stores);
	free(r->candidates);
	free(r->fitting);
	free(r->present);
	free(r);
}

/* --- which folders fit --------------------------------------------------- */

static void warn_not_used(struct session *s, const struct candidate *c, const char *why)
{
	session_warn(s, "the recorded resolution '%s/%s' is not used: %s",
		s->resolutions->stores[c->store].shown, c->name, why);
}

static void read_candidate(struct session *s, struct candidate *c)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	c->read = true;
	if (resolution_folder_open(
		    s->resolutions->stores[c->store].fd, c->name, &folder, &faults, &err) < 0 ||
		faults_as_error(&faults, &err) < 0) {
		warn_not_used(s, c, err.message);
		return;
	}
	c->meta = folder.meta;
	folder.meta = RESOLUTION_META_INIT;
	c->usable = true;
}

/* Describe the set as a text, to detect whether it has changed. */
static char *describe_skills(const struct resolution_skills *present)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < present->count; i++) {
		CLEANUP(freep) char *skill = resolution_skill_text(&present->list[i]);

		buf_appendf(&text, "%s\n", skill);
	}
	return buf_take(&text);
}

static void choose_fitting(struct session *s, const struct resolution_query *query)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills present = RESOLUTION_SKILLS_INIT;
	struct resolutions *r = s->resolutions;
	CLEANUP(freep) char *text = NULL;

	/* Applied skills and the one that is being applied, which counts in its new version. */
	for (size_t i = 0; i < s->state.skill_count; i++) {
		const struct applied_skill *skill = &s->state.skills[i];

		if (!query->skill || strcmp(skill->name, query->skill) != 0)
			resolution_skills_add(&present, skill->name, skill->version);
	}
	if (query->skill && *query->skill)
		resolution_skills_add(&present, query->skill, query->version);
	resolution_skills_sort(&present);
	text = describe_skills(&present);
	if (r->present && !strcmp(text, r->present))
		return;
	free(r->present);
	r->present = TAKE(text);
	r->fitting_count = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct candidate *c = &r->candidates[i];

		if (!resolution_key_fits(view_of(c->name), &present))
			continue;
		if (!c->read)
			read_candidate(s, c);
		if (!c->usable || !resolution_skills_fit(&c->meta.skills, &present))
			continue;
		GROW(r->fitting, r->fitting_count, r->fitting_cap);
		r->fitting[r->fitting_count++] = c;
	}
}

/* --- one conflict -------------------------------------------------------- */

static bool try_candidate(struct session *s, struct candidate *c,
	const struct resolution_query *query, struct resolution_found *ret_found)
{
	const struct resolution_file *file = resolution_meta_find(&c->meta, query->path);
	const struct store *store = &s->resolutions->stores[c->store];
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash;

	if (!file || !resolution_inputs_match(&file->inputs, &query->inputs))
		return false;
	if (resolution_meta_failed(&c->meta)) {
		if (!c->warned)
			warn_not_used(s, c, "its tests have failed");
		c->warned = true;
		return false;
	}
	folder.fd = openat(store->fd, c->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (resolution_folder_read(&folder, &file->path, RESOLUTION, &content, &err) < 0) {
		warn_not_used(s, c, err.message);
		return false;
	}
	hash = hash_of(view_of_buf(&content));
	if (!hash_equal(&hash, &file->output)) {
		session_warn(s,
			"the recorded resolution '%s/%s' is not used: '%s.resolution' does not match the recorded hash",
			store->shown, c->name, file->path.text);
		return false;
	}
	*ret_found = (struct resolution_found){.content = content, .shipped = store->shipped};
	content = BUF_INIT;
	return true;
}

bool resolutions_find(struct session *s, const struct resolution_query *query,
	struct resolution_found *ret_found)
{
	if (!s->resolutions)
		s->resolutions = read_stores(s);
	s->resolutions_free = resolutions_free;
	choose_fitting(s, query);
	for (size_t i = 0; i < s->resolutions->fitting_count; i++)
		if (try_candidate(s, s->resolutions->fitting[i], query, ret_found))
			return true;
	return false;
}

void resolution_found_release(struct resolution_found *found)
{
	buf_release(&found->content);
}

/* --- skills and files ---------------------------------------------------- */

void resolutions_involved(const struct state *state, const struct relpath *path,
	const char *skill, const char *version, struct resolution_skills *ret_skills)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(path));
	bool listed = false;

	for (size_t i = 0; i < state->skill_count; i++) {
		const struct applied_skill *applied = &state->skills[i];
		const struct yaml_node *files = state_files_of(applied);
		bool same = skill && !strcmp(applied->name, skill);

		if (!same && (!files || !yaml_find(files, view_of(key))))
			continue;
		resolution_skills_add(
			ret_skills, applied->name, same ? version : applied->version);
		listed = listed || same;
		if (same)
			break;
	}
	if (skill && *skill && !listed)
		resolution_skills_add(ret_skills, skill, version);
}
