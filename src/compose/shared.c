#include "compose/shared.h"

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

void shared_read_file(
	int root, const char *path, struct buf *ret_text, bool *ret_there, char **ret_why)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;

	*ret_there = beneath_path_read(root, path, SHARED_MAX_FILE, ret_text, &wrong) == 0;
	*ret_why = wrong.kind && wrong.errnum != ENOENT ? xstrdup(wrong.message) : NULL;
}

static void read_or_warn(struct shared *shared, int root, const char *path,
	struct buf *ret_text, bool *ret_there)
{
	CLEANUP(freep) char *why = NULL;

	shared_read_file(root, path, ret_text, ret_there, &why);
	if (why)
		string_array_addf(&shared->warnings, "'%s' is left out: %s", path, why);
}

/* --- skills ------------------------------------------------------------------ */

/* A folder in `skills` that can be one; files beside the skills are ignored without a warning. */
static void add_skill(struct shared *shared, int skills, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", name, SHARED_INSTRUCTIONS);
	CLEANUP(freep) char *shown = quote(view_of(name));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct shared_skill skill = {0};
	const char *reason = NULL;
	struct stat st;

	if (fstatat(skills, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || S_ISREG(st.st_mode))
		return;
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
		return;
	read_or_warn(shared, skills, path, &text, &skill.has_instructions);
	skill.name = xstrdup(name);
	skill.instructions = hash_of(view_of_buf(&text));
	GROW(shared->skills, shared->skill_count, shared->skill_cap);
	shared->skills[shared->skill_count++] = skill;
}

static int read_skills(struct shared *shared, int root, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(closep) int skills = -1;

	if (beneath_path_open_dir(root, SHARED_SKILLS, &skills, &wrong) < 0) {
		if (wrong.errnum != ENOENT)
			string_array_addf(&shared->warnings, "no skills: %s", wrong.message);
		return 0;
	}
	if (file_names(skills, ".", &names) < 0)
		return error_errno(err, "cannot list '" SHARED_SKILLS "'");
	for (size_t i = 0; i < names.count; i++)
		add_skill(shared, skills, names.list[i]);
	return 0;
}

/* --- all of it --------------------------------------------------------------- */

int shared_read(int root, struct shared *ret_shared, struct error *err)
{
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	bool there;

	read_or_warn(&shared, root, SHARED_BASE, &base, &there);
	read_or_warn(&shared, root, SHARED_GLOBAL, &shared.global, &there);
	if (read_skills(&shared, root, err) < 0)
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
	for (size_t i = 0; i < shared->skill_count; i++)
		if (!strcmp(shared->skills[i].name, name))
			return &shared->skills[i];
	return NULL;
}
