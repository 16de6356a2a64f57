#include "compose/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "group/container.h"

void shared_release(struct shared *shared)
{
	buf_release(&shared->global);
	for (size_t i = 0; i < shared->skill_count; i++)
		free(shared->skills[i].name);
	free(shared->skills);
	string_array_release(&shared->warnings);
	*shared = SHARED_INIT;
}

int shared_read_file(int root, const char *path, struct buf *ret_text, bool *ret_there,
	char **ret_why, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;

	*ret_why = NULL;
	*ret_there = false;
	if (relpath_parse(view_of(path), &parsed, err) < 0)
		return -1;
	if (beneath_read(root, &parsed, SHARED_MAX_FILE, ret_text, &wrong) == 0)
		*ret_there = true;
	else if (wrong.errnum != ENOENT)
		*ret_why = xstrdup(wrong.message);
	return 0;
}

static int read_or_warn(struct shared *shared, int root, const char *path, struct buf *ret_text,
	bool *ret_there, struct error *err)
{
	CLEANUP(freep) char *why = NULL;

	if (shared_read_file(root, path, ret_text, ret_there, &why, err) < 0)
		return -1;
	if (why)
		string_array_addf(&shared->warnings, "'%s' is left out: %s", path, why);
	return 0;
}

/* --- skills ------------------------------------------------------------------ */

/* A folder in `skills` that can be one; files beside the skills are ignored without a warning. */
static int add_skill(struct shared *shared, int skills, const char *name, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", name, SHARED_INSTRUCTIONS);
	CLEANUP(freep) char *shown = quote(view_of(name));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct shared_skill skill = {0};
	const char *reason = NULL;
	struct stat st;

	if (fstatat(skills, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || S_ISREG(st.st_mode))
		return 0;
	if (S_ISLNK(st.st_mode))
		reason = "it is a symbolic link, which leads nowhere in a sandbox";
	else if (!S_ISDIR(st.st_mode))
		reason = "it is not a folder";
	else if (!container_name_is_valid(view_of(name)))
		reason = "a skill is called with 1 to 64 of A-Z a-z 0-9 . _ -, and begins "
			 "with a letter or digit";
	if (reason && name[0] != '.')
		string_array_addf(&shared->warnings,
			"%s in '" SHARED_SKILLS "' is left out: %s", shown, reason);
	if (reason)
		return 0;
	if (read_or_warn(shared, skills, path, &text, &skill.has_instructions, err) < 0)
		return -1;
	skill.name = xstrdup(name);
	skill.instructions = hash_of(view_of_buf(&text));
	GROW(shared->skills, shared->skill_count, shared->skill_cap);
	shared->skills[shared->skill_count++] = skill;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct shared_skill *)a)->name, ((const struct shared_skill *)b)->name);
}

static int read_skills(struct shared *shared, int root, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(closedirp) DIR *dir = NULL;
	CLEANUP(closep) int skills = -1;
	struct dirent *entry;
	int copy;

	if (relpath_parse(view_of(SHARED_SKILLS), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, &skills, &wrong) < 0) {
		if (wrong.errnum != ENOENT)
			string_array_addf(&shared->warnings, "no skills: %s", wrong.message);
		return 0;
	}
	copy = fcntl(skills, F_DUPFD_CLOEXEC, 0);
	dir = copy < 0 ? NULL : fdopendir(copy);
	if (!dir) {
		closep(&copy);
		return error_errno(err, "cannot list '" SHARED_SKILLS "'");
	}
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			add_skill(shared, skills, entry->d_name, err) < 0)
			return -1;
	if (errno)
		return error_errno(err, "cannot list '" SHARED_SKILLS "'");
	if (shared->skill_count)
		qsort(shared->skills, shared->skill_count, sizeof(*shared->skills), by_name);
	return 0;
}

/* --- all of it --------------------------------------------------------------- */

int shared_read(int root, struct shared *ret_shared, struct error *err)
{
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	bool there;

	if (read_or_warn(&shared, root, SHARED_BASE, &base, &there, err) < 0 ||
		read_or_warn(&shared, root, SHARED_GLOBAL, &shared.global, &there, err) < 0 ||
		read_skills(&shared, root, err) < 0)
		return -1;
	shared.base = hash_of(view_of_buf(&base));
	if (!view_trim(view_of_buf(&shared.global)).len)
		buf_clear(&shared.global);
	string_array_sort_once(&shared.warnings);
	*ret_shared = shared;
	shared = SHARED_INIT;
	return 0;
}

const struct shared_skill *shared_find(const struct shared *shared, const char *name)
{
	struct shared_skill wanted = {.name = (char *)(uintptr_t)name};

	if (!shared->skill_count)
		return NULL;
	return bsearch(
		&wanted, shared->skills, shared->skill_count, sizeof(*shared->skills), by_name);
}
