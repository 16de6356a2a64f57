/*
 * Resolutions that no merge can use again.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/replay/internal.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_key.h"
#include "fs/walk.h"

static void collect_applied(const struct state *state, struct resolution_skills *ret_applied)
{
	for (size_t i = 0; i < state->skill_count; i++)
		resolution_skills_add(
			ret_applied, state->skills[i].name, state->skills[i].version);
	resolution_skills_sort(ret_applied);
}

/* Does it need an applied skill in a different version? */
static bool is_outdated(
	const struct resolution_skills *skills, const struct resolution_skills *applied)
{
	for (size_t i = 0; i < skills->count; i++) {
		const struct resolution_skill *wanted = &skills->list[i];
		const struct resolution_skill *is =
			resolution_skills_find(applied, view_of(wanted->name));

		if (is && is->version && wanted->version &&
			!view_equal_str(view_of(is->version), wanted->version))
			return true;
	}
	return false;
}

struct dropping {
	struct session *session;
	struct rebase_result *result;
	const char *folder; /* below the root of the project */
};

static enum walk_result drop_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(freep) char *text = xasprintf("%s/%s", d->folder, entry->path);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (entry->kind == WALK_DIR)
		return WALK_GO_ON;
	if (relpath_parse(view_of(text), &path, err) < 0)
		return WALK_FAIL;
	/* The inner folders were named by their files already. */
	if (entry->kind == WALK_DIR_END)
		transaction_prune(d->session->tx, &path);
	else if (rebase_drop_file(d->session, &path, d->result, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

static int drop_folder(struct session *s, int store, const char *name,
	struct rebase_result *result, struct error *err)
{
	CLEANUP(freep) char *folder = xasprintf(RESOLUTIONS_OWN "/%s", name);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep)
	int fd = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dropping d = {s, result, folder};

	if (fd < 0)
		return error_errno(err, "cannot open '%s'", folder);
	string_array_add(&result->resolutions, name);
	if (walk(fd, drop_entry, &d, err) < 0 || relpath_parse(view_of(folder), &path, err) < 0)
		return -1;
	transaction_prune(s->tx, &path);
	return 0;
}

/* A broken resolution stays, so that a person can look at it. */
static int consider(struct session *s, int store, const char *name,
	const struct resolution_skills *applied, struct rebase_result *result,
	struct error *err)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error broken = ERROR_INIT;
	const struct resolution_skills *skills = &folder.meta.skills;

	if (resolution_folder_open(store, name, &folder, &faults, &broken) < 0)
		return broken.errnum ? error_move(err, &broken) : 0;
	if (faults.errors || !skills->count)
		return 0;
	if (!resolution_skills_fit(skills, applied) && !is_outdated(skills, applied))
		return 0;
	return drop_folder(s, store, name, result, err);
}

int rebase_drop_resolutions(struct session *s, struct rebase_result *result, struct error *err)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills applied = RESOLUTION_SKILLS_INIT;
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(closep)
	int store = openat(s->project->root, RESOLUTIONS_OWN,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (store < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (store < 0)
		return error_errno(err, "cannot open '" RESOLUTIONS_OWN "'");
	if (resolution_names_read(store, false, &names, err) < 0)
		return -1;
	collect_applied(&s->state, &applied);
	for (size_t i = 0; i < names.count; i++)
		if (consider(s, store, names.list[i], &applied, result, err) < 0)
			return -1;
	return 0;
}
